import numpy as np
import pytest
from matplotlib.font_manager import findfont, get_font

from mha_core.recipes.cmudict import stem
from mha_core.tasks import (
    SPLITS,
    as_arrays,
    batches,
    batches_of_one_length,
    name_phonemes,
    number_phonemes,
    phoneme_names,
    pronunciation,
    spell,
    to_ipa,
    up_to_end,
)
from mha_core.tasks.tagged_sentences import answers, places, sentences
from mha_core.tasks.tagged_sentences import batches as tagged_batches
from mha_core.tasks.words import LETTERS
from mha_core.tasks.written_dates import batches as date_batches
from mha_core.tasks.written_dates import draw as draw_dates
from mha_core.tasks.written_dates import is_held_out, write

PAIRS = {split: pronunciation(split) for split in SPLITS}


def rng():
    return np.random.default_rng(0)


def read_back(drawn):
    """Return the pairs in batches of numbers."""
    return [
        ("".join(LETTERS[i - 1] for i in letters if i), name_phonemes(numbers))
        for source, target in drawn
        for letters, numbers in zip(source, target, strict=True)
    ]


def pads_on_the_right(numbers):
    there = numbers > 0
    return bool((there[:, :-1] >= there[:, 1:]).all())


def test_the_splits_have_their_sizes():
    sizes = {split: len(pairs) for split, pairs in PAIRS.items()}
    assert sizes == {"train": 102548, "dev": 1778, "test": 11855}


def test_words_are_of_2_to_20_small_letters():
    for pairs in PAIRS.values():
        assert all(
            2 <= len(word) <= 20 and set(word) <= set(LETTERS) for word, _ in pairs
        )


def test_the_phonemes_are_39_without_stress():
    found = {p for pairs in PAIRS.values() for _, phonemes in pairs for p in phonemes}
    assert found == set(phoneme_names())
    assert len(found) == 39
    assert not any(character.isdigit() for name in found for character in name)
    assert all(phonemes for pairs in PAIRS.values() for _, phonemes in pairs)


def test_no_word_stands_twice():
    words = [word for pairs in PAIRS.values() for word, _ in pairs]
    assert len(set(words)) == len(words)


def test_no_stem_is_in_two_splits():
    stems = {split: {stem(word) for word, _ in PAIRS[split]} for split in SPLITS}
    assert not stems["train"] & stems["test"]
    assert not stems["train"] & stems["dev"]
    assert not stems["dev"] & stems["test"]


@pytest.mark.parametrize("split", ["all", "Test", "", None, 0, ["test"]])
def test_an_unknown_split_is_refused(split):
    with pytest.raises(ValueError, match="split must be train, dev or test, not"):
        pronunciation(split)


def test_each_phoneme_has_a_sign_of_its_own_that_the_font_can_draw():
    signs = list(phoneme_names().values())
    assert len(set(signs)) == 39
    font = get_font(findfont("DejaVu Sans", fallback_to_default=False))
    assert all(font.get_char_index(ord(c)) for c in "".join(signs))
    assert not font.get_char_index(ord("字"))


def test_knight_in_numbers_and_signs():
    known = dict(PAIRS["train"])
    assert known["knight"] == ("N", "AY", "T")
    assert to_ipa(known["knight"]) == ["n", "aɪ", "t"]
    assert spell(["knight", "a"]).tolist() == [
        [11, 14, 9, 7, 8, 20],
        [1, 0, 0, 0, 0, 0],
    ]
    source, target = as_arrays([("knight", ("N", "AY", "T")), ("be", ("B", "IY"))])
    assert source.shape == (2, 6)
    assert (target[:, -1] == 0).all()
    assert np.count_nonzero(target) == 5


def test_numbers_and_names_go_both_ways():
    said = [phonemes for _, phonemes in PAIRS["dev"]]
    numbers = number_phonemes(said)
    assert numbers.min() == 0
    assert numbers.max() <= 39
    assert [name_phonemes(row) for row in numbers] == said
    assert name_phonemes([3, 0, 5]) == name_phonemes(np.array([3])) == ("AH",)
    assert name_phonemes([0]) == ()


