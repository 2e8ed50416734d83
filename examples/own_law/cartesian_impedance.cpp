// A law of one's own: the Cartesian impedance controller of CRISP, written against
// control/core/user_law.h.
//
//     tau   = Jᵀ F + tau_ns
//     F     = K (X_target ⊖ X) − D J v             in the world: position, then rotation vector
//     tau_ns = (1 − Jᵀ (J Jᵀ)⁻¹ J) (k (q_start − q) − d v)
//
// Gravity is not in it: mode torque adds that. The target is a displacement from the pose in which
// the law started, given by parameters, and the posture is the one in which it started, so it takes
// the arm over without a step.

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <stdexcept>
#include <string>

#include "control/core/user_law.h"

// Body or site of the model that is held: of another robot by the compiler's -D
// OWN_LAW_TOOL='"..."'.
#ifndef OWN_LAW_TOOL
#define OWN_LAW_TOOL "panda_hand"
#endif

namespace {

constexpr int kMostJoints = 16;
// Fixed room, so that nothing is allocated in a cycle.
using Joints = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kMostJoints, 1>;
using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, kMostJoints>;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

class CartesianImpedance final : public jointrig::UserLaw {
 public:
  void declare(jointrig::LawDeclaration& d) override {
    if (d.joints() > kMostJoints) throw std::runtime_error("it is for at most 16 joints");
    tool_ = d.frame(OWN_LAW_TOOL);
    for (int i = 0; i < 3; ++i) {
      const std::string axis(1, "xyz"[i]);
      offset_[i] = d.target(("offset_" + axis).c_str(), 0.0, -0.5, 0.5, "m");
      turn_[i] = d.target(("turn_" + axis).c_str(), 0.0, -1.0, 1.0, "rad");
      error_[i] = d.signal(("error_" + axis).c_str(), "m");
    }
    stiffness_ = d.parameter("stiffness", 400.0, 0.0, 2000.0, "N/m");
    turning_stiffness_ = d.parameter("turning_stiffness", 20.0, 0.0, 100.0, "N·m/rad");
    damping_ratio_ = d.parameter("damping_ratio", 1.0, 0.0, 2.0, "");
    posture_stiffness_ = d.parameter("posture_stiffness", 5.0, 0.0, 50.0, "N·m/rad");
    coriolis_ = d.parameter("coriolis", 0.0, 0.0, 1.0, "");
    d.memory(kPose + d.joints());
  }

  void torque(jointrig::LawCycle& c) override {
    const auto n = static_cast<Eigen::Index>(c.joints);
    const Eigen::Map<const Eigen::VectorXd> q(c.q, n);
    const Eigen::Map<const Eigen::VectorXd> v(c.v, n);
    Eigen::Vector3d position;
    Eigen::Matrix3d rotation;
    c.model->pose(tool_, position.data(), rotation.data());
    if (c.starts) {
      Eigen::Map<Eigen::Vector3d>{c.memory} = position;
      Eigen::Map<Eigen::Matrix3d>{c.memory + 3} = rotation;
      Eigen::Map<Eigen::VectorXd>(c.memory + kPose, n) = q;
    }
    Jacobian jacobian(6, n);
    c.model->jacobian(tool_, jacobian.data());

    // F = K e − D J v
    const Vector6 e = error(c, position, rotation);
    Vector6 k;
    k << Eigen::Vector3d::Constant(c.parameter[stiffness_]),
        Eigen::Vector3d::Constant(c.parameter[turning_stiffness_]);
    const Vector6 d = 2.0 * c.parameter[damping_ratio_] * k.cwiseSqrt();
    Vector6 twist;
    twist.noalias() = jacobian * v;
    const Vector6 force = k.cwiseProduct(e) - d.cwiseProduct(twist);

    // The posture, without a wrench at the tool.
    const double k_posture = c.parameter[posture_stiffness_];
    const Eigen::Map<const Eigen::VectorXd> q_start(c.memory + kPose, n);
    Joints posture = k_posture * (q_start - q) - 2.0 * std::sqrt(k_posture) * v;
    Matrix6 square;
    square.noalias() = jacobian * jacobian.transpose();
    Vector6 pushed;
    pushed.noalias() = jacobian * posture;
    const Vector6 wrench = Eigen::LLT<Matrix6>(square).solve(pushed);

    Eigen::Map<Eigen::VectorXd> tau(c.tau, n);
    tau = posture;
    const Vector6 sum = force - wrench;
    for (Eigen::Index i = 0; i < n; ++i) tau[i] += jacobian.col(i).dot(sum);
    if (c.parameter[coriolis_] > 0.0) {
      Joints extra(n);
      c.model->coriolis(extra.data());
      tau += c.parameter[coriolis_] * extra;
    }
    for (int i = 0; i < 3; ++i) c.signal[error_[i]] = e[i];
  }

 private:
  static constexpr std::size_t kPose = 12;  // position and rotation, before the posture

  Vector6 error(const jointrig::LawCycle& c, const Eigen::Vector3d& position,
                const Eigen::Matrix3d& rotation) const {
    const Eigen::Vector3d turn(c.parameter[turn_[0]], c.parameter[turn_[1]], c.parameter[turn_[2]]);
    const Eigen::Vector3d offset(c.parameter[offset_[0]], c.parameter[offset_[1]],
                                 c.parameter[offset_[2]]);
    const double angle = turn.norm();
    Eigen::Matrix3d target = Eigen::Map<const Eigen::Matrix3d>(c.memory + 3);
    if (angle > 0.0) target = Eigen::AngleAxisd(angle, turn / angle) * target;
    const Eigen::AngleAxisd rest(Eigen::Matrix3d(target * rotation.transpose()));
    Vector6 e;
    e << Eigen::Map<const Eigen::Vector3d>(c.memory) + offset - position,
        rest.angle() * rest.axis();
    return e;
  }

  std::size_t tool_ = 0;
  std::size_t offset_[3] = {}, turn_[3] = {}, error_[3] = {};
  std::size_t stiffness_ = 0, turning_stiffness_ = 0, damping_ratio_ = 0;
  std::size_t posture_stiffness_ = 0, coriolis_ = 0;
};

}  // namespace

JOINTRIG_USER_LAW(CartesianImpedance)
