// wholebody_bench [--seconds N]
//
// The core of whole-body control on the iCub that stands in MuJoCo and is pushed every second,
// cycle by cycle, by turns with the step of the physics: the same process, the same states.
//
// Prints JSON: median and 99th percentile in µs of the model's update, of the program (set up and
// solved), of both, and of mj_step; the quotient of the medians of both and mj_step; the solver's
// iterations.

#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "control/wholebody/core.h"
#include "control/wholebody/feedback.h"

namespace jointrig::bench {
namespace {

const char* const kBody = "models/icub/icub.xml";

double at_share(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

std::string quartiles(const std::string& name, const std::vector<double>& values) {
  return fmt::format("  \"{}\": {{\"p50\": {:.2f}, \"p99\": {:.2f}}},\n", name,
                     at_share(values, 0.5), at_share(values, 0.99));
}

ContactSetup box_of_foot(const FloatingModel& model, const std::string& site, double outward) {
  ContactSetup contact{site, model.find_frame(site), {}};
  for (const double x : {-0.08, 0.08}) {
    for (const double y : {-0.036, 0.036}) {
      contact.points.emplace_back(0.0265 + x, 0.005 * outward + y, -0.0105);
    }
  }
  return contact;
}

/// Stands, with tasks for momentum, chest, posture and both soles.
WholeBodyCommand standing(const FloatingModel& model) {
  WholeBodyCommand command;
  command.momentum.on = true;
  command.momentum.weights << 1.0, 1.0, 1.0, 0.02, 0.02, 0.02;
  command.spatial[0].on = true;
  command.spatial[0].frame = model.find_frame("chest");
  command.spatial[0].axes = {false, false, false, true, true, true};
  command.privileged.on = true;
  command.privileged.weights.setConstant(model.joint_count(), 0.1);
  for (std::size_t c = 0; c < 2; ++c) {
    command.contacts[c].on = true;
    command.contacts[c].friction = 0.7;
  }
  return command;
}

std::vector<JointBounds> limits_of(const FloatingModel& model, const mjModel& plant) {
  std::vector<JointBounds> bounds;
  for (const FloatingModel::Joint& joint : model.joints()) {
    const int motor = mj_name2id(&plant, mjOBJ_ACTUATOR, joint.name.c_str());
    bounds.push_back({joint.low, joint.high, 3.5, plant.actuator_ctrlrange[2 * motor + 1]});
  }
  return bounds;
}

void measure(double seconds) {
  Mjcf mjcf = load_mjcf(kBody);
  FloatingModel model(mjcf);
  WholeBodyCore core(model, {box_of_foot(model, "l_sole", 1.0), box_of_foot(model, "r_sole", -1.0)},
                     limits_of(model, *mjcf.as_written));
  mjsGeom* floor = mjs_addGeom(mjs_findBody(mjcf.spec.get(), "world"), nullptr);
  floor->type = mjGEOM_PLANE;
  floor->size[0] = floor->size[1] = floor->size[2] = 1.0;
  const ModelPtr plant = compile(mjcf);
  const DataPtr data = make_data(*plant, kBody);
  apply(mjcf.start, *plant, *data);

  WholeBodyCommand command = standing(model);
  Eigen::Vector3d goal = model.com();
  goal.x() = model.position(core.contacts()[0].frame).x() + 0.0265;
  FrameGoal upright;
  upright.rotation = model.rotation(command.spatial[0].frame);
  const ByJoint posture = Eigen::Map<const Eigen::VectorXd>(model.q().data(), model.joint_count());
  const int chest = mj_name2id(plant.get(), mjOBJ_BODY, "chest");

  using Clock = std::chrono::steady_clock;
  const auto us = [](Clock::duration span) {
    return std::chrono::duration<double, std::micro>(span).count();
  };
  std::vector<double> updates;
  std::vector<double> solves;
  std::vector<double> cycles;
  std::vector<double> steps;
  std::vector<double> iterations;
  int unsolved = 0;
  const int count = static_cast<int>(std::lround(seconds * 1000.0));
  for (int i = 0; i < count; ++i) {
    BaseState base;
    std::copy_n(data->qpos, 3, base.position.begin());
    std::copy_n(data->qpos + 3, 4, base.orientation.begin());
    std::copy_n(data->qvel, 3, base.linear_velocity.begin());
    std::copy_n(data->qvel + 3, 3, base.angular_velocity.begin());
    const auto joints = static_cast<std::size_t>(model.joint_count());

    const auto begun = Clock::now();
    model.update(base, {data->qpos + 7, joints}, {data->qvel + 6, joints});
    const auto updated = Clock::now();
    command.momentum.rate = momentum_towards(model, goal, FeedbackGains::critical(60.0), 2.0);
    command.spatial[0].acceleration =
        towards(model, command.spatial[0].frame, upright, {}, FeedbackGains::critical(50.0));
    joints_towards(model, posture, FeedbackGains::critical(50.0), command.privileged.acceleration);
    for (std::size_t c = 0; c < 2; ++c) {
      command.contacts[c].acceleration = -20.0 * model.twist(core.contacts()[c].frame);
    }
    const WholeBodySolution& answer = core.solve(model, command);
    const auto solved = Clock::now();

    for (int j = 0; j < model.joint_count(); ++j) {
      const auto& name = model.joints()[static_cast<std::size_t>(j)].name;
      data->ctrl[mj_name2id(plant.get(), mjOBJ_ACTUATOR, name.c_str())] = answer.torque[j];
    }
    // A push of half the bound ω d, forward and to the left by turns.
    const bool pushed = i % 1000 < 100;
    const bool forward = i / 1000 % 2 == 0;
    data->xfrc_applied[6 * chest] = pushed && forward ? 33.06 * 0.17 / 0.1 : 0.0;
    data->xfrc_applied[6 * chest + 1] = pushed && !forward ? 33.06 * 0.24 / 0.1 : 0.0;
    const auto stepping = Clock::now();
    mj_step(plant.get(), data.get());
    const auto stepped = Clock::now();

    updates.push_back(us(updated - begun));
    solves.push_back(us(solved - updated));
    cycles.push_back(us(solved - begun));
    steps.push_back(us(stepped - stepping));
    iterations.push_back(answer.iterations);
    unsolved += answer.outcome == CoreOutcome::kSolved ? 0 : 1;
  }
  fmt::print("{{\n  \"cycles\": {},\n  \"not_solved\": {},\n", count, unsolved);
  fmt::print("{}{}{}{}", quartiles("update_us", updates), quartiles("program_us", solves),
             quartiles("both_us", cycles), quartiles("mj_step_us", steps));
  fmt::print("{}  \"both_of_mj_step\": {:.2f}\n}}\n", quartiles("iterations", iterations),
             at_share(cycles, 0.5) / at_share(steps, 0.5));
}

}  // namespace
}  // namespace jointrig::bench

int main(int count, char** arguments) {
  try {
    double seconds = 10.0;
    const std::vector<std::string> words(arguments + 1, arguments + count);
    if (words.size() == 2 && words[0] == "--seconds") {
      seconds = std::stod(words[1]);
    } else if (!words.empty()) {
      std::cerr << "usage: wholebody_bench [--seconds N]\n";
      return 2;
    }
    if (!(seconds >= 0.1 && seconds <= 3600.0)) {
      std::cerr << "wholebody_bench: --seconds " << words[1] << ": expected 0.1 to 3600\n";
      return 2;
    }
    jointrig::bench::measure(seconds);
  } catch (const std::exception& error) {
    std::cerr << "wholebody_bench: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
