#include "scenarios/runner/command_steps.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "control/exchange/robot_client.h"
#include "scenarios/robot_log/event_text.h"
#include "scenarios/runner/stream_list.h"

namespace jointrig {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string number_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

Command make_command(CommandKind kind, const JointSet& joints, TimeNs now) noexcept {
  Command command;
  command.kind = kind;
  command.joints = joints;
  command.time_ns = now;
  return command;
}

template <typename Function>
void for_each(const JointSet& joints, Function&& function) {
  for (std::size_t i = 0; i < kMaxJoints; ++i) {
    if (joints.test(i)) function(static_cast<JointIndex>(i));
  }
}

// Sends up to three commands in one cycle, waits for their answers, then for the effect.
class CommandRun : public StepRun {
 public:
  CommandRun(bool wait, double timeout) : wait_(wait), timeout_(to_ns(timeout)) {}

  void begin(StepScene& scene) override {
    began_ = scene.now();
    sent_ = 0;
  }

  StepProgress poll(StepScene& scene) override {
    if (!send_all(scene)) return in_time(scene) ? StepProgress::kRunning : fail_unsent();
    for (std::size_t i = 0; i < wanted_; ++i) {
      const CommandLink::State state = scene.link->state(numbers_[i]);
      if (state == CommandLink::State::kRejected) return fail_rejected(scene, numbers_[i]);
      if (state == CommandLink::State::kWaiting) {
        return in_time(scene) ? StepProgress::kRunning
                              : fail("an answer to the command", "none: the loop doesn't listen");
      }
    }
    if (!wait_ || arrived(scene)) return StepProgress::kDone;
    return in_time(scene) ? StepProgress::kRunning : fail_late(scene);
  }

 protected:
  static constexpr std::size_t kMostCommands = 3;

  /// The i-th command, with its values as they are now.
  virtual Command command(std::size_t i, const StepScene& scene) const = 0;
  virtual bool arrived(const StepScene& scene) = 0;
  virtual StepProgress fail_late(const StepScene& scene) = 0;

  void set_count(std::size_t commands) { wanted_ = commands; }
  [[nodiscard]] std::string in_timeout() const {
    return " within " + seconds_text(to_seconds(timeout_));
  }

 private:
  bool send_all(StepScene& scene) {
    while (sent_ < wanted_) {
      Command next = command(sent_, scene);
      const std::uint64_t number = scene.link->send(next, CommandLink::Answered::kAskedFor);
      if (number == 0) return false;  // the inbox is full: on with it in the next cycle
      numbers_[sent_++] = number;
    }
    return true;
  }

  [[nodiscard]] bool in_time(const StepScene& scene) const {
    return scene.now() - began_ <= timeout_;
  }

  StepProgress fail_unsent() { return fail("room in the inbox" + in_timeout(), "it stayed full"); }

  StepProgress fail_rejected(const StepScene& scene, std::uint64_t number) {
    const Event& answer = scene.link->answer(number);
    return fail(std::string(to_string(answer.command)) + " accepted",
                sentence(answer, *scene.config, kSender));
  }

  bool wait_;
  TimeNs timeout_;
  TimeNs began_ = 0;
  std::size_t wanted_ = 1;
  std::size_t sent_ = 0;
  std::array<std::uint64_t, kMostCommands> numbers_{};
};

class SetRun final : public CommandRun {
 public:
  SetRun(const SetStep& step, const Binder& binder, const JointSet& joints)
      : CommandRun(step.wait && step.mode.has_value(), step.timeout), joints_(joints) {
    if (step.stiffness || step.damping) kinds_[count_++] = CommandKind::kSetImpedance;
    if (step.interaction) kinds_[count_++] = CommandKind::kSetInteraction;
    if (step.mode) kinds_[count_++] = CommandKind::kSetMode;
    set_count(count_);
    mode_ = step.mode.value_or(ModeRequest::kIdle);
    interaction_ = step.interaction.value_or(InteractionMode::kStiff);
    for_each(joints_, [&](JointIndex joint) {
      gains_.push_back({gain(step.stiffness, binder, joint, kStiffnessUnits),
                        gain(step.damping, binder, joint, kDampingUnits)});
    });
  }

 private:
  struct Gains {
    BoundValue stiffness;
    BoundValue damping;
  };
  static BoundValue gain(const std::optional<Text>& text, const Binder& binder, JointIndex joint,
                         std::string_view units) {
    return text ? binder.value(*text, joint, units) : BoundValue(kNan);  // nan: stays as it is
  }

