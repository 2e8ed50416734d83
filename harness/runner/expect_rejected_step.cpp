// A command that must be refused.

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "harness/log/event_text.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/command_run.h"
#include "harness/runner/command_steps.h"
#include "harness/runner/gravity_step.h"
#include "harness/runner/gripper_step.h"
#include "harness/runner/message_step.h"
#include "harness/runner/obstacle_step.h"
#include "harness/runner/plan_desk.h"
#include "harness/runner/stream_list.h"
#include "harness/runner/target_step.h"
#include "harness/runner/trajectory_command.h"

namespace jointrig::harness {
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
    plan_.reset();
    if (trajectory_) trajectory_->forget();
  }

  void leave(StepScene& /*scene*/) override {
    if (trajectory_) trajectory_->forget();
  }

  StepProgress poll(StepScene& scene) override {
    if (number_ == 0) send(scene);
    const CommandLink::State state =
        number_ == 0 ? CommandLink::State::kWaiting : scene.link->state(number_);
    const std::string_view reason = to_string(step_.reason);
    if (state == CommandLink::State::kWaiting) {
      const TimeNs patience = trajectory_ ? kPatienceOfPlans : kPatience;
      if (scene.now() - began_ <= patience) return StepProgress::kRunning;
      if (trajectory_) trajectory_->forget();
      return fail("rejected, " + std::string(reason), "no answer");
    }
    const Event& answer = scene.link->answer(number_);
    const bool rejected = state == CommandLink::State::kRejected;
    const bool right_joint = joint_ == kNoJoint || answer.joint == joint_;
    std::string got = rejected ? sentence(answer, *scene.config, kSender) : "accepted";
    if (rejected && plan_ && !plan_->remark.empty()) got += " (" + plan_->remark + ")";
    const bool is_said = !step_.says || got.find(step_.says->text) != std::string::npos;
    if (rejected && answer.reason == step_.reason && right_joint && is_said) {
      return StepProgress::kDone;
    }
    std::string expected = "rejected, " + std::string(reason);
    if (step_.joint) expected += ", of " + step_.joint->text;
    if (step_.says) expected += ", saying \"" + step_.says->text + "\"";
    return fail(expected, got);
  }

 private:
  static constexpr TimeNs kPatience = 1'000'000'000;          // an answer takes one cycle
  static constexpr TimeNs kPatienceOfPlans = 60'000'000'000;  // and a plan elsewhere its time

  // An unknown name is sent as a joint beyond the last one if that refusal is expected: the loop
  // must refuse it.
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
    if (plain.trajectory) {
      trajectory_.emplace(*plain.trajectory, binder,
                          step_.reason == RejectReason::kUnknownEndpoint);
      return;
    }
    if (plain.target) {
      target_.emplace(*plain.target, binder);
      return;
    }
    if (plain.message) {
      message_ = message_of(*plain.message, binder);
      return;
    }
    if (plain.obstacle) {
      message_ = told_obstacle(*plain.obstacle, binder);
      return;
    }
    if (plain.gravity) {
      gravity_.emplace(*plain.gravity, binder);
      return;
    }
    if (plain.gripper) {
      gripper_.emplace(*plain.gripper, binder);
      return;
    }
    if (plain.law) {
      law_ = binder.law(plain.law->law);
      law_values_ = binder.law_parameters(law_, plain.law->parameters);
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

  /// Unit of the first number of its values.
  static std::string_view units(CommandKind kind) {
    const std::span<const FieldInfo> fields = value_fields_of(kind);
    return joint_units(fields.empty() ? QuantityKind::kNone : fields.front().quantity);
  }

  [[nodiscard]] Request request() const {
    const PlainCommand& plain = step_.command;
    switch (plain.kind) {
      case CommandKind::kSetMode:
        return SetMode{joints_, plain.mode};
      case CommandKind::kSetInteraction:
        return SetInteraction{joints_, plain.interaction};
      case CommandKind::kSuppress:
        return Suppress{joints_, plain.suppress.value()};
      case CommandKind::kSetProtection:
        return SetProtection{plain.protection->first, plain.protection->second};
      case CommandKind::kSwitchLaw:
        return SwitchLaw{law_, *plain.law->on};
      case CommandKind::kSetLawParameter:
        return SetLawParameter{law_, law_values_.front().first, law_values_.front().second.value()};
      case CommandKind::kSetSpeedOverride:
        return SetSpeedOverride{second_->value()};
      case CommandKind::kSetGravity:
        return gravity_->make();
      default:
        break;
    }
    Request made = blank_request(plain.kind);
    const std::size_t count = value_fields_of(plain.kind).size();
    if (count == 0) for_each_joint(joints_, [&](JointIndex joint) { add_joint(made, joint); });
    for (const BoundTarget& target : values_) {
      const std::array<double, 2> numbers{target.value.value(), second_ ? second_->value() : 0.0};
      add_joint(made, target.joint, std::span(numbers).first(count));
    }
    return made;
  }

  /// Nothing is sent while a plan is being made.
  void send(StepScene& scene) {
    if (trajectory_ && !plan_) plan_ = trajectory_->make(scene);
    if (trajectory_ && !plan_) return;
    Command command = arm_command_  ? arm_command_->make(scene.now())
                      : gripper_    ? make_command(gripper_->make(), scene.now())
                      : message_    ? make_command(*message_, scene.now())
                      : target_     ? make_command(target_->make(), scene.now())
                      : trajectory_ ? make_command(plan_->command, scene.now())
                                    : make_command(request(), scene.now());
    command.time_ns -= to_ns(step_.command.age);
    number_ = scene.link->send(command, CommandLink::Answered::kAskedFor);
  }

  ExpectRejectedStep step_;
  JointIndex joint_;
  JointSet joints_;
  std::vector<BoundTarget> values_;
  LawIndex law_ = kNoLaw;
  std::vector<std::pair<std::uint8_t, BoundValue>> law_values_;
  std::optional<BoundValue> second_;
  std::optional<BoundArmCommand> arm_command_;
  std::optional<BoundTrajectory> trajectory_;
  std::optional<Request> message_;
  std::optional<BoundGripper> gripper_;
  std::optional<BoundGravity> gravity_;
  std::optional<BoundJointTarget> target_;
  std::optional<BoundTrajectory::Made> plan_;  ///< absent: it is being made
  std::uint64_t number_ = 0;
  TimeNs began_ = 0;
};

}  // namespace

std::unique_ptr<StepRun> make_command_step(const ExpectRejectedStep& step, const Binder& binder,
                                           StepNeeds& /*needs*/) {
  return std::make_unique<ExpectRejectedRun>(step, binder);
}

}  // namespace jointrig::harness
