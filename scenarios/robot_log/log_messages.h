#pragma once
/// The messages of a robot's log whose size is fixed: plain structs laid out as their CDR, so that
/// each is encoded by one copy. docs/logging.md is their reference for people.

#include <array>
#include <cstdint>

#include "control/core/snapshot.h"
#include "scenarios/record/struct_schema.h"

namespace jointrig {

/// `/j/<joint>`, each cycle.
struct JointMessage {
  TimeStamp stamp;
  double q, v, tau;
  double current, temperature;
  double q_ref, v_ref, a_ref, tau_ref, duty_ref;
  double q_cmd, v_cmd, tau_cmd, duty_cmd;
  double stiffness, damping;
  double error;
  double timeout_left;
  std::uint8_t mode, interaction, board_status, drive, fault, limits;
  bool moving, timed_out;
};

/// `/board/<joint>`, in the first cycle and whenever a bit of it changes.
struct BoardMessage {
  TimeStamp stamp;
  double supply, progress;
  double board_fault_value, board_fault_limit;
  double fault_value, fault_limit;
  std::uint64_t fault_cycle;
  double stiffness_cmd, damping_cmd;
  std::uint32_t missed;
  std::uint8_t board_fault, request;
};

/// `/raw/<joint>`, in cycles in which the stack went on with something else than the board reported
/// (a velocity of its own, the last finite position): the report as it came.
struct RawMessage {
  TimeStamp stamp;
  double q, v, tau;
  double current, temperature, supply, progress;
  double board_fault_value, board_fault_limit;
  std::uint32_t missed;
  std::uint8_t board_status, board_fault;
};

/// `/loop`, each cycle, the last message of it.
struct LoopMessage {
  TimeStamp stamp;
  std::uint64_t cycle;
  std::uint64_t overruns;
  std::uint64_t log_dropped;
  float read_us, decide_us, write_us, jitter_us;
};

/// `/base`, each cycle of a robot that floats.
struct BaseMessage {
  TimeStamp stamp;
  std::array<double, 3> position;
  std::array<double, 4> orientation;
  std::array<double, 3> linear_velocity;
  std::array<double, 3> angular_velocity;
};

/// `/ft/<number>`, each cycle.
struct ForceTorqueMessage {
  TimeStamp stamp;
  std::array<double, 3> force;
  std::array<double, 3> torque;
};

/// `/imu/<number>`, each cycle.
struct ImuMessage {
  TimeStamp stamp;
  std::array<double, 3> acceleration;
  std::array<double, 3> angular_velocity;
};

/// `/truth/<joint>`, each cycle: the plant's joint, before any encoder.
struct JointTruthMessage {
  TimeStamp stamp;
  double q, v, tau;
};

/// `/body/<name>` and `/site/<name>`, each cycle.
struct PointMessage {
  TimeStamp stamp;
  double x, y, z;
};

/// `/contact/<body>`, each cycle.
struct ContactMessage {
  TimeStamp stamp;
  double force;
};

JointMessage joint_message(TimeStamp stamp, const JointSnapshot& joint) noexcept;
BoardMessage board_message(TimeStamp stamp, const JointSnapshot& joint) noexcept;
RawMessage raw_message(TimeStamp stamp, const JointState& state) noexcept;

/// True where all but the stamps are equal to the bit.
bool same_bits(const BoardMessage& a, const BoardMessage& b) noexcept;
bool same_bits(const JointState& a, const JointState& b) noexcept;

/// What the board reported: the joint's message, with what its last board message adds.
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
StructSchema<JointTruthMessage> joint_truth_message_schema(bool slide);
StructSchema<PointMessage> point_message_schema();
StructSchema<ContactMessage> contact_message_schema();

SchemaPtr event_message_schema();    ///< `/event_data`, a message for each event
SchemaPtr command_message_schema();  ///< `/commands`, a message for each command drained

/// `MODE_IDLE=0`, ...: every member of an enumeration, from its own list of words.
template <typename Enum, std::size_t kCount>
std::vector<MessageConstant> constants_of(const std::string& prefix,
                                          const std::array<Enum, kCount>& all) {
  std::vector<MessageConstant> constants;
  for (const Enum value : all) {
    std::string name = prefix + "_";
    for (const char c : to_string(value)) {
      name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    constants.push_back({name, FieldType::kUint8, static_cast<std::int64_t>(value)});
  }
  return constants;
}

}  // namespace jointrig
