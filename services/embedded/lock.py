"""One program at a time in a data directory. The lock goes with the program, however it ends."""

import os
from pathlib import Path

from services.embedded import ServerFailed


class Lock:
    def __init__(self, directory: Path) -> None:
        import fcntl  # not on Windows, where the servers that come along do not run

        self._file = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(self._file, 20, 0).decode(errors="replace").strip() or "unknown"
            os.close(self._file)
            raise ServerFailed(
                f"{directory} is in use by another Greffier (process {holder}). Stop that one first, or give this one"
                " another data directory."
            ) from None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        os.close(self._file)
