#include "harness/runner/effective_steps.h"

#include <array>
#include <cmath>
#include <utility>

#include "control/core/command_facts.h"
#include "harness/runner/drive_step.h"
#include "harness/runner/interaction_setting.h"
#include "harness/runner/message_step.h"

namespace jointrig::harness::effective {
namespace {

Map map_of_way(const Transition& way) {
  Map map;
  map.put("to", way.to);
  if (way.when) map.put("when", map_of(*way.when)).put("for", way.hold);
  return map.put("event", way.event).put("after", way.after);
}

}  // namespace

Map map_of(const FaultAction& fault) {
  Map map;
  map.put_unless_empty("joint", fault.joint).put_unless_empty("arm", fault.arm);
  map.put_unless_empty("sensor", fault.sensor);
  map.put("type", fault.type);
  if (!std::isnan(fault.value)) map.put("value", fault.value);
  return map;
}

Map map_of(const ForceAction& force) {
  if (!force.joint.empty()) return Map().put("joint", force.joint).put("along", force.along);
  return Map()
      .put("body", force.body)
      .put("force", force.force)
      .put("torque", force.torque)
      .put("frame", force.in_body_frame ? "body" : "world")
      .put("point", force.point);
}

Map map_of(const PayloadAction& payload) {
  return Map()
      .put("body", payload.body)
      .put("mass", payload.mass)
      .put("centre", payload.centre)
      .put("inertia", payload.inertia);
}

Map map_of(const ObstacleAction& obstacle) {
  std::vector<double> size(obstacle.size.begin(), obstacle.size.end());
  size.resize(obstacle.shape == "sphere" ? 1 : obstacle.shape == "box" ? 3 : 2);
  return Map()
      .put("name", obstacle.name)
      .put("shape", obstacle.shape)
      .put("size", size)
      .put("position", obstacle.position)
      .put("orientation", obstacle.orientation);
}

std::string_view key_of(const Action& action) {
  constexpr std::array<std::string_view, 4> kKeys{"inject_fault", "force", "payload", "obstacle"};
  return kKeys[action.index()];
}

Map map_of(const ActionStep& step) {
  Map map = std::visit([](const auto& action) { return map_of(action); }, step.action);
  return map.put("for", step.duration);
}

namespace {

struct StepWriter {
  Map& map;

