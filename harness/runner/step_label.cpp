// Labels of steps and conditions without a name.

#include <fmt/core.h>

#include <set>
#include <string>

#include "control/core/command_facts.h"
#include "control/core/text.h"
#include "harness/runner/drive_step.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

std::string joined(const std::vector<Text>& texts) {
  return jointrig::joined(texts, ", ", &Text::text);
}

std::string joined_names(const std::vector<Target>& targets) {
  return jointrig::joined(targets, ", ", [](const Target& target) { return target.name.text; });
}

std::string words_of(const EachValue& value) {
  return value.by_joint.empty() ? value.all.text : "of each joint";
}

// A step in a few words.
struct Labeller {
  std::string operator()(const SetStep& step) const {
    std::string line = joined(step.joints);
    if (step.mode) line += " " + std::string(to_string(*step.mode));
    if (step.interaction) line += " " + std::string(to_string(*step.interaction));
    if (step.stiffness) line += " stiffness " + words_of(*step.stiffness);
    if (step.damping) line += " damping " + words_of(*step.damping);
    return line;
  }
  std::string operator()(const SetParameterStep& step) const {
    return joined(step.joints) + " " + std::string(to_string(step.parameter)) + " " +
           words_of(step.value);
  }
  std::string operator()(const MoveStep& step) const {
    if (step.pose) {
      return step.pose->text + (step.joints.empty() ? "" : " of " + joined(step.joints));
    }
    return jointrig::joined(step.targets, ", ", [](const Target& target) {
      return target.name.text + " to " + target.value.text;
    });
  }
  std::string operator()(const TargetStep& step) const {
    const bool has_goals = !step.goals.empty();
    return jointrig::joined(has_goals ? step.goals : step.velocities, ", ", [](const Target& one) {
      return one.name.text + " to " + one.value.text;
    });
  }
  std::string operator()(const TrajectoryStep& step) const {
    const TrajectoryPoint& last = step.waypoints.back();
    const std::string goal = !last.label.empty() ? last.label
                             : step.arm          ? "tool of " + step.arm->text
                             : last.pose         ? last.pose->text
                                                 : joined_names(last.targets);
    return fmt::format("{} waypoints, last {}", step.waypoints.size(), goal);
  }
  std::string operator()(const MoveToolStep& step) const { return step.target.arm.text; }
  std::string operator()(const DriveToolStep& step) const {
    return step.arm.text + " for " + number_of(step, "duration").text;
  }
  static std::string arms_of(const ReachGoal& goal) {
    return jointrig::joined(goal.tools, ", ",
                            [](const ReachTarget& target) { return target.tool.arm.text; });
  }
  std::string operator()(const ReachStep& step) const { return arms_of(step.goal); }
  std::string operator()(const ExpectUnreachableStep& step) const {
    return arms_of(step.goal) + " " + std::string(to_string(step.reason));
  }
  std::string operator()(const SetArmStep& step) const {
    std::string line = step.arm.text;
    for (const ArmSetting& setting : step.settings) {
      line += " " + std::string(to_string(setting.kind));
    }
    return step.posture.empty() ? line : line + " posture";
  }
  std::string operator()(const CalibrateStep& step) const { return joined(step.joints); }
  std::string operator()(const StopStep& step) const { return joined(step.joints); }
  std::string operator()(const SpeedStep& step) const { return step.factor.text; }
  std::string operator()(const GravityStep& step) const { return joined(step.gravity); }
  std::string operator()(const SetProtectionStep& step) const {
    return jointrig::joined(step.settings, ", ", [](const auto& setting) {
      return std::string(to_string(setting.first)) + (setting.second ? " on" : " off");
    });
  }
  std::string operator()(const SetLawStep& step) const {
    std::string line = step.law.text;
    if (step.on) line += *step.on ? " on" : " off";
    for (const Target& parameter : step.parameters) {
      line += " " + parameter.name.text + " " + parameter.value.text;
    }
    return line;
  }
  std::string operator()(const ToldObstacleStep& step) const {
    return std::string(text_of(step.obstacle.name));
  }
  std::string operator()(const GripperStep& step) const {
    std::string line(to_string(step.kind));
    if (!step.gripper.text.empty()) line += " " + step.gripper.text;
    for (const auto& value : {step.width, step.share, step.force}) {
      if (value) line += " " + value->text;
    }
    return step.becomes ? line + " " + std::string(to_string(*step.becomes)) : line;
  }
  std::string operator()(const MessageStep& step) const {
    std::string line(to_string(step.kind));
    return step.hand.text.empty() ? line : line + " " + step.hand.text;
  }
  std::string operator()(const StreamStep& step) const {
    std::string line;
    std::set<std::string> told;  // a trajectory names its joints three times
    for (const auto& [kind, target] : step.targets) {
      if (!told.insert(target.name.text).second) continue;
      line += (line.empty() ? "" : ", ") + target.name.text;
    }
    for (const ToolTarget& tool : step.tools) {
      line += (line.empty() ? "tool of " : ", tool of ") + tool.arm.text;
    }
    if (step.suppress) {
      for (const Suppressible what : step.suppress->what) {
        line += (line.empty() ? "suppress " : ", suppress ") + std::string(to_string(what));
      }
    }
    return step.background.empty() ? line : line + " as " + step.background;
  }
  std::string operator()(const StopStreamStep& step) const { return step.name.text; }
  std::string operator()(const WaitStep& step) const {
    if (step.until) return "until " + step.until->text;
    if (step.event) return "for " + step.event->text;
    return yaml_number(step.time) + " s";
  }
  std::string operator()(const ExpectRejectedStep& step) const {
    const PlainCommand& command = step.command;
    const std::string joints = is_for_arm(command.kind) ? command.arm.text
                               : command.joints.empty() ? joined_names(command.targets)
                                                        : joined(command.joints);
    return std::string(to_string(command.kind)) + " " + joints + ", " +
           std::string(to_string(step.reason));
  }
  std::string operator()(const ActionStep& step) const {
    if (const auto* fault = std::get_if<FaultAction>(&step.action)) {
      return fault->type + " on " + fault->joint + fault->arm + fault->sensor;
    }
    if (const auto* force = std::get_if<ForceAction>(&step.action)) {
      return "on " + (force->joint.empty() ? force->body : force->joint);
    }
    if (const auto* load = std::get_if<PayloadAction>(&step.action)) {
      return yaml_number(load->mass) + " kg on " + load->body;
    }
    return std::get<ObstacleAction>(step.action).name;
  }
  std::string operator()(const EndStep& step) const { return step.name.text; }
  std::string operator()(const ExpectStep& step) const {
    return jointrig::joined(step.conditions, "; ",
                            [](const Condition& condition) { return label_of(condition); });
  }
  std::string operator()(const MarkStep& /*step*/) const { return ""; }
  std::string operator()(const ParallelStep& step) const {
    return fmt::format("of {} lists", step.lists.size());
  }
  std::string operator()(const StateMachineStep& step) const {
    return jointrig::joined(step.states, ", ", &MachineState::name);
  }
};

}  // namespace

std::string label_of(const StepKind& what) { return std::visit(Labeller{}, what); }

std::string label_of(const Condition& condition) {
  if (condition.expression) return condition.expression->text;
  return jointrig::joined(condition.modes, ", ", [](const Target& target) {
    return target.name.text + " in " + target.value.text;
  });
}

}  // namespace jointrig::harness
