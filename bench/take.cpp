#include "bench/take.h"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "control/exchange/robot_client.h"

namespace jointrig::bench {
namespace {

constexpr int kSettleCycles = 300;  // a choice: motors are on, moves are under way
constexpr int kCycles = 100;     // less than the command timeout: a replay may leave commands out
constexpr double kTravel = 0.2;  // [rad, or a quarter of a slide's range]

// For a body that stands: choices.
constexpr const char* kFloor = "scenes/empty_floor.xml";
constexpr int kStandsAfter = 300;  // cycles: it is held in position till its base is known
constexpr double kSway = 0.01;     // radius of the circle of its centre of mass [m]

// For an arm: choices.
constexpr double kRadius = 0.03;                            // of its circle [m]
constexpr double kTurnsPerCycle = 2e-3 * std::numbers::pi;  // one a second [rad]
constexpr double kPayload = 0.5;                            // [kg]
constexpr double kPayloadOut = 0.05;                        // along the tool's z [m]

struct Share {
  ModeRequest mode;
  InteractionMode interaction;
};
constexpr std::array<Share, 7> kShares{{{ModeRequest::kPosition, InteractionMode::kStiff},
                                        {ModeRequest::kPositionDirect, InteractionMode::kStiff},
                                        {ModeRequest::kPosition, InteractionMode::kCompliant},
                                        {ModeRequest::kVelocity, InteractionMode::kStiff},
                                        {ModeRequest::kMixed, InteractionMode::kCompliant},
                                        {ModeRequest::kTorque, InteractionMode::kStiff},
                                        {ModeRequest::kOpenloop, InteractionMode::kStiff}}};

/// Asks for modes and moves, then streams.
class Asker {
 public:
  explicit Asker(Stack& stack) : stack_(&stack), sender_(stack.inbox().connect("bench")) {}
  virtual ~Asker() = default;
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;

  [[nodiscard]] virtual int settle_cycles() const { return kSettleCycles; }
  virtual void set_modes() = 0;
  virtual void move() = 0;
  virtual Command stream() = 0;
  /// Throws std::runtime_error where the robot doesn't do what is to be measured.
  virtual void check_settled() const {}

 protected:
  /// Numbered.
  Command numbered(const Request& request);
  void push(const Command& command);

  Stack* stack_;
  std::uint16_t sender_;
  std::uint64_t number_ = 0;
};

Command Asker::numbered(const Request& request) {
  return {.request = request, .sender = sender_, .number = ++number_};
}

void Asker::push(const Command& command) {
  const bool is_meant = joints_of(command.request).any() || is_for_arm(kind_of(command));
  if (is_meant) stack_->inbox().push(command);
}

/// Joint by joint all modes.
class JointAsker final : public Asker {
 public:
  using Asker::Asker;
  void set_modes() override;
  void move() override;
  Command stream() override;