  Command command(std::size_t i, const StepScene& scene) const override {
    Command command = make_command(kinds_[i], joints_, scene.now());
    command.request = mode_;
    command.interaction = interaction_;
    if (kinds_[i] != CommandKind::kSetImpedance) return command;
    std::size_t place = 0;
    for_each(joints_, [&](JointIndex joint) {
      const JointSnapshot& now = scene.snapshot->joints[joint];
      const double stiffness = gains_[place].stiffness.value();
      const double damping = gains_[place].damping.value();
      command.values.push_back({std::isnan(stiffness) ? now.stiffness : stiffness,
                                std::isnan(damping) ? now.damping : damping});
      ++place;
    });
    return command;
  }

  [[nodiscard]] bool is_there(const StepScene& scene, JointIndex joint) const {
    const JointSnapshot& now = scene.snapshot->joints[joint];
    const ControlMode wanted = requested_mode(mode_);
    if (now.mode != as_joint_mode(wanted)) return false;
    if (wanted == ControlMode::kIdle || !(*scene.boards)[joint].reports_status) return true;
    return now.state.status == BoardStatus::kEnabled;
  }

  bool arrived(const StepScene& scene) override {
    bool all = true;
    for_each(joints_, [&](JointIndex joint) { all = all && is_there(scene, joint); });
    return all;
  }

  StepProgress fail_late(const StepScene& scene) override {
    std::string got;
    for_each(joints_, [&](JointIndex joint) {
      if (!got.empty() || is_there(scene, joint)) return;
      const JointSnapshot& now = scene.snapshot->joints[joint];
      got = scene.config->joints[joint].name + " in " + std::string(to_string(now.mode)) +
            ", its board " + std::string(to_string(now.state.status));
    });
    return fail("mode " + std::string(to_string(requested_mode(mode_))) + in_timeout(), got);
  }

  JointSet joints_;
  std::array<CommandKind, kMostCommands> kinds_{};
  std::size_t count_ = 0;
  ModeRequest mode_;
  InteractionMode interaction_;
  std::vector<Gains> gains_;
};

class MoveRun final : public CommandRun {
 public:
  MoveRun(const MoveStep& step, std::vector<BoundTarget> targets, const Binder& binder)
      : CommandRun(step.wait, step.timeout),
        targets_(std::move(targets)),
        duration_(step.duration.value_or(0.0)),
        arrived_(targets_.size()),
        goals_(targets_.size()) {
    for (const BoundTarget& target : targets_) {
      joints_.set(target.joint);
      speeds_.push_back(step.speed ? binder.value(*step.speed, target.joint, kSpeedUnits)
                                   : BoundValue(0.0));
      within_.push_back(step.within ? binder.value(*step.within, target.joint, kPositionUnits)
                                    : BoundValue(std::numeric_limits<double>::infinity()));
    }
  }

  void begin(StepScene& scene) override {
    CommandRun::begin(scene);
    std::fill(arrived_.begin(), arrived_.end(), false);
  }

 private:
  Command command(std::size_t /*i*/, const StepScene& scene) const override {
    Command command = make_command(CommandKind::kMove, joints_, scene.now());
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      goals_[i] = targets_[i].value.value();
      command.values.push_back({goals_[i], speed(i, scene)});
    }
    return command;
  }

  // The peak speed of a minimum-jerk path from rest over d in T is 15/8 d/T (minimum_jerk.h).
  [[nodiscard]] double speed(std::size_t i, const StepScene& scene) const {
    if (duration_ <= 0.0) return speeds_[i].value();
    const double from = scene.snapshot->joints[targets_[i].joint].reference.q;
    return 15.0 / 8.0 * std::abs(goals_[i] - from) / duration_;
  }

