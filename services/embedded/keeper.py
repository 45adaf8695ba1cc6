"""Keeps one server for as long as its owner lives. Run as a program, by `kept.py`; the standard library only.

The owner holds the other end of our standard input. When it closes it, or dies of anything at all, the server is asked
to stop, then told to, then killed. The line `kill` kills it at once. We say one line: the number of its process.
"""

import contextlib
import json
import signal
import subprocess
import sys
import threading


def keep(
    command: list[str], cwd: str, env: dict[str, str], account: list[int] | None, farewell: list[tuple[str, float]]
) -> int:
    user, group = account or (None, None)
    server = subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr,
        user=user,
        group=group,
        extra_groups=None if account is None else [],
    )
    with contextlib.suppress(BrokenPipeError):  # the owner has died already: the thread below will see
        print(server.pid, flush=True)
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # after the server's start, which would inherit it
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    threading.Thread(target=_wait_for_the_owner, args=(server, farewell), daemon=True).start()
    return server.wait()


def _wait_for_the_owner(server: subprocess.Popen[bytes], farewell: list[tuple[str, float]]) -> None:
    if sys.stdin.readline() != "kill\n":
        for name, patience in farewell:
            server.send_signal(getattr(signal, name))
            try:
                server.wait(patience)
            except subprocess.TimeoutExpired:
                continue
            return
    server.kill()


if __name__ == "__main__":
    sys.exit(keep(**json.loads(sys.argv[1])))
