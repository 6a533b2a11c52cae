"""What a drawn step of a decoder says in words."""

from mha_core._checks.sentences import sentence


def tell(writing, step):
    """Return the title of a drawn step, its numbers line by line, and a sentence."""
    now, word = writing.steps[step], "".join(writing.letters)
    what = {"word": word, "step": step, "sound": now.likely[0][0]}
    return _title(now, what), _facts(writing, now), _told(writing, now, what)


def _title(now, what):
    if now.looked is None:
        return sentence("“{word}”, last states only, step {step}: {sound}", **what)
    return sentence("“{word}”, with attention, step {step}: {sound}", **what)


def _facts(writing, now):
    likely = [f"{sound} {chance:.2f}" for sound, chance in now.likely]
    facts = [sentence("Likeliest: {sounds}.", sounds=", ".join(likely))]
    if now.looked is not None:
        pairs = zip(writing.letters, now.looked, strict=True)
        looks = [f"{letter} {share:.2f}" for letter, share in pairs if share >= 0.005]
        facts.append(sentence("Weights: {letters}.", letters=", ".join(looks)))
    return facts


def _told(writing, now, what):
    what = what | {"chance": now.likely[0][1]}
    if now.looked is None:
        return sentence(
            "Step {step} of “{word}” writes {sound} (probability {chance:.2f}) from "
            "the message alone: where the forward and the backward states end.",
            **what,
        )
    place = int(now.looked.argmax())
    what |= {"letter": writing.letters[place], "weight": float(now.looked[place])}
    return sentence(
        "Step {step} of “{word}” writes {sound} (probability {chance:.2f}); the "
        "thickest line goes to {letter}, letter {place}, and its weight is "
        "{weight:.2f}.",
        **what,
        place=place,
    )
