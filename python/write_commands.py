"""Writes the methods of jointrig.Sim, one for each command that a robot takes, and those of jointrig.aio.

    python write_commands.py FOLDER_OF_THE_MODULE HEADER... COMMANDS ASYNC_COMMANDS

The module `_core` tells the definition of each command: its fields with units, ranges and words, and the modes that
take it. The headers tell what it does: the comment above its struct.
"""

import importlib.util
import pathlib
import re
import sys
import textwrap

HEAD = '''"""The commands of a robot as methods. Made by python/write_commands.py from their definition; not to be edited."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Literal, Union

import numpy.typing as npt

Joints = Union[str, Sequence[str]]
"""The name of a joint or a part, "all", or several names."""
PerJoint = Union[float, npt.ArrayLike]
"""A number for all joints named, or one for each, in the order of the names."""
Numbers = npt.ArrayLike


'''
CLASS = '''
class Commands(ABC):
    """Each method sends one command and returns its number. The next step() takes it, or raises Refused."""

    def _send(self, kind, joints, arm, own, values) -> int:
        raise NotImplementedError
'''
ASYNC_CLASS = '''
class AsyncCommands(ABC):
    """Each method sends one command and returns its number, as those of jointrig.Commands do."""

    async def _send(self, kind, joints, arm, own, values) -> int:
        raise NotImplementedError
'''


def comments_of(headers: list[pathlib.Path]) -> dict[str, str]:
    """The comment above each struct, and above each name of a template's."""
    found = {}
    for header in headers:
        for comment, struct in re.findall(r"((?:^///.*\n)+)(?:struct|using) (\w+)", header.read_text(), re.MULTILINE):
            found[struct] = " ".join(line.removeprefix("///").strip() for line in comment.splitlines())
    return found


def names_a_plan(command: dict) -> bool:
    """By a ticket, that only who has made the plan knows: jointrig/motion.py has the method."""
    return any(field["range_name"] == "ticket" for field in command["fields"])


def is_needed(command: dict, field: dict) -> bool:
    """False where the default of the definition says something: an own speed, no turn, no inertia."""
    if command["name"] in ("set_interaction_control", "set_tool_damping", "set_joint_target"):
        return False
    if command["name"] == "stream_trajectory":  # 0 would be a state of its own, not one left out
        return field["name"] != "torque"
    first = (command["fields"] + command["value_fields"])[0]["name"]
    is_switch = field["range_name"] == "flag" and len(command["fields"]) == 2
    if command["name"] == "set_obstacle" and field["name"] == "shape":
        return True
    return field["name"] == first or is_switch or field["range_name"] in ("duration", "joint_damping", "law", "law_parameter", "parameter", "opening", "message_id", "obstacle_name", "obstacle_size", "obstacle_place", "drive_time", "waypoints", "user_acceleration")


def type_of(field: dict, per_joint: bool) -> str:
    words = ", ".join(f'"{word}"' for word in field["words"])
    one = f"Literal[{words}]" if words else "bool" if field["range_name"] == "flag" else "float"
    if field["range_name"] in ("gripper", "obstacle_name"):
        return "str"
    if field["range_name"] == "obstacle_size":
        return "Union[float, Numbers]"
    if field["range_name"] == "law":
        return "Union[str, int]"
    if per_joint:
        return "PerJoint"
    if field["count"] == 1:
        return one
    return "Numbers" if one == "float" else f"Sequence[{one}]"


def unit_of(field: dict, per_joint: bool) -> str:
    unit, slide = field["unit"], field["unit_of_slide"]
    if not unit or unit == slide or field["range_name"] == "load_inertia":
        return f" [{unit}]" if unit else ""
    return f" [{unit}; {slide} of a slide]" if per_joint or field["range_name"] == "user_acceleration" else f" [{slide} along, {unit} about]"