  bool arrived(const StepScene& scene) override {
    constexpr double kAtGoal = 1e-6;  // rad or m, a choice: far below any encoder
    for (const Event& event : scene.events) {
      if (event.kind != EventKind::kGoalReached) continue;
      for (std::size_t i = 0; i < targets_.size(); ++i) {
        if (targets_[i].joint == event.joint) arrived_[i] = true;
      }
    }
    bool all = true;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const JointSnapshot& now = scene.snapshot->joints[targets_[i].joint];
      // A joint that was there already may have nothing to report.
      const bool stands = !now.moving && std::abs(now.reference.q - goals_[i]) <= kAtGoal;
      all = all && (arrived_[i] || stands) && is_near(i, scene);
    }
    return all;
  }

  [[nodiscard]] bool is_near(std::size_t i, const StepScene& scene) const {
    const double q = scene.snapshot->joints[targets_[i].joint].state.q;
    return std::abs(q - goals_[i]) <= within_[i].value();
  }

  StepProgress fail_late(const StepScene& scene) override {
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const JointSnapshot& now = scene.snapshot->joints[targets_[i].joint];
      const bool stands = !now.moving && arrived_[i];
      if (stands && is_near(i, scene)) continue;
      const std::string& name = scene.config->joints[targets_[i].joint].name;
      const std::string goal = number_text(goals_[i]);
      if (!stands) {
        return fail(name + " at its goal " + goal + in_timeout(),
                    "its reference at " + number_text(now.reference.q) + ", " +
                        (now.moving ? "still moving" : "standing"));
      }
      return fail(name + " measured within " + number_text(within_[i].value()) + " of " + goal +
                      in_timeout(),
                  name + ".q = " + number_text(now.state.q));
    }
    return fail("every joint at its goal" + in_timeout(), "a goal reached and left again");
  }

  std::vector<BoundTarget> targets_;
  double duration_;
  JointSet joints_;
  std::vector<BoundValue> speeds_;
  std::vector<BoundValue> within_;
  std::vector<bool> arrived_;
  mutable std::vector<double> goals_;  // as sent
};

class CalibrateRun final : public CommandRun {
 public:
  CalibrateRun(const CalibrateStep& step, const JointSet& joints)
      : CommandRun(step.wait, step.timeout), joints_(joints) {}

  void begin(StepScene& scene) override {
    CommandRun::begin(scene);
    done_.reset();
  }

 private:
  Command command(std::size_t /*i*/, const StepScene& scene) const override {
    return make_command(CommandKind::kCalibrate, joints_, scene.now());
  }
  bool arrived(const StepScene& scene) override {
    for (const Event& event : scene.events) {
      if (event.kind == EventKind::kCalibrationDone && event.joint < kMaxJoints) {
        done_.set(event.joint);
      }
    }
    return (joints_ & ~done_).none();
  }
  StepProgress fail_late(const StepScene& scene) override {
    std::string got;
    for_each(joints_ & ~done_, [&](JointIndex joint) {
      const JointSnapshot& now = scene.snapshot->joints[joint];
      got += (got.empty() ? "" : ", ") + scene.config->joints[joint].name + " in " +
             std::string(to_string(now.mode)) + " at " + number_text(100 * now.state.progress) +
             " %";
    });
    return fail("all calibrated" + in_timeout(), got);
  }

  JointSet joints_;
  JointSet done_;
};

class StopRun final : public CommandRun {
 public:
  explicit StopRun(const JointSet& joints) : CommandRun(false, 1.0), joints_(joints) {}

 private:
  Command command(std::size_t /*i*/, const StepScene& scene) const override {
    return make_command(CommandKind::kStop, joints_, scene.now());
  }
  bool arrived(const StepScene& /*scene*/) override { return true; }
  StepProgress fail_late(const StepScene& /*scene*/) override { return StepProgress::kFailed; }

  JointSet joints_;
};

class ExpectRejectedRun final : public StepRun {
 public:
  ExpectRejectedRun(const ExpectRejectedStep& step, const Binder& binder)
      : step_(step), joint_(step.joint ? binder.joint(*step.joint) : kNoJoint) {
    bind(binder);
  }

  void begin(StepScene& scene) override {
    began_ = scene.now();
    number_ = 0;
  }

  StepProgress poll(StepScene& scene) override {
    if (number_ == 0) send(scene);
    const CommandLink::State state =
        number_ == 0 ? CommandLink::State::kWaiting : scene.link->state(number_);
    const std::string_view reason = to_string(step_.reason);
    if (state == CommandLink::State::kWaiting) {
      if (scene.now() - began_ <= kPatience) return StepProgress::kRunning;
      return fail("rejected, " + std::string(reason), "no answer");
    }
    const Event& answer = scene.link->answer(number_);
    const bool rejected = state == CommandLink::State::kRejected;
    const bool right_joint = joint_ == kNoJoint || answer.joint == joint_;
    if (rejected && answer.reason == step_.reason && right_joint) return StepProgress::kDone;
    std::string expected = "rejected, " + std::string(reason);
    if (step_.joint) expected += ", of " + step_.joint->text;
    return fail(expected, rejected ? sentence(answer, *scene.config, kSender) : "accepted");
  }

