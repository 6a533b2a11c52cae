"""Faults in how sentences are translated."""

from ..fault import Fault

LOCALE = "lab/locale/__init__.py"
WHY = "no lesson is translated yet; the made-up lesson of the tests is"

FAULTS = [
    Fault(
        "fields that stay in English",
        LOCALE,
        "{key: translated(value, language) for key, value in text.fields.items()}",
        "text.fields",
        "test_locale",
        exempt=WHY,
    ),
    Fault(
        "one form for all numbers",
        LOCALE,
        'known.ngettext(*text.templates, int(text.fields["n"]))',
        "known.gettext(text.templates[0])",
        "test_locale",
        exempt=WHY,
    ),
    Fault(
        "filled in English before it is looked up",
        LOCALE,
        "return _template(text, known).format(**fields)",
        "return known.gettext(str(text))",
        "test_locale",
        exempt=WHY,
    ),
    Fault(
        "an error where no catalogue is",
        LOCALE,
        "[language], fallback=True)",
        "[language])",
        "test_locale",
        exempt=WHY,
    ),
    Fault(
        "a language that is always English",
        LOCALE,
        "    _KERNEL.language = name",
        "    return None",
        "test_locale",
        exempt=WHY,
    ),
]
