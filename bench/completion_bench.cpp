// completion_bench [NAME=ROBOT:PART]...
//
// Cost of completion per cycle: a step of jointrig::Robot with a command for all joints of a part,
// less Loop::step of the same robot while it holds, on backend kinematic.
//
//     nothing   begin_step, end_step
//     native    and set_position in each cycle, a ramp of 0.1 mrad/s as in klampt_completer.py,
//     less
//               a Loop::step that gets the same samples by its inbox
//     position  the same, less a Loop::step that holds: what the loop does with the samples, its
//               limits and its look ahead for collisions, counts, too
//     velocity  and set_velocity in each cycle, which the stack makes of positions
//     linear    no command, while set_piecewise_linear is followed
//
// Both robots take turns, 100 cycles each; prints JSON: medians of 300 rounds, and in a round of
// its cycles, in µs.

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/robot/robot.h"
#include "app/robot/robot_core.h"
#include "bench/bench_arm.h"

namespace jointrig::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Values = RobotPart::Values;

constexpr int kRounds = 300;
constexpr int kCycles = 100;

/// A robot that holds in its start pose, and the joints that get commands.
struct Held {
  explicit Held(const NamedArm& which) : core(which.file, {.backend = "kinematic"}) {
    JointSet joints;
    joints.set();
    for (std::size_t i = core.config().joints.size(); i < joints.size(); ++i) joints.reset(i);
    core.enter(joints, ControlMode::kPosition);
    for (int i = 0; i < 500; ++i) step();
    for (const PartConfig& named : core.config().parts) {
      if (named.name != which.arm) continue;
      joints.reset();
      for (const JointIndex joint : named.joints) joints.set(joint);
    }
    part.emplace(core, which.arm, joints);
    home = moved(0.0);
    // Away from angles of 0, which cost the model less than any other.
    const Values steps = inwards(0.01);
    for (std::size_t j = 0; j < home.size(); ++j) home[j] += steps[j];
    part->move_to(home);
    do {
      step();
    } while (part->is_moving());
  }
  /// So far from where the joints are, within their soft limits.
  [[nodiscard]] Values moved(double by) const {
    Values q = part->commanded_position();
    for (std::size_t j = 0; j < q.size(); ++j) {
      const JointLimits& limits = core.config().joints[part->indices()[j]].limits;
      const double inside = limits.soft_margin + 1e-6;
      q[j] = std::clamp(q[j] + by, limits.q_min + inside, limits.q_max - inside);
    }
    return q;
  }
  /// Such a step of each joint, away from the limit that is nearer.
  [[nodiscard]] Values inwards(double step) const {
    Values steps;
    for (std::size_t j = 0; j < home.size(); ++j) {
      const JointLimits& limits = core.config().joints[part->indices()[j]].limits;
      steps.push_back(std::copysign(step, 0.5 * (limits.q_min + limits.q_max) - home[j]));
    }
    return steps;
  }
  void step() {
    core.begin_step();
    core.end_step();
  }

  RobotCore core;
  std::optional<RobotPart> part;
  Values home;
};

/// Median time of a cycle, as klampt_completer.py takes it: other programs that wait for the cores
/// interrupt few of them [µs].
double time_of(const std::function<void()>& cycle) {
  std::vector<double> times;
  times.reserve(kCycles);
  auto begin = Clock::now();
  for (int i = 0; i < kCycles; ++i) {
    cycle();
    const auto end = Clock::now();
    times.push_back(std::chrono::duration<double, std::micro>(end - begin).count());
    begin = end;
  }
  return median(std::move(times));
}

/// A ramp of positions as the loop takes it, in commands that stay: as a program at the inbox would
/// send it.
class Samples {
 public:
  explicit Samples(const Held& like) : q_(like.home) {}

  /// Sends the next ones. The first call asks for their mode.
  void send(Held& to, const Values& ramp) {
    CommandInbox& inbox = to.core.rig().stack().inbox();
    if (sender_ == 0) {
      sender_ = inbox.connect("samples");
      auto& stream = std::get<StreamPosition>(samples_.request);
      for (const JointIndex joint : to.part->indices()) stream.joints.set(joint);
      stream.values.resize(q_.size());
      Command mode{.request =
                       SetMode{.joints = stream.joints, .mode = ModeRequest::kPositionDirect}};
      post(mode, inbox);
    }
    auto& stream = std::get<StreamPosition>(samples_.request);
    for (std::size_t j = 0; j < q_.size(); ++j) {
      q_[j] += ramp[j];
      stream.values[j] = {q_[j]};
    }
    post(samples_, inbox);
  }