 private:
  [[nodiscard]] JointSet share_of(std::size_t share) const;
  Command command(CommandKind kind, std::size_t share, double value);
};

JointSet JointAsker::share_of(std::size_t share) const {
  JointSet joints;
  for (std::size_t i = share; i < stack_->config().joints.size(); i += kShares.size())
    joints.set(i);
  return joints;
}

/// The same value for all joints of a share; positions are relative to the present ones.
Command JointAsker::command(CommandKind kind, std::size_t share, double value) {
  Request request = blank_request(kind);
  const bool is_position = kind == CommandKind::kMove || kind == CommandKind::kStreamPosition;
  for (std::size_t i = share; i < stack_->config().joints.size(); i += kShares.size()) {
    const JointLimits& limits = stack_->config().joints[i].limits;
    const double q = stack_->snapshot().joints[i].reference.q;
    const double middle = 0.5 * (limits.q_min + limits.q_max);
    const double way = std::min(kTravel, 0.25 * (limits.q_max - limits.q_min));
    const double goal = q + value * (q < middle ? way : -way);
    const std::array<double, 2> numbers{is_position ? goal : value, 0.0};
    add_joint(request, static_cast<JointIndex>(i),
              std::span(numbers).first(value_fields_of(kind).size()));
  }
  return numbered(request);
}

void JointAsker::set_modes() {
  for (std::size_t share = 0; share < kShares.size(); ++share) {
    push(numbered(SetMode{share_of(share), kShares[share].mode}));
    push(numbered(SetInteraction{share_of(share), kShares[share].interaction}));
  }
}

void JointAsker::move() {
  for (const std::size_t share : {0, 2, 4}) push(command(CommandKind::kMove, share, 1.0));
}

Command JointAsker::stream() {
  struct Stream {
    CommandKind kind;
    std::size_t share;
    double value;
  };
  static constexpr std::array<Stream, 5> kStreams{{{CommandKind::kStreamPosition, 1, 0.001},
                                                   {CommandKind::kStreamVelocity, 3, 0.01},
                                                   {CommandKind::kStreamVelocity, 4, 0.01},
                                                   {CommandKind::kStreamTorque, 5, 0.0},
                                                   {CommandKind::kStreamDuty, 6, 0.0}}};
  for (std::size_t tries = 0;; ++tries) {  // a small robot hasn't joints in all modes
    const Stream& stream = kStreams[(number_ + tries) % kStreams.size()];
    if (tries < kStreams.size() && share_of(stream.share).none()) continue;
    Command c = command(stream.kind, stream.share, stream.value);
    push(c);
    return c;
  }
}

/// One arm in cartesian.
class ArmAsker final : public Asker {
 public:
  using Asker::Asker;
  void set_modes() override;
  void move() override;
  Command stream() override;

 private:
  void set_mode(const JointSet& joints, ModeRequest request);

  ToolPose centre_;
};

void ArmAsker::set_mode(const JointSet& joints, ModeRequest request) {
  push(numbered(SetMode{joints, request}));
}

void ArmAsker::set_modes() {
  const RobotConfig& config = stack_->config();
  if (config.arms.empty()) throw std::runtime_error(config.name + " has no arm to be measured");
  JointSet arm;
  JointSet others;
  for (const JointIndex joint : config.arms[0].joints) arm.set(joint);
  for (std::size_t i = 0; i < config.joints.size(); ++i) others.set(i, !arm.test(i));
  set_mode(others, ModeRequest::kPosition);
  set_mode(arm, ModeRequest::kCartesian);
  for (const ArmTerm term : kAllArmTerm) {
    if (!is_switched(term)) continue;
    push(numbered(SetArmTerm{0, term, true}));
  }
  push(numbered(SetPayload{0, kPayload, {0.0, 0.0, kPayloadOut}}));
  centre_ = stack_->snapshot().arms[0].tool;
}

void ArmAsker::move() {}

Command ArmAsker::stream() {
  const ArmSnapshot& now = stack_->snapshot().arms[0];
  Request request = SetArmTerm{0, ArmTerm::kLimits, true};
  if (now.runs) {
    const double angle = kTurnsPerCycle * static_cast<double>(number_ + 1);
    request = StreamToolTarget{
        {0,
         {centre_.position[0] + kRadius * std::sin(angle),
          centre_.position[1] + kRadius * (1.0 - std::cos(angle)), centre_.position[2]},
         centre_.orientation}};
  }
  const Command c = numbered(request);
  push(c);
  return c;
}

/// A robot on its feet.
class BodyAsker final : public Asker {
 public:
  using Asker::Asker;
  [[nodiscard]] int settle_cycles() const override { return kStandsAfter + kSettleCycles; }
  void set_modes() override;
  void move() override {}
  Command stream() override;
  void check_settled() const override;

 private:
  void set_mode(ModeRequest request);

