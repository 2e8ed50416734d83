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

/// Sets of bits, a number for each joint.
#define JOINTRIG_REMOTE_JOINT_BITS(X) X(suppressed, suppressed)

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
  X(drive_had, drive.had)                      \
  X(interaction_stiffness, interaction.stiffness) \
  X(interaction_force, interaction.force)      \
  X(payload_centre, payload.centre)            \
  X(payload_inertia, payload.inertia)          \
  X(sensed, forces.sensed)                     \
  X(sensed_tool, forces.sensed_tool)           \
  X(external, forces.external)                 \
  X(external_tool, forces.external_tool)       \
  X(sensor_bias, forces.bias)

/// Flags and single numbers.
#define JOINTRIG_REMOTE_ARM_FLAGS(X) \
  X(runs, runs)                      \
  X(moving, moving)                  \
  X(timed_out, timed_out)            \
  X(drives, drive.is_on)             \
  X(drive_share, drive.share)        \
  X(drive_left, drive.left)          \
  X(damping_ratio, damping_ratio)    \
  X(payload_mass, payload.mass)      \
  X(timeout_left, timeout_left)      \
  X(cuff_left, interaction.cuff_left) \
  X(drift, interaction.drift)        \
  X(sensor_filter, forces.filter_hz) \
  X(interaction, interaction.active) \
  X(cuff, interaction.cuff)          \
  X(taring, forces.taring)           \
  X(knows_external, forces.has_external)

/// Sets of bits.
#define JOINTRIG_REMOTE_ARM_BITS(X) \
  X(terms, terms)                   \
  X(limits, limits)

/// Words, by their index.
#define JOINTRIG_REMOTE_ARM_WORDS(X)  \
  X(guide, interaction.guide)         \
  X(sensor, forces.sensor)            \
  X(drive_held_by, drive.held_by)

/// Numbers of what protects.
#define JOINTRIG_REMOTE_PROTECTION_NUMBERS(X) \
  X(distance)                                 \
  X(overlap)                                  \
  X(force)                                    \
  X(impact)                                   \
  X(squish)                                   \
  X(hand_force)                               \
  X(hand_torque)                              \
  X(stop_left)                                \
  X(pushes)                                   \
  X(squished)

// Settings of an arm in a description: six numbers each, then one.
#define JOINTRIG_REMOTE_ARM_SIXES(X)      \
  X(stiffness, stiffness)                 \
  X(stiffness_max, stiffness_max)         \
  X(damping_max, damping_max)             \
  X(error_max, error_max)                 \
  X(inertia_min, inertia_min)             \
  X(inertia_max, inertia_max)             \
  X(impedance_max, interaction.impedance_max) \
  X(force_max, interaction.force_max)     \
  X(motion_max, interaction.motion_max)
#define JOINTRIG_REMOTE_ARM_SETTINGS(X) \
  X(damping_ratio)                      \
  X(speed_max)                          \
  X(acceleration_max)                   \
  X(rotation_speed_max)                 \
  X(rotation_acceleration_max)          \
  X(payload_max)                        \
  X(timeout)

#define JOINTRIG_REMOTE_BASE_NUMBERS(X)        \
  X(base_position, position)                   \
  X(base_orientation, orientation)             \
  X(base_linear_velocity, linear_velocity)     \
  X(base_angular_velocity, angular_velocity)
// clang-format on
