"""Visit all situations, or those whose names hold a word, and print the table."""

import sys

from .run import ROOT, passed, run_all
from .situations import SITUATIONS

TABLE = ROOT / "build" / "robust" / "table.jsonl"


def main(word=""):
    """Print one line a situation; return 1 where a test failed."""
    rows = run_all([one for one in SITUATIONS if word in one.name], TABLE)
    print("\n| situation | tests | seconds |\n|---|---|---|")
    for row in rows:
        print(f"| {row['name']} | {row['told']} | {row['seconds']} |")
    failed = [row["name"] for row in rows if not passed(row)]
    print(f"\n{len(rows)} situations, failed: {failed}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
