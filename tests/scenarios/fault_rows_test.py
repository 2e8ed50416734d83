"""Rows of docs/fault-matrix.md whose fault exists in simulation, as scenarios: on `--backend sim` and over the bus
(`--backend boards`) each ends with the same outcome and exit code, and the report names the joint and the fault.

    fault_rows_test.py PROGRAM FOLDER

The verdict of a scenario of scenarios/ on a fault that it expects is tested on both by over_the_bus_test.py; here
nobody expects one.
"""

import json
import pathlib
import re
import subprocess
import sys
import unittest

PROGRAM, OUT = pathlib.Path(sys.argv.pop(1)).resolve(), pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = pathlib.Path(__file__).resolve().parents[2]
JOINT = "panda_joint6"

SCENARIO = """schema: 1
scenario: {name}
about: A row of the fault matrix; nobody expects its fault.
robot: franka
requires: [faults, torque]
config:
  collision_detection: {{on: false}}  # a joint that sticks has met something
{config}setup:
  - set_mode: {{joints: all, mode: position}}
  - wait: 0.3 s
steps:
{steps}
{asserts}"""

MOVE = f"move: {{joints: {{{JOINT}: 2.2 rad}}, speed: 0.5 rad/s, wait: false}}"


def in_motion(fault: str, *then: str) -> list[str]:
    return [MOVE, "wait: 0.5 s", f"inject_fault: {{joint: {JOINT}, {fault}}}", "wait: 0.6 s", *then]


PASSED, FAILED, FAULT = ("passed", 0), ("failed", 1), ("safety_stop", 3)

# row: steps, how it ends, events that have to be told of the joint, and what must not be told of it.
ROWS = {
    "F3": (in_motion("type: missed_cycles, value: 1"), PASSED, {"notice.link_stale"}, {"fault", "notice.part_held"}),
    # Orders get lost with the samples, and a drive that has none for 20 cycles is in a fault of its own.
    "F5 15": (in_motion("type: missed_cycles, value: 15"),
              PASSED, {"notice.part_held", "notice.part_freed"}, {"fault"}),
    "F5 30": (in_motion("type: missed_cycles, value: 30"), FAULT, {"fault.board_lost", "notice.part_held"}, set()),
    "F25": (in_motion("type: over_temperature, value: 100"), FAULT, {"fault.over_temperature"}, set()),
    "F25 warm": (in_motion("type: over_temperature, value: 75"), PASSED, set(), {"fault"}),
    "F26": (in_motion("type: supply_voltage, value: 20"), FAULT, {"fault.supply_voltage"}, set()),
    "F26 dip": (in_motion("type: supply_voltage, value: 20, for: 4 ms"), PASSED, set(), {"fault"}),
    "F27": (in_motion("type: over_current"), FAULT, {"fault.over_current"}, set()),
    "F29 slips": (in_motion("type: encoder_jump, value: 0.05"), FAULT, {"fault.encoder_jump"}, set()),
    "F29 freezes": (in_motion("type: encoder_freeze"), FAULT, {"fault.encoder_frozen"}, set()),
    "F29 lost": (in_motion("type: encoder_dropout"), FAULT, {"fault.encoder_lost"}, set()),
    # The stack closes the loop: it pushes with its limited torque and does not arrive.
    "F30": (in_motion("type: stiction_step, value: 1000", "wait: 2 s", f"expect: abs({JOINT}.q - 2.2) < 0.01"),
            FAILED, {"limited.torque"}, {"fault"}),
    "F31": ([f"set_mode: {{joints: {JOINT}, mode: position_direct}}",
             f"stream: {{position: {{{JOINT}: 2.5 rad}}, for: 50 ms}}"], PASSED, {"limited.step"}, {"fault"}),
    "F32 switch": (in_motion("type: limit_switch"), FAULT, {"fault.limit_switch"}, set()),
    "F32 soft": ([f"set_mode: {{joints: {JOINT}, mode: velocity}}",
                  f"stream: {{velocity: {{{JOINT}: 1.5 rad/s}}, for: 2.5 s}}"],
                 PASSED, {"limited.position"}, {"fault"}),
    "F33": (["inject_fault: {joint: panda_joint6, type: wrong_calibration_offset, value: 0.5}",
             "calibrate: {joints: panda_joint6, wait: false}", "wait: 2 s"],
            FAULT, {"fault.calibration_failed"}, set()),
    "F35": (in_motion("type: over_current",
                      f"set_mode: {{joints: {JOINT}, mode: force_idle, wait: false}}", "wait: 0.6 s"),
            PASSED, {"fault.over_current", "fault_stays.over_current"}, {"fault_cleared"}),
    "F37": ([f"set_mode: {{joints: {JOINT}, mode: torque}}",
             f"stream: {{torque: {{{JOINT}: 0 Nm}}, for: 0.2 s}}", "wait: 0.4 s"],
            PASSED, {"command_timeout"}, {"fault"}),
}  # fmt: skip

