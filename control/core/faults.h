#pragma once
/// Three kinds of report. A fault stops a joint and latches; a limit notice names the setting that
/// limits the output; a rejection tells the sender why a command was refused.

#include <array>
#include <cstdint>
#include <string_view>

#include "control/core/enumeration.h"
#include "control/core/types.h"

namespace jointrig {

/// Reason for hw_fault: code, sentence, and the unit of a Fault's value and limit.
#define JOINTRIG_FAULT_CODES(X)                                                                   \
  X(kNone, "none", "no fault", "")                                                                \
  X(kEncoderFrozen, "encoder_frozen", "the encoder stands still while the motor drives", "s")     \
  X(kEncoderJump, "encoder_jump", "the encoder jumped", "rad")                                    \
  X(kEncoderNoise, "encoder_noise", "the encoder is too noisy", "rad/s")                          \
  X(kEncoderLost, "encoder_lost", "encoder samples are missing", "samples")                       \
  X(kTorqueSensorLost, "torque_sensor_lost", "the torque sensor timed out", "s")                  \
  X(kTorqueSensorRange, "torque_sensor_range", "the torque sensor disagrees with the motor",      \
    "N·m")                                                                                        \
  X(kMotorPowerLost, "motor_power_lost", "the motor has no power", "A")                           \
  X(kOverTemperature, "over_temperature", "the motor is too hot", "°C")                           \
  X(kOverCurrent, "over_current", "the motor current is too high", "A")                           \
  X(kSupplyVoltage, "supply_voltage", "the supply voltage is out of range", "V")                  \
  X(kLimitSwitch, "limit_switch", "a limit switch was hit", "rad")                                \
  X(kFollowingError, "following_error", "the joint does not follow its reference", "rad")         \
  X(kMotorBlocked, "motor_blocked", "the motor pushes and nothing moves", "s")                    \
  X(kCalibrationFailed, "calibration_failed", "the calibration found an implausible zero", "rad") \
  X(kCommandLost, "command_lost", "the board got no setpoint in time", "s")                       \
  X(kBoardLost, "board_lost", "the board is silent", "cycles")                                    \
  X(kEnableTimeout, "enable_timeout", "the board did not enable in time", "s")                    \
  X(kNotFinite, "not_finite", "the board reported a number that is not finite", "")               \
  X(kOverSpeed, "over_speed", "the joint is too fast", "rad/s")                                   \
  X(kPositionRange, "position_range", "the joint is outside its hard limits", "rad")              \
  X(kSetpointNotFinite, "setpoint_not_finite",                                                    \
    "the controller computed a number that is not "                                               \
    "finite",                                                                                     \
    "")                                                                                           \
  X(kBusLost, "bus_lost", "the bus of the joint is off, or its adapter is gone", "")              \
  X(kDuplicateNode, "duplicate_node", "two drives answer under one number", "node")               \
  X(kDriveFault, "drive_fault", "the drive reports an error that its manual explains", "")
JOINTRIG_ENUM(FaultCode, JOINTRIG_FAULT_CODES)

#define JOINTRIG_FAULT_SENTENCE(member, word, sentence, unit) std::string_view{sentence},
#define JOINTRIG_FAULT_UNIT(member, word, sentence, unit) std::string_view{unit},
/// Sentence for a fault.
constexpr std::string_view describe(FaultCode code) noexcept {
  constexpr std::array kSentences{JOINTRIG_FAULT_CODES(JOINTRIG_FAULT_SENTENCE)};
  return kSentences[static_cast<std::size_t>(code)];
}
/// Unit of a fault's value and limit; for a slide joint read m for rad and N for N·m.
constexpr std::string_view unit_of(FaultCode code) noexcept {
  constexpr std::array kUnits{JOINTRIG_FAULT_CODES(JOINTRIG_FAULT_UNIT)};
  return kUnits[static_cast<std::size_t>(code)];
}

/// A latched fault: its code, the value, the limit that it violated, and the first cycle.
struct Fault {
  FaultCode code = FaultCode::kNone;
  double value = 0.0;
  double limit = 0.0;
  std::uint64_t cycle = 0;  ///< first cycle in which the stack saw it

