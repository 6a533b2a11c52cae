"""All situations in which the tests must pass."""

from .situation import Situation

LESSONS = ("notebooks",)
# Without those that install packages, compare with the pins, or take minutes.
UNIT = (
    "tests",
    *(
        f"--ignore=tests/test_{name}.py"
        for name in (
            "binder browser fuzz fuzz_counts fuzz_layers heads_view mutants "
            "requirements"
        ).split()
    ),
)
FILES = tuple(
    f"tests/test_{name}.py"
    for name in (
        "build cases_field exercises failures notebooks pretrained recipes shipped "
        "source stored style tasks timings training"
    ).split()
)
NUMBERS = tuple(
    f"tests/test_{name}.py"
    for name in (
        "cases_numerical frozen golden gradients models onnx properties training"
    ).split()
)
PICTURES = tuple(f"tests/test_{name}.py" for name in "curves pictures views".split())
VIEWS = tuple(
    f"tests/test_{name}.py"
    for name in "beside controls explorers exported live_views screen".split()
)
# Letters look otherwise there; newer parts warn of what the oldest Matplotlib asks.
OLD = ("-p", "no:nbval_pictures", "-W", "ignore::DeprecationWarning")
HOSTED = "ipywidgets==7.7.1 matplotlib==3.10.0 jupyterlab<4 jupyterlab_widgets<2"
BOTH = (*LESSONS, *UNIT)

MATPLOTLIBRC = r"""printf '%s\n' 'figure.figsize: 4, 3' 'figure.dpi: 50' \
'font.size: 30' 'font.family: serif' 'image.cmap: jet' 'savefig.bbox: tight' \
'axes.unicode_minus: False' 'text.color: red' 'backend: svg' > matplotlibrc
MATPLOTLIBRC=$PWD/matplotlibrc exec "$@" """
# The folder .fonts is one of those where Matplotlib looks.
FONTS = """apt-get download -qq fonts-noto-cjk && dpkg -x fonts-noto-cjk*.deb .fonts
HOME=$PWD MPLCONFIGDIR=$PWD exec "$@" """
READ_ONLY = """mount --bind . . && mount -o remount,bind,ro . && cd "$PWD" || exit 9
touch here 2>/dev/null && exit 9
PYTHONDONTWRITEBYTECODE=1 exec "$@" """
OFFLINE = """ip link set lo up || exit 9
exec "$@" """
TWICE = """python tests/robust/twice.py || exit 9
exec "$@" """
BUSY = """for _ in $(seq "$(nproc)"); do yes >/dev/null & done
"$@"; code=$?; kill $(jobs -p); exit $code"""
THREE_TIMES = """for _ in 1 2 3; do "$@" || exit; done"""
RESOLVE = """python -m uv pip compile -q --python-version 3.14 --only-binary :all: \
--extra lab pyproject.toml --group dev -o resolved.txt && echo "1 passed"
"""

SITUATIONS = [
    Situation("Python 3.11 and the pins", BOTH, python="3.11"),
    Situation("newest Python and the pins", (*LESSONS, *NUMBERS), python="newest"),
    Situation(
        "newest of all",
        (*LESSONS, *NUMBERS, *PICTURES, *VIEWS),
        python="newest",
        packages="highest",
    ),
    Situation(
        "oldest of each range",
        (*OLD, *LESSONS, *NUMBERS, *PICTURES, *VIEWS),
        python="3.11",
        packages="lowest-direct",
    ),
    Situation(
        "widgets of hosted notebooks",
        (*OLD, *LESSONS, *PICTURES, *VIEWS),
        python="3.11",
        packages=HOSTED,
    ),
    Situation("oldest NumPy", BOTH, python="3.11", packages="numpy==2.0.0"),
    Situation("Python 3.14 resolves", (), around=RESOLVE),
    *(
        Situation(f"OpenBLAS {core}", (*LESSONS, *NUMBERS), {"OPENBLAS_CORETYPE": core})
        for core in ("Prescott", "Haswell", "SkylakeX")
    ),
    *(
        Situation(f"hash seed {seed}", LESSONS, {"PYTHONHASHSEED": seed})
        for seed in ("0", "4294967295")
    ),
    Situation("a user's matplotlibrc", (*LESSONS, *PICTURES), around=MATPLOTLIBRC),
    Situation("Chinese fonts", (*LESSONS, *PICTURES), around=FONTS),
    Situation(
        "spaces and Chinese in the path", (*LESSONS, *FILES), folder="my clone 注意力"
    ),
    Situation(
        "C locale",
        (*LESSONS, *FILES, *PICTURES),
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    ),
    Situation("read-only clone", (*LESSONS, *FILES), around=READ_ONLY, namespace="-m"),
    Situation(
        "no network",
        (*LESSONS, "tests/test_browser.py", "tests/test_failures.py"),
        around=OFFLINE,
        namespace="-n",
    ),
    Situation("two Run Alls in one kernel", ("twice",), around=TWICE),
    Situation("three times", LESSONS, around=THREE_TIMES),
    Situation("both cores busy", LESSONS, around=BUSY, alone=True),
]