CALIBRATED = f"""  joints:
    {JOINT}: {{board: {{needs_calibration: true, calibration_tolerance: 0.1 rad}}}}
"""


# A scenario that goes on after its fault.
EXPECTED = {"F35": f"assert:\n  always:\n    - no_fault_except: [{JOINT}.over_current]\n"}
A_CYCLE_OR_TWO = 0.0025  # [s], what the way over a bus may take longer


def text_of(row: str) -> str:
    calibrated = row == "F33"
    text = SCENARIO.format(name=row.replace(" ", "_"), config=CALIBRATED if calibrated else "",
                           asserts=EXPECTED.get(row, ""),
                           steps="\n".join(f"  - {step}" for step in ROWS[row][0]))  # fmt: skip
    if calibrated:
        others = ", ".join(f"panda_joint{i}" for i in range(1, 6))
        text = text.replace("joints: all", f"joints: [{others}]")
    return text


def run(backend: str) -> dict[str, dict]:
    """All rows in one run: their results."""
    folder = OUT / backend
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for row in ROWS:
        files.append(folder / f"{row.replace(' ', '_')}.yaml")
        files[-1].write_text(text_of(row))
    done = subprocess.run(
        [PROGRAM, "run", *files, "--backend", backend, "--no-report", "--jobs", "2", "--overwrite", "--logs", "failed",
         "--out", folder / "run"],
        cwd=ROOT, check=False, capture_output=True, text=True, timeout=300)  # fmt: skip
    found = json.loads((folder / "run/result.json").read_text())["scenarios"]
    assert len(found) == len(ROWS), done.stdout + done.stderr
    results = {result["scenario"].replace("_", " "): result for result in found}
    assert done.returncode == max(result["exit_code"] for result in found), done.stdout
    return results


def events(result: dict) -> dict[str, float]:
    """The first time of each event of the joint, by kind and by kind with its word."""
    told = {}
    for event in result["events"]:
        if event["joint"] != JOINT:
            continue
        word = re.match(r"\S+ (?:fault |limited by )?(\w+)", event["sentence"])
        for name in (event["kind"], f"{event['kind']}.{word[1]}" if word else event["kind"]):
            told.setdefault(name, event["time"])
    return told


class SameEnd(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.results = {backend: run(backend) for backend in ("sim", "boards")}

    def test_each_row_ends_as_it_must_on_both(self):
        for row, (_, (outcome, code), _, _) in ROWS.items():
            for backend, results in self.results.items():
                with self.subTest(row=row, backend=backend):
                    result = results[row]
                    self.assertEqual((result["outcome"], result["exit_code"]), (outcome, code), result["reason"])

    def test_each_row_tells_of_its_joint_the_same_on_both(self):
        for row, (_, _, told, untold) in ROWS.items():
            for backend, results in self.results.items():
                with self.subTest(row=row, backend=backend):
                    seen = events(results[row])
                    self.assertLessEqual(told, seen.keys())
                    self.assertFalse(untold & seen.keys())

    def test_each_row_is_told_at_the_same_time_on_both(self):
        for row, (_, _, told, _) in ROWS.items():
            sim, boards = (events(self.results[backend][row]) for backend in ("sim", "boards"))
            for event in told:
                with self.subTest(row=row, event=event):
                    self.assertAlmostEqual(sim[event], boards[event], delta=A_CYCLE_OR_TWO)

    def test_the_report_of_an_unexpected_fault_names_joint_and_fault(self):
        for row, (_, end, told, _) in ROWS.items():
            if end != FAULT:
                continue
            fault = next(event for event in told if event.startswith("fault.")).partition(".")[2]
            for backend, results in self.results.items():
                with self.subTest(row=row, backend=backend):
                    self.assertIn(JOINT, results[row]["reason"])
                    self.assertIn(fault, results[row]["reason"])


if __name__ == "__main__":
    unittest.main()
