"""pytest: a scenario file is a test.

    pytest scenarios --jointrig                      every scenario below, each variation a test
    pytest scenarios --jointrig -k retarget --jointrig-out runs/tests

A test that fails shows what was expected, what was got, and the paths of its plots and its log: in the folder of
--jointrig-out, or without it in pytest's own for temporary files, where those of failures alone stay. Scenarios that lack
something they require are skipped; tags are markers: `-m smoke`.
"""

from __future__ import annotations

import pathlib
import re
import shutil
import tempfile
from collections.abc import Iterator
from typing import Any, Optional

import pytest

IS_SCENARIO = re.compile(r"^scenario:", re.MULTILINE)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("jointrig", "scenarios of robots")
    group.addoption("--jointrig", action="store_true", help="collect scenario files (*.yaml) as tests")
    group.addoption("--jointrig-out", metavar="FOLDER",
                    help="folder for each scenario's log and report; without it pytest's tmp_path has those of failures")
    group.addoption("--jointrig-backend", metavar="NAME", default="", help="sim, kinematic, boards or hw")
    group.addoption("--jointrig-robot", metavar="ROBOT", default="", help="in place of the scenarios'")
    group.addoption("--jointrig-set", metavar="PATH=VALUE", action="append", default=[], help="as --set of jointrig run")
    parser.addini("jointrig", "collect scenario files as tests", type="bool", default=False)


def pytest_collect_file(file_path: pathlib.Path, parent: pytest.Collector) -> Optional[pytest.Collector]:
    wanted = parent.config.getoption("jointrig") or parent.config.getini("jointrig")
    if not wanted or file_path.suffix != ".yaml" or not IS_SCENARIO.search(file_path.read_text(errors="replace")):
        return None
    return ScenarioFile.from_parent(parent, path=file_path)


class ScenarioFile(pytest.File):
    def collect(self) -> Iterator[pytest.Item]:
        import jointrig

        try:
            scenarios = jointrig.find_scenarios(self.path, settings=self.config.getoption("jointrig_set"))
        except jointrig.InputError as error:
            raise self.CollectError(str(error)) from None
        for scenario in scenarios:
            item = ScenarioItem.from_parent(self, name=scenario.name)
            item.add_tags(scenario.tags)
            yield item


class ScenarioItem(pytest.Item):
    """One scenario, or one variation of it."""

    def add_tags(self, tags: list[str]) -> None:
        for tag in tags:
            name = re.sub(r"\W", "_", tag)
            self.config.addinivalue_line("markers", f"{name}: scenarios with the tag {tag}")
            self.add_marker(name)

    def runtest(self) -> None:
        import jointrig

        option = self.config.getoption
        folder = self.folder()
        [result] = [one for one in jointrig.run_scenarios(
            self.path, only=self.name, settings=option("jointrig_set"), robot=option("jointrig_robot"),
            backend=option("jointrig_backend"), out=folder)]
        self.user_properties.append(("state_hash", result.state_hash))
        if not option("jointrig_out") and (result.passed or result.outcome == "skipped"):
            shutil.rmtree(folder, ignore_errors=True)
        if result.outcome == "skipped":
            pytest.skip(result.reason)
        if not result.passed:
            raise ScenarioFailed(result, folder)

    def folder(self) -> pathlib.Path:
        """For log and report."""
        name = re.sub(r"[^\w.=,-]", "_", self.name)
        out = self.config.getoption("jointrig_out")
        if out:
            return pathlib.Path(out, name)
        factory = getattr(self.config, "_tmp_path_factory", None)  # of pytest's fixture tmp_path, unless it is off
        return factory.mktemp(name) if factory else pathlib.Path(tempfile.mkdtemp(prefix=f"{name}-"))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, ScenarioFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[pathlib.Path, int, str]:
        return self.path, 0, f"scenario {self.name}"


class ScenarioFailed(Exception):
    """A scenario that did not pass; its text is what pytest shows."""

    def __init__(self, result, folder) -> None:
        lines = [f"{result.scenario}: {result.outcome}" + (f": {result.reason}" if result.reason else "")]
        for verdict in result.failures:
            lines += [f"{verdict.place}: {verdict.name}", f"  expected  {verdict.expected}", f"  got       {verdict.got}"]
            if verdict.more:
                lines.append(f"            {verdict.more}")
            if verdict.at == verdict.at:
                lines.append(f"  at        {verdict.at:.3f} s")
        lines += [f"plots: {folder / 'report.html'}", f"log:   {result.log_path}"]
        super().__init__("\n".join(lines))
