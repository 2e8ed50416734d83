// Inner values of the whole-body controller: what log and panel show follows from kinematics and
// statics that are computed here, by MuJoCo and by hand.

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cmath>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/rig/rig.h"
#include "control/exchange/robot_client.h"
#include "control/model/mjcf.h"
#include "control/wholebody/feedback.h"
#include "tests/support/alloc_guard.h"

namespace jointrig {
namespace {

constexpr double kMass = 33.06;  // [kg], of the published model
constexpr double kGravity = 9.81;

RobotConfig free_icub() {
  return app::load_robot(harness::find_robot("icub"),
                         [](RobotConfig& config) {
                           config.pin_base = false;
                           config.scene_path = "scenes/empty_floor.xml";
                         })
      .config;
}

/// The iCub that stands by its controller, its signals by name, and the model's kinematics.
struct SeenIcub {
  explicit SeenIcub(const RobotConfig& config = free_icub())
      : rig(config, {}), client(rig.stack().config(), rig.stack().inbox(), "test") {
    rig.start();
    run(1);
    const JointSet all = client.select("all");
    client.set_mode(all, ModeRequest::kPosition);
    run(300);
    client.set_mode(all, ModeRequest::kTorque);
    run(1500);
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) rig.loop().step();
  }
  const Snapshot& now() { return rig.stack().snapshot(); }
  double signal(std::string_view name) {
    const std::vector<LawSignal>& known = rig.stack().config().laws[0].signals;
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i].name == name) return now().law_signals[i];
    }
    ADD_FAILURE() << "no signal " << name;
    return 0.0;
  }
  Eigen::Vector3d three(const std::string& name) {
    return {signal(name + "_x"), signal(name + "_y"), signal(name + "_z")};
  }
  Eigen::Quaterniond turn(const std::string& name) {
    return {signal(name + "_qw"), signal(name + "_qx"), signal(name + "_qy"), signal(name + "_qz")};
  }
  double q_of(const std::string& joint) {
    const RobotConfig& config = rig.stack().config();
    for (std::size_t i = 0; i < config.joints.size(); ++i) {
      if (config.joints[i].name == joint) return now().joints[i].state.q;
    }
    return std::nan("");
  }
  /// MuJoCo's kinematics of the published file, at the positions of this cycle.
  void place() {
    const mjModel& m = *mjcf.as_written;
    std::copy_n(now().base.position.begin(), 3, data->qpos);
    std::copy_n(now().base.orientation.begin(), 4, data->qpos + 3);
    for (int j = 1; j < m.njnt; ++j) {
      data->qpos[m.jnt_qposadr[j]] = q_of(mj_id2name(&m, mjOBJ_JOINT, j));
    }
    mj_kinematics(&m, data.get());
    mj_comPos(&m, data.get());
  }
  Eigen::Vector3d site(const char* name) {
    return Eigen::Vector3d(data->site_xpos +
                           3 * mj_name2id(mjcf.as_written.get(), mjOBJ_SITE, name));
  }
  Eigen::Matrix3d axes(mjtObj kind, const char* name) {
    const int id = mj_name2id(mjcf.as_written.get(), kind, name);
    const mjtNum* at = kind == mjOBJ_SITE ? data->site_xmat + 9 * id : data->xmat + 9 * id;
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(at);
  }
  void post(const Request& request) {
    client.post(request);
    run(2);
  }

  app::Rig rig;
  RobotClient client;
  Mjcf mjcf = load_mjcf("models/icub/icub.xml");
  DataPtr data = make_data(*mjcf.as_written, "models/icub/icub.xml");
};

WaypointRows one_row(std::initializer_list<double> numbers) {
  WaypointRows rows;
  for (const double number : numbers) rows.push_back(number);
  return rows;
}

