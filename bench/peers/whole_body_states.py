"""States of a robot that stands: about a pose at random, and along a motion; numbers for wholebody_states."""

import math

SCALE = 1e4  # of all weights, as in wholebody_states: so large that what a solver adds of its own counts for nothing
CYCLE = 1e-3  # s


def numbers(values):
    return " ".join(f"{value:.17g}" for value in values)


def turned(quaternion):
    """Rotation matrix of w x y z."""
    import numpy as np

    w, x, y, z = quaternion
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def coordinates(state, q_at, v_at):
    """q and v as Pinocchio has them, of a base that floats: x y z w, and the base's velocities in the base."""
    import numpy as np

    turn, joints = turned(state[3:7]), len(q_at)
    q, v = np.zeros(7 + joints), np.zeros(6 + joints)
    w, x, y, z = state[3:7]
    q[:7] = [*state[:3], x, y, z, w]
    q[q_at] = state[13 : 13 + joints]
    v[:3], v[3:6] = turn.T @ state[7:10], state[10:13]
    v[v_at] = state[13 + joints :]
    return q, v


def at_rest(position, orientation, q):
    """A state as wholebody_states reads it: orientation w x y z, velocities 0."""
    return [*position, *orientation, *[0.0] * 6, *q, *[0.0] * len(q)]


def at_random(home, count, reach):
    """About a state, moving; no state has to do with the one before."""
    import numpy as np

    random = np.random.default_rng(15)
    joints = (len(home) - 13) // 2
    for _ in range(count):
        orientation = home[3:7] + reach * random.normal(0.0, 0.005, 4)
        yield np.concatenate([home[:3] + reach * random.normal(0.0, 0.001, 3), orientation / np.linalg.norm(orientation),
                              reach * random.normal(0.0, 0.01, 6),
                              home[13 : 13 + joints] + reach * random.normal(0.0, 0.005, joints),
                              reach * random.normal(0.0, 0.01, joints)])  # fmt: skip


def along_a_motion(home, count, reach):
    """Consecutive cycles: every coordinate sways about the same state, as far and as fast as the random ones in the mean."""
    import numpy as np

    random = np.random.default_rng(16)
    joints = (len(home) - 13) // 2
    size = reach * np.array([0.001] * 3 + [0.01] + [0.005] * joints) * math.sqrt(2.0)
    pace, phase = random.uniform(1.0, 3.0, size.size), random.uniform(0.0, 2.0 * math.pi, size.size)
    axis = random.normal(0.0, 1.0, 3)
    axis /= np.linalg.norm(axis)
    for cycle in range(count):
        angle = pace * cycle * CYCLE + phase
        way, speed = size * np.sin(angle), size * pace * np.cos(angle)
        turn = np.array([math.cos(way[3] / 2.0), *(math.sin(way[3] / 2.0) * axis)])
        yield np.concatenate([home[:3] + way[:3], product(home[3:7], turn), speed[:3], speed[3] * axis,
                              home[13 : 13 + joints] + way[4:], speed[4:]])  # fmt: skip


def product(a, b):
    """Quaternions w x y z."""
    import numpy as np

    return np.array([a[0] * b[0] - np.dot(a[1:], b[1:]), *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])