def line_of(field: dict, per_joint: bool) -> str:
    words = ", ".join(field["words"])
    if field["range_name"] == "gripper":
        return "        gripper: name of the gripper"
    if field["range_name"] == "obstacle_name":
        return "        name: its name, of 1 to 16 characters of ASCII"
    if field["range_name"] == "obstacle_size":
        return "        size: of a box its half edges, of a sphere its radius, of a capsule radius and half length [m]"
    if field["range_name"] == "law":
        whose = "law" if field["name"] == "law" else "parameter of the law"
        return f"        {field['name']}: name of the {whose}, or its number from 0"
    text = f"{field['name']}: {'one of ' + words if words else field['range']}{unit_of(field, per_joint)}"
    if field["is_list"]:
        text += f"; at most {field['count']} numbers"
    elif field["count"] > 1:
        text += f"; {field['count']} values"
    return textwrap.fill(text, 108, initial_indent=" " * 8, subsequent_indent=" " * 12)


def summary_of(command: dict, comments: dict[str, str]) -> str:
    if comment := comments.get(command["struct"]):
        return comment
    fields = ", ".join(field["name"] for field in command["value_fields"] or command["fields"])
    return f"One sample of a {fields} that the sender generates."


def awaited(method: str) -> str:
    """Of a method of Commands that of AsyncCommands."""
    return method.replace("    def ", "    async def ", 1).replace("        return self._send(", "        return await self._send(")


def method_of(command: dict, comments: dict[str, str]) -> str:
    target = command["target"]
    fields = [(field, False) for field in command["fields"]] + [(field, True) for field in command["value_fields"]]
    parameters, lines = ["self"], []
    if target == "joints":
        parameters.append("joints: Joints" + ("" if fields else ' = "all"'))
        lines.append('        joints: name of a joint or a part, "all", or a list of names')
    elif target == "arm":
        parameters.append("arm: str")
        lines.append("        arm: name of the arm")
    # Stable: needed ones first; of the others those of each joint.
    fields.sort(key=lambda pair: (not is_needed(command, pair[0]), not is_needed(command, pair[0]) and not pair[1]))
    for field, per_joint in fields:
        default = "" if is_needed(command, field) else f" = {field['default']!r}"
        parameters.append(f"{field['name']}: {type_of(field, per_joint)}{default}")
        lines.append(line_of(field, per_joint))
    modes = "every mode" if command["every_mode"] else ", ".join(command["modes"])
    notes = f"Taken in {modes}."
    if command["streamed"]:
        notes += " Streamed: send it again before the joint's timeout is over."
    summary = textwrap.fill(summary_of(command, comments), 108, initial_indent=" " * 8, subsequent_indent=" " * 8)
    own = "".join(f"{field['name']}, " for field in command["fields"])
    values = "".join(f"{field['name']}, " for field in command["value_fields"])
    joints, arm = ("joints" if target == "joints" else "None"), ("arm" if target == "arm" else "None")
    body = [f"    def {command['name']}({', '.join(parameters)}) -> int:",
            f'        """{summary.strip()}',
            "",
            *lines,
            "",
            f"        {notes}",
            '        """',
            f"        return self._send({command['number']}, {joints}, {arm}, ({own}), ({values}))"]
    return "\n".join(line for line in body).replace("\n\n\n", "\n\n")


def main() -> None:
    folder, *headers, commands, async_commands = map(pathlib.Path, sys.argv[1:])
    [library] = folder.glob("_core*.so")
    spec = importlib.util.spec_from_file_location("_core", library)
    core = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(core)
    comments = comments_of(headers)
    methods = [method_of(command, comments) for command in core.command_definitions() if not names_a_plan(command)]
    commands.write_text(HEAD + CLASS + "\n" + "\n\n".join(methods) + "\n")
    async_commands.write_text(HEAD + ASYNC_CLASS + "\n" + "\n\n".join(map(awaited, methods)) + "\n")


if __name__ == "__main__":
    main()
