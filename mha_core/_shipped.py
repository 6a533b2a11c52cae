"""Read and write shipped files, each with its checksum and the way to rebuild it."""

import hashlib
import json
import os
from pathlib import Path

DATA = Path(__file__).parent / "data"


def read_shipped(name, folder=DATA):
    """Return the bytes of a shipped file, or say how to rebuild it if it is damaged."""
    entry = _manifest(folder).get(name, {})
    try:
        content = (folder / name).read_bytes()
    except OSError as error:
        raise _broken(
            folder / name, entry, f"cannot be read ({error.strerror})"
        ) from None
    if hashlib.sha256(content).hexdigest() != entry.get("sha256"):
        raise _broken(
            folder / name, entry, "is damaged or not the one that was shipped"
        )
    return content


def ship(name, content, rebuild, folder=DATA):
    """Write a file, its checksum and the command that rebuilds it."""
    manifest = _manifest(folder)
    digest = hashlib.sha256(content).hexdigest()
    manifest[name] = {"sha256": digest, "rebuild": rebuild}
    text = json.dumps(dict(sorted(manifest.items())), indent=1) + "\n"
    replace_file(folder / name, content)
    replace_file(folder / "manifest.json", text.encode("utf-8"))


def replace_file(path, content):
    """Write a file beside the old one and rename it, so that one of them is whole."""
    path = Path(path)
    beside = path.with_name(path.name + ".new")
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def _manifest(folder):
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return manifest if isinstance(manifest, dict) else {}


def _broken(path, entry, what):
    how = entry.get("rebuild", "git checkout -- mha_core/data")
    return ValueError(f"{path} {what}; this command makes it anew: {how}")
