"""Programs that run beside a test, and never longer than it.

    server = Background(self, [PROGRAM, "serve", "franka"], stdout=subprocess.PIPE, text=True)

Its owner is a test, or with `cls` a class of tests: the owner's clean-up kills it, wherever the test fails. The kernel
kills it when the test's process ends without one.
"""

import contextlib
import os
import pathlib
import signal
import subprocess


# After the kernel knows of it: a parent that died before leaves a program that doesn't begin.
IF_PARENT_LIVES = ["sh", "-c", '[ "$PPID" = "$0" ] && exec "$@"']


class Background(subprocess.Popen):
    """A program in the background. It is owned from the moment it is started, before anything can fail."""

    def __init__(self, owner, command, **options):
        super().__init__(["setpriv", "--pdeathsig", "KILL", "--", *IF_PARENT_LIVES, str(os.getpid()),
                          *map(str, command)], **options)
        register = owner.addClassCleanup if isinstance(owner, type) else owner.addCleanup
        register(self.end)

    def end(self):
        """Without any effect where it has ended."""
        self.kill()
        self.wait()
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


def run_alone(command, timeout, **options):
    """As subprocess.run(); what the command started and left behind is killed, too."""
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            said, errors = process.communicate(timeout=timeout)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    return subprocess.CompletedProcess(command, process.returncode, said, errors)


def run_with_rest(owner, command, timeout, **options):
    """As subprocess.run(); programs that the command left behind live on until their owner's clean-up."""
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        owner.addCleanup(end_session, process.pid)
        said, errors = process.communicate(timeout=timeout)
    return subprocess.CompletedProcess(command, process.returncode, said, errors)


def end_session(leader):
    """Kills what is left of the session that a process began, in whichever group of it."""
    for folder in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):  # it has gone, or is no process
            after_name = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(folder.name) != os.getpid() and int(after_name[3]) == leader:
                os.kill(int(folder.name), signal.SIGKILL)
