"""How far a model's pronunciations are from the dictionary's, and where in the word."""

from mha_core.tasks import name_phonemes, spell


def edit_distance(a, b):
    """Count the insertions, deletions and changes that turn a into b."""
    row = list(range(len(b) + 1))
    for i, left in enumerate(a, start=1):
        above, row = row, [i]
        for j, right in enumerate(b, start=1):
            change = above[j - 1] + (left != right)
            row.append(min(above[j] + 1, row[-1] + 1, change))
    return row[-1]


def transcribe(model, words, size=256):
    """Return the phonemes that a model writes for each word, in the order of the words."""
    order = sorted(range(len(words)), key=lambda i: len(words[i]))
    said = [()] * len(words)
    for start in range(0, len(order), size):
        some = order[start : start + size]
        source = spell([words[i] for i in some])
        ids, _ = model.greedy(source, source.shape[1] + 5)
        for i, row in zip(some, ids, strict=True):
            said[i] = name_phonemes(row)
    return said


def phoneme_error(model, pairs):
    """Return edits per phoneme of the dictionary's pronunciation, over all pairs."""
    said = transcribe(model, [word for word, _ in pairs])
    edits = sum(edit_distance(a, b) for a, (_, b) in zip(said, pairs, strict=True))
    return edits / sum(len(phonemes) for _, phonemes in pairs)
