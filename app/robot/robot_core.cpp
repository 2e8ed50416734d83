#include "app/robot/robot_core.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "app/rig/robot_loading.h"
#include "harness/config/yaml_document.h"
#include "harness/log/event_text.h"

namespace jointrig {
namespace {

constexpr std::string_view kSender = "robot";

/// A sample that is held counts as reached so near to it [rad or m].
constexpr double kThere = 1e-6;

RobotConfig config_of(const std::string& robot, const RobotOptions& options) {
  harness::RobotSource source = harness::find_robot(robot);
  if (!options.settings.empty()) {
    source.overrides.push_back(harness::parse_yaml(options.settings, "settings"));
  }
  return app::load_robot(source,
                         [&](RobotConfig& config) {
                           if (options.seed) config.plant.seed = *options.seed;
                         })
      .config;
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
  return starts_motion<C>() || std::is_same_v<C, SetMode> || std::is_same_v<C, Stop>;
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
  if (!has_driver && (options.realtime || runs_on(BackendKind::kHw, config, kind))) {
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
    : streams(0), queue(nullptr, true), rig_(rig_of(robot, options, pacer_)) {
  const std::size_t count = config().joints.size();
  streams = JointStreams(count);
  queue = MotionQueue(&rig_->stack().plans(), !pacer_);
  paths_.emplace(config());
  client_.emplace(config(), rig_->stack().inbox(), kSender);
  reader_.emplace(rig_->stack().events());
  modes_.assign(count, ControlMode::kIdle);
  goal_.assign(count, std::nullopt);
  arrival_.assign(count, 0.0);
  rig_->start();
  run_cycle();
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
    for (const FollowPlan& command : queue.commands(now())) post(command, command.joints);
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

void RobotCore::send_streams() {
  const TimeNs next = now().time_ns + config().period_ns;
  JointStreams::Pass pass;
  if (filters.act_on_commands()) {
    pass = [this, next](FilterOn on, const JointSet& joints, std::vector<double>& values) {
      return filter_streams(on, joints, values, next);
    };
  }
  streams.send(next, pass,
               [this](Command& command, const JointSet& joints) { post(command, joints); });
  if (streams.refused().any()) expect_nothing(streams.refused());
  for (const Request& request : drives.commands_at(next, now())) post_of(request);
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
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    const auto mode = static_cast<std::size_t>(now().joints[i].mode);
    modes_[i] = mode < kAllControlMode.size() ? kAllControlMode[mode] : ControlMode::kIdle;
  }
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
                       const ObstacleName& obstacle) const {
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
    throw Refused(std::to_string(CommandInbox::kCapacity) + " commands wait already: end the step");
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
  for (std::size_t i = 0; mode && i < modes_.size(); ++i) {
    if (taken[i]) modes_[i] = *mode;
  }
}

void RobotCore::enter(const JointSet& joints, ControlMode mode) {
  SetMode command;
  command.mode = static_cast<ModeRequest>(mode);  // the first eight requests are the modes
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    if (!joints[i] || modes_[i] == mode) continue;
    command.joints.set(i);
    modes_[i] = mode;
  }
  if (command.joints.any()) post(command, command.joints);
}

void RobotCore::release(const JointSet& joints) {
  leave_motions(joints);
  streams.clear(joints);
}

void RobotCore::leave_motions(const JointSet& joints) {
  for (const Request& request : drives.clear(joints)) post_of(request);
  queue.clear(joints);
}

// Trajectories ------------------------------------------------------------------------------------

app::Planner::Job RobotCore::ask_for_plan(const AskedTrajectory& asked,
                                          const TrajectoryStart& start, const Snapshot& now) {
  if (!planner_) planner_ = std::make_unique<app::Planner>();
  const auto seen = std::make_shared<const Snapshot>(now);
  return planner_->submit(asked.joints, [this, asked, start, seen](PlanWatch& watch) {
    return paths_->plan(asked, start, *seen, &watch);
  });
}

void RobotCore::follow(const AskedTrajectory& asked, const SetInteractionControl* interaction,
                       const std::function<void(const JointPlan&)>& allows) {
  check_open();
  paths_->check(asked);
  const JointSet& joints = asked.joints;
  const ControlMode mode =
      interaction == nullptr ? ControlMode::kPosition : ControlMode::kCartesian;
  bool are_in_mode = true;
  for (std::size_t i = 0; i < modes_.size(); ++i) {
    are_in_mode = are_in_mode && (!joints[i] || modes_[i] == mode);
  }
  const bool replaces = are_in_mode && asked.goes_on && queue.start(now(), joints, true).after;
  const bool waits_for_rest = !replaces && is_moving(joints);
  if (replaces) {
    for (const Request& request : drives.clear(joints)) post_of(request);
    queue.clear_waiting(joints);
    streams.clear(joints);
  } else {
    release(joints);
  }
  if (!replaces) expect_nothing(joints);  // else that of the plan, until it is replaced
  if (waits_for_rest) post(Stop{.joints = joints}, joints);
  enter(joints, mode);
  if (interaction != nullptr) {
    SetInteractionControl settings = *interaction;
    settings.keeps_reference = settings.keeps_reference || replaces;
    post(settings, joints);
  }

  QueuedMotion motion;
  motion.joints = joints;
  motion.replaces = replaces;
  motion.planning_lead = harness::PlanDesk::lead_for(asked);
  if (interaction != nullptr) motion.mode = JointMode::kCartesian;
  motion.ask = [this, asked](const QueuedMotion::Start& start, const Snapshot& now) {
    return ask_for_plan(asked, start.state, now);
  };
  motion.begins = [this, allows](const JointPlan& plan, double begin) {
    if (allows) allows(plan);
    // Motions behind it have told what is expected in the end.
    if (queue.waiting(plan.joints()) <= 1) expect_end(plan, begin);
  };
  queue.push(std::move(motion));
}

/// The joints go on with the plan that they follow, if they follow one.
void RobotCore::take_back_plan(const JointSet& joints) {
  expect_nothing(joints);
  const std::optional<MotionQueue::Ending> ending = queue.take_back(joints);
  std::size_t place = 0;
  for (std::size_t i = 0; ending && i < goal_.size(); ++i) {
    if (!joints[i]) continue;
    expect(static_cast<JointIndex>(i), ending->goal[place++], ending->arrival);
  }
}

/// The joints' references are expected at the plan's end.
void RobotCore::expect_end(const JointPlan& plan, double begin) {
  const double arrival = begin + plan.duration() / now().speed_override;
  std::vector<MotionState> states(plan.joints().size());
  JointPlan::Cursor cursor;
  plan.at(plan.duration(), cursor, states);
  for (std::size_t i = 0; i < states.size(); ++i) expect(plan.joints()[i], states[i].q, arrival);
}

void RobotCore::expect(JointIndex joint, double goal, double arrival) {
  goal_[joint] = goal;
  arrival_[joint] = arrival;
}

void RobotCore::expect_nothing(const JointSet& joints) {
  for (std::size_t i = 0; i < goal_.size(); ++i) {
    if (joints[i]) goal_[i].reset();
  }
}

bool RobotCore::has_reference(JointIndex joint) const {
  return follows_position(now().joints[joint].mode);
}

bool RobotCore::is_moving(const JointSet& joints) const {
  if (queue.is_busy(joints, now()) || drives.is_busy(joints)) return true;
  for (std::size_t g = 0; g < config().grippers.size(); ++g) {
    const GripperState state = now().grippers[g].state;
    const auto& own = config().grippers[g].joints;
    const bool is_meant = std::any_of(
        own.begin(), own.end(), [&](const GripperJoint& joint) { return joints[joint.joint]; });
    const bool acts = state == GripperState::kMoving || state == GripperState::kGrasping;
    if (is_meant && acts) return true;
  }
  for (std::size_t i = 0; i < modes_.size(); ++i) {
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
  for (std::size_t i = 0; i < modes_.size(); ++i) {
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
