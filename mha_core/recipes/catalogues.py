"""Collect the sentences of the package for translators, and compile what they wrote.

    python -m mha_core.recipes.catalogues

It reads each call of ``sentence`` and ``counted`` with Babel, a development tool. New
sentences are added to each catalogue untranslated; what no code says is dropped.
"""

import io
import re
from datetime import UTC, datetime
from pathlib import Path

from babel.messages import Catalog, extract, mofile, pofile

from mha_core.lab.locale import DOMAIN, FOLDER

PACKAGE = FOLDER.parents[1]
KEYWORDS = {"sentence": None, "counted": (1, 2)}
# The same in every file, so that only sentences make a difference.
DATE = datetime(2026, 1, 1, tzinfo=UTC)
IDLE = re.compile(
    rb'"(Project|Report|POT|PO|Last|Language-Team|Generated)-?[A-Za-z-]*: .*\\n"\n'
)
HEADER = "# What mha_core says to readers. This file belongs to the project.\n#"


def extracted():
    """Return a catalogue of all sentences in the code, with the files they are in."""
    found = Catalog(header_comment=HEADER, creation_date=DATE, charset="utf-8")
    rows = extract.extract_from_dir(
        PACKAGE, keywords=KEYWORDS, directory_filter=lambda path: True
    )  # Babel leaves folders out whose names begin with _
    for file, line, message, comments, context in sorted(rows, key=_place):
        where = [(Path(file).as_posix(), line)]
        found.add(message, locations=where, auto_comments=comments, context=context)
    return found


def _place(row):
    return Path(row[0]).as_posix(), row[1]


def template_path():
    """Return where all sentences stand, in English."""
    return FOLDER / f"{DOMAIN}.pot"


def catalogue_paths():
    """Return language to the file that translators edit."""
    found = sorted(FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))
    return {path.parents[1].name: path for path in found}


def read(path):
    """Return a catalogue from its file.

    Raises
    ------
    babel.messages.pofile.PoFileError
        If a line cannot be read.
    """
    language = path.parents[1].name if path.suffix == ".po" else None
    with path.open("rb") as file:
        return pofile.read_po(file, locale=language, abort_invalid=True)


def write(catalogue, path):
    """Write a catalogue, the same bytes on every system; headers of no use are left."""
    file = io.BytesIO()
    pofile.write_po(
        file, catalogue, width=88, include_lineno=False, ignore_obsolete=True
    )
    path.write_bytes(IDLE.sub(b"", file.getvalue()).rstrip(b"\n") + b"\n")


def compiled(catalogue):
    """Return the bytes of the file that gettext reads."""
    file = io.BytesIO()
    catalogue.creation_date = DATE
    mofile.write_mo(file, catalogue)
    return file.getvalue()


def update(template, path):
    """Bring one catalogue up to date, compile it, and return how many are missing."""
    catalogue = read(path)
    catalogue.update(template, no_fuzzy_matching=True)
    write(catalogue, path)
    path.with_suffix(".mo").write_bytes(compiled(read(path)))
    return len(untranslated(catalogue))


def untranslated(catalogue):
    """Return the English of each sentence that lacks its translation or a plural."""
    return [
        message.id
        for message in catalogue
        if message.id
        and not all(
            message.string if isinstance(message.string, tuple) else [message.string]
        )
    ]


def main():
    """Renew the template and all catalogues."""
    template = extracted()
    write(template, template_path())
    print(f"{len(template)} sentences")
    for language, path in catalogue_paths().items():
        print(f"{language}: {update(template, path)} not translated")


if __name__ == "__main__":
    main()