  void operator()(const SetStep& step) const {
    Map set;
    set.put("joints", step.joints);
    if (step.mode) set.put("mode", to_string(*step.mode));
    if (step.interaction) set.put("interaction", to_string(*step.interaction));
    set.put("stiffness", step.stiffness).put("damping", step.damping);
    set.put("wait", step.wait).put("timeout", step.timeout);
    map.put(step.mode ? "set_mode" : step.interaction ? "set_interaction" : "set_impedance", set);
  }
  void operator()(const SetParameterStep& step) const {
    map.put("set_parameter", Map()
                                 .put("joints", step.joints)
                                 .put("parameter", to_string(step.parameter))
                                 .put("value", step.value));
  }
  void operator()(const MoveStep& step) const {
    Map move;
    if (!step.pose) move.put("joints", map_of(step.targets));
    move.put("pose", step.pose).put_unless_empty("of", step.joints);
    move.put("speed", step.speed).put("duration", step.duration);
    if (!step.durations.empty()) {
      Map durations;
      for (const auto& [joint, duration] : step.durations) durations.put(joint.text, duration);
      move.put("duration", durations);
    }
    move.put("wait", step.wait).put("within", step.within).put("timeout", step.timeout);
    map.put("move", move);
  }
  static Map target_map(const TargetStep& step) {
    Map target;
    if (!step.goals.empty()) target.put("joints", map_of(step.goals));
    if (!step.velocities.empty()) target.put("velocities", map_of(step.velocities));
    target.put("speed", step.speed).put("acceleration", step.acceleration).put("jerk", step.jerk);
    target.put("synchronise", to_string(step.synchronise)).put("shape", to_string(step.shape));
    return target.put("wait", step.wait).put("within", step.within).put("timeout", step.timeout);
  }
  void operator()(const TargetStep& step) const { map.put("target", target_map(step)); }
  static void put_place(Map& map, const ToolPlace& place) {
    map.put_unless_empty("position", place.position).put_unless_empty("by", place.by);
    map.put_unless_empty("orientation", place.orientation).put_unless_empty("turn", place.turn);
  }
  static void put_motion(Map& map, const ToolMotion& motion) {
    map.put("linear_speed", motion.linear_speed);
    map.put("linear_acceleration", motion.linear_acceleration);
    map.put("rotational_speed", motion.rotational_speed);
    map.put("rotational_acceleration", motion.rotational_acceleration);
    map.put("corner_distance", motion.corner_distance);
  }
  static Map point_map(const TrajectoryPoint& point) {
    Map map;
    if (!point.label.empty()) map.put("label", point.label);
    if (point.tool) {
      put_place(map, *point.tool);
      put_motion(map, point.tool->motion);
      if (!point.tool->posture.empty()) map.put("posture", map_of(point.tool->posture));
    } else if (!point.pose) {
      map.put("joints", map_of(point.targets));
    }
    map.put("pose", point.pose).put("speed", point.speed).put("acceleration", point.acceleration);
    map.put("time", point.time);
    if (!point.velocities.empty()) map.put("velocities", map_of(point.velocities));
    if (!point.accelerations.empty()) map.put("accelerations", map_of(point.accelerations));
    if (!point.tolerance.empty()) map.put("tolerance", map_of(point.tolerance));
    if (!point.max_acceleration.empty()) {
      map.put("max_acceleration", map_of(point.max_acceleration));
    }
    if (!point.interaction.empty()) {
      map.put("interaction", map_of(written_keys(point.interaction.front())));
    }
    return map;
  }
  static void put_free(Map& map, FreeRotation free) {
    if (free != FreeRotation::kNone) map.put("free_rotation", to_string(free));
  }
  static Map trajectory_map(const TrajectoryStep& step) {
    std::vector<YamlNode> waypoints;
    for (const TrajectoryPoint& point : step.waypoints)
      waypoints.push_back(point_map(point).node());
    Map map;
    map.put_node("waypoints", YamlNode(std::move(waypoints), {}));
    map.put("speed", step.speed).put("acceleration", step.acceleration);
    if (step.arm) map.put("arm", step.arm).put("frame", to_string(step.frame));
    map.put("endpoint", step.endpoint);
    put_free(map, step.free_rotation);
    put_motion(map, step.motion);
    if (step.rounds_corners) map.put("rounds_corners", true);
    if (step.brakes_behind) map.put("brakes_behind", true);
    map.put("check_collisions", step.checks_collisions);
    if (!step.path_tolerance.empty()) map.put("path_tolerance", map_of(step.path_tolerance));
    if (!step.goal_tolerance.empty()) map.put("goal_tolerance", map_of(step.goal_tolerance));
    map.put("settling_time", step.settling_time).put("execution", to_string(step.execution));
    if (!step.interaction.empty()) {
      map.put("interaction", map_of(written_keys(step.interaction.front())));
    }
    map.put("replace", step.replace);
    return map;
  }
  void operator()(const TrajectoryStep& step) const {
    map.put("trajectory", trajectory_map(step).put("wait", step.wait).put("timeout", step.timeout));
  }
  static Map tool_map(const ToolTarget& target) {
    Map map;
    map.put("arm", target.arm);
    put_place(map, target);
    if (target.frame != TargetFrame::kBase) map.put("frame", to_string(target.frame));
    return map;
  }
  static Map arm_map(const Text& arm, const std::vector<ArmSetting>& settings) {
    Map map;
    map.put("arm", arm);
    Map terms;
    for (const ArmSetting& setting : settings) {
      const std::vector<Text>& numbers = setting.numbers;
      if (setting.kind == CommandKind::kSetArmTerm) {
        terms.put(to_string(kAllArmTerm[std::stoul(numbers[0].text)]), numbers[1].text == "1");
      } else if (setting.kind == CommandKind::kSetPayload) {
        const std::vector<Text> centre(numbers.begin() + 1, numbers.begin() + 4);
        const std::vector<Text> inertia(numbers.begin() + 4, numbers.end());
        Map load;
        load.put("mass", numbers[0]).put("centre", centre).put("inertia", inertia);
        map.put("payload", load);
      } else if (setting.kind == CommandKind::kSetTool) {
        const std::vector<Text> position(numbers.begin(), numbers.begin() + 3);
        const std::vector<Text> orientation(numbers.begin() + 3, numbers.end());
        map.put("tool", Map().put("position", position).put("orientation", orientation));
      } else if (setting.kind == CommandKind::kSetToolInertia) {
        map.put("inertia", numbers);
      } else if (setting.kind == CommandKind::kSetCuff) {
        map.put("cuff", numbers[0]);
      } else if (setting.kind == CommandKind::kSetInteractionControl) {
        map.put("interaction", map_of(written_keys(setting)));
      } else if (setting.kind == CommandKind::kSetFreeAxes) {
        map.put("free", map_of(written_keys(setting)));
      } else if (setting.kind == CommandKind::kSetForceFilter) {
        map.put("force_filter", numbers[0]);
      } else if (setting.kind == CommandKind::kTareForceSensor) {
        map.put("tare", true);
      } else if (setting.kind == CommandKind::kSetToolStiffness) {
        map.put("stiffness", numbers);
      } else if (numbers.size() == 1) {
        map.put("damping_ratio", numbers[0]);
      } else {
        map.put("damping", std::vector<Text>(numbers.begin() + 1, numbers.end()));
      }
    }
    if (!terms.node().entries().empty()) map.put("terms", terms);
    return map;
  }
  void operator()(const MoveToolStep& step) const {
    map.put("move_tool", tool_map(step.target)
                             .put("wait", step.wait)
                             .put("within", step.within)
                             .put("timeout", step.timeout));
  }
  static Map drive_map(const DriveToolStep& step) {
    const auto three = [&](std::size_t from) {
      std::vector<Text> numbers;
      for (std::size_t i = 0; i < 3; ++i) numbers.push_back(number_of(step, "velocity", from + i));
      return numbers;
    };
    Map map;
    map.put("arm", step.arm).put("linear", three(0)).put("angular", three(3));
    map.put("frame", kToolFrameWords[std::stoul(number_of(step, "frame").text)]);
    put_free(map, kAllFreeRotation[std::stoul(number_of(step, "free_rotation").text)]);
    map.put("duration", number_of(step, "duration"));
    return map.put("together", number_of(step, "together").text == "1");
  }
  void operator()(const DriveToolStep& step) const {
    map.put("drive_tool", drive_map(step).put("wait", step.wait).put("timeout", step.timeout));
  }
  static Map reach_map(const ReachGoal& goal) {
    Map map;
    std::vector<YamlNode> tools;
    for (const ReachTarget& target : goal.tools) {
      Map tool = tool_map(target.tool);
      tool.put("frame", to_string(target.frame));
      put_free(tool, target.free_rotation);
      tools.push_back(tool.node());
    }
    map.put_node("tools", YamlNode(tools, {})).put_unless_empty("with", goal.with);
    if (!goal.posture.empty()) map.put("posture", map_of(goal.posture));
    return map;
  }
  void operator()(const ReachStep& step) const {
    map.put("reach", reach_map(step.goal)
                         .put("speed", step.speed)
                         .put("duration", step.duration)
                         .put("wait", step.wait)
                         .put("within", step.within)
                         .put("timeout", step.timeout));
  }
  void operator()(const ExpectUnreachableStep& step) const {
    map.put("expect_unreachable", reach_map(step.goal)
                                      .put("reason", to_string(step.reason))
                                      .put("joint", step.joint)
                                      .put("says", step.says));
  }
  void operator()(const SetArmStep& step) const {
    Map set = arm_map(step.arm, step.settings);
    if (!step.posture.empty()) set.put("posture", map_of(step.posture));
    map.put("set_arm", set);
  }
  void operator()(const CalibrateStep& step) const {
    map.put("calibrate",
            Map().put("joints", step.joints).put("wait", step.wait).put("timeout", step.timeout));
  }
  void operator()(const StopStep& step) const {
    map.put(step.is_gentle ? "cancel" : "stop", Map().put("joints", step.joints));
  }
  static Map suppress_map(const std::vector<Text>& joints, const std::vector<Suppressible>& what) {
    std::vector<std::string_view> words;
    for (const Suppressible one : what) words.push_back(to_string(one));
    return Map().put("joints", joints).put("what", words);
  }
  static Map protection_map(const std::vector<std::pair<Protection, bool>>& settings) {
    Map map;
    for (const auto& [protection, on] : settings) map.put(to_string(protection), on);
    return map;
  }
  void operator()(const SetProtectionStep& step) const {
    map.put("set_protection", protection_map(step.settings));
  }
  static Map law_map(const SetLawStep& step) {
    Map set;
    set.put("law", step.law);
    if (step.on) set.put("on", *step.on);
    if (!step.parameters.empty()) set.put("parameters", map_of(step.parameters));
    return set;
  }
  void operator()(const SetLawStep& step) const { map.put("set_law", law_map(step)); }
  static Map told_map(const ToldObstacleStep& step) {
    const SetObstacle& told = step.obstacle;
    std::vector<double> size(told.size.begin(), told.size.end());
    size.resize(size_count(told.shape));
    Map set;
    set.put("name", std::string(text_of(told.name)))
        .put("shape", to_string(told.shape))
        .put("size", size)
        .put("position", told.position)
        .put("orientation", told.orientation)
        .put("velocity", told.velocity)
        .put("for", told.moves_for)
        .put("frame", to_string(told.frame));
    if (step.arm) set.put("arm", *step.arm);
    return set;
  }
  static void put_told(Map& map, const ToldObstacleStep& step) {
    if (step.kind == CommandKind::kSetObstacle) {
      map.put("set_obstacle", told_map(step));
    } else {
      map.put("remove_obstacle", std::string(text_of(step.obstacle.name)));
    }
  }
  void operator()(const ToldObstacleStep& step) const { put_told(map, step); }
  static Map gripper_map(const GripperStep& step) {
    Map set;
    if (!step.gripper.text.empty()) set.put("gripper", step.gripper);
    const std::string_view kind = to_string(step.kind);
    set.put("do", kind.substr(0, kind.find('_')));
    set.put("width", step.width).put("share", step.share).put("force", step.force);
    set.put("speed", step.speed).put("epsilon_inner", step.epsilon_inner);
    set.put("epsilon_outer", step.epsilon_outer);
    if (step.becomes) set.put("becomes", to_string(*step.becomes));
    return set.put("wait", step.wait).put("timeout", step.timeout);
  }
  void operator()(const GripperStep& step) const { map.put("gripper", gripper_map(step)); }
  void operator()(const MessageStep& step) const { map.put_node("message", message_node(step)); }
  void operator()(const SpeedStep& step) const { map.put("speed_override", step.factor); }
  void operator()(const GravityStep& step) const { map.put("set_gravity", step.gravity); }
  void operator()(const StreamStep& step) const {
    constexpr std::array<std::pair<CommandKind, std::string_view>, 5> kKinds{
        {{CommandKind::kStreamPosition, "position"},
         {CommandKind::kStreamTrajectory, "acceleration"},
         {CommandKind::kStreamVelocity, "velocity"},
         {CommandKind::kStreamTorque, "torque"},
         {CommandKind::kStreamDuty, "duty"}}};
    Map stream;
    for (const auto& [kind, key] : kKinds) {
      std::vector<Target> targets;
      for (const auto& [of, target] : step.targets) {
        if (of == kind) targets.push_back(target);
      }
      if (!targets.empty()) stream.put(key, map_of(targets));
    }
    if (step.period > 0.0) stream.put("rate", 1.0 / step.period);
    for (const ToolTarget& tool : step.tools) stream.put("tool", tool_map(tool));
    if (step.suppress) {
      stream.put("suppress", suppress_map(step.suppress->joints, step.suppress->what));
    }
    stream.put("for", step.duration).put("until", step.until).put("timeout", step.timeout);
    map.put("stream", stream.put_unless_empty("background", step.background));
  }
  void operator()(const StopStreamStep& step) const { map.put("stop_stream", step.name); }
  void operator()(const WaitStep& step) const {
    if (!step.until && !step.event) {
      map.put("wait", step.time);
      return;
    }
    Map wait;
    wait.put("until", step.until).put("event", step.event);
    if (step.until) wait.put("for", step.hold);
    map.put("wait", wait.put("timeout", step.timeout));
  }
  void operator()(const ExpectRejectedStep& step) const {
    map.put("expect_rejected", Map()
                                   .put("command", map_of_command(step.command))
                                   .put("reason", to_string(step.reason))
                                   .put("joint", step.joint)
                                   .put("says", step.says));
  }
  void operator()(const ActionStep& step) const { map.put(key_of(step.action), map_of(step)); }
  void operator()(const EndStep& step) const { map.put("end", step.name); }
  void operator()(const ExpectStep& step) const {
    std::vector<YamlNode> conditions;
    for (const Condition& one : step.conditions) conditions.push_back(map_of(one).node());
    map.put_node("expect", YamlNode(std::move(conditions), {}));
  }
  void operator()(const MarkStep& /*step*/) const {}
  void operator()(const ParallelStep& step) const {
    std::vector<YamlNode> lists;
    for (const std::vector<Step>& list : step.lists) lists.push_back(node_of_steps(list));
    map.put_node("parallel", YamlNode(std::move(lists), {}));
  }
  void operator()(const StateMachineStep& step) const {
    Map states;
    for (const MachineState& state : step.states) {
      Map one;
      one.put_node("do", node_of_steps(state.steps));
      std::vector<YamlNode> ways;
      for (const Transition& way : state.next) ways.push_back(map_of_way(way).node());
      if (!ways.empty()) one.put_node("next", YamlNode(std::move(ways), {}));
      states.put(state.name, one);
    }
    map.put("state_machine", Map().put("timeout", step.timeout).put("states", states));
  }

