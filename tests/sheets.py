"""Proof that an exercise can be solved, and only by solving it."""


def answer_of(exercise):
    """Return the `answer` that the code of a solution ends with."""
    names = {}
    exec(exercise.solution, names)
    return names["answer"]


def prove(sheet, name):
    """Prove one exercise: open, solved, and each known wrong answer told apart."""
    exercise = sheet.exercises[name]
    for still_open in (None, ...):
        verdict = sheet.check(name, still_open)
        assert not verdict.solved
        assert "not answered yet" in verdict.sentence
    told = [_told(sheet, name, answer, part) for answer, part in exercise.wrong]
    assert len(set(told)) == len(told), told
    verdict = sheet.check(name, answer_of(exercise))
    assert verdict.solved, verdict
    assert sheet.check(name, answer_of(exercise)) == verdict


def _told(sheet, name, answer, part):
    verdict = sheet.check(name, answer)
    assert not verdict.solved, answer
    assert part in verdict.sentence, verdict
    return verdict.sentence
