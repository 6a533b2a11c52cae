"""Plant all faults, or those whose names hold a word, and print the table."""

import shutil
import sys
from functools import partial

from .fault import ROOT
from .faults import FAULTS
from .run import caught, control, copy_project, run

BUILD = ROOT / "build" / "mutants"
COPIES = BUILD / "copies"


def main(word=""):
    """Print one line a fault; return 1 where one survived."""
    faults = [fault for fault in FAULTS if word in f"{fault.file} {fault.name}"]
    shutil.rmtree(COPIES, ignore_errors=True)
    failed = control(faults, copy_project(COPIES / "control"))
    if failed != "passed":
        print(f"{failed}, without any fault")
        return 1
    tell = partial(print, flush=True)
    rows = run(faults, BUILD / "table.jsonl", COPIES, tell=tell)
    print("\n| fault | file | first unit test | first cell |\n|---|---|---|---|")
    for row in rows:
        cell = row["exempt"] and f"exempt: {row['exempt']}" or row["lessons"]
        print(f"| {row['name']} | {row['file']} | {row['unit']} | {cell} |")
    survivors = [row["name"] for row in rows if not caught(row)]
    print(f"\n{len(rows)} faults, {len(survivors)} survived: {survivors}")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
