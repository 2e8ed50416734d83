"""Runs the cells of a notebook from top to bottom, as Jupyter would, and writes their outputs into it.

    python scripts/notebook.py examples/tutorial/tutorial.ipynb

Jupyter itself would be some forty packages for this. Cells are Python; after each one its text, the value of its last
expression (none after a semicolon) and its open figures are its outputs. The notebook's files are written where this
is called.
"""

import ast
import base64
import contextlib
import io
import json
import pathlib
import sys
import traceback
from typing import Any


class CellFailed(Exception):
    """A cell raised; the message has the cell and the traceback."""


def executed(notebook: dict) -> dict:
    """A copy with the outputs of a run. Raises CellFailed."""
    import matplotlib

    matplotlib.use("agg")
    copy = json.loads(json.dumps(notebook))
    names: dict[str, Any] = {"__name__": "__main__"}
    for count, cell in enumerate((cell for cell in copy["cells"] if cell["cell_type"] == "code"), 1):
        cell["execution_count"] = count
        cell["outputs"] = _outputs("".join(cell["source"]), names, count)
    return copy


def _outputs(source: str, names: dict[str, Any], count: int) -> list[dict]:
    tree = ast.parse(source, f"cell {count}")
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, f"cell {count}", "exec"), names)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), f"cell {count}", "eval"), names)
    except Exception as error:
        raise CellFailed(f"cell {count}:\n{source}\n{traceback.format_exc()}") from error
    outputs = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(True)})
    if value is not None and not source.rstrip().endswith(";"):
        outputs.append({"output_type": "execute_result", "execution_count": count, "metadata": {},
                        "data": {"text/plain": repr(value).splitlines(True)}})
    return outputs + _figures()


def _figures() -> list[dict]:
    from matplotlib import pyplot

    outputs = []
    for number in pyplot.get_fignums():
        drawn, picture = pyplot.figure(number), io.BytesIO()
        drawn.savefig(picture, format="png", bbox_inches="tight", metadata={"Software": None})
        outputs.append({"output_type": "display_data", "metadata": {},
                        "data": {"image/png": base64.b64encode(picture.getvalue()).decode() + "\n",
                                 "text/plain": [f"<Figure with {len(drawn.axes)} axes>"]}})
    pyplot.close("all")
    return outputs


def main() -> None:
    path = pathlib.Path(sys.argv[1])
    notebook = executed(json.loads(path.read_text()))
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
