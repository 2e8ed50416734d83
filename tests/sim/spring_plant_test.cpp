#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sim/sim_backend.h"
#include "tests/sim/odd_robot.h"

namespace jointrig::sim {
namespace {

constexpr double kG = 9.81;

/// Two kilograms on a slide, pulled through a spring by a motor of half a kilogram.
RobotConfig sprung_slider(const TemporaryFile& file) {
  RobotConfig robot = slider_robot(file);
  robot.joints[0].board.spring_stiffness = 900.0;
  robot.joints[0].board.armature = 0.5;
  return robot;
}

void run(Plant& plant, int cycles) {
  for (int i = 0; i < cycles; ++i) ASSERT_TRUE(plant.step()) << plant.breakdown();
}

TEST(SprungPlant, ASpringThatCarriesAWeightGivesWayByForceOverStiffness) {
  const TemporaryFile file(kSlider);
  RobotConfig robot = sprung_slider(file);
  robot.joints[0].board.spring_damping = 20.0;
  Plant plant(robot);
  plant.set_torque(0, 2 * kG);
  run(plant, 3000);
  const JointTruth joint = plant.joint(0);
  // It swings about a motor that is pushed as hard as the weight pulls: both drift together.
  EXPECT_NEAR(joint.deflection, 2 * kG / 900.0, 1e-6);
  EXPECT_NEAR(joint.deflection_speed, 0.0, 1e-6);
  EXPECT_NEAR(plant.torque(0), 2 * kG, 1e-4);
}

TEST(SprungPlant, SwingsAtTheFrequencyOfTwoMassesOnASpring) {
  const TemporaryFile file(kSlider);
  Plant plant(sprung_slider(file), {.obstacles = {}, .payload_bodies = {}, .substeps = 4});
  plant.set_torque(0, 2 * kG);
  const double rest = 2 * kG / 900.0;
  double first = -1;
  double last = 0;
  int rises = 0;
  for (int i = 1; rises <= 20 && i < 5000; ++i) {
    const double before = plant.joint(0).deflection - rest;
    run(plant, 1);
    const double now = plant.joint(0).deflection - rest;
    if (before > 0 || now <= 0) continue;
    last = (i - now / (now - before)) * 1e-3;
    if (rises++ == 0) first = last;
  }
  const double w = std::sqrt(900.0 * (1 / 0.5 + 1 / 2.0));
  EXPECT_NEAR(2 * std::numbers::pi * 20 / (last - first), w, 2e-3 * w);
}

TEST(SprungPlant, FallsTogetherWithItsMotorAsOneMass) {
  const TemporaryFile file(kSlider);
  RobotConfig robot = sprung_slider(file);
  robot.joints[0].board.spring_damping = 20.0;
  Plant plant(robot);
  run(plant, 1000);
  // Gravity pulls the carriage alone: m g on m + J. A motor on a rotor has no weight along it.
  EXPECT_NEAR(plant.joint(0).v, -2 * kG / 2.5, 0.01);
}

TEST(SprungPlant, ASavedStateGoesOnToTheSameBits) {
  const TemporaryFile file(kSlider);
  Plant plant(sprung_slider(file));
  plant.set_torque(0, 25.0);
  run(plant, 100);
  const PlantState saved = plant.save();
  run(plant, 100);
  StateHash after;
  plant.add_to(after);
  const JointTruth there = plant.joint(0);
  plant.restore(saved);
  run(plant, 100);
  StateHash again;
  plant.add_to(again);
  EXPECT_EQ(again.value(), after.value());
  EXPECT_EQ(plant.joint(0).deflection, there.deflection);
}

TEST(SprungPlant, StartsAnewWithSlackSprings) {
  const TemporaryFile file(kSlider);
  Plant plant(sprung_slider(file));
  plant.set_torque(0, 25.0);
  run(plant, 100);
  EXPECT_NE(plant.joint(0).deflection, 0.0);
  plant.reset();
  EXPECT_EQ(plant.joint(0).deflection, 0.0);
  EXPECT_EQ(plant.joint(0).deflection_speed, 0.0);
}

TEST(SprungPlant, RefusesAnIntegratorThatWouldTakeItsDampingExplicitly) {
  std::string xml = kSlider;
  const std::string gravity = "gravity=\"0 0 -9.81\"";
  xml.replace(xml.find(gravity), gravity.size(), gravity + " integrator=\"RK4\"");
  const TemporaryFile file(xml);
  try {
    const Plant plant(sprung_slider(file));
    FAIL() << "a spring under Runge-Kutta was taken";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("joint \"lift\" has a spring"), std::string::npos);
  }
}

TEST(SprungPlant, ItsBoardHoldsAWeightThroughTheSpring) {
  const TemporaryFile file(kSlider);
  RobotConfig robot = sprung_slider(file);
  SimBackend sim(robot);
  sim.start();
  RobotState state;
  RobotCommand command;
  command.joints.resize(1);
  command.joints[0].drive = DriveMode::kTorque;
  command.joints[0].tau = 2 * kG;
  for (int i = 0; i < 1000 && sim.wait().is_due; ++i) {
    sim.read(state);
    command.cycle = state.cycle;
    sim.write(command);
  }
  EXPECT_NEAR(state.joints[0].tau, 2 * kG, 0.02);
  // Until its torque has built up it falls: a critically damped rise lacks 2/w of a step's time, a
  // command takes a cycle or two to act.
  const double w = 2 * std::numbers::pi * robot.joints[0].board.deflection_bandwidth_hz;
  EXPECT_NEAR(sim.truth(0).v, -kG * (2 / w + 2.5e-3), kG * 1e-3);
}

}  // namespace
}  // namespace jointrig::sim
