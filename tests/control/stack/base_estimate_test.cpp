// The base of the iCub as the stack estimates it from IMU, encoders and feet, with the simulation's
// truth as the judge. scenarios/whole_body has it standing, pushed and without its sensors.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "harness/log/event_text.h"

namespace jointrig {
namespace {

RobotConfig standing_icub() {
  RobotConfig config = app::load_robot(harness::find_robot("icub")).config;
  config.pin_base = false;
  config.scene_path = "scenes/empty_floor.xml";
  return config;
}

app::RigOptions on_boards() {
  app::RigOptions options;
  options.backend = BackendKind::kBoards;  // the simulation tells where the base is
  return options;
}

/// The iCub that stands by its controller.
struct Standing {
  explicit Standing(const RobotConfig& config = standing_icub())
      : rig(config, on_boards()),
        client(rig.stack().config(), rig.stack().inbox(), "test"),
        reader(rig.stack().events()) {
    rig.start();
    run(1);
    client.set_mode(client.select("all"), ModeRequest::kPosition);
    run(300);
    client.set_mode(client.select("all"), ModeRequest::kTorque);
    run(500);
  }

  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }
  void push(const sim::Vector3& force, int cycles) {
    sim::Wrench wrench;
    wrench.tag = 1;
    wrench.body = rig.plant()->body("chest");
    wrench.force = force;
    rig.plant()->apply(wrench);
    for (int i = 0; i < cycles; ++i) judge();
    rig.plant()->release(1);
  }
  /// A cycle, and the error of the estimate in it.
  void judge() {
    run(1);
    const BaseState& seen = rig.stack().snapshot().base;
    const BaseState truth = rig.plant()->base();
    for (std::size_t i = 0; i < 3; ++i) {
      place = std::max(place, std::abs(seen.position[i] - truth.position[i]));
      speed = std::max(speed, std::abs(seen.linear_velocity[i] - truth.linear_velocity[i]));
      spin = std::max(spin, std::abs(seen.angular_velocity[i] - truth.angular_velocity[i]));
    }
    double along = 0.0;
    for (std::size_t i = 0; i < 4; ++i) along += seen.orientation[i] * truth.orientation[i];
    turn = std::max(turn, 2.0 * std::acos(std::min(std::abs(along), 1.0)));
  }
  std::string last_words(EventKind kind) {
    std::string words;
    for (Event e; reader.next(e);) {
      if (e.kind == kind) words = harness::sentence(e, rig.stack().config(), "");
    }
    return words;
  }
  LawState law() { return rig.stack().snapshot().laws[0].state; }

  app::Rig rig;
  RobotClient client;
  EventRing::Reader reader;
  double place = 0.0;  // [m]
  double turn = 0.0;   // [rad]
  double speed = 0.0;  // [m/s]
  double spin = 0.0;   // [rad/s]
};

TEST(BaseOfTheIcub, IsEstimatedThroughAPush) {
  Standing robot;
  robot.push({60.0, 40.0, 0.0}, 100);
  for (int i = 0; i < 1000; ++i) robot.judge();
  ASSERT_EQ(robot.law(), LawState::kRuns);
  EXPECT_LT(robot.place, 2e-3);
  EXPECT_LT(robot.turn, 6e-3);
  EXPECT_LT(robot.speed, 0.02);
  EXPECT_LT(robot.spin, 0.01);
  EXPECT_NE(robot.place, 0.0) << "an estimate, not the truth";
}

/// The iCub with accelerometer and gyro on its head, and none on the body that floats.
RobotConfig icub_with_imu_on_head(const std::filesystem::path& folder) {
  RobotConfig config = standing_icub();
  std::stringstream text;
  text << std::ifstream(config.model_path).rdbuf();
  std::string model = text.str();
  for (std::size_t at = 0; (at = model.find("site=\"root_imu\"", at)) != std::string::npos;) {
    model.replace(at, 15, "site=\"head_imu\"");
  }
  std::filesystem::create_directories(folder);
  config.model_path = (folder / "icub.xml").string();
  std::ofstream(config.model_path) << model;
  config.whole_body->imu.site = "head_imu";
  return config;
}

TEST(BaseOfTheIcub, IsEstimatedByAnImuOnTheHeadWhileTheNeckMovesAndTheChestIsPushed) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "imu_on_head";
  {
    Standing robot(icub_with_imu_on_head(folder));
    NeckTrajectory nod;
    nod.id = 1;
    for (const double number : {1.0, -0.3, 0.2, 0.4, 2.0, 0.2, -0.2, -0.4}) {
      nod.waypoints.push_back(number);
    }
    robot.client.post(nod);
    for (int i = 0; i < 500; ++i) robot.judge();
    robot.push({60.0, 40.0, 0.0}, 100);
    for (int i = 0; i < 2000; ++i) robot.judge();
    ASSERT_EQ(robot.law(), LawState::kRuns);
    const JointSet neck = robot.client.select("neck_pitch");
    const auto& joints = robot.rig.stack().snapshot().joints;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      if (!neck.test(i)) continue;
      EXPECT_GT(std::abs(joints[i].state.q), 0.1) << "it nods";
    }
    EXPECT_LT(robot.place, 4e-3);
    EXPECT_LT(robot.turn, 8e-3);
    EXPECT_LT(robot.speed, 0.03);
    EXPECT_NE(robot.place, 0.0) << "an estimate, not the truth";
  }
  std::filesystem::remove_all(folder);
}