 private:
  void post(Command& command, CommandInbox& inbox) {
    command.sender = sender_;
    command.number = ++number_;
    inbox.push(command);
  }

  Values q_;
  Command samples_{.request = StreamPosition{}};
  std::uint16_t sender_ = 0;
  std::uint64_t number_ = 0;
};

struct Cost {
  double bare = 0.0;
  double more = 0.0;
};

/// Throws if the joints of two robots are commanded to different places.
void check_equal(const Held& a, const Held& b) {
  const Values there = b.part->commanded_position();
  for (std::size_t j = 0; j < there.size(); ++j) {
    if (std::abs(a.part->commanded_position()[j] - there[j]) < 1e-9) continue;
    throw std::runtime_error("the loop by itself and jointrig::Robot went to different places");
  }
}

/// @param native  the same command for the loop by itself, in each cycle; empty: it holds
Cost cost(const NamedArm& which, const std::function<void(Held&)>& begin,
          const std::function<void(Held&, int)>& command,
          const std::function<void(Held&)>& native = {}) {
  Held robot(which);
  Held alone(which);
  begin(robot);
  int number = 0;
  std::vector<double> bare;
  std::vector<double> more;
  for (int round = 0; round < kRounds; ++round) {
    const double of_loop = time_of([&] {
      if (native) native(alone);
      alone.core.rig().loop().step();
    });
    const double of_robot = time_of([&] {
      robot.core.begin_step();
      command(robot, number++);
      robot.core.end_step();
    });
    bare.push_back(of_loop);
    more.push_back(of_robot - of_loop);
  }
  if (native) check_equal(alone, robot);
  return {median(std::move(bare)), median(std::move(more))};
}

void print(const NamedArm& which, bool is_last) {
  const Held held(which);
  const std::size_t joints = held.part->joint_count();
  Values q(joints);
  const auto nothing = [](Held&) {};
  const Cost idle = cost(which, nothing, [](Held&, int) {});
  const Values ramp = held.inwards(1e-7);
  q = held.home;
  const auto set_position = [&](Held& robot, int /*cycle*/) {
    for (std::size_t j = 0; j < joints; ++j) q[j] += ramp[j];
    robot.part->set_position(q);
  };
  const Cost position = cost(which, nothing, set_position);
  q = held.home;
  Samples samples(held);
  const Cost native =
      cost(which, nothing, set_position, [&](Held& alone) { samples.send(alone, ramp); });
  const Cost velocity = cost(which, nothing, [&](Held& robot, int cycle) {
    // To and fro, within 2 mrad.
    q.assign(joints, (cycle / 100) % 2 == 0 ? 0.01 : -0.01);
    robot.part->set_velocity(q);
  });
  const Cost linear = cost(
      which,
      [&](Held& robot) {
        const double end = 1e-3 * kRounds * kCycles;
        robot.part->set_piecewise_linear({0.5 * end, end + 1.0}, {robot.moved(1e-3), robot.home});
      },
      [](Held&, int) {});
  fmt::print(
      " \"{}\": {{\"joints\": {}, \"loop_us\": {:.3f}, \"nothing_us\": {:.3f}, \"native_us\": "
      "{:.3f}, \"position_us\": {:.3f}, \"velocity_us\": {:.3f}, \"linear_us\": {:.3f}}}{}\n",
      which.name, joints, idle.bare, idle.more, native.more, position.more, velocity.more,
      linear.more, is_last ? "" : ",");
}

int run(const std::vector<std::string>& words) {
  std::vector<NamedArm> robots;
  for (const std::string& word : words) {
    const auto robot = named_arm(word);
    if (!robot) {
      fmt::print(stderr, "usage: completion_bench [NAME=ROBOT:PART]...\n");
      return 2;
    }
    robots.push_back(*robot);
  }
  if (robots.empty()) robots = {{"franka", "franka", "arm"}, {"icub", "icub_upper_body", "all"}};
  fmt::print("{{\n");
  for (const NamedArm& robot : robots) print(robot, &robot == &robots.back());
  fmt::print("}}\n");
  return 0;
}

}  // namespace
}  // namespace jointrig::bench

int main(int argc, char** argv) {
  try {
    return jointrig::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "completion_bench: {}\n", error.what());
    return 1;
  }
}
