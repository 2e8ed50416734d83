/// Interaction control puts no energy into an arm in contact: in physics, with an arm and a floor
/// of the test's own, over random targets, gains and poses within the ranges that are allowed.

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <memory>
#include <random>

#include "control/laws/cartesian_interaction.h"
#include "control/laws/tool_error.h"

namespace jointrig {
namespace {

constexpr int kSteps = 4000;  // of 0.25 ms: what steps of time leave of a law is small then

/// Seven joints without friction, its weight carried (no gravity), its hand 5 cm above a floor.
constexpr char kArm[] = R"(
<mujoco>
  <option timestep="0.00025" gravity="0 0 0"/>
  <default><joint armature="0.05"/><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <geom type="plane" size="2 2 0.1" pos="0 0 0.48" contype="1" conaffinity="1"/>
    <body pos="0 0 0.3">
      <joint axis="0 0 1"/><geom type="capsule" size="0.05" fromto="0 0 0 0 0 0.2" mass="3"/>
      <body pos="0 0 0.2">
        <joint axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 0 0 0.3" mass="3"/>
        <body pos="0 0 0.3">
          <joint axis="0 0 1"/><geom type="capsule" size="0.04" fromto="0 0 0 0.08 0 0" mass="1.5"/>
          <body pos="0.08 0 0">
            <joint axis="0 -1 0"/><geom type="capsule" size="0.04" fromto="0 0 0 0 0 0.3" mass="2"/>
            <body pos="0 0 0.3">
              <joint axis="0 0 1"/><geom type="capsule" size="0.03" fromto="0 0 0 0 0 0.1" mass="1"/>
              <body pos="0 0 0.1">
                <joint axis="0 -1 0"/><geom type="capsule" size="0.03" fromto="0 0 0 0.1 0 0" mass="1"/>
                <body pos="0.1 0 0">
                  <joint axis="0 0 -1"/>
                  <geom type="sphere" size="0.04" pos="0 0 0.15" mass="0.7" contype="1" conaffinity="1"/>
                  <site name="tool" pos="0 0 0.15"/>
                </body>
              </body>
            </body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>)";

class Arm {
 public:
  Arm() {
    mjVFS files;
    mj_defaultVFS(&files);
    mj_addBufferVFS(&files, "arm.xml", kArm, sizeof kArm - 1);
    char error[500] = "";
    model_.reset(mj_loadXML("arm.xml", &files, error, sizeof error));
    mj_deleteVFS(&files);
    if (model_ == nullptr) throw std::runtime_error(error);
    data_.reset(mj_makeData(model_.get()));
  }

  void place(const Eigen::VectorXd& q) {
    mj_resetData(model_.get(), data_.get());
    std::copy(q.begin(), q.end(), data_->qpos);
    mj_forward(model_.get(), data_.get());
  }

  /// With which torque; the arm's speeds and its place a step later.
  void step(const ArmVector& tau) {
    std::copy(tau.begin(), tau.end(), data_->qfrc_applied);
    mj_step(model_.get(), data_.get());
    mj_forward(model_.get(), data_.get());
  }

  [[nodiscard]] ToolState tool() const {
    using Rows = Eigen::Matrix<double, 3, 7, Eigen::RowMajor>;
    Rows linear;
    Rows angular;
    const int site = mj_name2id(model_.get(), mjOBJ_SITE, "tool");
    mj_jacSite(model_.get(), data_.get(), linear.data(), angular.data(), site);
    ToolState tool;
    tool.jacobian.resize(6, 7);
    tool.jacobian.topRows<3>() = linear;
    tool.jacobian.bottomRows<3>() = angular;
    tool.pose.position = Eigen::Map<const Eigen::Vector3d>(data_->site_xpos + 3 * site);
    tool.pose.rotation =
        Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(data_->site_xmat + 9 * site);
    tool.twist = tool.jacobian * Eigen::Map<const Eigen::Matrix<double, 7, 1>>(data_->qvel);
    return tool;
  }

  [[nodiscard]] ToolInertia felt(const ToolState& tool) const {
    Eigen::Matrix<double, 7, 7, Eigen::RowMajor> mass;
    mj_fullM(model_.get(), data_.get(), mass.data());
    ToolInertia felt;
    felt.update(tool.jacobian, tool.jacobian * mass.inverse());
    return felt;
  }

  [[nodiscard]] double kinetic() const {
    mj_energyVel(model_.get(), data_.get());
    return data_->energy[1];
  }
  [[nodiscard]] bool touches() const { return data_->ncon > 0; }