TEST(BaseOfTheIcub, IsEstimatedFromSensorsThatErr) {
  RobotConfig config = standing_icub();
  ImuConfig& imu = config.whole_body->imu;
  imu.acceleration_noise = 0.03;  // as of a MEMS part at 1 kHz
  imu.angular_velocity_noise = 2e-3;
  imu.angular_velocity_bias = {3e-3, -2e-3, 1e-3};
  for (FootConfig& foot : config.whole_body->feet) {
    foot.force_sensor.force_noise = 1.0;
    foot.force_sensor.torque_noise = 0.02;
  }
  Standing robot(config);
  for (int i = 0; i < 2000; ++i) robot.judge();
  ASSERT_EQ(robot.law(), LawState::kRuns);
  EXPECT_LT(robot.place, 5e-3);
  EXPECT_LT(robot.turn, 8e-3);
}

TEST(BaseOfTheIcub, ALostImuIsToldWithNameValueLimitAndWhatToDo) {
  Standing robot;
  robot.last_words(EventKind::kImu);
  sim::SimSensors& sensors = *robot.rig.sensors();
  const std::size_t imu = *sensors.find_imu("root_imu");
  sensors.inject(imu, sim::SimSensorFault::kStale, true);
  robot.run(8);
  EXPECT_EQ(robot.last_words(EventKind::kImu),
            "law whole_body: its IMU root_imu is stale: 5 samples are missing in a row, and fewer "
            "than 5 are tolerated; where the base is follows from the soles that bear alone, until "
            "it is good again: look at its supply and its wire, and don't push the robot");
  sensors.inject(imu, sim::SimSensorFault::kStale, false);
  sensors.inject(imu, sim::SimSensorFault::kSaturated, true);
  robot.run(3);
  EXPECT_EQ(
      robot.last_words(EventKind::kImu),
      "law whole_body: its IMU root_imu is saturated: its acceleration along x is 39.2006 m/s², "
      "and its range ends at 39.2 m/s²; the estimate of the base errs while that lasts: give "
      "it a wider range if it comes again");
}

// At the latest: a gyro that stands still at a wrong rate makes the robot turn by itself.
TEST(BaseOfTheIcub, AFrozenImuIsFoundOnceTheRobotTurns) {
  Standing robot;
  robot.last_words(EventKind::kImu);
  sim::SimSensors& sensors = *robot.rig.sensors();
  sensors.inject(*sensors.find_imu("root_imu"), sim::SimSensorFault::kFrozen, true);
  robot.push({60.0, 0.0, 0.0}, 100);
  robot.run(400);
  EXPECT_NE(robot.last_words(EventKind::kImu).find("root_imu is frozen"), std::string::npos);
}

}  // namespace
}  // namespace jointrig
