// The model of a robot with a floating base against MuJoCo, which reads the same file by itself.

#include "control/model/floating_model.h"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/control/discovery/published_models.h"

namespace jointrig {
namespace {

constexpr int kStates = 20;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// MuJoCo's own model of a file, and ours, in the same states.
class Pair {
 public:
  explicit Pair(const Mjcf& mjcf)
      : plant(*mjcf.as_written), data(make_data(plant, mjcf.path)), model(mjcf) {}

  void shake(std::mt19937& random) {
    std::normal_distribution<double> normal;
    for (int i = 0; i < plant.nq; ++i) data->qpos[i] = plant.qpos0[i] + 0.2 * normal(random);
    mju_normalize4(data->qpos + 3);
    for (int i = 0; i < plant.nv; ++i) data->qvel[i] = 0.5 * normal(random);
    BaseState base;
    std::copy_n(data->qpos, 3, base.position.begin());
    std::copy_n(data->qpos + 3, 4, base.orientation.begin());
    std::copy_n(data->qvel, 3, base.linear_velocity.begin());
    std::copy_n(data->qvel + 3, 3, base.angular_velocity.begin());
    const std::vector<double> q(data->qpos + 7, data->qpos + plant.nq);
    const std::vector<double> v(data->qvel + 6, data->qvel + plant.nv);
    ASSERT_TRUE(model.update(base, q, v));
    mj_forward(&plant, data.get());
    mj_subtreeVel(&plant, data.get());
  }
  [[nodiscard]] RowMajor inertia() const {
    RowMajor full(plant.nv, plant.nv);
    mj_fullM(&plant, data.get(), full.data());
    return full;
  }
  /// Velocity of the centre of mass by MuJoCo, from the bodies' velocities [m/s].
  [[nodiscard]] Eigen::Vector3d com_velocity() const {
    return Eigen::Vector3d(data->subtree_linvel + 3 * plant.jnt_bodyid[0]);
  }
  [[nodiscard]] Eigen::Vector3d spin() const {
    return Eigen::Vector3d(data->subtree_angmom + 3 * plant.jnt_bodyid[0]);
  }

  const mjModel& plant;
  DataPtr data;
  FloatingModel model;
};

void expect_alike(Pair& pair, const std::string& name) {
  SCOPED_TRACE(name);
  std::mt19937 random(7);
  for (int i = 0; i < kStates; ++i) {
    pair.shake(random);
    const RowMajor own = pair.model.inertia();
    EXPECT_LT((own - pair.inertia()).cwiseAbs().maxCoeff(), 1e-9 * pair.model.mass());
    EXPECT_LT((pair.model.com_velocity() - pair.com_velocity()).norm(), 1e-9);
    EXPECT_LT((pair.model.momentum().tail<3>() - pair.spin()).norm(), 1e-9 * pair.model.mass());
  }
}

/// A trunk with a leg and a slide; motors on both joints, gears among them.
std::string hopper(const std::string& base) {
  return "<mujoco><worldbody><body name='trunk' pos='0 0 1'>" + base +
         R"(<geom type='box' size='.1 .15 .2' mass='9'/>
            <body pos='0 .1 -.2'><joint name='hip' axis='0 1 .3' armature='.7'/>
              <geom type='capsule' fromto='0 0 0 .05 0 -.4' size='.03' mass='2'/>
              <body pos='.05 0 -.4'><joint name='shin' type='slide' axis='0 0 1' armature='3'/>
                <geom type='box' size='.1 .04 .02' mass='1'/></body></body>
           </body></worldbody></mujoco>)";
}

Mjcf read(const std::string& text, const std::string& name) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / name;
  std::FILE* out = std::fopen(file.c_str(), "w");
  std::fwrite(text.data(), 1, text.size(), out);
  std::fclose(out);
  return load_mjcf(file.string());
}

TEST(FloatingModel, InertiaWithArmatureOnEveryJointAndMomentumAreMuJoCos) {
  const Mjcf mjcf = read(hopper("<freejoint/>"), "hopper.xml");
  Pair pair(mjcf);
  expect_alike(pair, "hopper");
}

TEST(FloatingModel, LikewiseOfTheIcub) {
  const Mjcf mjcf = load_mjcf("models/icub/icub.xml");
  Pair pair(mjcf);
  ASSERT_GT(*std::min_element(mjcf.as_written->dof_armature + 6,
                              mjcf.as_written->dof_armature + mjcf.as_written->nv),
            0.0);
  expect_alike(pair, "iCub");
}

TEST(FloatingModel, LikewiseOfModelsThatNobodyHereMade) {
  const std::vector<std::pair<std::string, std::string>> files{
      {"dm_control", "suite/humanoid.xml"},
      {"gymnasium", "envs/mujoco/assets/humanoid.xml"},
      {"robosuite", "models/assets/robots/gr1/robot.xml"}};
  int found = 0;
  for (const auto& [package, path] : files) {
    const std::filesystem::path folder = testing::package_folder(package);
    if (folder.empty()) continue;
    ++found;
    const Mjcf mjcf = load_mjcf((folder / path).string());
    Pair pair(mjcf);
    expect_alike(pair, path);
  }
  if (found == 0) GTEST_SKIP() << "none is installed: scripts/test.sh does it";
}

/// <joint type="free"> takes armature from a default class; <freejoint> doesn't.
TEST(FloatingModel, AnArmatureOfTheFreeJointIsNoMomentum) {
  const Mjcf mjcf = read(hopper("<joint type='free' armature='2'/>"), "heavy.xml");
  ASSERT_EQ(mjcf.as_written->dof_armature[0], 2.0);
  Pair pair(mjcf);
  expect_alike(pair, "a free joint with armature");
}

TEST(FloatingModel, AMotorsInertiaChangesItsOwnPlaceInTheMatrixAndNothingElse) {
  const Mjcf mjcf = read(hopper("<freejoint/>"), "hopper.xml");
  Pair plain(mjcf);
  Pair heavy(mjcf);
  heavy.model.set_motor_inertia(1, 3.0 + 5.0);
  std::mt19937 random(7);
  std::mt19937 same(7);
  for (int i = 0; i < kStates; ++i) {
    plain.shake(random);
    heavy.shake(same);
    Eigen::MatrixXd more = heavy.model.inertia() - plain.model.inertia();
    EXPECT_NEAR(more(7, 7), 5.0, 1e-12);
    more(7, 7) = 0.0;
    EXPECT_EQ(more.cwiseAbs().maxCoeff(), 0.0);
    EXPECT_EQ(heavy.model.momentum(), plain.model.momentum());
    EXPECT_EQ(heavy.model.bias(), plain.model.bias());
  }
}

/// MuJoCo takes the inertia of such a base for a constant.
TEST(FloatingModel, AMotorsInertiaCountsOfALoneBodyToo) {
  const Mjcf mjcf = read(R"(<mujoco><worldbody><body name='b'><freejoint/><geom size='.1' mass='3'/>
    <body><joint name='s' type='slide' axis='1 0 0' armature='.5'/><geom size='.1' mass='1'/></body>
    </body></worldbody></mujoco>)",
                         "lone.xml");
  Pair pair(mjcf);
  pair.model.set_motor_inertia(0, 2.5);
  std::mt19937 random(7);
  pair.shake(random);
  EXPECT_NEAR(pair.model.inertia()(6, 6), 1.0 + 2.5, 1e-12);
}

}  // namespace
}  // namespace jointrig
