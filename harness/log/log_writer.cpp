#include "harness/log/log_writer.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/log/command_words.h"
#include "harness/log/event_text.h"
#include "harness/log/mcap/schema_encoder.h"

namespace jointrig::harness {
namespace {

constexpr TimeNs kJointStatesPeriod = 10'000'000;
// Fits a command to the largest number of joints, and a law with all signals that there can be.
constexpr std::size_t kLargestMessage = 16384;

/// Answers to commands are frequent, and few readers need them.
LogLevel level_of(EventKind kind) noexcept {
  if (kind == EventKind::kAccepted) return LogLevel::kDebug;
  switch (severity_of(kind)) {
    case EventSeverity::kError:
      return LogLevel::kError;
    case EventSeverity::kWarning:
      return LogLevel::kWarn;
    case EventSeverity::kInfo:
      break;
  }
  return LogLevel::kInfo;
}

void add_metadata(McapWriter& file, const RobotConfig& config, const RobotLogOptions& options) {
  file.add_metadata("robot", {{"name", config.name},
                              {"model", config.model_path},
                              {"scene", config.scene_path},
                              {"joints", fmt::format("{}", config.joints.size())},
                              {"period_ns", fmt::format("{}", config.period_ns)},
                              {"delay_cycles", fmt::format("{}", config.delay_cycles)},
                              {"seed", fmt::format("{}", config.plant.seed)}});
  if (!options.run.empty()) file.add_metadata("run", options.run);
  for (const LogAttachment& attachment : options.attachments) {
    file.attach(attachment.name, attachment.media_type, attachment.text);
  }
}

/// A client that begins to watch a run gets what is told at a change alone, too.
bool has_new_reader(McapWriter& /*file*/) noexcept { return false; }
bool has_new_reader(LiveChannels& live) noexcept { return live.take_new_reader(); }

void finish(McapWriter& file, const StringMap& totals) {
  file.add_metadata("log", totals);
  file.close();
}
void finish(LiveChannels& /*live*/, const StringMap& /*totals*/) {}

}  // namespace

template <typename Out>
MessageWriter<Out>::MessageWriter(std::unique_ptr<Out> out, const RobotConfig& config,
                                  const CommandInbox& inbox, const std::vector<LoggedTruth>& truth)
    : config_(config), inbox_(&inbox), out_(std::move(out)), scratch_(kLargestMessage) {
  add_channels();
  for (const LoggedTruth& one : truth) add_truth(one);
}

template <typename Out>
void MessageWriter<Out>::add_channels() {
  for (std::size_t i = 0; i < config_.joints.size(); ++i) {
    const JointConfig& joint = config_.joints[i];
    const StringMap about = {{"joint", joint.name},
                             {"index", fmt::format("{}", i)},
                             {"kind", joint.slide ? "slide" : "hinge"}};
    JointChannels channels;
    channels.joint =
        out_->add_channel("/j/" + joint.name, joint_message_schema(joint.slide), about);
    channels.board =
        out_->add_channel("/board/" + joint.name, board_message_schema(joint.slide), about);
    joints_.push_back(std::move(channels));
    names_.push_back(joint.name);
  }
  for (const ArmConfig& arm : config_.arms) {
    arms_.push_back(out_->add_channel("/arm/" + arm.name, arm_message_schema()));
  }
  for (const GripperConfig& gripper : config_.grippers) {
    grippers_.push_back(out_->add_channel("/gripper/" + gripper.name, gripper_message_schema()));
  }
  for (const LawConfig& law : config_.laws) {
    law_schemas_.push_back(law_message_schema(law));
    laws_.push_back(out_->add_channel("/law/" + law.name, law_schemas_.back()));
  }
  messages_.resize(names_.size());
  q_.resize(names_.size());
  v_.resize(names_.size());
  tau_.resize(names_.size());
  joint_states_ = out_->template add_channel<JointStateView>("/joint_states");
  loop_ = out_->add_channel("/loop", loop_message_schema());
  events_ = out_->template add_channel<LogView>("/events");
  event_schema_ = event_message_schema();
  event_data_ = out_->add_channel("/event_data", event_schema_);
  command_schema_ = command_message_schema();
  commands_ = out_->add_channel("/commands", command_schema_);
}

template <typename Out>
void MessageWriter<Out>::add_truth(const LoggedTruth& truth) {
  switch (truth.kind) {
    case LoggedTruth::Kind::kJoint:
      truth_.emplace_back(out_->add_channel(truth.topic, joint_truth_message_schema(truth.slide)));
      break;
    case LoggedTruth::Kind::kPoint:
      truth_.emplace_back(out_->add_channel(truth.topic, point_message_schema()));
      break;
    case LoggedTruth::Kind::kContact:
      truth_.emplace_back(out_->add_channel(truth.topic, contact_message_schema()));
      break;
  }
}

template <typename Out>
void MessageWriter<Out>::write(const LoggedCycle& cycle) noexcept {
  if (!out_->ok()) return;  // a full disk ends the log, not the run
  try {
    write_cycle(cycle);
  } catch (const std::exception&) {
    // Without memory for a new channel this record is lost and the log continues. So below.
  }
}

template <typename Out>
void MessageWriter<Out>::write(const Event& event) noexcept {
  if (!out_->ok()) return;
  try {
    write_event(event);
  } catch (const std::exception&) {
  }
}

template <typename Out>
void MessageWriter<Out>::write(const LoggedCommand& command) noexcept {
  if (!out_->ok()) return;
  try {
    write_command(command);
  } catch (const std::exception&) {
  }
}

template <typename Out>
void MessageWriter<Out>::write_cycle(const LoggedCycle& cycle) {
  const CycleRecord& about = *cycle.about;
  const TimeStamp stamp = to_stamp(about.time_ns);
  if (has_new_reader(*out_)) {
    for (JointChannels& channels : joints_) channels.has_board = false;
  }

  write_sensors(about, stamp);
  const auto joints = cycle.joints.first(std::min(cycle.joints.size(), joints_.size()));
  // All messages before the first is compared and copied, which would wait for its last bytes.
  for (std::size_t i = 0; i < joints.size(); ++i) {
    fill(messages_[i].joint, stamp, joints[i]);
    fill(messages_[i].board, stamp, joints[i]);
  }
  auto raw = cycle.raw.begin();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    write_joint(i, about.time_ns);
    if (raw == cycle.raw.end() || raw->joint != i) continue;
    auto& channel = joints_[i].raw;
    if (!channel) {
      channel = out_->add_channel("/raw/" + names_[i], raw_message_schema(config_.joints[i].slide));
    }
    out_->write(*channel, about.time_ns, raw_message(stamp, raw->state));
    ++raw;
  }
  for (std::size_t i = 0; i < std::min(cycle.arms.size(), arms_.size()); ++i) {
    const ArmSnapshot& arm = cycle.arms[i];
    if (about.whole == 0 && !is_at_work(arm)) continue;
    out_->write(arms_[i], about.time_ns, arm_message(stamp, arm));
  }
  for (std::size_t i = 0; i < std::min(about.grippers.size(), grippers_.size()); ++i) {
    const GripperSnapshot& now = about.grippers[i];
    out_->write(grippers_[i], about.time_ns,
                GripperMessage{stamp, now.width, now.share, now.force, now.asked,
                               static_cast<std::uint8_t>(now.state)});
  }
  write_protection(about, joints, stamp);
  for (std::size_t i = 0; i < std::min(cycle.laws.size(), laws_.size()); ++i) {
    SchemaEncoder out(*law_schemas_[i], scratch_);
    const std::size_t count = config_.laws[i].signals.size();
    const std::size_t first = std::min(first_signal(config_.laws, i), cycle.signals.size());
    const auto signals =
        cycle.signals.subspan(first, std::min(count, cycle.signals.size() - first));
    if (encode(stamp, config_.laws[i], cycle.laws[i], signals, out)) {
      out_->write(laws_[i], about.time_ns, out.bytes());
    }
  }
  write_truth(cycle.truth, stamp, about.time_ns);
  if (about.time_ns >= joint_states_due_) write_joint_states(joints, stamp, about.time_ns);
  out_->write(loop_, about.time_ns,
              LoopMessage{stamp, about.cycle, about.overruns, about.dropped, about.speed_override,
                          about.times.read_us, about.times.decide_us, about.times.write_us,
                          about.times.jitter_us});
}