TEST(WholeBodyValues, EachSignalHasANameOfItsOwnAndSaysWhatItMeans) {
  SeenIcub robot;
  std::set<std::string> names;
  for (const LawSignal& one : robot.rig.stack().config().laws[0].signals) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    EXPECT_FALSE(one.meaning.empty()) << one.name;
  }
  for (const LawSignal& one : robot.rig.stack().config().laws[0].signals) {
    EXPECT_TRUE(std::isfinite(robot.signal(one.name))) << one.name;
  }
}

TEST(WholeBodyValues, JointsWhoseNamesDifferInMarksAloneHaveSignalsOfTheirOwn) {
  RobotConfig robot = free_icub();
  robot.joints[0].name = "l knee";
  robot.joints[1].name = "l-knee";
  std::set<std::string> names;
  const std::vector<BodySignalWords> words = body_signals(robot);
  for (const BodySignalWords& one : words) names.insert(one.name);
  EXPECT_EQ(names.size(), words.size());
  EXPECT_TRUE(names.contains("joint_l_knee_error"));
  EXPECT_TRUE(names.contains("joint_l_knee_error_2"));
}

TEST(WholeBodyValues, TheCentreOfMassIsWhereMuJoCoHasItAndItsErrorIsWhatIsWantedLessThat) {
  SeenIcub robot;
  robot.client.set_law_parameter(kWholeBodyLaw, "com_y", 0.03);
  robot.run(300);  // on its way
  robot.place();
  const Eigen::Vector3d com(robot.data->subtree_com + 3);
  EXPECT_LT((robot.three("com_place") - com).norm(), 1e-9);
  EXPECT_LT((robot.three("com_error") - (robot.three("com_wanted") - com)).norm(), 1e-9);
  EXPECT_GT(std::abs(robot.signal("com_error_y")), 1e-4);
  EXPECT_EQ(robot.signal("com_weight_z"), robot.rig.stack().config().whole_body->com_weight);
  PelvisHeight height;
  height.id = 1;
  height.waypoints = one_row({1.0, robot.signal("pelvis_height")});
  robot.post(height);
  EXPECT_EQ(robot.signal("com_weight_z"), 0.0) << "the pelvis leads its height";
  EXPECT_EQ(robot.signal("height_weight"), robot.rig.stack().config().whole_body->height_weight);
  EXPECT_NEAR(robot.signal("height_error"),
              robot.signal("height_wanted") - robot.signal("pelvis_height"), 1e-12);
}

// dp/dt = Σ f - m g: over any time the momentum gains what the contact forces leave of the weight.
TEST(WholeBodyValues, ContactForcesAreTheWeightAndWhatTheCentreOfMassIsAcceleratedBy) {
  SeenIcub robot;
  robot.run(2000);
  const Eigen::Vector3d rest = robot.three("left_force") + robot.three("right_force");
  EXPECT_NEAR(rest.z(), kMass * kGravity, 0.5);
  EXPECT_LT(rest.head<2>().norm(), 0.5);
  for (const std::string foot : {"left", "right"}) {
    EXPECT_NEAR(robot.signal(foot + "_force"), robot.three(foot + "_force").norm(), 1e-12);
  }

  PelvisHeight squat;
  squat.id = 1;
  squat.waypoints = one_row({1.0, robot.signal("pelvis_height") - 0.04});
  robot.post(squat);
  constexpr double kDt = 1e-3;
  std::vector<double> height;
  std::vector<double> over;  // the weight [N]
  for (int i = 0; i < 700; ++i) {
    robot.run(1);
    height.push_back(robot.signal("com_place_z"));
    over.push_back(robot.signal("left_force_z") + robot.signal("right_force_z") - kMass * kGravity);
  }
  const auto velocity = [&](std::size_t k) {
    return (height[k + 10] - height[k - 10]) / (20 * kDt);
  };
  // Down by 4 cm in 1 s: fastest, 7.5 cm/s, after half of it.
  constexpr std::size_t kFrom = 20;
  constexpr std::size_t kTo = 500;
  double impulse = 0.0;
  for (std::size_t k = kFrom; k < kTo; ++k) impulse += over[k] * kDt;
  const double gained = kMass * (velocity(kTo) - velocity(kFrom));
  EXPECT_LT(gained, -1.5);
  EXPECT_NEAR(impulse, gained, 0.05 * std::abs(gained));
}

