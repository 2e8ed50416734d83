// wholebody_states icub|talos MODEL
//
// The core of whole-body control in given states, for bench/peers/whole_body_peers.py: so many
// tasks and weights as are in its lines, no more.
//
// Standard input, numbers apart by blanks. A state is
//     base's position (3), orientation (w x y z), linear velocity in the world (3), angular
//     velocity in the base (3), joints' positions, joints' velocities
// First comes one that all tasks want, at rest. Then batches: count, and so many states.
// Standard output: first the joints' names, the model's mass and the start pose, one JSON line.
// Then one line per state: thread time of the whole computation in µs, 1 if it was solved,
// iterations of the solver, torques.

#include <fmt/core.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <exception>
#include <iostream>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
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

struct Sole {
  const char* frame;
  Eigen::Vector3d centre;  ///< in the frame; wrenches are weighed about it [m]
};

struct Robot {
  const char* torso;
  std::array<Sole, 2> soles;
  Eigen::Vector2d half;  ///< length and width of half a sole [m]
  double friction;
  double force_max;      ///< along the normal of a sole [N]
  double torque_max;     ///< [N m]
  double torque_weight;  ///< of squares of torques [1/(N m)²]
};

/// As its peer has it. The pyramid of Talos is TSID's, around the cone of 0.3.
Robot robot_of(const std::string& name) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  if (name == "icub") {
    const std::array<Sole, 2> soles{
        {{"l_sole", {0.0265, 0.005, -0.0105}}, {"r_sole", {0.0265, -0.005, -0.0105}}}};
    return {"chest", soles, {0.08, 0.036}, 0.7, kNone, 60.0, 1e-3 * kScale};
  }
  if (name == "talos") {
    const std::array<Sole, 2> soles{
        {{"leg_left_6_link", {0.0, 0.0, -0.107}}, {"leg_right_6_link", {0.0, 0.0, -0.107}}}};
    return {"torso_2_link", soles, {0.1, 0.065}, 0.3 * std::numbers::sqrt2, 1000.0, kNone, 0.0};
  }
  throw std::runtime_error("there is no robot \"" + name + "\": icub or talos is meant");
}

std::vector<ContactSetup> contacts_of(const FloatingModel& model, const Robot& robot) {
  std::vector<ContactSetup> contacts;
  for (const Sole& sole : robot.soles) {
    ContactSetup contact{sole.frame, model.find_frame(sole.frame), {}};
    contact.frame.position += contact.frame.rotation * sole.centre;
    for (const double x : {-1.0, 1.0}) {
      for (const double y : {-1.0, 1.0}) {
        contact.points.emplace_back(x * robot.half.x(), y * robot.half.y(), 0.0);
      }
    }
    contacts.push_back(contact);
  }
  return contacts;
}

CoreSettings settings_of(const Robot& robot) {
  CoreSettings settings;
  settings.acceleration_weight = 1e-8;
  settings.force_weight = 1e-8;
  settings.torque_weight = robot.torque_weight;
  settings.acceleration_max = 1e4;
  return settings;
}

WholeBodyCommand command_of(const FloatingModel& model, const Robot& robot) {
  WholeBodyCommand command;
  command.momentum.on = true;
  command.momentum.axes = {true, true, true, false, false, false};
  command.momentum.weights.setConstant(kScale / (model.mass() * model.mass()));
  command.spatial[0].on = true;
  command.spatial[0].frame = model.find_frame(robot.torso);
  command.spatial[0].axes = {false, false, false, true, true, true};
  command.spatial[0].weights.setConstant(kScale);
  command.privileged.on = true;
  command.privileged.weights.setConstant(model.joint_count(), 0.1 * kScale);
  for (std::size_t c = 0; c < robot.soles.size(); ++c) {
    command.contacts[c].on = true;
    command.contacts[c].friction = robot.friction;
    command.contacts[c].force_max = robot.force_max;
    command.contacts[c].wrench_weights.head<3>().setConstant(1e-4 * kScale);
    command.contacts[c].wrench_weights.tail<3>().setConstant(1e-2 * kScale);
  }
  return command;
}

