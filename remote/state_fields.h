#pragma once
/// Fields of a joint and of an arm in a state message: name of the field, member of the snapshot.
/// Names, units and meaning are those of the log (docs/logging.md) and of Python.

#include "control/core/snapshot.h"

// clang-format off
#define JOINTRIG_REMOTE_JOINT_NUMBERS(X) \
  X(q, state.q)                          \
  X(v, state.v)                          \
  X(tau, state.tau)                      \
  X(current, state.current_A)            \
  X(temperature, state.temperature_C)    \
  X(supply, state.supply_V)              \
  X(q_ref, reference.q)                  \
  X(v_ref, reference.v)                  \
  X(a_ref, reference.a)                  \
  X(tau_ref, reference.tau)              \
  X(duty_ref, reference.duty)            \
  X(q_cmd, setpoint.q)                   \
  X(v_cmd, setpoint.v)                   \
  X(tau_cmd, setpoint.tau)               \
  X(duty_cmd, setpoint.duty)             \
  X(stiffness, stiffness)                \
  X(damping, damping)                    \
  X(timeout_left, timeout_left)          \
  X(tau_gravity_only, effort.gravity)    \
  X(tau_model, effort.model)             \
  X(tau_interaction, effort.interaction) \
  X(tau_external, effort.external)       \
  X(tau_laws, effort.laws)               \
  X(tau_hysteresis, state.tau_hysteresis)     \
  X(hysteresis_state, state.hysteresis_state) \
  X(tau_crosstalk, state.tau_crosstalk)  \
  X(tau_repulsion, repulsion)            \
  X(tau_contact, contact_torque)

/// Words, bits and flags: a byte each.
#define JOINTRIG_REMOTE_JOINT_BYTES(X) \
  X(mode, mode)                        \
  X(interaction, interaction)          \
  X(board_status, state.status)        \
  X(drive, setpoint.drive)             \
  X(fault, fault.code)                 \
  X(limits, limits)                    \
  X(moving, moving)                    \
  X(timed_out, timed_out)              \
  X(extrapolated, state.extrapolated)  \
  X(knows_external, has_external)

#define JOINTRIG_REMOTE_ARM_NUMBERS(X)         \
  X(position, tool.position)                   \
  X(orientation, tool.orientation)             \
  X(target_position, target.position)          \
  X(target_orientation, target.orientation)    \
  X(goal_position, goal.position)              \
  X(goal_orientation, goal.orientation)        \
  X(offset_position, offset.position)          \
  X(offset_orientation, offset.orientation)    \
  X(error, error)                              \
  X(twist, twist)                              \
  X(wrench, wrench)                            \
  X(stiffness, stiffness)                      \
  X(inertia, inertia)                          \
  X(drive_wanted, drive.wanted)                \
  X(drive_had, drive.had)

/// Flags and single numbers.
#define JOINTRIG_REMOTE_ARM_FLAGS(X) \
  X(runs, runs)                      \
  X(moving, moving)                  \
  X(timed_out, timed_out)            \
  X(drives, drive.is_on)             \
  X(drive_share, drive.share)        \
  X(drive_left, drive.left)

#define JOINTRIG_REMOTE_BASE_NUMBERS(X)        \
  X(base_position, position)                   \
  X(base_orientation, orientation)             \
  X(base_linear_velocity, linear_velocity)     \
  X(base_angular_velocity, angular_velocity)
// clang-format on