TEST(WholeBodyValues, ThePressureOfEachSoleIsInsideItAndItsEdgesAreCounted) {
  SeenIcub robot;
  robot.run(2000);
  robot.place();
  double edges = 0.0;
  for (const auto& [foot, sole] : {std::pair{"left", "l_sole"}, std::pair{"right", "r_sole"}}) {
    const Eigen::Matrix3d to_sole = robot.axes(mjOBJ_SITE, sole).transpose();
    const Eigen::Vector3d f = to_sole * robot.three(std::string(foot) + "_force");
    const Eigen::Vector3d t = to_sole * robot.three(std::string(foot) + "_torque");
    // In the plane of the sole, 10.5 mm below its frame.
    const double x = (-0.0105 * f.x() - t.y()) / f.z();
    const double y = (t.x() - 0.0105 * f.y()) / f.z();
    EXPECT_LT(std::abs(x - 0.0265), 0.08);
    EXPECT_LT(std::abs(y), 0.041);
    edges += robot.signal(std::string(foot) + "_edges");
    EXPECT_EQ(robot.signal(std::string(foot) + "_gave_way"), 0.0);
  }
  EXPECT_EQ(edges, robot.signal("active_edges"));
}

TEST(WholeBodyValues, AHandOnItsWayIsWantedWhereItsPathHasItAndIsOffByTheRest) {
  SeenIcub robot;
  EXPECT_EQ(robot.signal("left_hand_weight_x"), 0.0) << "nothing is wanted of it yet";
  robot.place();
  const Eigen::Vector3d from = robot.site("l_palm");
  const Eigen::Quaterniond at(robot.axes(mjOBJ_SITE, "l_palm"));
  HandTrajectory up;
  up.id = 1;
  up.given_in = PointFrame::kWorld;
  up.weights[0] = 4.0;
  up.left_out[2] = true;
  up.waypoints =
      one_row({1.0, from.x() + 0.04, from.y(), from.z(), at.w(), at.x(), at.y(), at.z()});
  robot.post(up);
  robot.run(500 - 2);
  robot.place();
  const Eigen::Vector3d here = robot.site("l_palm");
  // Half-way after half the time, from where it was when the message came.
  EXPECT_NEAR(robot.signal("left_hand_wanted_x"), from.x() + 0.02, 5e-4);
  EXPECT_LT((robot.three("left_hand_error") - (robot.three("left_hand_wanted") - here)).norm(),
            1e-9);
  EXPECT_NEAR(robot.signal("left_hand_error"), robot.three("left_hand_error").norm(), 1e-9);
  const Eigen::Matrix3d wanted = robot.turn("left_hand_wanted").toRotationMatrix();
  const Eigen::Vector3d left = turn_between(robot.axes(mjOBJ_SITE, "l_palm"), wanted);
  EXPECT_LT((robot.three("left_hand_turn") - left).norm(), 1e-9);
  const double own = robot.rig.stack().config().whole_body->hand_weight;
  EXPECT_EQ(robot.signal("left_hand_weight_x"), 4.0);
  EXPECT_EQ(robot.signal("left_hand_weight_y"), own);
  EXPECT_EQ(robot.signal("left_hand_weight_z"), 0.0) << "left out";
  EXPECT_EQ(robot.signal("left_hand_turn_weight_x"), own);
  EXPECT_EQ(robot.signal("right_hand_weight_x"), 0.0);
}