  explicit operator bool() const noexcept { return code != FaultCode::kNone; }
  bool operator==(const Fault&) const = default;
};

/// Reason why a whole command was refused, from the sender's point of view.
#define JOINTRIG_REJECT_REASONS(X)                                                                 \
  X(kNone, "none")                                                                                 \
  X(kWrongMode, "wrong_mode")          /* the joint's mode takes no such command */                \
  X(kUnknownJoint, "unknown_joint")    /* no joint, part or pose of that name */                   \
  X(kOutOfRange, "out_of_range")       /* beyond a limit of the joint */                           \
  X(kBoardFaulted, "board_faulted")    /* hw_fault: force_idle is the way out */                   \
  X(kSizeMismatch, "size_mismatch")    /* values don't match the joints named */                   \
  X(kNotFinite, "not_finite")          /* NaN or infinity */                                       \
  X(kStale, "stale")                   /* older than one already taken, or too old */              \
  X(kNotConfigured, "not_configured")  /* the board is silent or set up wrongly */                 \
  X(kNotCalibrated, "not_calibrated")  /* calibrate first */                                       \
  X(kCalibrating, "calibrating")       /* wait, or idle to abort */                                \
  X(kNotIdle, "not_idle")              /* go to idle first */                                      \
  X(kUnsupported, "unsupported")       /* the board lacks it and it can't be emulated */           \
  X(kNoForceSensor, "no_force_sensor") /* the arm has none, or the backend reads none */           \
  X(kSensorFaulty, "sensor_faulty")    /* its samples are stale, no numbers or at their range */   \
  X(kInboxFull, "inbox_full")          /* more commands than a cycle can take: retry */            \
  X(kPartHeld, "part_held")            /* its part holds since a joint is lost: ask for a mode */  \
  X(kContact, "contact")               /* it has stopped on a contact */                           \
  X(kUnknownArm, "unknown_arm")        /* no arm of that name, or the joint is in none */          \
  X(kIncompleteArm, "incomplete_arm") /* cartesian is for all joints of an arm: one isn't named */ \
  X(kNotDefinite, "not_definite")     /* a matrix that isn't symmetric and positive */             \
  X(kNotRigid, "not_rigid")           /* an inertia that no rigid body has */                      \
  X(kToolMoves, "tool_moves")         /* the tool is on its way, or follows a stream */            \
  X(kInteracting, "interacting")      /* interaction control is on */                              \
  X(kOutOfReach, "out_of_reach")      /* further than the arm is long */                           \
  X(kGuided, "guided")                /* its arm is guided by hand: let go of the cuff */          \
  X(kNoPlan, "no_plan")               /* no such plan waits, or no room for one more */            \
  X(kBadPlan, "bad_plan")             /* waypoints or times that no path can be made of */         \
  X(kNotAtStart, "not_at_start")      /* the plan starts somewhere else, or has begun too fast */  \
  X(kPlanPosition, "plan_position")   /* beyond a limit of position on the way */                  \
  X(kPlanSpeed, "plan_speed")         /* beyond a limit of speed on the way */                     \
  X(kPlanAcceleration, "plan_acceleration") /* beyond a limit of acceleration on the way */        \
  X(kPlanSpline, "plan_spline")       /* no spline of the joints keeps to the path of the tool */  \
  X(kPlanReach, "plan_reach")         /* no joint positions bring the tool to a pose on the way */ \
  X(kPlanJump, "plan_jump")           /* a joint would have to jump for the tool to stay on it */  \
  X(kPlanSingular, "plan_singular")   /* a pose on the way is singular */                          \
  X(kPlanCollision, "plan_collision") /* two bodies come too near on the way */                    \
  X(kUnknownEndpoint, "unknown_endpoint") /* no site or body of that name goes along the path */   \
  X(kUnknownLaw, "unknown_law")           /* no law of one's own, or no parameter of that name */  \
  X(kLawFailed, "law_failed")             /* it holds since its law failed: ask for a mode */      \
  X(kNoId, "no_id")                       /* a message with id 0 */                                \
  X(kNoSuchPart, "no_such_part")      /* whole_body in robot.yaml has no such part of the body */  \
  X(kNotStanding, "not_standing")     /* the whole-body controller doesn't run */                  \
  X(kWrongPrevious, "wrong_previous") /* the last message of the part has another id */            \
  X(kQueueFull, "queue_full")         /* too many messages of the part wait */                     \
  X(kBadWaypoints, "bad_waypoints")   /* rows of another size, or times that don't rise */         \
  X(kTooFast, "too_fast")             /* more speed on the way than a message may ask for */       \
  X(kBearsLoad, "bears_load")         /* the foot or hand bears a load: it can't go */             \
  X(kInTheAir, "in_the_air")          /* the foot is too far from the ground to bear */            \
  X(kNotWalking, "not_walking")       /* the robot doesn't walk yet */                             \
  X(kNoFingers, "no_fingers")         /* robot.yaml names no gripper as the hand's fingers */      \
  X(kWouldTip, "would_tip")           /* the centre of mass would come too near the soles' edge */ \
  X(kPartTwice, "part_twice")         /* two parts of one message that move the same joints */     \
  X(kUnknownGripper, "unknown_gripper")   /* no gripper of that name */                            \
  X(kNoWidth, "no_width")                 /* robot.yaml doesn't tell the gripper's width */        \
  X(kNoTorque, "no_torque")               /* a board of the gripper takes no torque: no force */   \
  X(kUnknownObstacle, "unknown_obstacle") /* the robot knows no obstacle of that name */           \
  X(kTooManyObstacles, "too_many_obstacles") /* it knows as many as it can */
JOINTRIG_ENUM(RejectReason, JOINTRIG_REJECT_REASONS)

/// Settings that limit a joint's output in this cycle: one bit each in LimitNotices.
#define JOINTRIG_LIMITS(X)         \
  X(kPosition, "position")         \
  X(kVelocity, "velocity")         \
  X(kAcceleration, "acceleration") \
  X(kStep, "step")                 \
  X(kTorque, "torque")             \
  X(kTorqueRate, "torque_rate")    \
  X(kDuty, "duty")                 \
  X(kNotFinite, "not_finite")
JOINTRIG_ENUM(Limit, JOINTRIG_LIMITS)

class LimitNotices {
 public:
  void add(Limit limit) noexcept { bits_ |= bit(limit); }
  void add(LimitNotices other) noexcept { bits_ |= other.bits_; }
  [[nodiscard]] bool has(Limit limit) const noexcept { return (bits_ & bit(limit)) != 0; }
  [[nodiscard]] bool any() const noexcept { return bits_ != 0; }
  [[nodiscard]] std::uint8_t bits() const noexcept { return bits_; }
  bool operator==(const LimitNotices&) const = default;

