#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "harness/log/live_channels.h"
#include "harness/log/log_messages.h"
#include "harness/log/log_record.h"
#include "harness/log/record_writer.h"
#include "harness/log/robot_log.h"

namespace jointrig::harness {

/// Converts the loop's records to messages of the channels of docs/logging.md. Order within a
/// cycle, all with the cycle's time: events, commands, sensors of the whole robot, then for each
/// joint its board if that changed, the joint, its raw state if that differs; truth; joint states;
/// the loop.
///
/// A file that failed accepts no more data; a record without memory is left out. One thread, except
/// for construction and close().
///
/// @tparam Out  McapWriter: a log. LiveChannels: viewers that watch the run.
template <typename Out>
class MessageWriter final : public RecordWriter {
 public:
  /// The inbox (for the senders' names) outlives the writer.
  MessageWriter(std::unique_ptr<Out> out, const RobotConfig& config, const CommandInbox& inbox,
                const std::vector<LoggedTruth>& truth = {});

  void write(const LoggedCycle& cycle) noexcept override;
  void write(const Event& event) noexcept override;
  void write(const LoggedCommand& command) noexcept override;
  void poll() noexcept override { out_->poll(); }
  void close(const RobotLogStatus& status) override;

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
  std::unique_ptr<Out> out_;

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
  std::vector<StructChannel<GripperMessage>> grippers_;
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

/// Creates the file of a log and writes what is known of the run. Throws as McapWriter.
[[nodiscard]] std::unique_ptr<RecordWriter> make_log_writer(const std::string& path,
                                                            const RobotConfig& config,
                                                            const CommandInbox& inbox,
                                                            const RobotLogOptions& options);

}  // namespace jointrig::harness
