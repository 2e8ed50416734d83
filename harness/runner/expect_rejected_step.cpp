// A command that has to be refused.

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/log/event_text.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/command_run.h"
#include "harness/runner/command_steps.h"
#include "harness/runner/stream_list.h"

namespace jointrig {
namespace {

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
    if (is_for_arm(plain.kind)) {
      const bool may_be_unknown = step_.reason == RejectReason::kUnknownArm;
      const ArmIndex arm = arm_named(plain.arm, binder.config(), may_be_unknown);
      if (plain.tool) {
        arm_command_.emplace(plain.kind, *plain.tool, arm, binder);
      } else {
        arm_command_.emplace(plain.setting, arm, binder);
      }
      return;
    }
    for (const Text& name : plain.joints) joints_ |= joints_of(name, binder);
    for (const Target& target : plain.targets) {
      for_each_joint(joints_of(target.name, binder), [&](JointIndex joint) {
        joints_.set(joint);
        const bool is_known = joint < binder.config().joints.size();
        const JointIndex like = is_known ? joint : JointIndex{0};
        values_.push_back({joint, binder.value(target.value, like, units(plain.kind))});
      });
    }
    std::sort(values_.begin(), values_.end(),
              [](const BoundTarget& a, const BoundTarget& b) { return a.joint < b.joint; });
    const bool is_factor = plain.kind == CommandKind::kSetSpeedOverride;
    if (plain.second) second_ = binder.value(*plain.second, 0, is_factor ? "1" : kDampingUnits);
  }

  static std::string_view units(CommandKind kind) {
    switch (kind) {
      case CommandKind::kMove:
      case CommandKind::kStreamPosition:
      case CommandKind::kSetPosture:
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
    Command command = arm_command_ ? arm_command_->make(scene.now())
                                   : make_command(step_.command.kind, joints_, scene.now());
    command.time_ns -= to_ns(step_.command.age);
    command.request = step_.command.mode;
    command.interaction = step_.command.interaction;
    for (const BoundTarget& value : values_) {
      command.values.push_back({value.value.value(), second_ ? second_->value() : 0.0});
    }
    const std::optional<std::pair<Protection, bool>>& protection = step_.command.protection;
    if (step_.command.suppress) {
      command.values = suppression_values(joints_, *step_.command.suppress);
    }
    if (protection) {
      command.values.push_back(
          {static_cast<double>(protection->first), protection->second ? 1.0 : 0.0});
    }
    if (command.kind == CommandKind::kSetSpeedOverride) {
      command.values.push_back({second_->value(), 0.0});
    }
    number_ = scene.link->send(command, CommandLink::Answered::kAskedFor);
  }

  ExpectRejectedStep step_;
  JointIndex joint_;
  JointSet joints_;
  std::vector<BoundTarget> values_;
  std::optional<BoundValue> second_;
  std::optional<BoundArmCommand> arm_command_;
  std::uint64_t number_ = 0;
  TimeNs began_ = 0;
};

}  // namespace

std::unique_ptr<StepRun> make_command_step(const ExpectRejectedStep& step, const Binder& binder,
                                           StepNeeds& /*needs*/) {
  return std::make_unique<ExpectRejectedRun>(step, binder);
}

}  // namespace jointrig
