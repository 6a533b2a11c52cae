import pytest

from mha_core._checks.sentences import Sentence, counted, sentence


def test_a_sentence_is_an_english_text_that_keeps_its_parts():
    made = sentence("{name} weighs {weight:.2f}.", name="knight", weight=1 / 3)
    assert made == "knight weighs 0.33."
    assert made.templates == ("{name} weighs {weight:.2f}.",)
    assert made.fields == {"name": "knight", "weight": 1 / 3}


@pytest.mark.parametrize(("n", "text"), [(1, "1 row"), (0, "0 rows"), (2, "2 rows")])
def test_a_number_picks_its_form(n, text):
    assert counted("{n} row", "{n} rows", n=n) == text


def test_a_sentence_stands_in_another():
    inner = counted("{n} row", "{n} rows", n=2)
    assert sentence("Drawn: {what}.", what=inner) == "Drawn: 2 rows."
    assert isinstance(inner, Sentence)


def test_an_absent_field_is_an_error():
    with pytest.raises(KeyError):
        sentence("{name} is absent.")