  int cycles_ = 0;
};

void BodyAsker::set_mode(ModeRequest request) {
  JointSet all;
  for (std::size_t i = 0; i < stack_->config().joints.size(); ++i) all.set(i);
  push(numbered(SetMode{all, request}));
}

void BodyAsker::set_modes() { set_mode(ModeRequest::kPosition); }

void BodyAsker::check_settled() const {
  if (stack_->snapshot().laws[0].state == LawState::kRuns) return;
  throw std::runtime_error(stack_->config().name + " doesn't stand by its whole-body controller");
}

Command BodyAsker::stream() {
  if (++cycles_ == kStandsAfter) set_mode(ModeRequest::kTorque);
  const double angle = kTurnsPerCycle * static_cast<double>(cycles_);
  const bool is_ahead = cycles_ % 2 == 0;
  const double place = kSway * (is_ahead ? std::sin(angle) : 1.0 - std::cos(angle));
  const Command c =
      numbered(SetLawParameter{0, static_cast<std::uint8_t>(is_ahead ? 0 : 1), place});
  push(c);
  return c;
}

void check(EventRing::Reader& events, const std::string& robot) {
  for (Event event; events.next(event);) {
    if (event.kind == EventKind::kRejected || event.kind == EventKind::kFault) {
      throw std::runtime_error(
          fmt::format("{}: the robot to be measured met with {} {} at joint {}", robot,
                      to_string(event.kind), to_string(event.reason), event.joint));
    }
  }
}

TakeCycle cycle_of(app::Rig& rig, const Command& asked) {
  sim::SimBackend* sim = rig.sim();
  if (sim == nullptr) throw std::logic_error("only a robot in sim is measured");
  TakeCycle cycle;
  cycle.asked = asked;
  cycle.state = rig.loop().state();
  cycle.sent = rig.loop().command();
  for (std::size_t i = 0; i < cycle.state.joints.size(); ++i) {
    cycle.truth.push_back(sim->truth(i));
  }
  const mjData& data = sim->plant().data();
  cycle.torques.assign(data.ctrl, data.ctrl + sim->plant().model().nu);
  return cycle;
}

template <typename SomeAsker>
std::shared_ptr<const Take> record(const std::string& name, const RobotConfig& config) {
  auto take = std::make_shared<Take>();
  take->name = name;
  app::Rig rig(config, {});
  take->config = rig.stack().config();
  take->backend = rig.backend().description();
  take->boards = take->backend.joints;
  rig.start();
  EventRing::Reader events(rig.stack().events());
  SomeAsker asker(rig.stack());
  rig.loop().step();
  asker.set_modes();
  rig.loop().step();
  asker.move();
  for (int i = 0; i < asker.settle_cycles(); ++i) {
    asker.stream();
    if (!rig.loop().step()) throw std::runtime_error(name + ": the simulation broke down");
  }
  check(events, name);
  asker.check_settled();

  take->plant_before = rig.sim()->save();
  take->stack_before = rig.stack().state();
  for (int i = 0; i < kCycles; ++i) {
    const Command asked = asker.stream();
    rig.loop().step();
    take->cycles.push_back(cycle_of(rig, asked));
  }
  check(events, name);
  return take;
}

}  // namespace

std::shared_ptr<const Take> record_take(const std::string& name, const std::string& robot) {
  return record<JointAsker>(name, app::load_robot(harness::find_robot(robot)).config);
}

std::shared_ptr<const Take> record_arm_take(const std::string& name, const std::string& robot) {
  return record<ArmAsker>(name, app::load_robot(harness::find_robot(robot)).config);
}

std::shared_ptr<const Take> record_standing_take(const std::string& name,
                                                 const std::string& robot) {
  const auto on_its_feet = [](RobotConfig& config) {
    config.pin_base = false;
    config.scene_path = kFloor;
  };
  const RobotConfig config = app::load_robot(harness::find_robot(robot), on_its_feet).config;
  if (!config.whole_body) throw std::runtime_error(robot + " has no whole_body to be measured");
  return record<BodyAsker>(name, config);
}

}  // namespace jointrig::bench
