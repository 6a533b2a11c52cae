"""Sentences that remember how they were made, so that they can be translated.

English is the language of the code. A sentence is one whole template with named
fields; `mha_core.lab.locale` looks the template up and fills it again.
"""


class Sentence(str):
    """An English text that keeps its template and the fields that fill it.

    Parameters
    ----------
    templates : tuple of str
        One, or those for one and for several things.
    fields : dict
        By name, as `str.format` takes them; a field may be a sentence itself.
    """

    def __new__(cls, templates, fields):
        """Fill the template that fits the number of things, ``n`` among the fields."""
        template = templates[0 if len(templates) == 1 or fields["n"] == 1 else 1]
        made = super().__new__(cls, template.format(**fields))
        made.templates, made.fields = templates, fields
        return made


def sentence(template, /, **fields):
    """Return a sentence from a template with named fields."""
    return Sentence((template,), fields)


def counted(one, several, /, *, n, **fields):
    """Return a sentence about n things, from a template for one and one for more."""
    return Sentence((one, several), {"n": n, **fields})