  static Map map_of_command(const PlainCommand& command) {
    Map map;
    if (command.message) {
      map.put_node("message", message_node(*command.message));
      return map.put("age", command.age);
    }
    switch (command.kind) {
      case CommandKind::kSetMode:
        map.put("set_mode",
                Map().put("joints", command.joints).put("mode", to_string(command.mode)));
        break;
      case CommandKind::kSetInteraction:
        map.put(
            "set_interaction",
            Map().put("joints", command.joints).put("interaction", to_string(command.interaction)));
        break;
      case CommandKind::kSetImpedance:
        map.put("set_impedance", impedance(command));
        break;
      case CommandKind::kSetToolTarget:
        map.put("move_tool", tool_map(*command.tool));
        break;
      case CommandKind::kStreamToolTarget:
        map.put("stream_tool", tool_map(*command.tool));
        break;
      case CommandKind::kDriveTool:
        map.put("drive_tool", drive_map(*command.drive));
        break;
      case CommandKind::kSetToolStiffness:
      case CommandKind::kSetToolDamping:
      case CommandKind::kSetArmTerm:
      case CommandKind::kTareForceSensor:
      case CommandKind::kSetForceFilter:
      case CommandKind::kSetPayload:
      case CommandKind::kSetTool:
      case CommandKind::kSetToolInertia:
      case CommandKind::kSetInteractionControl:
      case CommandKind::kSetCuff:
      case CommandKind::kSetFreeAxes:
        map.put("set_arm", arm_map(command.arm, {command.setting}));
        break;
      case CommandKind::kSetPosture:
        map.put("posture", map_of(command.targets));
        break;
      case CommandKind::kFollowPlan:
        map.put("trajectory", trajectory_map(*command.trajectory));
        break;
      case CommandKind::kSetJointTarget:
        map.put("target", target_map(*command.target));
        break;
      case CommandKind::kCalibrate:
      case CommandKind::kStop:
      case CommandKind::kCancel:
        map.put(to_string(command.kind), command.joints);
        break;
      case CommandKind::kStreamPosition:
        map.put("position", map_of(command.targets));
        break;
      case CommandKind::kSuppress:
        map.put("suppress", suppress_map(command.joints, {*command.suppress}));
        break;
      case CommandKind::kSetProtection:
        map.put("set_protection", protection_map({*command.protection}));
        break;
      case CommandKind::kSwitchLaw:
      case CommandKind::kSetLawParameter:
        map.put("set_law", law_map(*command.law));
        break;
      case CommandKind::kOpenGripper:
      case CommandKind::kCloseGripper:
      case CommandKind::kMoveGripper:
      case CommandKind::kGrasp:
        map.put("gripper", gripper_map(*command.gripper));
        break;
      case CommandKind::kSetObstacle:
      case CommandKind::kRemoveObstacle:
        put_told(map, *command.obstacle);
        break;
      case CommandKind::kSetSpeedOverride:
        map.put("speed_override", command.second);
        break;
      case CommandKind::kSetGravity:
        map.put("set_gravity", command.gravity->gravity);
        break;
      default:
        map.put(to_string(command.kind), map_of(command.targets));
    }
    return map.put("age", command.age);
  }

  static Map impedance(const PlainCommand& command) {
    std::vector<Text> joints;
    for (const Target& target : command.targets) joints.push_back(target.name);
    Map map;
    map.put("joints", joints);
    if (!command.targets.empty()) map.put("stiffness", command.targets.front().value);
    return map.put("damping", command.second);
  }
};

YamlNode node_of_step(const Step& step) {
  Map map;
  if (std::holds_alternative<MarkStep>(step.what)) return map.put("mark", step.name).node();
  map.put_unless_empty("name", step.name);
  std::visit(StepWriter{map}, step.what);
  return map.node();
}

}  // namespace

YamlNode node_of_steps(const std::vector<Step>& steps) {
  std::vector<YamlNode> nodes;
  for (const Step& step : steps) nodes.push_back(node_of_step(step));
  return {std::move(nodes), {}};
}

}  // namespace jointrig::harness::effective
