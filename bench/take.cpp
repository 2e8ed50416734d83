#include "bench/take.h"

#include <array>
#include <stdexcept>

#include "control/exchange/robot_client.h"

namespace jointrig::bench {
namespace {

constexpr int kSettleCycles = 300;  // a choice: motors are on, moves are under way
constexpr int kCycles = 100;     // less than the command timeout: a replay may leave commands out
constexpr double kTravel = 0.2;  // [rad, or a quarter of a slide's range]

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

  void set_modes();
  void move();
  Command stream();

 private:
  [[nodiscard]] JointSet joints_of(std::size_t share) const;
  Command command(CommandKind kind, std::size_t share, double value);
  void push(const Command& command);

  Stack* stack_;
  std::uint16_t sender_;
  std::uint64_t number_ = 0;
};

JointSet Asker::joints_of(std::size_t share) const {
  JointSet joints;
  for (std::size_t i = share; i < stack_->config().joints.size(); i += kShares.size())
    joints.set(i);
  return joints;
}

/// The same value for all joints of a share; positions count from where they are.
Command Asker::command(CommandKind kind, std::size_t share, double value) {
  Command c;
  c.kind = kind;
  c.sender = sender_;
  c.number = ++number_;
  c.joints = joints_of(share);
  const bool is_position = kind == CommandKind::kMove || kind == CommandKind::kStreamPosition;
  for (std::size_t i = share; i < stack_->config().joints.size(); i += kShares.size()) {
    const JointLimits& limits = stack_->config().joints[i].limits;
    const double q = stack_->snapshot().joints[i].reference.q;
    const double middle = 0.5 * (limits.q_min + limits.q_max);
    const double way = std::min(kTravel, 0.25 * (limits.q_max - limits.q_min));
    const double goal = q + value * (q < middle ? way : -way);
    c.values.push_back({is_position ? goal : value, 0.0});
  }
  return c;
}

void Asker::push(const Command& command) {
  if (command.joints.any()) stack_->inbox().push(command);
}

void Asker::set_modes() {
  for (std::size_t share = 0; share < kShares.size(); ++share) {
    Command mode = command(CommandKind::kSetMode, share, 0.0);
    mode.request = kShares[share].mode;
    mode.values.clear();
    push(mode);
    Command interaction = command(CommandKind::kSetInteraction, share, 0.0);
    interaction.interaction = kShares[share].interaction;
    interaction.values.clear();
    push(interaction);
  }
}

void Asker::move() {
  for (const std::size_t share : {0, 2, 4}) push(command(CommandKind::kMove, share, 1.0));
}

Command Asker::stream() {
  struct Stream {
    CommandKind kind;
    std::size_t share;
    double value;
  };
  static constexpr std::array<Stream, 5> kStreams{{{CommandKind::kStreamPosition, 1, 0.001},
                                                   {CommandKind::kVelocity, 3, 0.01},
                                                   {CommandKind::kVelocity, 4, 0.01},
                                                   {CommandKind::kTorque, 5, 0.0},
                                                   {CommandKind::kDuty, 6, 0.0}}};
  for (std::size_t tries = 0;; ++tries) {  // a small robot hasn't joints in all modes
    const Stream& stream = kStreams[(number_ + tries) % kStreams.size()];
    if (tries < kStreams.size() && joints_of(stream.share).none()) continue;
    Command c = command(stream.kind, stream.share, stream.value);
    push(c);
    return c;
  }
}

void check(EventRing::Reader& events, const std::string& robot) {
  for (Event event; events.next(event);) {
    if (event.kind == EventKind::kRejected || event.kind == EventKind::kFault) {
      throw std::runtime_error(
          robot + ": the robot to be measured met with " + std::string(to_string(event.kind)) +
          " " + std::string(to_string(event.reason)) + " at joint " + std::to_string(event.joint));
    }
  }
}

TakeCycle cycle_of(Rig& rig, const Command& asked) {
  TakeCycle cycle;
  cycle.asked = asked;
  cycle.state = rig.loop().state();
  cycle.sent = rig.loop().command();
  for (std::size_t i = 0; i < cycle.state.joints.size(); ++i) {
    cycle.truth.push_back(rig.sim()->truth(i));
  }
  const mjData& data = rig.sim()->plant().data();
  cycle.torques.assign(data.ctrl, data.ctrl + rig.sim()->plant().model().nu);
  return cycle;
}

}  // namespace

std::shared_ptr<const Take> record_take(const std::string& name, const std::string& robot) {
  auto take = std::make_shared<Take>();
  take->name = name;
  Rig rig(load_robot(find_robot(robot)).config, {});
  take->config = rig.stack().config();
  take->boards = rig.backend().joints();
  rig.start();
  EventRing::Reader events(rig.stack().events());
  Asker asker(rig.stack());
  rig.loop().step();
  asker.set_modes();
  rig.loop().step();
  asker.move();
  for (int i = 0; i < kSettleCycles; ++i) {
    asker.stream();
    if (!rig.loop().step()) throw std::runtime_error(name + ": the simulation broke down");
  }
  check(events, name);

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

}  // namespace jointrig::bench