 private:
  static std::uint8_t bit(Limit limit) noexcept {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(limit));
  }
  std::uint8_t bits_ = 0;
};

/// The limits that act in a cycle, each with the wanted value and the bound that replaced it, in
/// the unit of the limit. If several of one kind act, the first counts.
class ActingLimits {
 public:
  struct Cut {
    double wanted = 0.0;
    double bound = 0.0;
  };

  void clear() noexcept { notices_ = {}; }
  void add(Limit limit, double wanted, double bound) noexcept {
    if (notices_.has(limit)) return;
    notices_.add(limit);
    cuts_[static_cast<std::size_t>(limit)] = {wanted, bound};
  }
  void add(const ActingLimits& other) noexcept {
    if (!other.any()) return;
    for (const Limit limit : kAllLimit) {
      if (other.has(limit)) add(limit, other.cut(limit).wanted, other.cut(limit).bound);
    }
  }
  [[nodiscard]] bool has(Limit limit) const noexcept { return notices_.has(limit); }
  [[nodiscard]] bool any() const noexcept { return notices_.any(); }
  [[nodiscard]] LimitNotices notices() const noexcept { return notices_; }
  /// Value and bound of a limit that acts.
  [[nodiscard]] const Cut& cut(Limit limit) const noexcept {
    return cuts_[static_cast<std::size_t>(limit)];
  }

 private:
  LimitNotices notices_;
  std::array<Cut, kAllLimit.size()> cuts_;
};

}  // namespace jointrig