@pytest.mark.parametrize(
    "words",
    [
        "knight",
        ["Knight"],
        ["a b"],
        ["naïve"],
        ["cat", ""],
        ["x1"],
        [],
        [1, 2],
        None,
        5,
    ],
)
def test_what_cannot_be_spelt_is_refused(words):
    with pytest.raises(ValueError, match="words"):
        spell(words)


@pytest.mark.parametrize("row", [[40], [-1], [3, -39, 0], [1.5], [None]])
def test_numbers_of_no_phoneme_are_refused(row):
    with pytest.raises(
        ValueError, match="numbers from 1 to 39, and 0 for the end, not"
    ):
        name_phonemes(row)
    assert up_to_end([3, 0, *row], 39) == [3]


def test_without_words_there_are_no_arrays_and_no_batches():
    for call in (as_arrays, lambda pairs: list(batches_of_one_length(pairs, rng()))):
        with pytest.raises(ValueError, match="There are no words; give at least one"):
            call([])
    for draw in (batches, batches_of_one_length):
        with pytest.raises(ValueError, match="size must be an integer of at least 1"):
            list(draw(PAIRS["dev"], rng(), size=0))


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"tags": np.full((1, 12), 6)}, "tags must be .*0 to 5, .* is from 6 to 6"),
        ({"tags": np.full((1, 12), -1)}, "tags must be .*0 to 5, .* is from -1 to -1"),
        ({"words": np.full((1, 12), 16)}, "words must be .*0 to 15, .* is from 16 to"),
        ({"words": np.full((1, 12), -1)}, "words must be .*0 to 15, .* is from -1 to"),
        ({"words": np.zeros((1, 11), int)}, r"words .*12 columns.*shape \(1, 11\)"),
        ({"tags": np.zeros((1, 13), int)}, r"tags must be .*of shape \(1, 13\)"),
        ({"tags": np.zeros(12, int)}, r"tags must be .*of shape \(12,\)"),
        ({"words": np.zeros((1, 12))}, "words must be .*float64 of shape"),
        ({"words": 3}, "words must be .*it is int"),
        ({"words": np.zeros((2, 12), int)}, "one row for each sentence.*1 rows for 2"),
    ],
)
def test_R6_words_and_tags_out_of_range_are_refused_by_name(given, part):
    table = {"words": np.zeros((1, 12), int), "tags": np.zeros((1, 12), int)} | given
    with pytest.raises(ValueError, match=part):
        answers(**table)
    if "tags" in given:
        with pytest.raises(ValueError, match=part):
            places(table["tags"])


@pytest.mark.parametrize("count", [-1, 2.0, "3", None, True])
def test_R6_counts_that_are_none_are_refused_by_name(count):
    for call in (
        lambda: sentences(rng(), count),
        lambda: draw_dates(rng(), count),
        lambda: list(tagged_batches(rng(), count)),
        lambda: list(date_batches(rng(), count=count)),
    ):
        with pytest.raises(ValueError, match="count must be an integer of at least 0"):
            call()


@pytest.mark.parametrize("day", ["2018-05-09", None, 5])
def test_R6_what_is_no_day_is_refused_by_name(day):
    for call in (lambda: is_held_out(day), lambda: write(day, "german")):
        with pytest.raises(ValueError, match="day must be a date, not"):
            call()


@pytest.mark.parametrize("function", [to_ipa, lambda one: number_phonemes([one])])
def test_unknown_phonemes_are_refused_with_those_there_are(function):
    with pytest.raises(ValueError, match="'AY1' is no phoneme; there are AA, AE,"):
        function(["N", "AY1", "T"])


def test_batches_give_every_pair_once_in_an_epoch():
    drawn = list(batches(PAIRS["dev"], rng(), size=50, chunk=8))
    assert sorted(read_back(drawn)) == sorted(PAIRS["dev"])