template <typename Out>
void MessageWriter<Out>::write_protection(const CycleRecord& about,
                                          std::span<const JointSnapshot> joints, TimeStamp stamp) {
  if (!protection_) {
    const ProtectionSnapshot& now = about.protection;
    if (now.on.bits() == 0 && now.suppressed.bits() == 0) return;
    protection_ = out_->add_channel("/protection", protection_message_schema());
    for (const JointConfig& joint : config_.joints) {
      joint_protection_.push_back(out_->add_channel("/protection/" + joint.name,
                                                    joint_protection_message_schema(joint.slide)));
    }
  }
  if (about.whole == 0 && !is_at_work(about.protection)) return;
  out_->write(*protection_, about.time_ns, protection_message(stamp, about.protection));
  for (std::size_t i = 0; i < joints.size(); ++i) {
    out_->write(joint_protection_[i], about.time_ns, joint_protection_message(stamp, joints[i]));
  }
}

/// A channel is created with its first sample: a fixed robot has no /base.
template <typename Out>
void MessageWriter<Out>::write_sensors(const CycleRecord& cycle, TimeStamp stamp) {
  if (!base_ && cycle.base != BaseState{})
    base_ = out_->add_channel("/base", base_message_schema());
  if (base_) {
    out_->write(*base_, cycle.time_ns,
                BaseMessage{stamp, cycle.base.position, cycle.base.orientation,
                            cycle.base.linear_velocity, cycle.base.angular_velocity});
  }
  for (std::size_t i = 0; i < cycle.force_torque.size(); ++i) {
    if (i == force_torque_.size()) {
      force_torque_.push_back(
          out_->add_channel(fmt::format("/ft/{}", i), force_torque_message_schema()));
    }
    const ForceTorqueState& sensor = cycle.force_torque[i];
    out_->write(force_torque_[i], cycle.time_ns,
                ForceTorqueMessage{stamp, sensor.force, sensor.torque, sensor.missed});
  }
  for (std::size_t i = 0; i < cycle.imus.size(); ++i) {
    if (i == imus_.size()) {
      imus_.push_back(out_->add_channel(fmt::format("/imu/{}", i), imu_message_schema()));
    }
    const ImuState& sensor = cycle.imus[i];
    out_->write(imus_[i], cycle.time_ns,
                ImuMessage{stamp, sensor.acceleration, sensor.angular_velocity, sensor.missed});
  }
}