 private:
  static constexpr TimeNs kPatience = 1'000'000'000;  // an answer takes one cycle

  // A name that the robot doesn't have is sent as a joint beyond its last, where the answer asked
  // for is just that: the loop has to find out.
  [[nodiscard]] JointSet joints_of(const Text& name, const Binder& binder) const {
    try {
      return binder.joints(name);
    } catch (const FileError&) {
      if (step_.reason != RejectReason::kUnknownJoint) throw;
      return JointSet().set(binder.config().joints.size() % kMaxJoints);
    }
  }

  void bind(const Binder& binder) {
    const PlainCommand& plain = step_.command;
    for (const Text& name : plain.joints) joints_ |= joints_of(name, binder);
    for (const Target& target : plain.targets) {
      for_each(joints_of(target.name, binder), [&](JointIndex joint) {
        joints_.set(joint);
        const bool is_known = joint < binder.config().joints.size();
        const JointIndex like = is_known ? joint : JointIndex{0};
        values_.push_back({joint, binder.value(target.value, like, units(plain.kind))});
      });
    }
    std::sort(values_.begin(), values_.end(),
              [](const BoundTarget& a, const BoundTarget& b) { return a.joint < b.joint; });
    if (plain.second) second_ = binder.value(*plain.second, 0, kDampingUnits);
  }

  static std::string_view units(CommandKind kind) {
    switch (kind) {
      case CommandKind::kMove:
      case CommandKind::kStreamPosition:
        return kPositionUnits;
      case CommandKind::kVelocity:
        return kSpeedUnits;
      case CommandKind::kTorque:
        return kTorqueUnits;
      case CommandKind::kSetImpedance:
        return kStiffnessUnits;
      default:
        return "1";
    }
  }

  void send(StepScene& scene) {
    Command command = make_command(step_.command.kind, joints_, scene.now());
    command.time_ns -= to_ns(step_.command.age);
    command.request = step_.command.mode;
    command.interaction = step_.command.interaction;
    for (const BoundTarget& value : values_) {
      command.values.push_back({value.value.value(), second_ ? second_->value() : 0.0});
    }
    number_ = scene.link->send(command, CommandLink::Answered::kAskedFor);
  }

  ExpectRejectedStep step_;
  JointIndex joint_;
  JointSet joints_;
  std::vector<BoundTarget> values_;
  std::optional<BoundValue> second_;
  std::uint64_t number_ = 0;
  TimeNs began_ = 0;
};

std::vector<BoundTarget> pose_targets(const MoveStep& step, const Binder& binder) {
  std::vector<BoundTarget> targets;
  const RobotConfig& config = binder.config();
  const PoseConfig* pose = nullptr;
  try {
    pose = &pose_named(config, step.pose->text);
  } catch (const UnknownName& error) {
    throw FileError(step.pose->spot, error.what());
  }
  JointSet chosen = binder.joints(step.joints);
  if (step.joints.empty()) chosen.set();
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    if (!pose->q[i] || !chosen.test(i)) continue;
    targets.push_back({static_cast<JointIndex>(i), BoundValue(*pose->q[i])});
  }
  if (targets.empty()) {
    throw FileError(step.pose->spot, "pose \"" + step.pose->text + "\" names none of these joints");
  }
  return targets;
}

}  // namespace

std::unique_ptr<StepRun> make_command_step(const SetStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  const JointSet joints = binder.joints(step.joints);
  needs.commanded |= joints;
  return std::make_unique<SetRun>(step, binder, joints);
}

std::unique_ptr<StepRun> make_command_step(const MoveStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  std::vector<BoundTarget> targets =
      step.pose ? pose_targets(step, binder) : binder.targets(step.targets, kPositionUnits);
  for (const BoundTarget& target : targets) needs.commanded.set(target.joint);
  return std::make_unique<MoveRun>(step, std::move(targets), binder);
}

std::unique_ptr<StepRun> make_command_step(const CalibrateStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  const JointSet joints = binder.joints(step.joints);
  needs.commanded |= joints;
  return std::make_unique<CalibrateRun>(step, joints);
}

std::unique_ptr<StepRun> make_command_step(const StopStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  const JointSet joints = binder.joints(step.joints);
  needs.commanded |= joints;
  return std::make_unique<StopRun>(joints);
}

std::unique_ptr<StepRun> make_command_step(const ExpectRejectedStep& step, const Binder& binder,
                                           StepNeeds& /*needs*/) {
  return std::make_unique<ExpectRejectedRun>(step, binder);
}

}  // namespace jointrig
