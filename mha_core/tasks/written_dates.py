"""Dates in four languages, to be written as year, month and day: 2018-05-09.

A held-out tenth of all days, by a hash, never appears in training in any language.
"""

import datetime
import hashlib
import re
import unicodedata

import numpy as np

from mha_core._checks.arguments import check_count, told, whole
from mha_core._checks.sentences import sentence
from mha_core.tasks.sounds import up_to_end

MONTHS = {
    "english": "january february march april may june july august september october "
    "november december",
    "french": "janvier février mars avril mai juin juillet août septembre octobre "
    "novembre décembre",
    "german": "januar februar märz april mai juni juli august september oktober "
    "november dezember",
}
FORMATS = {
    "english": ("{d} {month} {y}", "{month} {d}, {y}", "{d} {short} {y}"),
    "french": ("{d} {month} {y}",),
    "german": ("{d}. {month} {y}", "{d}.{m}.{y}"),
    "chinese": ("{y}年{m}月{d}日",),
}
CHARACTERS = "".join(
    sorted({*"0123456789 ,.年月日", *"".join(MONTHS.values())} - {"\n"})
)
DIGITS = "0123456789-"
KNOWN = CHARACTERS, DIGITS  # to read, and to write
MOST = 30  # characters; the longest date has 18
FIRST, LAST = datetime.date(1950, 1, 1), datetime.date(2049, 12, 31)


def write(day, language, form=0):
    """Return a day as people write it, in small letters: "9 may 2018".

    Parameters
    ----------
    day : datetime.date
    language : {"english", "french", "german", "chinese"}
    form : int
        Which of the language's `FORMATS`.
    """
    _check_day(day)
    _check_form(language, form)
    names = MONTHS.get(language, "").split()
    month = names[day.month - 1] if names else ""
    numbers = {"d": day.day, "m": day.month, "y": day.year}
    return FORMATS[language][form].format(month=month, short=month[:3], **numbers)


def read(text):
    """Return the day that a text means, or say why it is none that the model knows.

    Parameters
    ----------
    text : str
        One of the `FORMATS`; capitals and spaces around do not matter, nor how
        accents are stored.

    Returns
    -------
    text : str
        As the model reads it.
    day : datetime.date
    """
    if not isinstance(text, str):
        what = type(text).__name__
        raise ValueError(sentence("A date must be text, not {what}.", what=what))
    text = " ".join(unicodedata.normalize("NFC", text).lower().split())
    numbers = {int(n) for n in re.findall(r"\d{1,4}", text[:MOST])}
    for day in _candidates(numbers):
        if text in _all_forms(day):
            return text, day
    raise ValueError(
        sentence(
            "{text!r} is no date from 1950 to 2049 in a form that the model knows; try "
            "9 May 2018, May 9, 2018, 9 mai 2018, 9. Mai 2018 or 2018年5月9日.",
            text=text[:MOST],
        )
    )


def is_held_out(day):
    """Tell whether a day is kept for the test."""
    _check_day(day)
    return hashlib.md5(day.isoformat().encode()).digest()[0] < 26


def draw(rng, count, held_out=False):
    """Draw dates: texts as people write them, and the same as YYYY-MM-DD.

    Parameters
    ----------
    rng : numpy.random.Generator
    count : int
    held_out : bool
        Draw the days that are kept for the test, or the others.

    Returns
    -------
    list of (str, str)
    """
    pairs, count = [], check_count("count", count, 0)
    while len(pairs) < count:
        day = FIRST + datetime.timedelta(int(rng.integers((LAST - FIRST).days + 1)))
        if is_held_out(day) == held_out:
            language = str(rng.choice(list(FORMATS)))
            form = int(rng.integers(len(FORMATS[language])))
            pairs.append((write(day, language, form), day.isoformat()))
    return pairs


def as_arrays(pairs):
    """Return dates as numbers: (B, T) with 0 as padding, and (B, 11) with 0 as end."""
    _check_pairs(pairs)
    source = [[CHARACTERS.index(c) + 1 for c in text] for text, _ in pairs]
    target = [[DIGITS.index(c) + 1 for c in iso] + [0] for _, iso in pairs]
    width = max(map(len, source))
    return np.array([r + [0] * (width - len(r)) for r in source]), np.array(target)


def batches(rng, size=64, count=50):
    """Draw batches of dates of about the same length, as arrays of numbers."""
    size, count = check_count("size", size), check_count("count", count, 0)
    pairs = sorted(draw(rng, size * count), key=lambda pair: len(pair[0]))
    for i in rng.permutation(count):
        yield as_arrays(pairs[i * size : (i + 1) * size])


def name_digits(row):
    """Return one row of numbers as text, up to the first 0."""
    return "".join(DIGITS[i - 1] for i in up_to_end(row, len(DIGITS)))


def exact(model, pairs):
    """Return the share of dates that a model writes without any fault."""
    source, _ = as_arrays(pairs)
    ids, _ = model.greedy(source, 11)
    said = [name_digits(row) for row in ids]
    return float(np.mean([a == iso for a, (_, iso) in zip(said, pairs, strict=True)]))


def _check_day(day):
    if not isinstance(day, datetime.date):
        raise ValueError(sentence("day must be a date, not {day}.", day=told(day)))


def _check_form(language, form):
    if language not in tuple(FORMATS):
        what = {"known": ", ".join(FORMATS), "language": told(language)}
        raise ValueError(
            sentence("language must be one of {known}, not {language}.", **what)
        )
    what = {"count": len(FORMATS[language]), "language": language, "form": told(form)}
    if whole(form) not in range(what["count"]):
        raise ValueError(
            sentence(
                "form must be an integer below {count}, the forms of {language}, from "
                "0, not {form}.",
                **what,
            )
        )


def _check_pairs(pairs):
    if not pairs:
        raise ValueError(sentence("There are no dates; give at least one."))
    for texts, signs in zip(zip(*pairs, strict=True), KNOWN, strict=True):
        unknown = sorted(set("".join(texts)) - set(signs))
        if unknown:
            raise ValueError(
                sentence(
                    "{one!r} stands in no date that the model knows; all that do are "
                    "{all!r}.",
                    **{"one": unknown[0], "all": signs},
                )
            )


def _all_forms(day):
    return [write(day, lang, k) for lang, f in FORMATS.items() for k in range(len(f))]


def _candidates(numbers):
    """Return the days that numbers may mean, with any month: it may be a name."""
    years = [n for n in numbers if FIRST.year <= n <= LAST.year]
    for year in years:
        for month in range(1, 13):
            for day in [n for n in numbers if 1 <= n <= 31]:
                try:
                    yield datetime.date(year, month, day)
                except ValueError:
                    continue
