"""One line of the table: ours, theirs, and how many times as long ours takes."""


def report(what, ours, theirs, limit):
    """Print two times in milliseconds and their ratio; return whether it holds."""
    ratio = ours / theirs
    verdict = "holds" if ratio <= limit else "FAILS"
    print(
        f"{what:44s} {ours:9.3f} ms {theirs:9.3f} ms "
        f"{ratio:6.2f} of {limit:4.2f} {verdict}",
        flush=True,
    )
    return ratio <= limit
