"""Optuna chooses the samples of a sweep. `jointrig sweep` with method optimise starts this text with `python -c`.

Standard input has a line with what varies, then batches: {"ask": n} is answered by n samples, {"tell": [...]} takes
their results, in their order. Nothing is drawn elsewhere, so that a seed and a size of batches give the same samples on
any engine and with any number of jobs.
"""

import json
import os
import sys


def main() -> None:
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what others print is no message

    def say(message: dict) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    header = json.loads(sys.stdin.readline())
    try:
        import optuna
    except ImportError:
        say({"broken": f"the method optimise needs the Python package optuna, which {sys.executable} has not: "
             "'pip install optuna==5.0.0' there, or name a Python that has it in JOINTRIG_PYTHON"})
        return
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    # A trial that fails a condition is worse than every one that passes.
    sampler = optuna.samplers.TPESampler(seed=header["seed"], constant_liar=True,
                                         constraints_func=lambda trial: (trial.user_attrs.get("violation", 0.0),))
    study = optuna.create_study(direction=header["direction"], sampler=sampler)
    open_trials = []
    for line in sys.stdin:
        message = json.loads(line)
        if "ask" in message:
            open_trials = [study.ask() for _ in range(message["ask"])]
            say({"samples": [sample_of(trial, header["axes"]) for trial in open_trials]})
        else:
            for trial, told in zip(open_trials, message["tell"], strict=True):
                trial.set_user_attr("violation", told["violation"])
                if told["value"] is None:
                    study.tell(trial, state=optuna.trial.TrialState.FAIL)
                else:
                    study.tell(trial, told["value"])


def sample_of(trial, axes: list[dict]) -> list[float]:
    """A share of the range of each axis, or the number of one of its values."""
    return [trial.suggest_categorical(axis["path"], list(range(axis["values"]))) if axis["values"]
            else trial.suggest_float(axis["path"], 0.0, 1.0) for axis in axes]


if __name__ == "__main__":
    main()
