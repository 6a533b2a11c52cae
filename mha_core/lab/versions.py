"""Which versions of other packages the lab needs, said before they fail."""

import re
from importlib import metadata

from mha_core._checks.sentences import sentence

# Of pyproject.toml, for a copy of the project that was never installed.
RANGES = {"ipywidgets": ">=7.7,!=8.1.9,<9", "matplotlib": ">=3.10"}


def check_version(package):
    """Refuse a version of a package that is too old or too new for the lab.

    One in between that the project does not install (``!=``) is taken where it is.

    Raises
    ------
    ImportError
        With the version that is there, the range that works, and how to get it.
    """
    wanted, found = _range(package), metadata.version(package)
    ends = re.findall(r"(>=|<)([\d.]+)", wanted)
    if not all(_fits(_numbers(found), sign, _numbers(end)) for sign, end in ends):
        raise ImportError(
            sentence(
                "The pictures and views here need {package} {wanted}, but version "
                '{found} is installed; run: python -m pip install "{package}{wanted}", '
                "then restart the kernel.",
                package=package,
                wanted=wanted,
                found=found,
            )
        )


def _range(package):
    """Return the range that the installed project asks for, or that of `RANGES`."""
    try:
        lines = metadata.requires("mha_core") or ()
    except metadata.PackageNotFoundError:
        lines = ()
    alone = [line for line in lines if "extra ==" not in line]
    found = [re.match(r"([\w.-]+)\s*([^;]*)", line).groups() for line in alone]
    parts = dict(found).get(package, "").replace(" ", "") or RANGES[package]
    return ",".join(sorted(parts.split(","), key=lambda part: ">!<".index(part[0])))


def _fits(version, sign, end):
    return version >= end if sign == ">=" else version < end


def _numbers(version):
    """Return the numbers that a version begins with: ``3.11.0rc1`` is (3, 11, 0)."""
    return tuple(map(int, re.match(r"\d+(\.\d+)*", version)[0].split(".")))
