"""Measures how long the machine stood still during a test in real time.

    with Stalls() as stalls:
        ...                  stalls.longest() [s], stalls.where()

    @kept_to_time(0.01)      of a test of unittest: a failure during which something stood still for longer than
    def test_...             that is said and tried again, twice; any other failure is one

A thread on each processor sleeps for 5 ms at a time and measures how much longer that was (the machine, or this
process, stood still). It measures how long each process below this one, threads and all, was
ready and not let run between two looks (schedstat), or was seen stopped.
"""

import functools
import os
import sys
import threading
import time
import unittest

LOOK = 0.005  # s from one look to the next
TRIES = 3


def below(pid):
    """The processes that a process has started, and theirs."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = [int(word) for word in file.read().split()]
    except OSError:
        return []
    return [each for child in children for each in (child, *below(child))]


def waited(pid):
    """How long each thread of a process has been ready without being let run [s], and if it is stopped."""
    threads, stopped = {}, False
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
                threads[thread] = int(file.read().split()[1]) * 1e-9
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            stopped = file.read().rsplit(")", 1)[1].split()[0] in "Tt"
    except (OSError, IndexError, ValueError):
        pass  # it has ended, or this kernel keeps no such figures
    return threads, stopped


class Stalls:
    def __enter__(self):
        self._longest, self._where = 0.0, ""
        self._lock, self._ended = threading.Lock(), threading.Event()
        cores = sorted(os.sched_getaffinity(0))
        self._threads = [threading.Thread(target=self._sleep, args=(core,), daemon=True) for core in cores]
        self._threads.append(threading.Thread(target=self._watch, daemon=True))
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def longest(self):
        return self._longest

    def where(self):
        return self._where

    def _saw(self, length, where):
        with self._lock:
            if length > self._longest:
                self._longest, self._where = length, where

    def _sleep(self, core):
        os.sched_setaffinity(0, {core})  # of this thread
        before = time.monotonic()
        while not self._ended.wait(LOOK):
            now = time.monotonic()
            self._saw(now - before - LOOK, f"processor {core}")
            before = now

    def _watch(self):
        before, stopped_since = {}, {}
        while not self._ended.wait(LOOK):
            now, seen = time.monotonic(), {}
            for pid in below(os.getpid()):
                threads, stopped = waited(pid)
                for thread, length in threads.items():
                    seen[thread] = length
                    self._saw(length - before.get(thread, length), f"process {pid}")
                if stopped:
                    self._saw(now - stopped_since.setdefault(pid, now), f"process {pid}, stopped")
                else:
                    stopped_since.pop(pid, None)
            before = seen


def attempts(action, most, name, again=lambda: None):
    """Does it; again where it failed with an assertion while something stood still for longer than `most`."""
    for attempt in range(1, TRIES + 1):
        try:
            with Stalls() as stalls:
                return action()
        except AssertionError as failure:
            if stalls.longest() <= most or attempt == TRIES:
                print(f"{name}: nothing stood still for longer than {1000 * stalls.longest():.0f} ms "
                      f"({stalls.where()}) in try {attempt}", file=sys.stderr)
                raise
            print(f"{name}: {stalls.where()} stood still for {1000 * stalls.longest():.0f} ms, more than "
                  f"{1000 * most:.0f} ms: tried again after\n    {failure}", file=sys.stderr, flush=True)
        again()


def kept_to_time(most):
    def decorate(test):
        @functools.wraps(test)
        def tried(self: unittest.TestCase):
            def again():
                self.tearDown()
                self.setUp()
            attempts(lambda: test(self), most, self.id(), again)
        return tried
    return decorate