TEST(WholeBodyValues, AJointIsWantedInItsPostureOrWhereAMessageMovesIt) {
  SeenIcub robot;
  const WholeBodyConfig& body = *robot.rig.stack().config().whole_body;
  EXPECT_EQ(robot.signal("joint_l_elbow_weight"), body.posture_weight);
  EXPECT_NEAR(robot.signal("joint_l_elbow_wanted"), 0.75, 0.01) << "of the start";
  ArmJointTrajectory bend;
  bend.id = 1;
  bend.waypoints = one_row({1.0, -0.3, 0.35, 0.0, 1.15, 0.0, 0.0, 0.0});
  robot.post(bend);
  robot.run(500 - 2);
  EXPECT_NEAR(robot.signal("joint_l_elbow_wanted"), 0.95, 5e-3);
  EXPECT_NEAR(robot.signal("joint_l_elbow_error"),
              robot.signal("joint_l_elbow_wanted") - robot.q_of("l_elbow"), 1e-12);
  EXPECT_EQ(robot.signal("joint_l_elbow_weight"), body.arm_weight);
  EXPECT_EQ(robot.signal("joint_r_elbow_weight"), body.posture_weight);
  EXPECT_EQ(robot.signal("joint_l_elbow_held"), 0.0);
}

TEST(WholeBodyValues, TheChestIsHeldUprightAndTheBodyHasItsSpin) {
  SeenIcub robot;
  robot.place();
  const Eigen::Matrix3d wanted = robot.turn("chest_wanted").toRotationMatrix();
  const Eigen::Vector3d left = turn_between(robot.axes(mjOBJ_BODY, "chest"), wanted);
  EXPECT_LT((robot.three("chest_turn") - left).norm(), 1e-9);
  EXPECT_NEAR(robot.signal("chest_error"), left.norm(), 1e-9);
  EXPECT_EQ(robot.signal("chest_turn_weight_z"),
            robot.rig.stack().config().whole_body->upright_weight);
  EXPECT_EQ(robot.signal("head_turn_weight_z"), 0.0) << "left to its posture";
  EXPECT_LT(robot.three("spin").norm(), 0.05) << "at rest";
}

TEST(WholeBodyValues, TheyAreZeroOnceItNoLongerStands) {
  SeenIcub robot;
  EXPECT_NEAR(robot.signal("com_wanted_z"), 0.55, 0.05);
  EXPECT_EQ(robot.signal("attempts"), 1.0);
  robot.client.set_mode(robot.client.select("all"), ModeRequest::kPosition);
  robot.run(5);
  for (const char* one : {"com_wanted_z", "attempts", "left_force_z", "joint_l_elbow_wanted"}) {
    EXPECT_EQ(robot.signal(one), 0.0) << one;
  }
}

TEST(WholeBodyValues, ShowingThemAllocatesNothing) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  SeenIcub robot;
  RealtimeGuard guard;
  robot.run(100);
  const ViolationCounts counts = guard.violations();
  EXPECT_EQ(counts, kNoViolations) << guard.report();
}

/// The elbow's link has some 0.02 kg m², its motor 0.14 in the model.
TEST(WholeBodyValues, AMotorInertiaOfRobotYamlCountsInTheProgram) {
  RobotConfig heavy = free_icub();
  for (JointConfig& joint : heavy.joints) {
    if (joint.name == "l_elbow") joint.board.armature = 0.6;
  }
  SeenIcub robot(heavy);
  constexpr double kWanted = 1.5;  // [rad/s²]
  ArmDesiredAccelerations bend;
  const auto elbow_speed = [&] {
    const double before = robot.q_of("l_elbow");
    robot.run(1);
    return (robot.q_of("l_elbow") - before) / 1e-3;
  };
  double start = 0.0;
  constexpr int kCycles = 200;
  for (int i = 0; i < kCycles; ++i) {
    bend.id = static_cast<MessageId>(i + 1);
    bend.accelerations.clear();
    for (const double a : {0.0, 0.0, 0.0, kWanted, 0.0, 0.0, 0.0}) bend.accelerations.push_back(a);
    robot.client.post(bend);
    if (i == 50) start = elbow_speed();
    if (i != 50) robot.run(1);
  }
  const double gained = elbow_speed() - start;
  EXPECT_NEAR(gained, kWanted * 1e-3 * (kCycles - 50), 0.08 * kWanted * 0.15);
}

}  // namespace
}  // namespace jointrig
