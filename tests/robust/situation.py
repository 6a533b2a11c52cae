"""What a situation is: a place to run tests in, and how it differs from others."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Situation:
    """Tests to run, and the place to run them in.

    ``around`` is a line of shell that gets the tests' command as ``"$@"`` and runs in
    a new clone, which lies in ``folder``. ``namespace`` gives it a network or mounts
    of its own. ``python`` and ``packages`` make a new environment for it; otherwise
    it has the one that runs now. ``alone`` lets no other run at the same time.
    """

    name: str
    tests: tuple
    variables: dict = field(default_factory=dict)
    around: str = '"$@"'
    namespace: str = ""
    folder: str = "clone"
    python: str = ""
    packages: str = "pins"
    alone: bool = False

    def command(self, python):
        """Return the command for a Python that has the packages."""
        pytest = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *self.tests]
        apart = ["unshare", self.namespace] if self.namespace else []
        return [*apart, "bash", "-c", self.around, "bash", *pytest]