template <typename Out>
void MessageWriter<Out>::write_joint(std::size_t index, TimeNs time) {
  JointChannels& channels = joints_[index];
  const auto& [joint, board] = messages_[index];
  if (!channels.has_board || !same_bits(board, channels.last_board)) {
    out_->write(channels.board, time, board);
    channels.last_board = board;
    channels.has_board = true;
  }
  out_->write(channels.joint, time, joint);
}

template <typename Out>
void MessageWriter<Out>::write_joint_states(std::span<const JointSnapshot> joints, TimeStamp stamp,
                                            TimeNs time) {
  for (std::size_t i = 0; i < joints.size(); ++i) {
    q_[i] = joints[i].state.q;
    v_[i] = joints[i].state.v;
    tau_[i] = joints[i].state.tau;
  }
  out_->write(joint_states_, time, JointStateView{stamp, "", names_, q_, v_, tau_});
  joint_states_due_ = (time / kJointStatesPeriod + 1) * kJointStatesPeriod;
}

// Values lie in the order of the channels, three each, but one for a contact.
template <typename Out>
void MessageWriter<Out>::write_truth(std::span<const double> values, TimeStamp stamp, TimeNs time) {
  if (values.empty()) return;
  const double* at = values.data();
  for (const TruthChannel& channel : truth_) {
    if (const auto* joint = std::get_if<StructChannel<JointTruthMessage>>(&channel)) {
      out_->write(*joint, time, JointTruthMessage{stamp, at[0], at[1], at[2]});
      at += 3;
    } else if (const auto* point = std::get_if<StructChannel<PointMessage>>(&channel)) {
      out_->write(*point, time, PointMessage{stamp, at[0], at[1], at[2]});
      at += 3;
    } else if (const auto* contact = std::get_if<StructChannel<ContactMessage>>(&channel)) {
      out_->write(*contact, time, ContactMessage{stamp, at[0]});
      at += 1;
    }
  }
}

