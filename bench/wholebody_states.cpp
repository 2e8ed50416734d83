// wholebody_states MODEL
//
// The core of whole-body control in given states, for bench/peers/whole_body_peers.py: so many
// tasks and weights as are in its lines, no more.
//
// Standard input, numbers apart by blanks; a batch is
//     count, then of each state: base's position (3), orientation (w x y z), linear velocity in the
//     world (3), angular velocity in the base (3), joints' positions, joints' velocities
// Standard output: first the joints' names, the model's mass and the start pose, one JSON line.
// Then one line per state: thread time of the whole computation in µs, 1 if it was solved, torques.

#include <fmt/core.h>

#include <cstdio>
#include <ctime>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "control/wholebody/core.h"
#include "control/wholebody/feedback.h"

namespace jointrig::bench {
namespace {

/// All weights: so large that what a solver adds of its own to have one solution counts for
/// nothing.
constexpr double kScale = 1e4;

struct State {
  BaseState base;
  std::vector<double> q;
  std::vector<double> v;
};

/// Time that this thread alone has taken [µs].
double thread_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

State read_state(std::size_t joints) {
  State state;
  const auto read = [](auto& numbers) {
    for (double& number : numbers) std::cin >> number;
  };
  read(state.base.position);
  read(state.base.orientation);
  read(state.base.linear_velocity);
  read(state.base.angular_velocity);
  state.q.resize(joints);
  state.v.resize(joints);
  read(state.q);
  read(state.v);
  return state;
}

ContactSetup sole(const FloatingModel& model, const std::string& frame, double outward) {
  ContactSetup contact{frame, model.find_frame(frame), {}};
  // The frame is put in the middle of the sole: wrenches are weighed about it.
  contact.frame.position +=
      contact.frame.rotation * Eigen::Vector3d(0.0265, 0.005 * outward, -0.0105);
  for (const double x : {-0.08, 0.08}) {
    for (const double y : {-0.036, 0.036}) contact.points.emplace_back(x, y, 0.0);
  }
  return contact;
}

CoreSettings settings() {
  CoreSettings settings;
  settings.acceleration_weight = 1e-8;
  settings.force_weight = 1e-8;
  settings.torque_weight = 1e-3 * kScale;
  settings.acceleration_max = 1e4;
  return settings;
}

WholeBodyCommand command_of(const FloatingModel& model) {
  WholeBodyCommand command;
  command.momentum.on = true;
  command.momentum.axes = {true, true, true, false, false, false};
  command.momentum.weights.setConstant(kScale / (model.mass() * model.mass()));
  command.spatial[0].on = true;
  command.spatial[0].frame = model.find_frame("chest");
  command.spatial[0].axes = {false, false, false, true, true, true};
  command.spatial[0].weights.setConstant(kScale);
  command.privileged.on = true;
  command.privileged.weights.setConstant(model.joint_count(), 0.1 * kScale);
  for (std::size_t c = 0; c < 2; ++c) {
    command.contacts[c].on = true;
    command.contacts[c].friction = 0.7;
    command.contacts[c].wrench_weights.head<3>().setConstant(1e-4 * kScale);
    command.contacts[c].wrench_weights.tail<3>().setConstant(1e-2 * kScale);
  }
  return command;
}

std::vector<JointBounds> bounds_of(const FloatingModel& model) {
  std::vector<JointBounds> bounds(static_cast<std::size_t>(model.joint_count()));
  for (JointBounds& joint : bounds) joint.torque_max = 60.0;
  return bounds;
}

void print_numbers(const char* name, const double* first, std::size_t count) {
  fmt::print("\"{}\": [", name);
  for (std::size_t i = 0; i < count; ++i) fmt::print("{}{:.17g}", i == 0 ? "" : ", ", first[i]);
  fmt::print("]");
}

void answer(const std::string& path) {
  const Mjcf mjcf = load_mjcf(path);
  FloatingModel model(mjcf);
  WholeBodyCore core(model, {sole(model, "l_sole", 1.0), sole(model, "r_sole", -1.0)},
                     bounds_of(model), settings());
  WholeBodyCommand command = command_of(model);
  const Eigen::Vector3d goal = model.com();
  FrameGoal upright;
  upright.rotation = model.rotation(command.spatial[0].frame);
  const ByJoint posture = Eigen::Map<const Eigen::VectorXd>(model.q().data(), model.joint_count());
  const auto joints = static_cast<std::size_t>(model.joint_count());

  fmt::print("{{\"joints\": [");
  for (std::size_t i = 0; i < joints; ++i) {
    fmt::print("{}\"{}\"", i == 0 ? "" : ", ", model.joints()[i].name);
  }
  fmt::print("], \"mass\": {:.17g}, ", model.mass());
  const BaseState start = model.base();
  print_numbers("position", start.position.data(), 3);
  fmt::print(", ");
  print_numbers("orientation", start.orientation.data(), 4);
  fmt::print(", ");
  print_numbers("q", model.q().data(), joints);
  fmt::print("}}\n");
  std::fflush(stdout);

  std::size_t count = 0;
  while (std::cin >> count) {
    std::vector<State> states;
    for (std::size_t i = 0; i < count; ++i) states.push_back(read_state(joints));
    std::string lines;
    for (const State& state : states) {
      const double begun = thread_us();
      model.update(state.base, state.q, state.v);
      command.momentum.rate = momentum_towards(model, goal, FeedbackGains::critical(100.0), 0.0);
      command.spatial[0].acceleration =
          towards(model, command.spatial[0].frame, upright, {}, FeedbackGains::critical(100.0));
      joints_towards(model, posture, FeedbackGains::critical(100.0),
                     command.privileged.acceleration);
      for (std::size_t c = 0; c < 2; ++c) {
        command.contacts[c].acceleration = -20.0 * model.twist(core.contacts()[c].frame);
      }
      const WholeBodySolution& solved = core.solve(model, command);
      const double took = thread_us() - begun;
      lines +=
          fmt::format("{:.3f} {}", took, static_cast<int>(solved.outcome == CoreOutcome::kSolved));
      for (Eigen::Index j = 0; j < solved.torque.size(); ++j) {
        lines += fmt::format(" {:.17g}", solved.torque[j]);
      }
      lines += "\n";
    }
    fmt::print("{}", lines);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace jointrig::bench

int main(int count, char** arguments) {
  try {
    if (count != 2) {
      std::cerr << "usage: wholebody_states MODEL\n";
      return 2;
    }
    jointrig::bench::answer(arguments[1]);
  } catch (const std::exception& error) {
    std::cerr << "wholebody_states: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
