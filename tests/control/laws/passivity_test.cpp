/// Interaction control puts no energy into an arm in contact: in physics, with an arm of the test's
/// own and with those of the robots, above a floor of the test's own, over random targets, gains
/// and poses within the ranges that are allowed.

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <memory>
#include <random>

#include "app/rig/robot_loading.h"
#include "control/core/board_defaults.h"
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

struct Delete {
  void operator()(mjSpec* s) const { mj_deleteSpec(s); }
  void operator()(mjModel* m) const { mj_deleteModel(m); }
  void operator()(mjData* d) const { mj_deleteData(d); }
};
using Model = std::unique_ptr<mjModel, Delete>;

class Arm {
 public:
  /// The test's own.
  Arm() : start_(7) {
    mjVFS files;
    mj_defaultVFS(&files);
    mj_addBufferVFS(&files, "arm.xml", kArm, sizeof kArm - 1);
    char error[500] = "";
    model_.reset(mj_loadXML("arm.xml", &files, error, sizeof error));
    mj_deleteVFS(&files);
    if (model_ == nullptr) throw std::runtime_error(error);
    data_.reset(mj_makeData(model_.get()));
    start_ << 0.0, 0.6, 0.0, -1.4, 0.0, 1.2, 0.0;
    for (int i = 0; i < 7; ++i) joints_.push_back(i);
    site_ = mj_name2id(model_.get(), mjOBJ_SITE, "tool");
  }

  /// A robot's, as its file has it: a ball on its tool 3 cm above a floor, all else touches
  /// nothing. No friction, no weight; joints that aren't the arm's are too heavy to move.
  Arm(const RobotConfig& robot, std::size_t number) : config_(robot.arms.at(number)) {
    char error[500] = "";
    const std::unique_ptr<mjSpec, Delete> spec(
        mj_parseXML(robot.model_path.c_str(), nullptr, error, sizeof error));
    if (spec == nullptr) throw std::runtime_error(error);
    add_floor_and_ball(*spec);
    model_.reset(mj_compile(spec.get(), nullptr));
    if (model_ == nullptr) throw std::runtime_error(mjs_getError(spec.get()));
    data_.reset(mj_makeData(model_.get()));
    mjModel& m = *model_;
    site_ = mj_name2id(&m, mjOBJ_SITE, config_.tool.c_str());
    m.opt.timestep = 0.00025;
    m.opt.disableflags |= mjDSBL_GRAVITY | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_EQUALITY |
                          mjDSBL_ACTUATION | mjDSBL_SPRING | mjDSBL_DAMPER;
    constexpr double kStuck = 1e5;  // kg·m², kg
    std::vector<mjtNum> armature(m.dof_armature, m.dof_armature + m.nv);
    std::fill_n(m.dof_armature, m.nv, kStuck);
    start_.resize(static_cast<Eigen::Index>(config_.joints.size()));
    for (const JointIndex i : config_.joints) {
      const JointConfig& joint = robot.joints[i];
      const int id = mj_name2id(&m, mjOBJ_JOINT, joint.name.c_str());
      const int dof = m.jnt_dofadr[id];
      m.dof_armature[dof] = felt_armature(joint.board, armature[static_cast<std::size_t>(dof)]);
      start_[static_cast<Eigen::Index>(joints_.size())] = joint.q_start;
      joints_.push_back(id);
    }
    mj_setConst(&m, data_.get());
    place(start_);
    m.geom_pos[3 * mj_name2id(&m, mjOBJ_GEOM, kFloor) + 2] =
        data_->site_xpos[3 * site_ + 2] - kBallRadius - 0.03;
  }

  [[nodiscard]] const ArmConfig& config() const { return config_; }
  [[nodiscard]] const Eigen::VectorXd& start() const { return start_; }

