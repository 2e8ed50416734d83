#pragma once
/// Messages of fixed size in a robot's log: plain structs with the layout of their CDR, so that one
/// copy encodes each. docs/logging.md describes them.

#include <array>
#include <cstdint>
#include <string_view>

#include "control/core/event.h"
#include "control/core/snapshot.h"
#include "harness/log/mcap/struct_schema.h"

namespace jointrig::harness {

/// `/j/<joint>`, each cycle.
struct JointMessage {
  TimeStamp stamp;
  double q = 0.0, v = 0.0, tau = 0.0;
  double current = 0.0, temperature = 0.0;
  double q_ref = 0.0, v_ref = 0.0, a_ref = 0.0, tau_ref = 0.0, duty_ref = 0.0;
  double q_cmd = 0.0, v_cmd = 0.0, tau_cmd = 0.0, duty_cmd = 0.0;
  double stiffness = 0.0, damping = 0.0;
  double error = 0.0;
  double timeout_left = 0.0;
  double tau_gravity_only = 0.0, tau_model = 0.0, tau_interaction = 0.0, tau_external = 0.0;
  double tau_laws = 0.0;
  std::uint8_t mode = 0, interaction = 0, board_status = 0, drive = 0, fault = 0, limits = 0;
  bool moving = false, timed_out = false, extrapolated = false, knows_external = false;
};

/// `/board/<joint>`, in the first cycle and whenever a bit of it changes.
struct BoardMessage {
  TimeStamp stamp;
  double supply = 0.0, progress = 0.0;
  double board_fault_value = 0.0, board_fault_limit = 0.0;
  double fault_value = 0.0, fault_limit = 0.0;
  std::uint64_t fault_cycle = 0;
  double stiffness_cmd = 0.0, damping_cmd = 0.0;
  double tau_hysteresis = 0.0, hysteresis_state = 0.0, tau_crosstalk = 0.0;
  std::uint32_t missed = 0;
  LimitCycles limit_cycles{};
  std::uint8_t board_fault = 0, request = 0, inputs = 0;
};

/// `/raw/<joint>`, the board's original report, in cycles in which the stack used other values (a
/// computed velocity, the last finite position).
struct RawMessage {
  TimeStamp stamp;
  double q = 0.0, v = 0.0, tau = 0.0;
  double current = 0.0, temperature = 0.0, supply = 0.0, progress = 0.0;
  double board_fault_value = 0.0, board_fault_limit = 0.0;
  double tau_hysteresis = 0.0, hysteresis_state = 0.0, tau_crosstalk = 0.0;
  std::uint32_t missed = 0;
  std::uint8_t board_status = 0, board_fault = 0, inputs = 0;
  bool extrapolated = false;
};

/// `/loop`, each cycle, the last message of the cycle.
struct LoopMessage {
  TimeStamp stamp;
  std::uint64_t cycle = 0;
  std::uint64_t overruns = 0;
  std::uint64_t log_dropped = 0;
  double speed_override = 1.0;
  float read_us = 0.0F, decide_us = 0.0F, write_us = 0.0F, jitter_us = 0.0F;
};

/// `/base`, each cycle, for a robot with a floating base.
struct BaseMessage {
  TimeStamp stamp;
  std::array<double, 3> position{};
  std::array<double, 4> orientation{};
  std::array<double, 3> linear_velocity{};
  std::array<double, 3> angular_velocity{};
};

/// `/ft/<number>`, each cycle.
struct ForceTorqueMessage {
  TimeStamp stamp;
  std::array<double, 3> force{};
  std::array<double, 3> torque{};
  std::uint32_t missed = 0;
};

/// `/imu/<number>`, each cycle.
struct ImuMessage {
  TimeStamp stamp;
  std::array<double, 3> acceleration{};
  std::array<double, 3> angular_velocity{};
  std::uint32_t missed = 0;
};

/// `/arm/<arm>`, each cycle.
struct ArmMessage {
  TimeStamp stamp;
  std::array<double, 3> position{};
  std::array<double, 4> orientation{};
  std::array<double, 3> offset_position{};
  std::array<double, 4> offset_orientation{};
  std::array<double, 3> target_position{};
  std::array<double, 4> target_orientation{};
  std::array<double, 3> goal_position{};
  std::array<double, 4> goal_orientation{};
  Six error{}, twist{}, wrench{}, stiffness{}, inertia{};
  Six interaction_stiffness{}, interaction_force{};
  double cuff_left = 0.0, drift = 0.0;
  double damping_ratio = 0.0;
  double payload_mass = 0.0;
  std::array<double, 3> payload_centre{};
  LoadInertia payload_inertia{};
  double timeout_left = 0.0;
  Six sensed{}, sensed_tool{}, external{}, external_tool{}, sensor_bias{};
  double sensor_filter = 0.0;
  std::array<double, kMaxArmJoints> tau_spring{}, tau_damping{}, tau_posture{}, tau_gravity{},
      tau_coriolis{}, tau_friction{}, tau_limits{}, tau_payload{}, tau_force{};
  Six drive_wanted{}, drive_had{};
  double drive_share = 0.0, drive_left = 0.0;
  std::uint16_t terms = 0, limits = 0;
  std::array<std::uint8_t, 6> axes{};
  std::uint8_t guide = 0, free_axes = 0, sensor = 0, drive_held_by = 0;
  bool interaction = false, cuff = false;
  bool runs = false, moving = false, timed_out = false;
  bool taring = false, knows_external = false, drives = false;
};

/// `/gripper/<gripper>`, each cycle.
struct GripperMessage {
  TimeStamp stamp;
  double width = 0.0, share = 0.0, force = 0.0, asked = 0.0;
  std::uint8_t state = 0;
};

/// `/protection`, each cycle from the first one with collision avoidance, detection or a
/// suppression on.
struct ProtectionMessage {
  TimeStamp stamp;
  double distance = 0.0, overlap = 0.0, force = 0.0;
  double impact = 0.0, squish = 0.0, hand_force = 0.0, hand_torque = 0.0;
  double stop_left = 0.0;
  std::array<double, kAllSuppressible.size()> suppressed_for{};
  std::uint8_t on = 0;
  bool pushes = false, squished = false;
};

/// `/protection/<joint>`, in the same cycles.
struct JointProtectionMessage {
  TimeStamp stamp;
  double tau_repulsion = 0.0, tau_contact = 0.0;
  std::uint8_t suppressed = 0;
};

/// `/truth/<joint>`, each cycle: the plant's joint, without an encoder.
struct JointTruthMessage {
  TimeStamp stamp;
  double q = 0.0, v = 0.0, tau = 0.0;
};

/// `/body/<name>` and `/site/<name>`, each cycle.
struct PointMessage {
  TimeStamp stamp;
  double x = 0.0, y = 0.0, z = 0.0;
};

/// `/contact/<body>`, each cycle.
struct ContactMessage {
  TimeStamp stamp;
  double force = 0.0;
};

ArmMessage arm_message(TimeStamp stamp, const ArmSnapshot& arm) noexcept;
ProtectionMessage protection_message(TimeStamp stamp, const ProtectionSnapshot& now) noexcept;
JointProtectionMessage joint_protection_message(TimeStamp stamp,
                                                const JointSnapshot& joint) noexcept;
/// The joint's and the board's message, in place: a copy of what was just written waits for it.
void fill(JointMessage& message, TimeStamp stamp, const JointSnapshot& joint) noexcept;
void fill(BoardMessage& message, TimeStamp stamp, const JointSnapshot& joint) noexcept;
RawMessage raw_message(TimeStamp stamp, const JointState& state) noexcept;

/// True if all but the stamps are equal to the bit.
bool same_bits(const BoardMessage& a, const BoardMessage& b) noexcept;
bool same_bits(const JointState& a, const JointState& b) noexcept;

/// The board's report: the joint's message, completed by its last board message.
JointState joint_state(const JointMessage& joint, const BoardMessage& board) noexcept;
JointState joint_state(const RawMessage& raw) noexcept;

/// @param slide  units are m and N instead of rad and N·m
StructSchema<JointMessage> joint_message_schema(bool slide);
StructSchema<BoardMessage> board_message_schema(bool slide);
StructSchema<RawMessage> raw_message_schema(bool slide);
StructSchema<LoopMessage> loop_message_schema();
StructSchema<BaseMessage> base_message_schema();
StructSchema<ForceTorqueMessage> force_torque_message_schema();
StructSchema<ImuMessage> imu_message_schema();
StructSchema<ArmMessage> arm_message_schema();
StructSchema<GripperMessage> gripper_message_schema();
StructSchema<ProtectionMessage> protection_message_schema();
StructSchema<JointProtectionMessage> joint_protection_message_schema(bool slide);
StructSchema<JointTruthMessage> joint_truth_message_schema(bool slide);
StructSchema<PointMessage> point_message_schema();
StructSchema<ContactMessage> contact_message_schema();

/// `/law/<law>`, each cycle: a law of one's own, with the signals and parameters that it declares.
SchemaPtr law_message_schema(const LawConfig& law);
/// @param signals  its own, as many as it declares
/// @param out  made for that schema. Returns false if it has no room.
bool encode(TimeStamp stamp, const LawConfig& law, const LawSnapshot& now,
            std::span<const double> signals, SchemaEncoder& out) noexcept;

/// `/event_data`, one message per event.
struct EventInWords {
  const Event& event;
  std::string_view joint;   ///< "" for none
  std::string_view sender;  ///< sender of the answered command
};
SchemaPtr event_message_schema();
/// @param out  made for that schema. Returns false if it has no room.
bool encode(const EventInWords& said, SchemaEncoder& out) noexcept;

SchemaPtr command_message_schema();  ///< `/commands`, one message per drained command

/// `MODE_IDLE` from MODE and idle; a space becomes an underscore.
std::string constant_name(std::string_view prefix, std::string_view word);

/// `MODE_IDLE=0`, ...: every member of an enumeration, from its own list of words.
template <typename Enum, std::size_t kCount>
std::vector<MessageConstant> constants_of(const std::string& prefix,
                                          const std::array<Enum, kCount>& all) {
  std::vector<MessageConstant> constants;
  for (const Enum value : all) {
    constants.push_back({constant_name(prefix, to_string(value)), FieldType::kUint8,
                         static_cast<std::int64_t>(value)});
  }
  return constants;
}

}  // namespace jointrig::harness
