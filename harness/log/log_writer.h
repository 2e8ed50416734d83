#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "harness/log/log_messages.h"
#include "harness/log/log_record.h"
#include "harness/log/robot_log.h"

namespace jointrig::harness {

/// Converts the loop's records to messages. Order within a cycle, all with the cycle's time:
/// events, commands, sensors of the whole robot, then for each joint its board if that changed, the
/// joint, its raw state if that differs; truth; joint states; the loop.
///
/// A file that failed accepts no more data; a record without memory is left out. One thread, except
/// for construction and close().
class LogWriter {
 public:
  LogWriter(const std::string& path, const RobotConfig& config, const CommandInbox& inbox,
            const RobotLogOptions& options);

  void write(const LoggedCycle& cycle) noexcept;
  void write(const Event& event) noexcept;
  void write(const LoggedCommand& command) noexcept;
  void poll() noexcept { file_.poll(); }
  void close(const RobotLogStatus& status);

 private:
  struct JointChannels {
    StructChannel<JointMessage> joint;
    StructChannel<BoardMessage> board;
    std::optional<StructChannel<RawMessage>> raw;
    BoardMessage last_board{};
    bool has_board = false;
  };
  /// Messages of a joint in the present cycle.
  struct JointMessages {
    JointMessage joint;
    BoardMessage board;
  };

  void add_metadata(const RobotLogOptions& options);
  void add_channels();
  void add_truth(const LoggedTruth& truth);
  void write_cycle(const LoggedCycle& cycle);
  void write_sensors(const CycleRecord& cycle, TimeStamp stamp);
  void write_joint(std::size_t index, TimeNs time);
  void write_joint_states(std::span<const JointSnapshot> joints, TimeStamp stamp, TimeNs time);
  void write_protection(const CycleRecord& about, std::span<const JointSnapshot> joints,
                        TimeStamp stamp);
  void write_truth(std::span<const double> values, TimeStamp stamp, TimeNs time);
  void write_event(const Event& event);
  void write_command(const LoggedCommand& command);

  RobotConfig config_;
  const CommandInbox* inbox_;
  McapWriter file_;

  std::vector<JointChannels> joints_;
  std::vector<JointMessages> messages_;
  ViewChannel<JointStateView> joint_states_;
  StructChannel<LoopMessage> loop_;
  ViewChannel<LogView> events_;
  ChannelId event_data_ = 0;
  ChannelId commands_ = 0;
  std::optional<StructChannel<BaseMessage>> base_;
  std::vector<StructChannel<ForceTorqueMessage>> force_torque_;
  std::vector<StructChannel<ArmMessage>> arms_;
  std::vector<SchemaPtr> law_schemas_;
  std::vector<ChannelId> laws_;
  std::optional<StructChannel<ProtectionMessage>> protection_;
  std::vector<StructChannel<JointProtectionMessage>> joint_protection_;
  std::vector<StructChannel<ImuMessage>> imus_;
  using TruthChannel = std::variant<StructChannel<JointTruthMessage>, StructChannel<PointMessage>,
                                    StructChannel<ContactMessage>>;
  std::vector<TruthChannel> truth_;

  SchemaPtr event_schema_;
  SchemaPtr command_schema_;
  std::vector<std::byte> scratch_;
  std::vector<std::string> names_;
  std::vector<double> q_, v_, tau_;
  TimeNs joint_states_due_ = 0;
};

}  // namespace jointrig::harness
