"""The parts of the pages in docs/: fenced blocks with a purpose, and generated sections.

    ```sh run                commands, run one after the other from the clone's top
    jointrig run x.yaml      # exit code 1         where it isn't 0
    ```
    ```python run           a program, run there with the package jointrig
    ```
    ```yaml x.yaml           a file that the commands find there; xml likewise
    ```text output           what the command before it prints; "..." stands for any lines left out

    <!-- generated: keys robot -->   until   <!-- end -->

    python documents.py --write PROGRAM   makes the generated sections again
    python documents.py --files FOLDER    puts the pages' files into a folder
"""

import pathlib
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "models/README.md",
         ROOT / "bench/README.md"]

FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^\n`]*)\n(?P<text>.*?)^(?P=indent)```$",
                   re.MULTILINE | re.DOTALL)
GENERATED = re.compile(r"(?P<begin><!-- generated: (?P<what>[a-z ]+) -->\n)(?P<text>.*?)"
                       r"(?P<end><!-- end -->)", re.DOTALL)


@dataclass
class Block:
    kind: str  # "file", "run", "python" or "output"
    name: str
    text: str
    line: int


def blocks_of(page: pathlib.Path) -> list[Block]:
    content, blocks = page.read_text(), []
    for match in FENCE.finditer(content):
        language, _, purpose = match["info"].strip().partition(" ")
        line = content.count("\n", 0, match.start()) + 2
        text = textwrap.dedent(match["text"])
        if language == "sh" and purpose == "run":
            blocks.append(Block("run", "", text, line))
        elif language == "python" and purpose == "run":
            blocks.append(Block("python", "", text, line))
        elif language == "text" and purpose == "output":
            blocks.append(Block("output", "", text, line))
        elif language in ("yaml", "xml") and purpose:
            blocks.append(Block("file", purpose, text, line))
    return blocks


def commands_of(block: Block) -> list[tuple[str, int]]:
    """Each command and the exit code that it has to have."""
    commands = []
    for line in block.text.replace("\\\n", " ").splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        wanted = re.search(r"# exit code (\d+)", line)
        commands.append((line, int(wanted[1]) if wanted else 0))
    return commands


def list_in(path: str, macro: str) -> list[list[str]]:
    """The entries X(...) of a listed enumeration, each as its arguments; strings without quotes."""
    text = (ROOT / path).read_text()
    begin = text.index(f"#define {macro}(X)")
    body = re.match(r"(?:[^\n]*\\\n)*[^\n]*\n", text[begin:])[0].replace("\\\n", " ")
    entries = []
    for match in re.finditer(r'X\((\w+), ((?:"[^"]*"|[^"()]|\([^()]*\))*)\)', body):
        arguments = re.findall(r'(?:"[^"]*"\s*)+|[^,"\s]+', match[2])
        entries.append([match[1]] + [a if '"' not in a else "".join(re.findall(r'"([^"]*)"', a))
                                     for a in arguments])
    return entries


def fault_table() -> str:
    code_words = {e[0]: e[1] for e in list_in("control/core/faults.h", "JOINTRIG_FAULT_CODES")}
    rows = ["| type | what happens | value | the board reports | at the latest after |",
            "| --- | --- | --- | --- | --- |"]
    for _, word, unit, code, seconds, sentence in list_in("sim/board/fault_injection.h",
                                                          "JOINTRIG_SIM_FAULTS"):
        found = code_words[code.removeprefix("FaultCode::")]
        after = f"{float(seconds) * 1e3:g} ms" if float(seconds) > 0 else ""
        found = f"`{found}`" if found != "none" else "nothing"
        rows.append(f"| `{word}` | {sentence} | {unit} | {found} | {after} |")
    return "\n".join(rows) + "\n"


def sensor_fault_table() -> str:
    rows = ["| type | what happens |", "| --- | --- |"]
    for _, word, sentence in list_in("sim/sensors.h", "JOINTRIG_SIM_SENSOR_FAULTS"):
        rows.append(f"| `{word}` | {sentence} |")
    return "\n".join(rows) + "\n"


def words_table(path: str, macro: str) -> str:
    return ", ".join(f"`{entry[1]}`" for entry in list_in(path, macro)) + "\n"


def keys_of(kind: str, program: str) -> str:
    """The program's tables; for a scenario without those of robot.yaml, all of which `config` takes."""
    def tables(of: str) -> list[str]:
        done = subprocess.run([program, "keys", of], capture_output=True, text=True, check=True)
        return re.split(r"^(?=### )", done.stdout, flags=re.MULTILINE)

    mine = tables(kind)
    if kind == "scenario":
        of_robots = {table.splitlines()[0] for table in tables("robot")[1:]}
        mine = [table for table in mine if table.splitlines()[0] not in of_robots]
        mine[0] = "".join(line for line in mine[0].splitlines(keepends=True)
                          if not line.startswith("| `config."))
    return "".join(mine).rstrip("\n") + "\n"


def command_tables(program: str) -> str:
    """As command_table prints them; it is built beside the program."""
    table = pathlib.Path(program).resolve().parents[1] / "tests/docs/command_table"
    return subprocess.run([table], capture_output=True, text=True, check=True).stdout


def generated(what: str, program: str) -> str:
    kind, _, rest = what.partition(" ")
    if kind == "keys":
        return keys_of(rest, program)
    return {
        "commands": lambda: command_tables(program),
        "fault types": fault_table,
        "sensor fault types": sensor_fault_table,
        "fault codes": lambda: words_table("control/core/faults.h", "JOINTRIG_FAULT_CODES"),
        "event kinds": lambda: words_table("control/core/event.h", "JOINTRIG_EVENT_KINDS"),
        "reject reasons": lambda: words_table("control/core/faults.h", "JOINTRIG_REJECT_REASONS"),
        "limits": lambda: words_table("control/core/faults.h", "JOINTRIG_LIMITS"),
        "joint modes": lambda: words_table("control/core/modes.h", "JOINTRIG_CONTROL_MODES")[:-1]
        + ", `hw_fault`, `calibrating`, `calib_done`, `not_configured`, `configured`\n",
    }[what]()


def remade(page: pathlib.Path, program: str) -> str:
    return GENERATED.sub(lambda m: m["begin"] + "\n" + generated(m["what"], program) + "\n" + m["end"],
                         page.read_text())


def write_sections(program: str):
    for page in PAGES:
        text = remade(page, program)
        if text != page.read_text():
            page.write_text(text)
            print(f"wrote {page.relative_to(ROOT)}")


def write_files(folder: str):
    for page in PAGES:
        for block in blocks_of(page):
            if block.kind == "file":
                (pathlib.Path(folder) / block.name).write_text(block.text)


def main():
    verbs = {"--write": write_sections, "--files": write_files}
    if len(sys.argv) != 3 or sys.argv[1] not in verbs:
        sys.exit(__doc__)
    verbs[sys.argv[1]](sys.argv[2])


if __name__ == "__main__":
    main()