 private:
  struct Delete {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  std::unique_ptr<mjModel, Delete> model_;
  std::unique_ptr<mjData, Delete> data_;
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double most) { return std::uniform_real_distribution<>(-most, most)(engine_); }
  double between(double low, double high) {
    return std::uniform_real_distribution<>(low, high)(engine_);
  }
  Eigen::Vector3d vector(double most) { return {number(most), number(most), number(most)}; }
  bool heads() { return engine_() % 2 == 0; }

 private:
  std::mt19937 engine_;
};

InteractionLaw random_law(Random& random) {
  InteractionLaw law;
  for (int i = 0; i < 6; ++i) {
    law.stiffness[i] = random.between(0.0, i < 3 ? 1300.0 : 30.0);
    const bool is_limited = i < 3 && random.heads();
    if (is_limited) {
      law.axes[static_cast<std::size_t>(i)] = InteractionAxis::kImpedanceWithForceLimit;
      law.force[i] = random.between(0.0, 50.0);
    }
    // Scaled, as published: 8 N·s/m and 2 N·m·s/rad at the caps.
    const double share = std::sqrt(law.stiffness[i] / (i < 3 ? 1300.0 : 30.0));
    law.damping(i, i) = share * (i < 3 ? 8.0 : 2.0);
  }
  law.error_max << 0.1, 0.1, 0.1, 2.0, 2.0, 2.0;
  return law;
}

/// What the springs hold: ½ k e² up to where a limit bends them, a straight line from there.
double stored(const InteractionLaw& law, const Eigen::Matrix3d& axes, const Placement& tool,
              const Placement& reference) {
  const Vector6 e = turned(axes.transpose(), tool_error(reference, tool));
  double energy = 0.0;
  for (int i = 0; i < 6; ++i) {
    const double k = law.stiffness[i];
    double bend = law.error_max[i];
    const bool is_limited =
        law.axes[static_cast<std::size_t>(i)] == InteractionAxis::kImpedanceWithForceLimit;
    if (is_limited && k > 0.0) bend = std::min(bend, law.force[i] / k);
    const double inside = std::min(std::abs(e[i]), bend);
    energy += 0.5 * k * inside * inside + k * bend * (std::abs(e[i]) - inside);
  }
  return energy;
}

struct Outcome {
  double first = 0.0;   ///< energy at the start
  double growth = 0.0;  ///< the most that it ever rose above what it had come down to
  bool touched = false;
};

Outcome let_go(Arm& arm, Random& random, bool turns_with_tool, bool by_ratio) {
  do {  // above the floor, or that would throw it up
    Eigen::VectorXd q(7);
    q << 0.0, 0.6, 0.0, -1.4, 0.0, 1.2, 0.0;
    for (double& angle : q) angle += random.number(0.2);
    arm.place(q);
  } while (arm.touches());
  InteractionLaw law = random_law(random);
  law.turns_with_tool = turns_with_tool;
  const double ratio = random.heads() ? 0.01 : random.between(0.05, 1.5);
  const Placement start = arm.tool().pose;
  const Placement reference{start.position + random.vector(0.15),
                            rotation_of(random.vector(1.2)) * start.rotation};
  const Eigen::Matrix3d in_frame = rotation_of(random.vector(1.0));
  Outcome run;
  double least = 0.0;
  for (int n = 0; n < kSteps; ++n) {
    const ToolState tool = arm.tool();
    const Eigen::Matrix3d axes =
        turns_with_tool ? Eigen::Matrix3d(tool.pose.rotation * in_frame) : in_frame;
    if (by_ratio) {
      const Matrix6 stiffness = law.stiffness.asDiagonal();
      law.damping =
          turned(arm.felt(tool).damping(turned(stiffness, axes), ratio), axes.transpose());
    }
    const double energy = arm.kinetic() + stored(law, axes, tool.pose, reference);
    if (n == 0) run.first = least = energy;
    least = std::min(least, energy);
    run.growth = std::max(run.growth, energy - least);
    run.touched = run.touched || arm.touches();
    const InteractionOutput out = interact(law, axes, tool, reference);
    arm.step(tool.jacobian.transpose() * (out.spring + out.damper + out.force));
  }
  return run;
}

TEST(Passivity, EnergyOfAnArmInContactNeverGrows) {
  Arm arm;
  Random random(3);
  int touched = 0;
  for (int trial = 0; trial < 24; ++trial) {
    const Outcome run = let_go(arm, random, trial % 2 == 1, trial % 4 >= 2);
    // What time steps leave: half a step times the fastest swing, of the energy that swings.
    EXPECT_LT(run.growth, 0.01 * run.first) << "trial " << trial << ", " << run.first << " J";
    touched += run.touched ? 1 : 0;
  }
  EXPECT_GE(touched, 6) << "else nothing was in contact";
}

}  // namespace
}  // namespace jointrig
