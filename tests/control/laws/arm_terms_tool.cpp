/// Prints what the controller's model and laws make of random states of a robot's arm, one JSON
/// object a line, for pinocchio_test.py:
///
///     arm_terms_tool MODEL TOOL SEED COUNT JOINT...

#include <array>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "control/discovery/discovery.h"
#include "control/laws/cartesian_impedance.h"
#include "control/laws/posture.h"
#include "control/laws/tool_error.h"
#include "control/model/robot_model.h"

namespace jointrig {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double number(double most) { return std::uniform_real_distribution<>(-most, most)(engine_); }
  template <typename Matrix>
  void fill(Matrix& matrix, double most) {
    for (double& entry : matrix.reshaped()) entry = number(most);
  }

 private:
  std::mt19937 engine_;
};

/// Row by row.
template <typename Matrix>
void print(const char* name, const Matrix& matrix, const char* end = ", ") {
  std::printf("\"%s\": [", name);
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index k = 0; k < matrix.cols(); ++k) {
      std::printf("%s%.17g", i + k == 0 ? "" : ", ", matrix(i, k));
    }
  }
  std::printf("]%s", end);
}

struct Robot {
  RobotConfig config;
  RobotModel model;
  FrameId tool;
  std::vector<std::size_t> arm;  // joints, by index

  explicit Robot(const std::string& path) : config(discover(path).config), model(config) {}
};

void print_state(Robot& robot, Random& random) {
  const std::size_t count = robot.config.joints.size();
  const auto n = static_cast<Eigen::Index>(robot.arm.size());
  RobotState state;
  state.joints.resize(count);
  ArmVector q(n);
  ArmVector v(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::size_t joint = robot.arm[static_cast<std::size_t>(i)];
    const JointLimits& limits = robot.config.joints[joint].limits;
    const double middle = 0.5 * (limits.q_min + limits.q_max);
    q[i] = state.joints[joint].q = middle + random.number(0.45) * (limits.q_max - limits.q_min);
    v[i] = state.joints[joint].v = random.number(1.5);
  }
  robot.model.update(state);
  robot.model.update_velocities(state);
  robot.model.update_coriolis();
  robot.model.update_momentum();

  FrameJacobian whole(6, static_cast<Eigen::Index>(count));
  robot.model.jacobian(robot.tool, whole);
  Eigen::MatrixXd inertia(count, count);
  robot.model.mass_matrix(inertia);
  ToolState tool;
  tool.jacobian.resize(6, n);
  ArmMatrix mass(n, n);
  ArmVector gravity(n);
  ArmVector coriolis(n);
  ArmVector momentum(n);
  ArmVector energy_gradient(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::size_t joint = robot.arm[static_cast<std::size_t>(i)];
    tool.jacobian.col(i) = whole.col(static_cast<Eigen::Index>(joint));
    gravity[i] = robot.model.gravity(static_cast<JointIndex>(joint));
    coriolis[i] = robot.model.coriolis(static_cast<JointIndex>(joint));
    momentum[i] = robot.model.momentum(static_cast<JointIndex>(joint));
    energy_gradient[i] = robot.model.energy_gradient(static_cast<JointIndex>(joint));
    for (Eigen::Index k = 0; k < n; ++k) {
      mass(i, k) = inertia(static_cast<Eigen::Index>(joint),
                           static_cast<Eigen::Index>(robot.arm[static_cast<std::size_t>(k)]));
    }
  }
  const FramePose pose = robot.model.pose(robot.tool);
  tool.pose = {pose.position, pose.rotation};
  tool.twist = tool.jacobian * v;

  Matrix6 root;
  random.fill(root, 15.0);
  const Matrix6 stiffness = root * root.transpose();
  const double ratio = 0.7 + random.number(0.5);
  Eigen::Vector3d way;
  Eigen::Vector3d turn;
  random.fill(way, 0.05);
  random.fill(turn, 0.8);
  const Placement target{pose.position + way, rotation_of(turn) * pose.rotation};
  ArmVector posture(n);
  random.fill(posture, 2.0);

  const ArmJacobian mass_solved = (mass.ldlt().solve(tool.jacobian.transpose())).transpose();
  ToolInertia felt;
  felt.update(tool.jacobian, mass_solved);
  const Matrix6 damping = felt.damping(stiffness, ratio);
  ArmVector spring = ArmVector::Zero(n);
  ArmVector damper = spring;
  add_cartesian_impedance(stiffness, damping, Vector6::Constant(10.0), Eigen::Matrix3d::Identity(),
                          tool, target, spring, damper);
  const PostureGains gains{ArmVector::Constant(n, 10.0), ArmVector::Constant(n, 3.0), 1e3};
  const auto pull = [&](Projector projector) {
    ArmVector tau = ArmVector::Zero(n);
    add_posture(gains, projector, posture, q, v, tool.jacobian, mass_solved, felt, tau);
    return tau;
  };

  std::printf("{");
  print("q", q);
  print("v", v);
  print("stiffness", stiffness);
  print("ratio", Eigen::Matrix<double, 1, 1>(ratio));
  print("target_position", target.position);
  print("target_rotation", target.rotation);
  print("posture_target", posture);
  print("least_mobility", Eigen::Matrix<double, 1, 1>(felt.least_mobility()));
  print("gravity", gravity);
  print("coriolis", coriolis);
  print("momentum", momentum);
  print("energy_gradient", energy_gradient);
  print("mass", mass);
  print("jacobian", tool.jacobian);
  print("position", pose.position);
  print("rotation", pose.rotation);
  print("spring", spring);
  print("damper", damper);
  print("kinematic", pull(Projector::kKinematic));
  print("consistent", pull(Projector::kDynamicallyConsistent), "}\n");
}

int run(int argc, char** argv) {
  if (argc < 6) return 2;
  Robot robot(argv[1]);
  robot.tool = robot.model.find_frame(argv[2]);
  for (int i = 5; i < argc; ++i) {
    for (std::size_t k = 0; k < robot.config.joints.size(); ++k) {
      if (robot.config.joints[k].name == argv[i]) robot.arm.push_back(k);
    }
  }
  Random random(static_cast<unsigned>(std::atoi(argv[3])));
  for (int i = 0; i < std::atoi(argv[4]); ++i) print_state(robot, random);
  return 0;
}

}  // namespace
}  // namespace jointrig

int main(int argc, char** argv) {
  try {
    return jointrig::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
