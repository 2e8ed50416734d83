"""A campaign on many cores, simulated from what was measured: cases per second, bytes moved, cost.

    python3 bench/campaign_plan.py                       # the tables of docs/sweep.md
    python3 bench/campaign_plan.py --cores 1000 --cases 100000 --case-seconds 1.0

The model follows the engine ray (app/sweep/ray_engine.py). One sweep hands each case to a free core and takes its folder;
it does one thing at a time: `--order-ms` to hand out, `--take-ms` and the bytes of the folder to take back. Nodes start
at once, each core after `--start-seconds` and its share of the node's start of Python, and send folders through the
network card of the sweep's machine. Cases take their time with a spread, so that the last ones wait for none. Losses
come at random: a node lost takes its cases in hand, which run again. All figures that are not measured are inputs.
"""

import argparse
import heapq
import random

# Measured; docs/sweep.md tells how. The price is an assumption: a core of a rented machine for an hour.
DEFAULTS = {
    "cores": 1000, "cores_per_node": 64, "cases": 100_000, "case_seconds": 1.0, "spread": 0.2, "case_overhead_ms": 27.0,
    "order_ms": 0.8, "take_ms": 1.7, "case_bytes": 12_800, "sent_bytes": 2_000_000, "start_seconds": 3.0,
    "python_seconds": 1.0, "gigabits": 10.0, "losses_per_node_day": 0.05, "price": 0.04,
}


def simulated(plan: argparse.Namespace, seed: int = 1) -> dict[str, float]:
    dice = random.Random(seed)
    nodes = -(-plan.cores // plan.cores_per_node)
    bytes_per_second = plan.gigabits * 1e9 / 8
    # When each core is free: files are sent to the nodes one after the other, cores of a node start in turns of 8.
    free = []
    for core in range(plan.cores):
        node, place = divmod(core, plan.cores_per_node)
        sent = (node + 1) * plan.sent_bytes / bytes_per_second
        free.append((sent + plan.start_seconds + plan.python_seconds * (place // 8), core))
    heapq.heapify(free)
    take = plan.take_ms / 1e3 + plan.case_bytes / bytes_per_second
    lost_per_second = plan.losses_per_node_day / 86400 / plan.cores_per_node  # of a core, with its node
    driver, left, runs, end = 0.0, plan.cases, 0, 0.0  # driver: when the sweep is free
    waiting = []  # folders that are there to be taken: (time, core)
    while left > 0 or waiting:
        # The first that comes: a folder, or a free core for the next case.
        if left > 0 and free and (not waiting or free[0][0] <= waiting[0][0]):
            time, core = heapq.heappop(free)
            driver = max(driver, time) + plan.order_ms / 1e3
            spread = plan.case_seconds * plan.spread
            length = max(0.05, dice.gauss(plan.case_seconds, spread)) + plan.case_overhead_ms / 1e3
            runs += 1
            left -= 1
            if dice.random() < lost_per_second * length:
                left += 1  # it runs again; the node is back after a minute
                heapq.heappush(free, (driver + length + 60.0, core))
            else:
                heapq.heappush(waiting, (driver + length, core))
        else:
            time, core = heapq.heappop(waiting)
            driver = max(driver, time) + take
            end = driver
            heapq.heappush(free, (driver, core))
    hours = plan.cores * end / 3600
    return {"seconds": end, "per_second": plan.cases / end, "used": plan.cases * plan.case_seconds / (plan.cores * end),
            "runs": runs, "gigabytes": (plan.cases * plan.case_bytes + nodes * plan.sent_bytes) / 1e9,
            "cost_per_thousand": hours * plan.price / plan.cases * 1000}


def row(plan: argparse.Namespace) -> str:
    found = simulated(plan)
    return (f"| {plan.cores} | {plan.case_seconds:g} s | {plan.cases} | {found['seconds']:.0f} s | {found['per_second']:.0f} | "
            f"{100 * found['used']:.0f} % | {found['gigabytes']:.2f} GB | {found['cost_per_thousand']:.3f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in DEFAULTS.items():
        parser.add_argument("--" + name.replace("_", "-"), type=type(value), default=value)
    plan = parser.parse_args()
    print("| cores | a case | cases | in all | cases/s | of the cores used | moved | per thousand cases |\n"
          "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    chosen = any(getattr(plan, name) != value for name, value in DEFAULTS.items())
    for cores, seconds in [(plan.cores, plan.case_seconds)] if chosen else [
            (2, 1.0), (64, 1.0), (256, 1.0), (1000, 1.0), (1000, 3.0), (1000, 10.0)]:
        one = argparse.Namespace(**{**vars(plan), "cores": cores, "case_seconds": seconds,
                                    "cases": plan.cases if chosen or cores > 2 else 1000})
        print(row(one))


if __name__ == "__main__":
    main()
