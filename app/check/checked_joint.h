#pragma once
/// Numbers of one joint for its check, from its configuration.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "control/discovery/discovery.h"
#include "control/planning/path_collision.h"

namespace jointrig::app {

/// Part of its torque that a motor is asked to hold at most.
inline constexpr double kHoldShare = 0.9;
/// Equal steps by which that load comes and goes: of most joints, and of those that are light for
/// their torque at most.
inline constexpr int kLoadStairs = 10;
inline constexpr int kMostLoadStairs = 80;
inline constexpr double kStairTime = 0.04;  ///< [s] from step to step: with 10 it is there in 0.4 s
/// Part of a joint's way that is found free: its overshoot needs some room.
inline constexpr double kBeyond = 1.2;
/// Share of a push that a joint gets at least, however light it is.
inline constexpr double kLeastOfPush = 0.06;

struct CheckedJoint {
  const JointConfig* config = nullptr;
  std::string key;   ///< its name as a key in YAML
  std::string name;  ///< its name in an expression
  /// From the start, signed: 10° or 20 mm, or what its range, the robot's other bodies, the scene
  /// and the motors that hold the robot's weight leave; 0: none.
  double way = 0.0;
  double weight = 0.0;        ///< torque of the motor that holds the start [N·m or N]
  double inertia = 0.0;       ///< felt by the motor while the others are free [kg·m² or kg]
  double held_inertia = 0.0;  ///< felt while they are held: M(q)ᵢᵢ, the most [kg·m² or kg]
  /// Torque that all joints take when each brakes at its acceleration_max
  /// (braking_torque()) [N·m or N]
  double braking = 0.0;
  /// T: from a motion to the torque that answers it [s]
  double loop_time = 0.0;
  int group = -1;  ///< of joints that may be asked at the same time (joint_groups.h); -1: alone

  [[nodiscard]] double q() const noexcept { return config->q_start; }
  [[nodiscard]] double sign() const noexcept { return way < 0.0 ? -1.0 : 1.0; }
  [[nodiscard]] double tau_max() const noexcept { return config->limits.tau_max; }
  [[nodiscard]] double v_max() const noexcept { return config->limits.v_max; }
  /// Speed that it reaches: v_max, or what the motor keeps up against the joint's viscous friction
  /// with three quarters of the torque that its weight leaves [rad/s or m/s].
  [[nodiscard]] double top_speed() const noexcept;
  [[nodiscard]] bool is_slow() const noexcept { return top_speed() < v_max(); }
  /// Torque that the motor has left for a load, up to kHoldShare of all [N·m or N].
  [[nodiscard]] double torque_left() const noexcept;
  /// Speed at which it goes a part of its way in a time, at most a share of top_speed() [rad/s or
  /// m/s].
  [[nodiscard]] double speed(double share_of_way, double seconds,
                             double share_of_max) const noexcept;
  /// Duration of a move of a way at half of top_speed(), or as its acceleration allows [s].
  [[nodiscard]] double time_for(double some_way) const noexcept;
  [[nodiscard]] double move_time() const noexcept { return time_for(way); }
  /// Speed after `seconds` of a torque, from rest, with its friction [rad/s or m/s].
  /// @param of  inertia or held_inertia
  [[nodiscard]] double speed_after(double torque, double seconds, double of) const noexcept;

  /// Torque that brings it to a speed in that time, from rest and over its friction, at most half
  /// of what its weight leaves [N·m or N].
  [[nodiscard]] double torque_to(double v, double seconds) const noexcept;
  /// True if its board takes setpoints of that kind from the stack.
  [[nodiscard]] bool takes(DriveMode drive) const noexcept;

  /// True if its motor has the torque to brake while all others brake, too.
  [[nodiscard]] bool can_brake() const noexcept { return braking <= tau_max() - std::abs(weight); }
  /// Time until half of that torque is there: a reference asks for no more than kShareOfRate of the
  /// torque rate; 0 if it can't brake [s]
  [[nodiscard]] double answer_time() const noexcept;
  /// Speed that a torque gives it, from rest and at once, before its motor answers: T later, and
  /// then by no more than its torque rate r, so v = τ/I (T + τ/2r); without friction [rad/s or m/s]
  [[nodiscard]] double speed_unanswered(double torque) const noexcept;

  /// Half of its own torque, or what its weight leaves [N·m or N].
  [[nodiscard]] double half_torque() const noexcept;
  /// Torque by which it is pushed: half_torque(), or, where no motor of its numbers could answer in
  /// time, the torque that turns it neither faster than velocity_max nor to a limit
  /// [N·m or N].
  [[nodiscard]] double push_torque() const noexcept;
  /// Way by which a push turns it, and back when it is let go [rad or m].
  [[nodiscard]] double way_of_push(double torque) const noexcept;
  /// Steps by which it is loaded: as many as it takes that none turns it faster than velocity_max,
  /// nor all of them by more than far(). The law comes back at velocity_max at most, so that it
  /// holds a load that rises by less than I ω_o 2ζω v_max alone (laws/servo_law.h).
  [[nodiscard]] int load_stairs() const noexcept;
  /// Torque of each of them [N·m or N].
  [[nodiscard]] double load_stair() const noexcept { return torque_left() / load_stairs(); }
  /// Way by which a load in so many steps turns it while it comes [rad or m].
  [[nodiscard]] double way_of_load(int stairs) const noexcept;

  /// Way by which a torque that comes at once turns it before the load observer answers:
  /// τ/(I ω²), or τ/kp [rad or m]
  [[nodiscard]] double gives_way(double torque) const noexcept;
  /// Between its soft limits [rad or m], may be infinite.
  [[nodiscard]] double range() const noexcept;

  // As messages write them.
  [[nodiscard]] const char* unit() const noexcept { return config->slide ? "N" : "N·m"; }
  [[nodiscard]] const char* unit_of_way() const noexcept { return config->slide ? "m" : "rad"; }
  [[nodiscard]] const char* unit_of_inertia() const noexcept {
    return config->slide ? "kg" : "kg·m²";
  }

  // As a scenario writes them.
  [[nodiscard]] const char* close() const noexcept { return config->slide ? "1 mm" : "0.2 deg"; }
  [[nodiscard]] const char* far() const noexcept { return config->slide ? "5 mm" : "5 deg"; }
  /// The same in rad or m.
  [[nodiscard]] double far_way() const noexcept { return config->slide ? 0.005 : 0.0873; }
  [[nodiscard]] const char* brake_room() const noexcept { return config->slide ? "5 mm" : "1 deg"; }
  [[nodiscard]] const char* floating() const noexcept { return config->slide ? "10 mm" : "2 deg"; }
};

/// All joints of a robot at its start. Throws ModelError.
/// @param collision  of the same robot
std::vector<CheckedJoint> checked_joints(const Discovery& found, PathCollision& collision);

}  // namespace jointrig::app
