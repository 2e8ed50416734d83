#include "harness/runner/command_steps.h"

#include <cmath>
#include <limits>
#include <vector>

#include "harness/runner/command_run.h"
#include "harness/runner/gravity_step.h"
#include "harness/runner/measure.h"
#include "harness/runner/message_step.h"
#include "harness/runner/obstacle_step.h"

namespace jointrig::harness {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<Text> names_in(const std::vector<Target>& targets) {
  std::vector<Text> names;
  for (const Target& target : targets) names.push_back(target.name);
  return names;
}

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
    stiffness_ = binder.values(step.stiffness, joints_, kStiffnessUnits, kNan);
    damping_ = binder.values(step.damping, joints_, kDampingUnits, kNan);
  }

 private:
  Command command(std::size_t i, const StepScene& scene) const override {
    switch (kinds_[i]) {
      case CommandKind::kSetInteraction:
        return make_command(SetInteraction{joints_, interaction_}, scene.now());
      case CommandKind::kSetMode:
        return make_command(SetMode{joints_, mode_}, scene.now());
      default:
        return make_command(impedance(scene), scene.now());
    }
  }

  [[nodiscard]] SetImpedance impedance(const StepScene& scene) const {
    SetImpedance command{joints_, {}};
    for_each_joint(joints_, [&](JointIndex joint) {
      const JointSnapshot& now = scene.snapshot->joints[joint];
      const std::size_t place = command.values.size();
      const double stiffness = stiffness_[place].value();
      const double damping = damping_[place].value();
      command.values.push_back({std::isnan(stiffness) ? now.stiffness : stiffness,
                                std::isnan(damping) ? now.damping : damping});
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
    for_each_joint(joints_, [&](JointIndex joint) { all = all && is_there(scene, joint); });
    return all;
  }

  StepProgress fail_late(const StepScene& scene) override {
    std::string got;
    for_each_joint(joints_, [&](JointIndex joint) {
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
  std::vector<BoundValue> stiffness_;  // nan: unchanged
  std::vector<BoundValue> damping_;
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
    return make_command(Calibrate{joints_}, scene.now());
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
    for_each_joint(joints_ & ~done_, [&](JointIndex joint) {
      const JointSnapshot& now = scene.snapshot->joints[joint];
      got += (got.empty() ? "" : ", ") + scene.config->joints[joint].name + " in " +
             std::string(to_string(now.mode)) + " at " + shown_unit("%").text(now.state.progress);
    });
    return fail("all calibrated" + in_timeout(), got);
  }

  JointSet joints_;
  JointSet done_;
};

class SetParameterRun final : public AcceptedRun {
 public:
  SetParameterRun(const SetParameterStep& step, const Binder& binder, const JointSet& joints)
      : joints_(joints), parameter_(step.parameter) {
    values_ = binder.values(step.value, joints_, joint_units(quantity_of(parameter_)), kNan);
    if (step.value.by_joint.empty()) return;
    const JointSet named = binder.joints(names_in(step.value.by_joint));
    for_each_joint(joints_ & ~named, [&](JointIndex joint) {
      throw FileError(step.value.by_joint.front().name.spot,
                      "joint \"" + binder.config().joints[joint].name + "\" is given no value");
    });
  }

 private:
  Command command(std::size_t /*i*/, const StepScene& scene) const override {
    SetParameter command{joints_, {}, parameter_};
    for (const BoundValue& value : values_) command.values.push_back({value.value()});
    return make_command(command, scene.now());
  }

  JointSet joints_;
  JointParameter parameter_;
  std::vector<BoundValue> values_;
};

class StopRun final : public AcceptedRun {
 public:
  StopRun(const JointSet& joints, bool is_gentle) : joints_(joints), is_gentle_(is_gentle) {}

 private:
  Command command(std::size_t /*i*/, const StepScene& scene) const override {
    return is_gentle_ ? make_command(Cancel{joints_}, scene.now())
                      : make_command(Stop{joints_}, scene.now());
  }

  JointSet joints_;
  bool is_gentle_;
};

class SpeedRun final : public AcceptedRun {
 public:
  explicit SpeedRun(BoundValue factor) : factor_(std::move(factor)) {}

 private:
  Command command(std::size_t /*i*/, const StepScene& scene) const override {
    return make_command(SetSpeedOverride{factor_.value()}, scene.now());
  }

  BoundValue factor_;
};

class GravityRun final : public AcceptedRun {
 public:
  explicit GravityRun(BoundGravity gravity) : gravity_(std::move(gravity)) {}

 private:
  Command command(std::size_t /*i*/, const StepScene& scene) const override {
    return make_command(gravity_.make(), scene.now());
  }

  BoundGravity gravity_;
};

class SetProtectionRun final : public AcceptedRun {
 public:
  explicit SetProtectionRun(const SetProtectionStep& step) : settings_(step.settings) {
    set_count(settings_.size());
  }

 private:
  Command command(std::size_t i, const StepScene& scene) const override {
    const auto& [protection, on] = settings_[i];
    return make_command(SetProtection{protection, on}, scene.now());
  }

  std::vector<std::pair<Protection, bool>> settings_;
};

class SetLawRun final : public AcceptedRun {
 public:
  SetLawRun(const SetLawStep& step, const Binder& binder)
      : law_(binder.law(step.law)),
        on_(step.on),
        values_(binder.law_parameters(law_, step.parameters)) {
    set_count(values_.size() + (on_ ? 1 : 0));
  }

 private:
  // Its parameters first, so that it comes on with them.
  Command command(std::size_t i, const StepScene& scene) const override {
    if (i == values_.size()) return make_command(SwitchLaw{law_, *on_}, scene.now());
    const auto& [parameter, value] = values_[i];
    return make_command(SetLawParameter{law_, parameter, value.value()}, scene.now());
  }

  LawIndex law_;
  std::optional<bool> on_;
  std::vector<std::pair<std::uint8_t, BoundValue>> values_;
};

/// Sends what was made when the scenario was bound.
class MadeRun final : public AcceptedRun {
 public:
  explicit MadeRun(Request request) : request_(std::move(request)) {}

 private:
  Command command(std::size_t /*i*/, const StepScene& scene) const override {
    return make_command(request_, scene.now());
  }

  Request request_;
};

JointSet commanded(const std::vector<Text>& words, const Binder& binder, StepNeeds& needs) {
  const JointSet joints = binder.joints(words);
  needs.commanded |= joints;
  return joints;
}

}  // namespace

std::unique_ptr<StepRun> make_command_step(const SetStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  const JointSet joints = commanded(step.joints, binder, needs);
  return std::make_unique<SetRun>(step, binder, joints);
}

std::unique_ptr<StepRun> make_command_step(const CalibrateStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  const JointSet joints = commanded(step.joints, binder, needs);
  return std::make_unique<CalibrateRun>(step, joints);
}

std::unique_ptr<StepRun> make_command_step(const SetParameterStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  const JointSet joints = commanded(step.joints, binder, needs);
  return std::make_unique<SetParameterRun>(step, binder, joints);
}

std::unique_ptr<StepRun> make_command_step(const StopStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  const JointSet joints = commanded(step.joints, binder, needs);
  return std::make_unique<StopRun>(joints, step.is_gentle);
}

std::unique_ptr<StepRun> make_command_step(const SetProtectionStep& step, const Binder& /*binder*/,
                                           StepNeeds& /*needs*/) {
  return std::make_unique<SetProtectionRun>(step);
}

std::unique_ptr<StepRun> make_command_step(const SetLawStep& step, const Binder& binder,
                                           StepNeeds& /*needs*/) {
  return std::make_unique<SetLawRun>(step, binder);
}

std::unique_ptr<StepRun> make_command_step(const ToldObstacleStep& step, const Binder& binder,
                                           StepNeeds& /*needs*/) {
  return std::make_unique<MadeRun>(told_obstacle(step, binder));
}

std::unique_ptr<StepRun> make_command_step(const MessageStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  needs.commanded |= binder.joints(Text{"all", {}});
  return std::make_unique<MadeRun>(message_of(step, binder));
}

std::unique_ptr<StepRun> make_command_step(const SpeedStep& step, const Binder& binder,
                                           StepNeeds& /*needs*/) {
  return std::make_unique<SpeedRun>(binder.value(step.factor, 0, "1"));
}

std::unique_ptr<StepRun> make_command_step(const GravityStep& step, const Binder& binder,
                                           StepNeeds& /*needs*/) {
  return std::make_unique<GravityRun>(BoundGravity(step, binder));
}

}  // namespace jointrig::harness
