#pragma once
/// Events, each reported once: answers to commands, mode changes, faults, timeouts.

#include <cstdint>
#include <type_traits>

#include "control/core/command.h"
#include "control/core/faults.h"
#include "control/core/gripper.h"
#include "control/core/law_config.h"
#include "control/core/lease_act.h"
#include "control/core/quantity.h"
#include "control/core/tool_drive.h"

namespace jointrig {

#define JOINTRIG_EVENT_KINDS(X)                                                                \
  X(kAccepted, "accepted")              /* command taken                                    */ \
  X(kRejected, "rejected")              /* command refused: reason, joint, value, limit     */ \
  X(kModeChanged, "mode")               /* mode, was                                        */ \
  X(kEngaged, "engaged")                /* value = torque at once, limit = rate in a cycle  */ \
  X(kFalls, "falls")                    /* its motor goes off; value = load, limit = brake  */ \
  X(kHeld, "held")                      /* the same, and its brake holds the load           */ \
  X(kInteractionChanged, "interaction") /* detail = InteractionMode                         */ \
  X(kFault, "fault")                    /* fault, value, limit                              */ \
  X(kFaultCleared, "fault_cleared")     /* fault that was                                   */ \
  X(kFaultStays, "fault_stays")         /* force_idle asked, the cause is still there       */ \
  X(kCommandTimeout, "command_timeout") /* value = silence [s], limit = timeout [s]         */ \
  X(kLimited, "limited")                /* detail = Limit that began to act; value, limit   */ \
  X(kGoalReached, "goal_reached")       /* value = goal                                     */ \
  X(kForceSensor, "force_sensor")       /* detail = ForceSensorState, of arm; quantity      */ \
  X(kImu, "imu")                        /* detail = ForceSensorState, of law; quantity      */ \
  X(kFootSensor, "foot_sensor")         /* likewise; number = kSensorAxes · foot + axis    */ \
  X(kTared, "tared")                    /* sensor of arm; value = force, limit = torque     */ \
  X(kLoadChanged, "load_changed")       /* of arm, blended in; value = mass, limit = before */ \
  X(kCalibrationDone, "calibrated")     /* value = offset found [rad or m]                  */ \
  X(kOverrun, "overrun")                /* detail = LoopStage; value = s, limit = period    */ \
  X(kCyclesMissed, "cycles_missed")     /* by the scenario in real time; value = how many   */ \
  X(kNotice, "notice")                  /* detail = Notice (board_notice.h); value, limit   */ \
  X(kGuide, "guide")                    /* detail = GuideChange (interaction.h)             */ \
  X(kContact, "contact")                /* detail = ContactKind, of joint; quantity         */ \
  X(kContactOver, "contact_over")       /* the stop after a contact has ended               */ \
  X(kAvoidance, "avoidance")            /* AvoidanceAct; value = m; number: the shapes     */  \
  X(kSuppressed, "suppressed")          /* detail = Suppressible: its first message         */ \
  X(kUnsuppressed, "unsuppressed")      /* detail = Suppressible; value = s it lasted       */ \
  X(kPlan, "plan")                      /* detail = PlanChange (plan.h): value, limit       */ \
  X(kPlanBroken, "plan_broken")         /* detail = PlanChange, before its goal; quantity   */ \
  X(kLawFailed, "law_failed")           /* detail = LawFailure, of law: its joints hold     */ \
  X(kLawState, "law")                   /* detail = LawState that began, of law             */ \
  X(kGaveWay, "gave_way")               /* detail = BodyConstraint, of law; value = number  */ \
  X(kMessage, "message")                /* detail = MessageChange, of message; value = s    */ \
  X(kBalance, "balance")                /* detail = BalanceState, of law and message; m     */ \
  X(kLease, "lease")                    /* detail = LeaseAct; number = epoch; sender = who  */ \
  X(kLeaseLost, "lease_lost")           /* the same, against its holder's will              */ \
  X(kGripper, "gripper")                /* detail = GripperChange (gripper.h); value, limit */ \
  X(kStaysHeld, "stays_held")           /* detail = TorqueObstacle, of law; value, limit    */ \
  X(kDrive, "drive")                    /* detail = DriveChange, of arm; value, limit       */ \
  X(kDriveBroken, "drive_broken")       /* detail = PlanChange: why joint is off the drive  */
JOINTRIG_ENUM(EventKind, JOINTRIG_EVENT_KINDS)

/// Severity of an event, wherever it is shown, logged or marked.
#define JOINTRIG_EVENT_SEVERITIES(X) \
  X(kInfo, "info")                   \
  X(kWarning, "warning")             \
  X(kError, "error")
JOINTRIG_ENUM(EventSeverity, JOINTRIG_EVENT_SEVERITIES)

/// Every kind is listed, so that the compiler refuses a new one without a severity.
constexpr EventSeverity severity_of(EventKind kind) noexcept {
  switch (kind) {
    case EventKind::kFault:
    case EventKind::kFaultStays:
    case EventKind::kLawFailed:
      return EventSeverity::kError;
    case EventKind::kRejected:
    case EventKind::kFalls:
    case EventKind::kCommandTimeout:
    case EventKind::kLimited:
    case EventKind::kForceSensor:
    case EventKind::kImu:
    case EventKind::kFootSensor:
    case EventKind::kOverrun:
    case EventKind::kCyclesMissed:
    case EventKind::kNotice:
    case EventKind::kGuide:
    case EventKind::kContact:
    case EventKind::kAvoidance:
    case EventKind::kSuppressed:
    case EventKind::kPlanBroken:
    case EventKind::kGaveWay:
    case EventKind::kLeaseLost:
    case EventKind::kStaysHeld:
    case EventKind::kDriveBroken:
      return EventSeverity::kWarning;
    case EventKind::kAccepted:
    case EventKind::kModeChanged:
    case EventKind::kEngaged:
    case EventKind::kHeld:
    case EventKind::kInteractionChanged:
    case EventKind::kFaultCleared:
    case EventKind::kGoalReached:
    case EventKind::kTared:
    case EventKind::kLoadChanged:
    case EventKind::kCalibrationDone:
    case EventKind::kContactOver:
    case EventKind::kUnsuppressed:
    case EventKind::kPlan:
    case EventKind::kLawState:
    case EventKind::kMessage:
    case EventKind::kBalance:
    case EventKind::kLease:
    case EventKind::kGripper:
    case EventKind::kDrive:
      break;
  }
  return EventSeverity::kInfo;
}

/// Room for the axes of a sensor in Event::number of kImu and kFootSensor.
inline constexpr std::uint64_t kSensorAxes = 8;

struct Event {
  TimeNs time_ns = 0;
  std::uint64_t cycle = 0;
  std::uint64_t number = 0;  ///< number of the answered command
  double value = 0.0;
  double limit = 0.0;
  std::uint16_t sender = 0;  ///< sender of the answered command
  JointIndex joint = kNoJoint;
  EventKind kind = EventKind::kAccepted;
  CommandKind command = CommandKind::kStop;  ///< kind of the answered command
  RejectReason reason = RejectReason::kNone;
  FaultCode fault = FaultCode::kNone;
  JointMode mode = JointMode::kIdle;
  JointMode was = JointMode::kIdle;
  /// For a refused command: 1 + the place of the number at fault, where known.
  std::uint8_t detail = 0;
  ArmIndex arm = kNoArm;
  /// Quantity of value and limit, where the kind does not determine it: kContact, kForceSensor.
  QuantityKind quantity = QuantityKind::kNone;
  LawIndex law = kNoLaw;
  GripperIndex gripper = kNoGripper;
  /// Waypoint of a plan, from 1: of the refusal of a plan, and of kPlan. 0: none.
  std::uint16_t waypoint = 0;
  /// Id of a message to a robot on feet (body_commands.h): of its answer, of kMessage, and of
  /// kBalance the last one that was taken.
  MessageId message = 0;
  /// Direction of a fall, kLawFailed, and of kBalance, from ahead, to the left above 0 [rad].
  float direction = 0.0F;
  /// Named in the answer to set_obstacle and remove_obstacle, and in kAvoidance; empty: none.
  ObstacleName obstacle{};

  bool operator==(const Event&) const = default;
};
static_assert(std::is_trivially_copyable_v<Event> && sizeof(Event) % 8 == 0);

/// Most kinds have one severity; a gripper that lost, missed or met something warns, and so does a
/// drive that is held back.
constexpr EventSeverity severity_of(const Event& event) noexcept {
  if (event.kind == EventKind::kDrive) {
    const bool is_held = holds_back(static_cast<DriveChange>(event.detail));
    return is_held ? EventSeverity::kWarning : EventSeverity::kInfo;
  }
  if (event.kind != EventKind::kGripper) return severity_of(event.kind);
  const auto change = static_cast<GripperChange>(event.detail);
  const bool warns = change == GripperChange::kMissed || change == GripperChange::kLost ||
                     change == GripperChange::kStalled;
  return warns ? EventSeverity::kWarning : EventSeverity::kInfo;
}

}  // namespace jointrig
