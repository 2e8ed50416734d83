#include "app/robot/robot_core.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "app/rig/robot_loading.h"
#include "control/arm/arm_setup.h"
#include "control/exchange/joint_order.h"
#include "harness/config/yaml_document.h"
#include "harness/log/event_text.h"

namespace jointrig {
namespace {

constexpr std::string_view kSender = "robot";

/// A sample that is held counts as reached so near to it [rad or m].
constexpr double kThere = 1e-6;

/// Throws std::invalid_argument for a name that is taken, UnknownName for a joint that isn't there.
void add_linked(const LinkedLaw& linked, RobotConfig& config) {
  const auto is_it = [&](const LawConfig& other) { return other.name == linked.name; };
  if (std::any_of(config.laws.begin(), config.laws.end(), is_it)) {
    throw std::invalid_argument("there are two laws \"" + linked.name +
                                "\": give each a name of its own");
  }
  LawConfig law;
  law.name = linked.name;
  for (const std::string& name : linked.joints) {
    for (const JointIndex joint : joints_in_order(config, name)) law.joints.push_back(joint);
  }
  law.modes = linked.modes;
  law.on = linked.on;
  law.budget = linked.budget;
  law.given = linked.parameters;
  law.maker = std::make_shared<const UserLawMaker>(linked.make);
  config.laws.push_back(std::move(law));
}

/// In YAML.
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

/// Keys of robot.yaml for an arm; its joints are a part of its name, or the part that they name.
std::string keys_of(const ArmOfProgram& arm) {
  const std::string name = quoted(arm.name);
  std::string joints;
  for (const std::string& joint : arm.joints) {
    joints += (joints.empty() ? "" : ", ") + quoted(joint);
  }
  const bool names_part = arm.joints.size() == 1;
  std::string keys;
  if (!names_part) keys = "parts: {" + name + ": [" + joints + "]}\n";
  keys += "arms: {" + name + ": {part: " + (names_part ? joints : name);
  if (!arm.tool.empty()) keys += ", tool: " + quoted(arm.tool);
  if (!arm.base.empty()) keys += ", base: " + quoted(arm.base);
  return keys + "}}";
}

RobotConfig config_of(const std::string& robot, const RobotOptions& options) {
  harness::RobotSource source = harness::find_robot(robot);
  if (!options.settings.empty()) {
    source.overrides.push_back(harness::parse_yaml(options.settings, "settings"));
  }
  for (const ArmOfProgram& arm : options.arms) {
    source.overrides.push_back(harness::parse_yaml(keys_of(arm), "arm of the program"));
  }
  RobotConfig config = app::load_robot(source, [&](RobotConfig& read) {
                         if (options.seed) read.plant.seed = *options.seed;
                       }).config;
  for (const LinkedLaw& law : options.laws) add_linked(law, config);
  return config;
}

std::optional<BackendKind> backend_of(const RobotOptions& options) {
  BackendKind kind{};
  if (options.backend.empty()) return std::nullopt;
  if (parse(options.backend, kind)) return kind;
  std::string words;
  for (const std::string& word : app::backend_words()) words += (words.empty() ? "" : ", ") + word;
  throw std::invalid_argument("there is no backend \"" + options.backend + "\": choose one of " +
                              words);
}

/// True for commands in whose place nothing else moves the joints.
template <typename C>
constexpr bool moves_joints() {
  return starts_motion<C>() || std::is_same_v<C, SetMode> || std::is_same_v<C, Stop> ||
         std::is_same_v<C, Cancel>;
}

/// A rig of this robot; on a clock the pacer is made before it.
std::unique_ptr<app::Rig> rig_of(const std::string& robot, const RobotOptions& options,
                                 std::optional<app::WallClockPacer>& pacer) {
  const RobotConfig config = config_of(robot, options);
  const std::optional<BackendKind> kind = backend_of(options);
  const bool has_driver = static_cast<bool>(options.driver);
  if (has_driver && (options.realtime || !options.backend.empty())) {
    throw std::invalid_argument(
        "a driver of one's own is the backend, and keeps the clock itself: leave out `backend` and "
        "`realtime`");
  }
  if (options.realtime && runs_on(BackendKind::kBoards, config, kind)) {
    throw std::invalid_argument("backend " + std::string(to_string(BackendKind::kBoards)) +
                                " keeps no clock: leave out `realtime`, or choose sim, kinematic "
                                "or hw");
  }
  if (!has_driver && options.realtime) {
    pacer.emplace(app::PacerOptions{.period_ns = config.period_ns});
  }
  app::RigOptions rig;
  rig.backend = kind;
  rig.driver = options.driver;
  rig.speed_override = options.speed_override;
  if (pacer) rig.pacer = &*pacer;
  return std::make_unique<app::Rig>(config, rig);
}

}  // namespace

RobotCore::RobotCore(const std::string& robot, const RobotOptions& options)
    : streams(0),
      queue(nullptr, true),
      rig_(rig_of(robot, options, pacer_)),
      config_(rig_->stack().config()),
      source_(robot),
      options_(options) {
  const std::size_t count = config().joints.size();
  for (std::size_t i = 0; i < count; ++i) joints_.set(i);
  streams = JointStreams(count);
  const bool goes_on = pacer_ || rig_->keeps_the_boards_time();
  queue = MotionQueue(&rig_->stack().plans(), !goes_on, period());
  paths_.emplace(config());
  limits = NarrowedLimits(config());
  if (config().avoidance && config().avoidance->on) protected_ = joints_;
  client_.emplace(config(), rig_->stack().inbox(), kSender);
  reader_.emplace(rig_->stack().events());
  ends_.assign(count, {});
  rig_->start();
  run_cycle();
}

// Arms of the program -----------------------------------------------------------------------------

RobotConfig RobotCore::read_with(const ArmOfProgram& arm) const {
  RobotOptions options = options_;
  options.arms.push_back(arm);
  std::vector<std::string>& joints = options.arms.back().joints;
  for (const auto& [part, set] : own_parts) {
    if (joints != std::vector{part}) continue;
    joints.clear();
    for (std::size_t i = 0; i < config().joints.size(); ++i) {
      if (set.test(i)) joints.push_back(config().joints[i].name);
    }
  }
  return config_of(source_, options);
}

ArmIndex RobotCore::add_arm(const ArmOfProgram& arm) {
  const std::size_t count = config().arms.size();
  if (count == kMaxArms) {
    throw std::invalid_argument(
        fmt::format("add_arm: \"{}\" would be arm number {}, and a robot has {} at most", arm.name,
                    count + 1, kMaxArms));
  }
  const RobotConfig read = read_with(arm);
  const auto found = std::find_if(read.arms.begin(), read.arms.end(),
                                  [&](const ArmConfig& one) { return one.name == arm.name; });
  if (found == read.arms.end()) throw std::logic_error("an arm that was read is gone");
  std::vector<JointCapabilities> boards;
  for (const JointSetup& joint : rig_->stack().state().setups) boards.push_back(joint.board);
  RobotModel model(read);
  static_cast<void>(make_arm_setup(*found, read, boards, model));  // refuses what the loop would
  config_.arms.push_back(*found);
  limits.add_arm(*found);
  own_offsets_.emplace_back();
  return static_cast<ArmIndex>(count);
}

const ToolPose& RobotCore::offset_of(ArmIndex arm) const noexcept {
  return is_in_loop(arm) ? now().arms[arm].offset : own_offsets_[arm - now().arms.size()];
}

void RobotCore::set_own_offset(ArmIndex arm, const ToolPose& offset) {
  own_offsets_[arm - now().arms.size()] = offset;
}

Snapshot RobotCore::with_own_arms(const Snapshot& now) const {
  Snapshot with = now;
  for (const ToolPose& offset : own_offsets_) {
    ArmSnapshot arm;
    arm.offset = offset;
    with.arms.push_back(arm);
  }
  return with;
}

// A step ------------------------------------------------------------------------------------------

void RobotCore::begin_step() {
  if (in_step_) throw std::logic_error("begin_step() again before end_step()");
  in_step_ = true;
}

void RobotCore::end_step() {
  if (!in_step_) throw std::logic_error("end_step() without begin_step()");
  in_step_ = false;
  std::exception_ptr broken;  // told after the cycle, which the robot needs
  try {
    if (late_stop_.any()) post_stop();
    send_streams();
    for (const FollowPlan& command : queue.commands(now(), commanded())) {
      post(command, command.joints);
    }
  } catch (...) {
    broken = std::current_exception();
  }
  run_cycle();
  if (broken) std::rethrow_exception(broken);
  if (refusals_.empty() && !bad_sensor_.empty()) throw std::runtime_error(bad_sensor_);
  if (refusals_.empty()) return;
  const std::string first = refusals_.front();
  refusals_.clear();
  throw Refused(first);
}

/// Joints of the commands of this step, as far as a motion waits for their end.
JointSet RobotCore::commanded() const noexcept {
  JointSet joints;
  if (!queue.has_waiting()) return joints;
  for (const Posted& posted : posted_) joints |= posted.joints;
  return joints;
}

void RobotCore::send_streams() {
  const TimeNs next = now().time_ns + config().period_ns;
  renew_suppression(next);
  JointStreams::Pass pass;
  if (filters.act_on_commands() || limits.narrowed().any()) {
    pass = [this, next](FilterOn on, const JointSet& joints, std::vector<double>& values) {
      return filter_streams(on, joints, values, next);
    };
  }
  const std::vector<Request> of_drives = commands_of_drives(next);
  streams.send(next, pass,
               [this](Command& command, const JointSet& joints) { post(command, joints); });
  for (const Request& request : of_drives) post_of(request);
  if (streams.refused().none()) return;
  expect_nothing(streams.refused());
  for (const Request& request : drives.clear(streams.refused())) post_of(request);
}

/// Samples of the drives go the way of set_pid's, through the filters; the others are returned.
std::vector<Request> RobotCore::commands_of_drives(TimeNs time) {
  if (drives.is_empty()) return {};
  take_drives_from_loop();
  std::vector<Request> commands = drives.commands_at(time, now(), period());
  std::erase_if(commands, [this](const Request& request) {
    const auto* samples = std::get_if<StreamTrajectory>(&request);
    if (samples != nullptr) streams.set_samples(*samples);
    return samples != nullptr;
  });
  return commands;
}

void RobotCore::protect(const JointSet& joints, bool on) {
  check_open();
  if (!config().avoidance) {
    refuse(CommandKind::kSetProtection, {RejectReason::kUnsupported});
  }
  const JointSet wanted = on ? protected_ | joints : protected_ & ~joints;
  if (wanted.any() != protected_.any()) {
    post(SetProtection{Protection::kCollisionAvoidance, wanted.any()}, {});
  }
  protected_ = wanted;
  suppressed_at_.reset();
}

/// Avoidance is switched for the robot; on joints without it messages suppress it.
void RobotCore::renew_suppression(TimeNs time) {
  if (protected_.none()) return;
  const Suppress message{.joints = joints_ & ~protected_,
                         .what = Suppressible::kCollisionAvoidance};
  const bool is_due =
      !suppressed_at_ || to_seconds(time - *suppressed_at_) >= 0.5 * kSuppressionTime;
  if (message.joints.none() || !is_due) return;
  suppressed_at_ = time;
  post(message, {});
}

/// A command for the joints that it names, or for an arm.
void RobotCore::post_of(const Request& request) {
  std::visit(
      [&](const auto& command) {
        using C = std::decay_t<decltype(command)>;
        if constexpr (NamesJoints<C>) {
          post(command, command.joints);
        } else if constexpr (std::is_same_v<C, DriveTool>) {
          post(command, joints_of(config().arms[command.arm]));
        } else {
          post(command, {});
        }
      },
      request);
}

void RobotCore::run_cycle() {
  if (ended_ || !rig_->loop().step()) {
    ended_ = true;
    throw std::runtime_error(rig_->why_ended());
  }
  take_answers();
  posted_.clear();
  sense();
  see_modes();
}

void RobotCore::see_modes() {
  in_mode_ = {};
  // Neighbours mostly have the same mode: their bits are gathered before they are stored.
  std::size_t last = 0;
  JointSet gathered;
  for (std::size_t i = 0; i < now().joints.size(); ++i) {
    auto mode = static_cast<std::size_t>(now().joints[i].mode);
    if (mode >= in_mode_.size()) mode = static_cast<std::size_t>(ControlMode::kIdle);
    if (mode != last) {
      in_mode_[last] |= gathered;
      gathered.reset();
      last = mode;
    }
    gathered[i] = true;
  }
  in_mode_[last] |= gathered;
}

void RobotCore::note_mode(const JointSet& joints, ControlMode mode) {
  for (JointSet& others : in_mode_) others &= ~joints;
  in_mode_[static_cast<std::size_t>(mode)] |= joints & joints_;
}

void RobotCore::take_answers() {
  for (Event event; reader_->next(event);) {
    see_trouble(event);
    if (event.kind != EventKind::kRejected || event.sender != client_->sender()) continue;
    refusals_.push_back(sentence_of(event));
    JointSet joints;
    for (const Posted& posted : posted_) {
      if (posted.number == event.number) joints |= posted.joints;
    }
    if (joints.none()) continue;
    if (event.command == CommandKind::kFollowPlan) {
      take_back_plan(joints);
      continue;
    }
    release(joints);  // may post
    expect_nothing(joints);
  }
}

void RobotCore::see_trouble(const Event& event) {
  const auto change = static_cast<PlanChange>(event.detail);
  const bool is_left = change == PlanChange::kLeft || change == PlanChange::kDisabled;
  const bool is_plan = event.kind == EventKind::kPlanBroken && !is_left;
  const bool ends = is_plan || event.kind == EventKind::kFault || event.kind == EventKind::kContact;
  if (is_plan) queue.clear(JointSet().set());
  if (ends && trouble_.empty()) trouble_ = sentence_of(event);
}

std::string RobotCore::take_trouble() { return std::exchange(trouble_, {}); }

std::string RobotCore::sentence_of(const Event& event) const {
  std::string told = harness::sentence(event, config());
  const bool is_plan = event.command == CommandKind::kFollowPlan && !queue.remark().empty();
  return is_plan ? told + " (" + queue.remark() + ")" : told;
}

// Commands ----------------------------------------------------------------------------------------

void RobotCore::refuse(CommandKind command, const Refusal& why, const std::string& remark,
                       const ObstacleName& obstacle, ArmIndex arm) const {
  Event event;
  event.kind = EventKind::kRejected;
  event.time_ns = now().time_ns;
  event.cycle = now().cycle;
  event.command = command;
  event.reason = why.reason;
  event.joint = why.joint;
  event.value = why.value;
  event.limit = why.limit;
  event.detail = why.place;
  event.waypoint = why.waypoint;
  event.obstacle = obstacle;
  event.arm = arm;
  if (why.joint < now().joints.size()) event.mode = now().joints[why.joint].mode;
  const std::string told = harness::sentence(event, config());
  throw Refused(remark.empty() ? told : told + " (" + remark + ")");
}

void RobotCore::check_open() const {
  if (stopped_) throw Refused("an emergency stop is on: reset() ends it");
}

Interval RobotCore::here(std::size_t joint) const {
  const double sensed = now().joints[joint].state.q;
  const double reference =
      has_reference(static_cast<JointIndex>(joint)) ? now().joints[joint].reference.q : sensed;
  return {std::min(sensed, reference), std::max(sensed, reference)};
}

void RobotCore::post(const Request& request, const JointSet& joints) {
  Command command{.request = request};
  post(command, joints);
}

void RobotCore::post(Command& command, const JointSet& joints) {
  const std::uint64_t number = client_->post(command);
  if (number == 0) {
    throw Refused(fmt::format("{}", CommandInbox::kCapacity) +
                  " commands wait already: end the step");
  }
  posted_.push_back({number, joints});
}

void RobotCore::send(const Request& request) {
  check_open();
  JointSet taken;  // by the command, from what moves them
  std::optional<ControlMode> mode;
  std::visit(
      [&](const auto& command) {
        using C = std::decay_t<decltype(command)>;
        constexpr bool kMoves = moves_joints<C>();
        if constexpr (kMoves && NamesJoints<C>) taken = command.joints;
        if constexpr (kMoves && IsForArm<C>) {
          if (command.arm < config().arms.size()) taken = joints_of(config().arms[command.arm]);
        }
        if constexpr (kMoves && requires { command.gripper; }) {
          if (command.gripper < config().grippers.size()) {
            taken = joints_of(config().grippers[command.gripper]);
          }
        }
        if constexpr (std::is_same_v<C, SetMode>) {
          const auto index = static_cast<std::size_t>(command.mode);
          if (index < kAllControlMode.size()) mode = kAllControlMode[index];
        }
      },
      request);
  if (taken.any()) {
    release(taken);
    expect_nothing(taken);
  }
  post(request, taken);
  if (mode) note_mode(taken, *mode);
}

void RobotCore::enter(const JointSet& joints, ControlMode mode) {
  const JointSet others = joints & joints_ & ~in_mode(mode);
  if (others.none()) return;
  note_mode(others, mode);
  // The first eight requests are the modes.
  post(SetMode{.joints = others, .mode = static_cast<ModeRequest>(mode)}, others);
}

void RobotCore::release(const JointSet& joints) {
  leave_motions(joints);
  streams.clear(joints);
}

void RobotCore::leave_streams(const JointSet& joints) {
  for (const Request& request : drives.clear(joints)) post_of(request);
  streams.clear(joints);
}

void RobotCore::leave_motions(const JointSet& joints) {
  for (const Request& request : drives.clear(joints)) post_of(request);
  queue.clear(joints);
}

// Status ------------------------------------------------------------------------------------------

bool RobotCore::has_reference(JointIndex joint) const {
  return follows_position(now().joints[joint].mode);
}

bool RobotCore::is_moving(const JointSet& joints) const {
  return queue.is_busy(joints, now()) || is_moved_otherwise(joints);
}

bool RobotCore::is_moved_otherwise(const JointSet& joints) const {
  if (drives.is_busy(joints)) return true;
  for (std::size_t g = 0; g < config().grippers.size(); ++g) {
    const GripperState state = now().grippers[g].state;
    const auto& own = config().grippers[g].joints;
    const bool is_meant = std::any_of(
        own.begin(), own.end(), [&](const GripperJoint& joint) { return joints[joint.joint]; });
    const bool acts = state == GripperState::kMoving || state == GripperState::kGrasping;
    if (is_meant && acts) return true;
  }
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    if (!joints[i]) continue;
    const auto index = static_cast<JointIndex>(i);
    const JointSnapshot& joint = now().joints[i];
    const JointStreams::Kind kind = streams.kind(index);
    if (joint.moving || kind == JointStreams::Kind::kTorque) return true;
    const bool turns = has_reference(index) && joint.reference.v != 0.0;
    const bool is_filtered_on = !streams.is_steady(index);
    if (kind == JointStreams::Kind::kVelocity &&
        (streams.wanted(index).v != 0.0 || turns || is_filtered_on)) {
      return true;
    }
    const bool is_there =
        std::abs(joint.reference.q - streams.sent(index).q) < kThere && !is_filtered_on;
    if (kind == JointStreams::Kind::kPosition && !(is_there && has_reference(index))) return true;
    const bool goes_on_alone =
        kind == JointStreams::Kind::kNone || kind == JointStreams::Kind::kSample;
    if (goes_on_alone && turns) return true;
  }
  return false;
}

void RobotCore::latch_stop() {
  stopped_ = true;
  const JointSet all = JointSet().set();
  streams.clear(all);
  queue.clear(all);
  expect_nothing(all);
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    if (is_driven(now().joints[i].mode)) late_stop_.set(i);
  }
  try {
    if (late_stop_.any()) post_stop();
    for (const Request& request : drives.clear(all)) post_of(request);
  } catch (const Refused&) {
    // The inbox is full: the stop goes first in the next step, when there is room.
  }
}

void RobotCore::post_stop() {
  post(Stop{.joints = late_stop_}, late_stop_);
  late_stop_.reset();
}

}  // namespace jointrig
