#include "harness/runner/step_reader.h"

#include <array>
#include <functional>

#include "control/core/nearest_word.h"
#include "harness/config/units.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/drive_step.h"
#include "harness/runner/gravity_step.h"
#include "harness/runner/gripper_step.h"
#include "harness/runner/message_step.h"
#include "harness/runner/obstacle_step.h"
#include "harness/runner/target_step.h"
#include "harness/runner/trajectory_reader.h"

namespace jointrig::harness {
namespace {

using Notes = std::vector<std::string>;

bool read_flag(const YamlNode& node, std::string_view key, bool otherwise) {
  const YamlNode* flag = node.find(key);
  return flag != nullptr ? flag->boolean() : otherwise;
}

std::optional<Text> optional_text(const YamlNode& node, std::string_view key) {
  const YamlNode* text = node.find(key);
  return text != nullptr ? std::optional(read_text(*text)) : std::nullopt;
}

std::optional<EachValue> optional_each(const YamlNode& node, std::string_view key) {
  const YamlNode* value = node.find(key);
  return value != nullptr ? std::optional(read_each(*value)) : std::nullopt;
}

std::optional<double> optional_seconds(const YamlNode& node, std::string_view key) {
  const YamlNode* time = node.find(key);
  return time != nullptr ? std::optional(quantity(*time, "s")) : std::nullopt;
}

void note_old_name(const YamlNode& mode, ModeRequest request, Notes& notes) {
  if (!asks_for_compliance(request)) return;
  notes.push_back(to_string(mode.spot()) + mode.raw() + " is an old name: write mode: " +
                  std::string(to_string(requested_mode(request))) + ", interaction: compliant");
}

SetStep read_set(const YamlNode& node, std::string_view key, Notes& notes) {
  SetStep step;
  step.joints = read_texts(node.find("joints"));
  if (const YamlNode* mode = node.find("mode")) {
    ModeRequest request{};
    parse(mode->text(), request);
    note_old_name(*mode, request, notes);
    step.mode = request;
  }
  if (const YamlNode* interaction = node.find("interaction")) {
    InteractionMode wanted{};
    parse(interaction->text(), wanted);
    step.interaction = wanted;
  }
  step.stiffness = optional_each(node, "stiffness");
  step.damping = optional_each(node, "damping");
  step.wait = read_flag(node, "wait", true);
  step.timeout = read_seconds(node, "timeout", step.timeout);
  const bool has_gains = step.stiffness || step.damping;
  if (key == "set_mode" && !step.mode) throw node.error("key \"mode\" is missing in set_mode");
  if (key == "set_interaction" && !step.interaction) {
    throw node.error("key \"interaction\" is missing in set_interaction");
  }
  if (key == "set_impedance" && !has_gains) {
    throw node.error("set_impedance needs \"stiffness\" or \"damping\" or both");
  }
  if (key != "set_mode" && step.mode) {
    throw FileError(node.key_spot("mode"), "a mode is set by set_mode, not by " + std::string(key));
  }
  return step;
}

StepKind read_set_step(const YamlNode& node, std::string_view key, Notes& notes) {
  return read_set(node, key, notes);
}

StepKind read_set_parameter(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  SetParameterStep step;
  step.joints = read_texts(node.find("joints"));
  parse(node.find("parameter")->text(), step.parameter);  // the schema has checked the word
  step.value = read_each(*node.find("value"));
  return step;
}

StepKind read_move(const YamlNode& node, std::string_view key, Notes& /*notes*/) {
  MoveStep step;
  if (const YamlNode* joints = node.find("joints")) step.targets = read_targets(*joints);
  step.pose = optional_text(node, "pose");
  step.joints = read_texts(node.find("of"));
  step.speed = optional_each(node, "speed");
  const YamlNode* duration = node.find("duration");
  if (duration != nullptr && duration->is_mapping()) {
    for (const YamlNode::Entry& entry : duration->entries()) {
      step.durations.emplace_back(Text{entry.key, entry.spot}, quantity(entry.value, "s"));
    }
  } else {
    step.duration = optional_seconds(node, "duration");
  }
  step.wait = read_flag(node, "wait", true);
  step.within = optional_text(node, "within");
  step.timeout = read_seconds(node, "timeout", step.timeout);
  if (key == "home" && !step.pose) throw node.error("home goes to a pose: key \"pose\" is missing");
  if (!step.pose && !step.joints.empty()) {
    throw FileError(node.key_spot("of"), "\"of\" chooses joints of a pose: there is none here");
  }
  if (step.speed && duration != nullptr) {
    throw FileError(node.key_spot("duration"), "only one of \"speed\", \"duration\" can be given");
  }
  return step;
}

StepKind read_target_step(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  return read_target(node);
}

StepKind read_trajectory_step(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  return read_trajectory(node);
}

StepKind read_drive_step(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  return read_drive_tool(node);
}

StepKind read_move_tool(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  MoveToolStep step;
  step.target = read_commanded_target(node);
  step.wait = read_flag(node, "wait", true);
  step.within = optional_text(node, "within");
  step.timeout = read_seconds(node, "timeout", step.timeout);
  return step;
}

ReachTarget read_reach_target(const YamlNode& node) {
  ReachTarget target{read_tool_target(node), ToolFrame::kBase, FreeRotation::kNone};
  if (const YamlNode* frame = node.find("frame")) parse(frame->text(), target.frame);
  if (const YamlNode* free = node.find("free_rotation")) {
    parse(free->text(), target.free_rotation);  // the schema has checked the word
    if (target.tool.orientation.empty() && target.tool.turn.empty()) {
      throw FileError(node.key_spot("free_rotation"),
                      "\"free_rotation\" goes with \"orientation\" or \"turn\": without them the "
                      "tool turns as it likes");
    }
  }
  if (target.tool.position.empty() && target.tool.by.empty()) {
    throw node.error("it says no place: give \"position\" or \"by\"");
  }
  return target;
}

ReachGoal read_reach_goal(const YamlNode& node) {
  ReachGoal goal;
  if (const YamlNode* tools = node.find("tools")) {
    for (const YamlNode& tool : tools->items()) goal.tools.push_back(read_reach_target(tool));
    for (const char* key : {"position", "by", "orientation", "turn", "frame", "free_rotation"}) {
      if (node.find(key) == nullptr) continue;
      throw FileError(node.key_spot(key),
                      "\"" + std::string(key) + "\" is said of each of \"tools\"");
    }
  } else {
    goal.tools.push_back(read_reach_target(node));
  }
  goal.with = read_texts(node.find("with"));
  if (const YamlNode* posture = node.find("posture")) goal.posture = read_targets(*posture);
  return goal;
}

StepKind read_reach(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  ReachStep step;
  step.goal = read_reach_goal(node);
  step.speed = optional_text(node, "speed");
  step.duration = optional_seconds(node, "duration");
  step.wait = read_flag(node, "wait", true);
  step.within = optional_text(node, "within");
  step.timeout = read_seconds(node, "timeout", step.timeout);
  if (step.speed && step.duration) {
    throw FileError(node.key_spot("duration"), "only one of \"speed\", \"duration\" can be given");
  }
  return step;
}

StepKind read_expect_unreachable(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  ExpectUnreachableStep step;
  step.goal = read_reach_goal(node);
  parse(node.at("reason").text(), step.reason);  // the schema has checked the word
  step.joint = optional_text(node, "joint");
  step.says = optional_text(node, "says");
  return step;
}

StepKind read_set_arm(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  SetArmStep step;
  step.arm = read_text(node.at("arm"));
  step.settings = read_arm_settings(node);
  if (const YamlNode* posture = node.find("posture")) step.posture = read_targets(*posture);
  if (step.settings.empty() && step.posture.empty()) {
    throw node.error(
        "it sets nothing; give stiffness, damping, damping_ratio, inertia, terms, payload, tool, "
        "force_filter, tare, interaction, free, cuff or posture");
  }
  return step;
}

StepKind read_calibrate(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  CalibrateStep step;
  step.joints = read_texts(node.find("joints"));
  step.wait = read_flag(node, "wait", true);
  step.timeout = read_seconds(node, "timeout", step.timeout);
  return step;
}

StepKind read_stop(const YamlNode& node, std::string_view key, Notes& /*notes*/) {
  return StopStep{read_texts(node.find("joints")), key == "cancel"};
}

StepKind read_speed_override(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  return SpeedStep{read_text(node)};
}

StepKind read_gravity_step(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  return read_gravity(node);
}

struct Sample {
  std::string_view key;
  CommandKind kind;
};
constexpr auto kSamples = std::to_array<Sample>({{"position", CommandKind::kStreamPosition},
                                                 {"velocity", CommandKind::kStreamVelocity},
                                                 {"torque", CommandKind::kStreamTorque},
                                                 {"duty", CommandKind::kStreamDuty},
                                                 {"acceleration", CommandKind::kStreamTrajectory}});

Suppressed read_suppressed(const YamlNode& node) {
  Suppressed suppressed;
  suppressed.joints = read_texts(node.find("joints"));
  for (const Text& word : read_texts(node.find("what"))) {
    Suppressible what{};
    parse(word.text, what);  // the schema has checked the word
    suppressed.what.push_back(what);
  }
  return suppressed;
}

SetProtectionStep read_protections(const YamlNode& node) {
  SetProtectionStep step;
  for (const YamlNode::Entry& entry : node.entries()) {
    Protection protection{};
    parse(entry.key, protection);
    step.settings.emplace_back(protection, entry.value.boolean());
  }
  if (step.settings.empty()) {
    throw node.error("it sets nothing; give collision_avoidance, collision_detection or both");
  }
  return step;
}

StepKind read_set_protection(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  return read_protections(node);
}

SetLawStep read_law_setting(const YamlNode& node) {
  SetLawStep step;
  step.law = read_text(node.at("law"));
  if (const YamlNode* on = node.find("on")) step.on = on->boolean();
  if (const YamlNode* values = node.find("parameters")) step.parameters = read_targets(*values);
  if (!step.on && step.parameters.empty()) {
    throw node.error("it sets nothing; give \"on\", \"parameters\" or both");
  }
  return step;
}

StepKind read_set_law(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  return read_law_setting(node);
}

StepKind read_told_obstacle(const YamlNode& node, std::string_view key, Notes& /*notes*/) {
  return key == "set_obstacle" ? read_set_obstacle(node) : read_remove_obstacle(node);
}

StepKind read_gripper_step(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  return read_gripper(node);
}

StepKind read_message_step(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  return read_message(node);
}

StepKind read_stream(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  StreamStep step;
  for (const Sample& sample : kSamples) {
    if (const YamlNode* targets = node.find(sample.key)) {
      for (Target& target : read_targets(*targets)) {
        step.targets.emplace_back(sample.kind, std::move(target));
      }
    }
  }
  if (const YamlNode* tool = node.find("tool")) step.tools.push_back(read_commanded_target(*tool));
  if (const YamlNode* suppress = node.find("suppress")) {
    step.suppress = read_suppressed(*suppress);
  }
  if (step.targets.empty() && step.tools.empty() && !step.suppress) {
    throw node.error(
        "a stream needs one of \"position\", \"velocity\", \"torque\", \"duty\", \"tool\", "
        "\"suppress\"");
  }
  if (const YamlNode* rate = node.find("rate")) step.period = 1.0 / quantity(*rate, "Hz");
  step.duration = optional_seconds(node, "for");
  step.until = optional_text(node, "until");
  step.timeout = read_seconds(node, "timeout", step.timeout);
  if (const YamlNode* name = node.find("background")) step.background = name->text();
  if (step.duration && step.until) {
    throw FileError(node.key_spot("until"),
                    "only one of \"for\", \"until\" can be given in stream");
  }
  if (step.background.empty() && !step.duration && !step.until) {
    throw node.error("this stream never ends: give it \"for\", \"until\" or \"background\"");
  }
  return step;
}

StepKind read_stop_stream(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  return StopStreamStep{read_text(node)};
}

StepKind read_wait(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  WaitStep step;
  if (!node.is_mapping()) {
    step.time = quantity(node, "s");
    return step;
  }
  step.until = optional_text(node, "until");
  step.event = optional_text(node, "event");
  step.hold = read_seconds(node, "for", 0.0);
  step.timeout = read_seconds(node, "timeout", step.timeout);
  if (step.event && node.find("for") != nullptr) {
    throw FileError(node.key_spot("for"),
                    "an event happens in one cycle: \"for\" goes with \"until\"");
  }
  return step;
}

PlainCommand read_set_command(CommandKind kind, const YamlNode& node, std::string_view key,
                              Notes& notes) {
  const SetStep set = read_set(node, key, notes);
  PlainCommand command;
  command.kind = kind;
  if (kind != CommandKind::kSetImpedance) command.joints = set.joints;
  if (set.mode) command.mode = *set.mode;
  if (set.interaction) command.interaction = *set.interaction;
  if (kind == CommandKind::kSetImpedance) {
    if (!set.stiffness || !set.damping) {
      throw node.error("this command carries both: give \"stiffness\" and \"damping\"");
    }
    if (!set.stiffness->by_joint.empty() || !set.damping->by_joint.empty()) {
      throw node.error("give one stiffness and one damping here, for all joints named");
    }
    for (const Text& joint : set.joints) command.targets.push_back({joint, set.stiffness->all});
    command.second = set.damping->all;
  }
  return command;
}

PlainCommand read_command(const YamlNode& node, Notes& notes) {
  constexpr auto kWithTargets = std::to_array<Sample>({{"move", CommandKind::kMove},
                                                       {"position", CommandKind::kStreamPosition},
                                                       {"velocity", CommandKind::kStreamVelocity},
                                                       {"torque", CommandKind::kStreamTorque},
                                                       {"duty", CommandKind::kStreamDuty},
                                                       {"posture", CommandKind::kSetPosture}});
  constexpr auto kWithTools =
      std::to_array<Sample>({{"move_tool", CommandKind::kSetToolTarget},
                             {"stream_tool", CommandKind::kStreamToolTarget}});
  constexpr auto kWithJoints = std::to_array<Sample>({{"calibrate", CommandKind::kCalibrate},
                                                      {"stop", CommandKind::kStop},
                                                      {"cancel", CommandKind::kCancel}});
  constexpr auto kSettings =
      std::to_array<Sample>({{"set_mode", CommandKind::kSetMode},
                             {"set_interaction", CommandKind::kSetInteraction},
                             {"set_impedance", CommandKind::kSetImpedance}});
  PlainCommand command;
  for (const Sample& sample : kSettings) {
    if (const YamlNode* set = node.find(sample.key)) {
      command = read_set_command(sample.kind, *set, sample.key, notes);
    }
  }
  for (const Sample& sample : kWithTargets) {
    if (const YamlNode* targets = node.find(sample.key)) {
      command.kind = sample.kind;
      command.targets = read_targets(*targets);
    }
  }
  for (const Sample& sample : kWithJoints) {
    if (const YamlNode* joints = node.find(sample.key)) {
      command.kind = sample.kind;
      command.joints = read_texts(joints);
    }
  }
  for (const Sample& sample : kWithTools) {
    if (const YamlNode* tool = node.find(sample.key)) {
      command.kind = sample.kind;
      command.tool = read_commanded_target(*tool);
      command.arm = command.tool->arm;
    }
  }
  if (const YamlNode* set = node.find("set_arm")) {
    const std::vector<ArmSetting> settings = read_arm_settings(*set);
    if (settings.size() != 1) throw set->error("a command sets one thing: give one");
    command.setting = settings.front();
    command.kind = command.setting.kind;
    command.arm = read_text(set->at("arm"));
  }
  if (const YamlNode* trajectory = node.find("trajectory")) {
    command.kind = CommandKind::kFollowPlan;
    command.trajectory = read_trajectory(*trajectory);
    command.targets = command.trajectory->waypoints.back().targets;
    if (command.trajectory->arm) command.joints = {*command.trajectory->arm};
  }
  if (const YamlNode* factor = node.find("speed_override")) {
    command.kind = CommandKind::kSetSpeedOverride;
    command.second = read_text(*factor);
  }
  if (const YamlNode* gravity = node.find("set_gravity")) {
    command.kind = CommandKind::kSetGravity;
    command.gravity = read_gravity(*gravity);
  }
  if (const YamlNode* suppress = node.find("suppress")) {
    const Suppressed suppressed = read_suppressed(*suppress);
    if (suppressed.what.size() != 1) throw suppress->error("a message is for one thing: give one");
    command.kind = CommandKind::kSuppress;
    command.joints = suppressed.joints;
    command.suppress = suppressed.what.front();
  }
  if (const YamlNode* protection = node.find("set_protection")) {
    const SetProtectionStep set = read_protections(*protection);
    if (set.settings.size() != 1) throw protection->error("a command sets one thing: give one");
    command.kind = CommandKind::kSetProtection;
    command.protection = set.settings.front();
  }
  if (const YamlNode* law = node.find("set_law")) {
    command.law = read_law_setting(*law);
    if (command.law->parameters.size() + (command.law->on ? 1 : 0) != 1) {
      throw law->error("a command sets one thing: give one");
    }
    command.kind = command.law->on ? CommandKind::kSwitchLaw : CommandKind::kSetLawParameter;
  }
  if (const YamlNode* message = node.find("message")) {
    command.message = read_message(*message);
    command.kind = command.message->kind;
  }
  if (const YamlNode* gripper = node.find("gripper")) {
    command.gripper = read_gripper(*gripper);
    command.kind = command.gripper->kind;
  }
  if (const YamlNode* told = node.find("set_obstacle")) command.obstacle = read_set_obstacle(*told);
  if (const YamlNode* gone = node.find("remove_obstacle")) {
    command.obstacle = read_remove_obstacle(*gone);
  }
  if (command.obstacle) command.kind = command.obstacle->kind;
  if (const YamlNode* target = node.find("target")) {
    command.target = read_target(*target);
    command.kind = CommandKind::kSetJointTarget;
  }
  if (const YamlNode* drive = node.find("drive_tool")) {
    command.drive = read_drive_tool(*drive);
    command.kind = CommandKind::kDriveTool;
    command.setting = command.drive->drive;
    command.arm = command.drive->arm;
  }
  command.age = read_seconds(node, "age", 0.0);
  return command;
}

StepKind read_expect_rejected(const YamlNode& node, std::string_view /*key*/, Notes& notes) {
  ExpectRejectedStep step;
  step.command = read_command(node.at("command"), notes);
  parse(node.at("reason").text(), step.reason);
  step.joint = optional_text(node, "joint");
  step.says = optional_text(node, "says");
  return step;
}

StepKind read_expect(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  ExpectStep step;
  if (node.is_sequence()) {
    for (const YamlNode& item : node.items()) step.conditions.push_back(read_condition(item));
  } else {
    step.conditions.push_back(read_condition(node));
  }
  return step;
}

StepKind read_mark(const YamlNode& /*node*/, std::string_view /*key*/, Notes& /*notes*/) {
  return MarkStep{};
}

template <ActionStep (*read)(const YamlNode&)>
StepKind read_action(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  return read(node);
}

StepKind read_end(const YamlNode& node, std::string_view /*key*/, Notes& /*notes*/) {
  return EndStep{read_text(node)};
}

struct Reader {
  std::string_view key;
  StepKind (*read)(const YamlNode&, std::string_view, Notes&);
};
constexpr auto kReaders = std::to_array<Reader>({{"set_mode", read_set_step},
                                                 {"set_interaction", read_set_step},
                                                 {"set_impedance", read_set_step},
                                                 {"set_parameter", read_set_parameter},
                                                 {"move", read_move},
                                                 {"home", read_move},
                                                 {"target", read_target_step},
                                                 {"trajectory", read_trajectory_step},
                                                 {"move_tool", read_move_tool},
                                                 {"drive_tool", read_drive_step},
                                                 {"reach", read_reach},
                                                 {"expect_unreachable", read_expect_unreachable},
                                                 {"set_arm", read_set_arm},
                                                 {"calibrate", read_calibrate},
                                                 {"stop", read_stop},
                                                 {"cancel", read_stop},
                                                 {"speed_override", read_speed_override},
                                                 {"set_gravity", read_gravity_step},
                                                 {"set_protection", read_set_protection},
                                                 {"set_law", read_set_law},
                                                 {"set_obstacle", read_told_obstacle},
                                                 {"remove_obstacle", read_told_obstacle},
                                                 {"message", read_message_step},
                                                 {"gripper", read_gripper_step},
                                                 {"stream", read_stream},
                                                 {"stop_stream", read_stop_stream},
                                                 {"wait", read_wait},
                                                 {"expect_rejected", read_expect_rejected},
                                                 {"inject_fault", read_action<read_fault>},
                                                 {"force", read_action<read_force>},
                                                 {"payload", read_action<read_payload>},
                                                 {"obstacle", read_action<read_obstacle>},
                                                 {"end", read_end},
                                                 {"expect", read_expect},
                                                 {"mark", read_mark}});

}  // namespace

Text read_text(const YamlNode& node) {
  if (!node.is_scalar() || node.is_null()) {
    throw node.error("expected a number or a text, got " + describe(node));
  }
  return {node.raw(), node.spot()};
}

std::vector<Target> read_targets(const YamlNode& node) {
  std::vector<Target> targets;
  for (const YamlNode::Entry& entry : node.entries()) {
    targets.push_back({{entry.key, entry.spot}, read_text(entry.value)});
  }
  if (targets.empty()) throw node.error("no joint is named");
  return targets;
}

EachValue read_each(const YamlNode& node) {
  EachValue value;
  if (node.is_mapping()) {
    value.by_joint = read_targets(node);
  } else {
    value.all = read_text(node);
  }
  return value;
}

std::vector<Text> read_texts(const YamlNode* node) {
  std::vector<Text> texts;
  if (node == nullptr) return texts;
  if (node->is_scalar()) return {read_text(*node)};
  for (const YamlNode& item : node->items()) texts.push_back(read_text(item));
  return texts;
}

double read_seconds(const YamlNode& mapping, std::string_view key, double otherwise) {
  const YamlNode* time = mapping.find(key);
  return time != nullptr ? quantity(*time, "s") : otherwise;
}

Moment read_moment(const YamlNode& node) {
  if (looks_like_quantity(node)) return {quantity(node, "s"), std::nullopt};
  return {0.0, read_text(node)};
}

Condition read_condition(const YamlNode& node) {
  Condition condition;
  if (!node.is_mapping()) {
    condition.expression = read_text(node);
    return condition;
  }
  condition.expression = optional_text(node, "expr");
  if (const YamlNode* modes = node.find("mode")) {
    condition.modes = read_targets(*modes);
    for (const Target& target : condition.modes) {
      JointMode mode{};
      if (parse(target.value.text, mode)) continue;
      throw FileError(target.value.spot, "no mode \"" + target.value.text + "\"" +
                                             did_you_mean(target.value.text, kJointModeWords));
    }
  }
  condition.joints = read_texts(node.find("joints"));
  return condition;
}

std::string without_round(const std::string& name) {
  std::string bare = name;
  while (!bare.empty() && bare.back() == ']') {
    const std::size_t open = bare.rfind('[');
    if (open == std::string::npos || open + 2 > bare.size()) break;
    const std::string round = bare.substr(open + 1, bare.size() - open - 2);
    if (round.empty() || round.find_first_not_of("0123456789") != std::string::npos) break;
    bare.resize(open);
  }
  return bare;
}

Step read_step(const PlainStep& plain, Notes& notes) {
  const auto named = [&plain](std::string_view key, StepKind what) {
    Step step{.name = {}, .label = {}, .what = std::move(what), .spot = plain.node.spot()};
    if (const YamlNode* name = plain.node.find("name")) step.name = name->text() + plain.suffix;
    if (key == "mark") step.name = plain.node.at(key).text() + plain.suffix;
    const std::string what_it_does = std::string(key) + " " + label_of(step.what);
    step.label = step.name.empty() ? what_it_does + plain.suffix : step.name;
    return step;
  };
  if (plain.node.find("parallel") != nullptr) return named("parallel", read_parallel(plain, notes));
  if (plain.node.find("state_machine") != nullptr) {
    return named("state_machine", read_state_machine(plain, notes));
  }
  for (const Reader& reader : kReaders) {
    const YamlNode* what = plain.node.find(reader.key);
    if (what != nullptr) return named(reader.key, reader.read(*what, reader.key, notes));
  }
  throw plain.node.error("this is no step");  // the schema refuses all of these
}

}  // namespace jointrig::harness