  void place(const Eigen::VectorXd& q) {
    mj_resetData(model_.get(), data_.get());
    if (model_->nkey > 0) mj_resetDataKeyframe(model_.get(), data_.get(), 0);
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      data_->qpos[model_->jnt_qposadr[joints_[i]]] = q[static_cast<Eigen::Index>(i)];
    }
    mj_forward(model_.get(), data_.get());
  }

  /// With which torque; the arm's speeds and its place a step later.
  void step(const ArmVector& tau) {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      data_->qfrc_applied[dof(i)] = tau[static_cast<Eigen::Index>(i)];
    }
    mj_step(model_.get(), data_.get());
    mj_forward(model_.get(), data_.get());
  }

  [[nodiscard]] ToolState tool() const {
    using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
    const auto n = static_cast<Eigen::Index>(joints_.size());
    Rows linear(3, model_->nv);
    Rows angular(3, model_->nv);
    mj_jacSite(model_.get(), data_.get(), linear.data(), angular.data(), site_);
    ToolState tool;
    tool.jacobian.resize(6, n);
    Eigen::VectorXd v(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      const int from = dof(static_cast<std::size_t>(i));
      tool.jacobian.col(i) << linear.col(from), angular.col(from);
      v[i] = data_->qvel[from];
    }
    tool.pose.position = Eigen::Map<const Eigen::Vector3d>(data_->site_xpos + 3 * site_);
    tool.pose.rotation = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
        data_->site_xmat + 9 * site_);
    tool.twist = tool.jacobian * v;
    return tool;
  }

  [[nodiscard]] ToolInertia felt(const ToolState& tool) const {
    Eigen::MatrixXd all(model_->nv, model_->nv);
    mj_fullM(model_.get(), data_.get(), all.data());
    const auto n = static_cast<Eigen::Index>(joints_.size());
    Eigen::MatrixXd mass(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index k = 0; k < n; ++k) {
        mass(i, k) = all(dof(static_cast<std::size_t>(i)), dof(static_cast<std::size_t>(k)));
      }
    }
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
  static constexpr const char* kFloor = "floor of the test";
  static constexpr const char* kBall = "ball of the test";
  static constexpr double kBallRadius = 0.04;

  void add_floor_and_ball(mjSpec& spec) const {
    mjsElement* site = mjs_findElement(&spec, mjOBJ_SITE, config_.tool.c_str());
    if (site == nullptr) throw std::runtime_error("no site " + config_.tool);
    for (mjsElement* e = mjs_firstElement(&spec, mjOBJ_GEOM); e != nullptr;
         e = mjs_nextElement(&spec, e)) {
      mjs_asGeom(e)->contype = mjs_asGeom(e)->conaffinity = 0;
    }
    mjsGeom* floor = mjs_addGeom(mjs_findBody(&spec, "world"), nullptr);
    mjs_setName(floor->element, kFloor);
    floor->type = mjGEOM_PLANE;
    floor->size[0] = floor->size[1] = 2.0;
    floor->size[2] = 0.1;
    floor->pos[2] = -1.0;  // goes where it belongs later: 0 would be taken for good
    mjsGeom* ball = mjs_addGeom(mjs_getParent(site), nullptr);
    mjs_setName(ball->element, kBall);
    ball->type = mjGEOM_SPHERE;
    ball->size[0] = kBallRadius;
    ball->mass = 0.0;
    // Hard: what a soft contact holds and gives back isn't counted below.
    floor->solref[0] = ball->solref[0] = 0.002;
    floor->contype = floor->conaffinity = ball->contype = ball->conaffinity = 1;
    std::copy_n(mjs_asSite(site)->pos, 3, ball->pos);
  }

  [[nodiscard]] int dof(std::size_t joint) const { return model_->jnt_dofadr[joints_[joint]]; }

  ArmConfig config_;  // its caps; of the test's own arm the defaults
  Model model_;
  std::unique_ptr<mjData, Delete> data_;
  std::vector<int> joints_;
  int site_ = -1;
  Eigen::VectorXd start_;
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

InteractionLaw random_law(const ArmConfig& arm, Random& random) {
  InteractionLaw law;
  for (int i = 0; i < 6; ++i) {
    const auto axis = static_cast<std::size_t>(i);
    law.stiffness[i] = random.between(0.0, arm.stiffness_max[axis]);
    const bool is_limited = i < 3 && random.heads();
    if (is_limited) {
      law.axes[axis] = InteractionAxis::kImpedanceWithForceLimit;
      law.force[i] = random.between(0.0, arm.interaction.force_max[axis]);
    }
    // Scaled, as published: 8 N·s/m and 2 N·m·s/rad at the caps.
    const double share = std::sqrt(law.stiffness[i] / arm.stiffness_max[axis]);
    law.damping(i, i) = share * (i < 3 ? 8.0 : 2.0);
  }
  law.error_max << 0.1, 0.1, 0.1, 2.0, 2.0, 2.0;
  return law;
}

/// Energy of the springs: ½ k e² up to the bend by a limit, a straight line from there.
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
    Eigen::VectorXd q = arm.start();
    for (double& angle : q) angle += random.number(0.2);
    arm.place(q);
  } while (arm.touches());
  InteractionLaw law = random_law(arm.config(), random);
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

/// @param least  trials that have to touch the floor: else nothing was in contact
void expect_passive(Arm& arm, int trials, int least) {
  Random random(3);
  int touched = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Outcome run = let_go(arm, random, trial % 2 == 1, trial % 4 >= 2);
    // Error by time steps: half a step times the fastest frequency, of the oscillating energy.
    EXPECT_LT(run.growth, 0.01 * run.first) << "trial " << trial << ", " << run.first << " J";
    touched += run.touched ? 1 : 0;
  }
  EXPECT_GE(touched, least);
}

TEST(Passivity, EnergyOfAnArmInContactNeverGrows) {
  Arm arm;
  expect_passive(arm, 24, 6);
}

struct Which {
  const char* robot;
  std::size_t arm;
};

class PassivityOf : public testing::TestWithParam<Which> {};

TEST_P(PassivityOf, EnergyOfTheArmInContactNeverGrows) {
  Arm arm(app::load_robot(harness::find_robot(GetParam().robot)).config, GetParam().arm);
  expect_passive(arm, 12, 3);
}

INSTANTIATE_TEST_SUITE_P(Robots, PassivityOf,
                         testing::Values(Which{"franka", 0}, Which{"sawyer", 0},
                                         Which{"icub_upper_body", 0}, Which{"icub_upper_body", 1}),
                         [](const auto& which) {
                           return std::string(which.param.robot) + std::to_string(which.param.arm);
                         });

}  // namespace
}  // namespace jointrig