template <typename Out>
void MessageWriter<Out>::write_event(const Event& event) {
  const SenderName sender = inbox_->sender_name(event.sender);
  const TimeStamp stamp = to_stamp(event.time_ns);
  const std::string_view joint =
      event.joint < names_.size() ? std::string_view(names_[event.joint]) : std::string_view();
  const std::string words = sentence(event, config_, sender);
  out_->write(events_, event.time_ns,
              LogView{stamp, level_of(event.kind), joint.empty() ? "robot" : joint, words, "",
                      to_string(event.kind), 0});

  SchemaEncoder out(*event_schema_, scratch_);
  if (encode({event, joint, sender}, out)) out_->write(event_data_, event.time_ns, out.bytes());
}

template <typename Out>
void MessageWriter<Out>::write_command(const LoggedCommand& command) {
  const auto& [about, numbers] = command;
  const TimeStamp stamp = to_stamp(about->time_ns);
  std::vector<std::uint16_t> joints;
  for (std::size_t i = 0; i < kMaxJoints; ++i) {
    if (about->joints.test(i)) joints.push_back(static_cast<std::uint16_t>(i));
  }
  const std::size_t own = numbers.size() - joints.size() * value_names(about->kind).size();
  SchemaEncoder out(*command_schema_, scratch_);
  out.put(stamp.sec);
  out.put(stamp.nanosec);
  out.put(about->cycle);
  out.put(about->number);
  out.put(about->seen_ns);
  out.put(about->sender);
  out.put(static_cast<std::uint8_t>(about->kind));
  out.put(about->arm);
  out.put_sequence(std::span<const std::uint16_t>(joints));
  out.put_strings(number_names(about->kind).first(own));
  out.put_strings(value_names(about->kind));
  out.put_sequence(numbers);
  if (out.complete()) out_->write(commands_, about->time_ns, out.bytes());
}

template <typename Out>
void MessageWriter<Out>::close(const RobotLogStatus& status) {
  finish(*out_, {{"cycles", fmt::format("{}", status.cycles)},
                 {"events", fmt::format("{}", status.events)},
                 {"dropped_cycles", fmt::format("{}", status.dropped_cycles)},
                 {"dropped_events", fmt::format("{}", status.dropped_events)}});
}

template class MessageWriter<McapWriter>;
template class MessageWriter<LiveChannels>;

std::unique_ptr<RecordWriter> make_log_writer(const std::string& path, const RobotConfig& config,
                                              const CommandInbox& inbox,
                                              const RobotLogOptions& options) {
  auto file = std::make_unique<McapWriter>(path, options.file);
  add_metadata(*file, config, options);
  const bool has_truth = static_cast<bool>(options.read_truth);
  return std::make_unique<MessageWriter<McapWriter>>(
      std::move(file), config, inbox, has_truth ? options.truth : std::vector<LoggedTruth>{});
}

}  // namespace jointrig::harness
