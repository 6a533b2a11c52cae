"""How the shipped data and weights are made; lessons never import this."""


def run(main, *arguments):
    """Run a recipe as a command: what a file refuses is told in one sentence."""
    try:
        main(*arguments)
    except (OSError, ValueError) as error:
        raise SystemExit(str(error)) from error