void print_numbers(const char* name, const double* first, std::size_t count) {
  fmt::print("\"{}\": [", name);
  for (std::size_t i = 0; i < count; ++i) fmt::print("{}{:.17g}", i == 0 ? "" : ", ", first[i]);
  fmt::print("]");
}

void print_head(const FloatingModel& model) {
  fmt::print("{{\"joints\": [");
  const char* apart = "";
  for (const FloatingModel::Joint& joint : model.joints()) {
    fmt::print("{}\"{}\"", std::exchange(apart, ", "), joint.name);
  }
  fmt::print("], \"mass\": {:.17g}, ", model.mass());
  const BaseState start = model.base();
  print_numbers("position", start.position.data(), 3);
  fmt::print(", ");
  print_numbers("orientation", start.orientation.data(), 4);
  fmt::print(", ");
  print_numbers("q", model.q().data(), model.q().size());
  fmt::print("}}\n");
  std::fflush(stdout);
}

/// One robot with its tasks, which all want one state.
class Controlled {
 public:
  Controlled(const Mjcf& mjcf, const Robot& robot)
      : model_(mjcf), command_(command_of(model_, robot)), bounds_(joints()) {
    for (JointBounds& joint : bounds_) joint.torque_max = robot.torque_max;
    core_.emplace(model_, contacts_of(model_, robot), bounds_, settings_of(robot));
  }

  [[nodiscard]] const FloatingModel& model() const { return model_; }
  [[nodiscard]] std::size_t joints() const { return model_.joints().size(); }

  void want(const State& state) {
    model_.update(state.base, state.q, state.v);
    com_ = model_.com();
    upright_.rotation = model_.rotation(command_.spatial[0].frame);
    posture_ = Eigen::Map<const Eigen::VectorXd>(state.q.data(), model_.joint_count());
  }

  /// A line of the answer.
  std::string solve(const State& state) {
    constexpr double kStiffness = 100.0;
    const FeedbackGains gains = FeedbackGains::critical(kStiffness);
    const double begun = thread_us();
    model_.update(state.base, state.q, state.v);
    command_.momentum.rate = momentum_towards(model_, com_, gains, 0.0);
    SpatialTask& torso = command_.spatial[0];
    torso.acceleration = towards(model_, torso.frame, upright_, {}, gains);
    joints_towards(model_, posture_, gains, command_.privileged.acceleration);
    for (std::size_t c = 0; c < core_->contacts().size(); ++c) {
      command_.contacts[c].acceleration = -20.0 * model_.twist(core_->contacts()[c].frame);
    }
    const WholeBodySolution& solved = core_->solve(model_, command_);
    const double took = thread_us() - begun;
    const int is_solved = solved.outcome == CoreOutcome::kSolved ? 1 : 0;
    std::string line = fmt::format("{:.3f} {} {}", took, is_solved, solved.iterations);
    for (const double torque : solved.torque) line += fmt::format(" {:.17g}", torque);
    return line + "\n";
  }

 private:
  FloatingModel model_;
  WholeBodyCommand command_;
  std::vector<JointBounds> bounds_;
  std::optional<WholeBodyCore> core_;
  Eigen::Vector3d com_ = Eigen::Vector3d::Zero();
  FrameGoal upright_;
  ByJoint posture_;
};

void answer(const std::string& robot, const std::string& path) {
  Controlled controlled(load_mjcf(path), robot_of(robot));
  print_head(controlled.model());
  controlled.want(read_state(controlled.joints()));
  std::size_t count = 0;
  while (std::cin >> count) {
    std::vector<State> states;
    for (std::size_t i = 0; i < count; ++i) states.push_back(read_state(controlled.joints()));
    std::string lines;
    for (const State& state : states) lines += controlled.solve(state);
    fmt::print("{}", lines);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace jointrig::bench

int main(int count, char** arguments) {
  try {
    if (count != 3) {
      std::cerr << "usage: wholebody_states icub|talos MODEL\n";
      return 2;
    }
    jointrig::bench::answer(arguments[1], arguments[2]);
  } catch (const std::exception& error) {
    std::cerr << "wholebody_states: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
