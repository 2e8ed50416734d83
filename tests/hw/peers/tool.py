"""A program of the project under test, spoken to in lines."""

import queue
import subprocess
import threading


PATIENCE = 60.0  # s; waited for only where something is broken


class Tool:
    def __init__(self, *command):
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         text=True)
        self._lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        first = self.line()
        if first != "up":
            raise RuntimeError(f"{command[0]} did not come up: {first!r}")

    def _read(self):
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def line(self, timeout=PATIENCE):
        return self._lines.get(timeout=timeout)

    def say(self, text):
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()

    def ask(self, text):
        self.say(text)
        return self.line()

    def end(self):
        """Ends it by closing its input; returns its exit code."""
        self._process.stdin.close()
        code = self._process.wait(timeout=PATIENCE)
        self._process.stdout.close()
        return code
