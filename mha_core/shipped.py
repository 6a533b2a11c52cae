"""Read and write shipped files, each with its checksum and the way to rebuild it."""

import errno
import hashlib
import json
import os
from pathlib import Path

DATA = Path(__file__).parent / "data"
MANIFEST = "manifest.json"
BACK = "git checkout -- mha_core/data"
KEPT = "what was there before is kept, and the same command goes on from there"
NO_SPACE = (errno.ENOSPC, errno.EDQUOT)


def read_shipped(name, folder=DATA):
    """Return the bytes of a shipped file, or say how to rebuild it if it is damaged."""
    entry = _entry(name, folder)
    try:
        content = (folder / name).read_bytes()
    except OSError as error:
        what = f"cannot be read ({error.strerror})"
        raise _broken(folder / name, what, entry["rebuild"]) from None
    if hashlib.sha256(content).hexdigest() != entry["sha256"]:
        what = "is damaged or not the one that was shipped"
        raise _broken(folder / name, what, entry["rebuild"])
    return content


def ship(name, content, rebuild, folder=DATA):
    """Write a file, its checksum and the command that rebuilds it."""
    manifest = _manifest(folder, name) if (folder / MANIFEST).exists() else {}
    digest = hashlib.sha256(content).hexdigest()
    manifest[name] = {"sha256": digest, "rebuild": rebuild}
    text = json.dumps(dict(sorted(manifest.items())), indent=1) + "\n"
    replace_files({folder / name: content, folder / MANIFEST: text.encode("utf-8")})


def read_file(path):
    """Return the bytes of a file, or say in a sentence why it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise OSError(f"{path} cannot be read ({error.strerror}).") from None


def replace_file(path, content):
    """Write a file beside the old one and rename it, so that one of them is whole."""
    replace_files({path: content})


def replace_files(contents):
    """Write files beside the old ones; rename them once all are written."""
    beside = {path: Path(f"{path}.new") for path in contents}
    try:
        for path, content in contents.items():
            beside[path].write_bytes(content)
        for path, new in beside.items():
            os.replace(new, path)
    except OSError as error:
        raise OSError(f"{path} cannot be written ({_why(error)}); {KEPT}.") from None
    finally:
        for new in beside.values():
            new.unlink(missing_ok=True)


def _why(error):
    full = ": the disk is full" if error.errno in NO_SPACE else ""
    return f"{error.strerror or error}{full}"


def _entry(name, folder):
    entry = _manifest(folder, name).get(name)
    if not isinstance(entry, dict) or not {"sha256", "rebuild"} <= set(entry):
        raise _broken(folder / name, f"is not listed in {MANIFEST}")
    return entry


def _manifest(folder, name):
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        manifest = None
    if not isinstance(manifest, dict):
        what = f"cannot be checked: {MANIFEST} beside it is missing or damaged"
        raise _broken(folder / name, what)
    return manifest


def _broken(path, what, rebuild=BACK):
    back = "" if str(rebuild).startswith(BACK) else f"{BACK} brings it back, "
    return ValueError(f"{path} {what}; {back}this command makes it anew: {rebuild}")