def test_batches_pad_little_and_on_the_right():
    drawn = list(batches(PAIRS["dev"], rng()))
    assert all(pads_on_the_right(part) for both in drawn for part in both)
    lengths = [(source > 0).sum(axis=1) for source, _ in drawn]
    assert np.median([np.ptp(some) for some in lengths]) <= 1
    real = sum((source > 0).sum() for source, _ in drawn)
    assert real / sum(source.size for source, _ in drawn) > 0.9
    assert max(len(source) for source, _ in drawn) == 128


def test_short_and_long_batches_come_in_any_order():
    lengths = [source.shape[1] for source, _ in batches(PAIRS["dev"], rng(), size=50)]
    rising = np.mean(np.diff(lengths) >= 0)
    assert 0.2 < rising < 0.8


def test_batches_follow_their_generator_and_leave_the_pairs_alone():
    pairs = PAIRS["dev"][:300]
    before = list(pairs)
    one, two = (list(batches(pairs, rng(), size=32)) for _ in range(2))
    other = list(batches(pairs, np.random.default_rng(1), size=32))
    assert read_back(one) == read_back(two) != read_back(other)
    assert pairs == before


def test_batches_of_one_length_are_of_one_length():
    drawn = list(batches_of_one_length(PAIRS["dev"], rng(), size=16, count=40))
    assert [source.shape[0] for source, _ in drawn] == [16] * 40
    assert all((source > 0).all() for source, _ in drawn)
    assert all(pads_on_the_right(target) for _, target in drawn)
    assert set(read_back(drawn)) <= set(PAIRS["dev"])
    again = list(batches_of_one_length(PAIRS["dev"], rng(), size=16, count=40))
    assert read_back(again) == read_back(drawn)


def test_batches_of_one_length_take_long_words_more_often_than_they_are():
    drawn = batches_of_one_length(PAIRS["dev"], rng(), size=1, count=2000)
    long = np.mean([source.shape[1] >= 12 for source, _ in drawn])
    assert long > 2 * np.mean([len(word) >= 12 for word, _ in PAIRS["dev"]])


def test_batches_of_one_length_draw_the_first_and_the_last_word_of_a_length():
    some = [pair for pair in PAIRS["dev"] if len(pair[0]) in (5, 6)][:40]
    drawn = batches_of_one_length(some, rng(), size=100, count=40)
    assert set(read_back(list(drawn))) == set(some)


def test_a_and_z_are_the_first_and_the_last_letter():
    assert spell(["az"]).tolist() == [[1, 26]]
    assert number_phonemes([("AA", "ZH")]).tolist() == [[1, 39, 0]]
    assert name_phonemes([1, 39, 0]) == ("AA", "ZH")


SIGNS = dict(
    pair.split("=")
    for pair in "AA=ɑ AE=æ AH=ə AO=ɔ AW=aʊ AY=aɪ B=b CH=tʃ D=d DH=ð EH=ɛ ER=ɝ EY=eɪ "
    "F=f G=ɡ HH=h IH=ɪ IY=i JH=dʒ K=k L=l M=m N=n NG=ŋ OW=oʊ OY=ɔɪ P=p R=ɹ S=s SH=ʃ "
    "T=t TH=θ UH=ʊ UW=u V=v W=w Y=j Z=z ZH=ʒ".split()
)


def test_every_phoneme_has_its_sign():
    assert phoneme_names() == SIGNS


@pytest.mark.parametrize(
    ("word", "sound"),
    [
        ("think", "TH"),
        ("that", "DH"),
        ("boat", "OW"),
        ("cow", "AW"),
        ("ship", "SH"),
        ("vision", "ZH"),
    ],
)
def test_signs_that_are_easily_exchanged_stand_in_their_words(word, sound):
    phonemes = next(said for split in PAIRS.values() for w, said in split if w == word)
    assert sound in phonemes
