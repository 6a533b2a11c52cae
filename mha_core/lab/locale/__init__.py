"""The language in which views, pictures and exercises speak to a reader.

English stands in the code. Each other language is a folder with a catalogue, which
gettext reads: ``zh/LC_MESSAGES/mha_core.po``, and ``.mo`` made from it.
"""

import gettext
from functools import cache
from pathlib import Path
from types import SimpleNamespace

from mha_core._checks.arguments import told
from mha_core._checks.sentences import Sentence

FOLDER = Path(__file__).resolve().parent
DOMAIN = "mha_core"
# A kernel is a process of its own, and this is what its reader chose.
_KERNEL = SimpleNamespace(language="en")


def languages():
    """Return the names of the languages that there are, English first."""
    return ["en", *sorted(path.parent.name for path in FOLDER.glob("*/LC_MESSAGES"))]


def language(name):
    """Choose a language for what this kernel makes from now on.

    A view, a picture or a verdict that is there already keeps its own.

    Parameters
    ----------
    name : str
        "en", "zh".

    Raises
    ------
    ValueError
        If there is no such language.
    """
    if not isinstance(name, str) or name not in languages():
        known = ", ".join(languages())
        raise ValueError(f"There is no language {told(name)}; there are {known}.")
    _KERNEL.language = name


def current():
    """Return the language that this kernel speaks now."""
    return _KERNEL.language


def translated(text, language):
    """Return a sentence in another language; any other text is returned as it is.

    Parameters
    ----------
    text : str
        A `Sentence` is filled anew, and so are the sentences among its fields. What
        the catalogue lacks stays in English.
    language : str
    """
    if not isinstance(text, Sentence):
        return text
    known = _catalogue(FOLDER, language)
    fields = {key: translated(value, language) for key, value in text.fields.items()}
    return _template(text, known).format(**fields)


@cache
def _catalogue(folder, language):
    """Return what gettext reads once; it looks for the file each time it is asked."""
    return gettext.translation(DOMAIN, folder, [language], fallback=True)


def _template(text, known):
    if len(text.templates) == 1:
        return known.gettext(*text.templates)
    return known.ngettext(*text.templates, int(text.fields["n"]))
