#include "control/laws/sampled_loop.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace jointrig {
namespace {

constexpr int kLongestDelay = 32;  // cycles of the bus

/// Share of a first-order lag in one period.
double share_of(double lag, double dt) { return lag > 0.0 ? -std::expm1(-dt / lag) : 1.0; }

/// Everything that a loop remembers of a joint from one period to the next. All of it is linear, so
/// that it may be scaled.
struct Memory {
  double q = 0.0;
  double v = 0.0;
  double v_sensed = 0.0;
  double q_read = 0.0;  // as the bus brought it
  double v_read = 0.0;
  double error_rate = 0.0;
  double integral = 0.0;
  double momentum = 0.0;
  double known = 0.0;
  double load = 0.0;
  double tau = 0.0;  // in the motor
  std::array<double, kLongestDelay + 1> sent{};

  void scale(double by) {
    for (double* x : {&q, &v, &v_sensed, &q_read, &v_read, &error_rate, &integral, &momentum,
                      &known, &load, &tau}) {
      *x *= by;
    }
    for (double& x : sent) x *= by;
  }
};

class Simulation {
 public:
  Simulation(const std::vector<LoopJoint>& joints, const Eigen::MatrixXd& model, double share,
             double dt, const CoupledGains* coupled)
      : joints_(joints),
        model_(model),
        coupled_(coupled),
        dt_(dt),
        rate_share_(-std::expm1(-2.0 * std::numbers::pi * kRateFilterHz * dt)),
        memory_(joints.size()),
        wish_(static_cast<Eigen::Index>(joints.size())),
        torque_(static_cast<Eigen::Index>(joints.size())) {
    const auto n = static_cast<Eigen::Index>(joints.size());
    // The joints' own damping at the end of the period: on a light joint it is faster than that.
    Eigen::MatrixXd inertia = share * model;
    for (Eigen::Index i = 0; i < n; ++i) {
      inertia(i, i) += dt * joints[static_cast<std::size_t>(i)].viscous;
    }
    mobility_ = inertia.llt().solve(Eigen::MatrixXd::Identity(n, n));
    mass_ = model.diagonal();
    spring_ = mass_;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const LoopJoint& joint = joints[i];
      double& spring = spring_[static_cast<Eigen::Index>(i)];
      spring = joint.is_computed ? spring * joint.servo.w * joint.servo.w : joint.kp;
    }
    if (coupled != nullptr) spring_ = coupled->stiffness.diagonal().cwiseMax(0.0);
    // No symmetry of the robot may hide a motion: each joint starts with another sign and size.
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      const double size = 1.0 + 0.3 * std::sin(1.0 + 2.0 * static_cast<double>(i));
      memory_[i].v = memory_[i].v_sensed =
          (i % 3 == 0 ? -size : size) /
          std::sqrt(model(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)));
    }
  }

  void step() {
    for (std::size_t i = 0; i < joints_.size(); ++i) read(i);
    if (coupled_ != nullptr) {
      pull_together();
    } else {
      wish_accelerations();
    }
    for (std::size_t i = 0; i < joints_.size(); ++i) command(i);
    move();
    ++period_;
  }
  /// Energy of mass and spring, so that it stays while an undamped joint swings.
  [[nodiscard]] double energy(std::size_t i) const {
    const auto k = static_cast<Eigen::Index>(i);
    const Memory& joint = memory_[i];
    return mass_[k] * joint.v * joint.v + spring_[k] * joint.q * joint.q;
  }
  /// For all joints. The exchange by springs between them counts, or a slow beat would pass for
  /// growth.
  [[nodiscard]] double energy() {
    if (coupled_ == nullptr) {
      double sum = 0.0;
      for (std::size_t i = 0; i < memory_.size(); ++i) sum += energy(i);
      return sum;
    }
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      wish_[static_cast<Eigen::Index>(i)] = memory_[i].v;
      torque_[static_cast<Eigen::Index>(i)] = memory_[i].q;
    }
    return wish_.dot(model_ * wish_) + std::max(0.0, torque_.dot(coupled_->stiffness * torque_));
  }
  [[nodiscard]] double speed(std::size_t i) const { return memory_[i].v; }
  void scale(double by) {
    for (Memory& joint : memory_) joint.scale(by);
  }

 private:
  void read(std::size_t i) {
    const LoopJoint& joint = joints_[i];
    Memory& now = memory_[i];
    now.v_sensed += share_of(joint.velocity_lag, dt_) * (now.v - now.v_sensed);
    if (period_ % joint.cycle != 0) return;
    now.q_read = now.q;
    now.v_read = now.v_sensed;
  }

  void wish_accelerations() {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const LoopJoint& joint = joints_[i];
      Memory& now = memory_[i];
      now.error_rate += rate_share_ * (-now.v_read - now.error_rate);
      const ServoDesign& servo = joint.servo;
      wish_[static_cast<Eigen::Index>(i)] =
          joint.is_computed
              ? -servo.w * servo.w * now.q_read + 2.0 * servo.damping * servo.w * now.error_rate
              : 0.0;
    }
    torque_.noalias() = model_ * wish_;
  }

  void pull_together() {
    torque_.setZero();
    for (std::size_t k = 0; k < memory_.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      torque_.noalias() -= coupled_->stiffness.col(column) * memory_[k].q_read;
      torque_.noalias() -= coupled_->damping.col(column) * memory_[k].v_read;
    }
  }

  double observed_load(std::size_t i) {
    const LoopJoint& joint = joints_[i];
    Memory& now = memory_[i];
    double momentum = 0.0;
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      momentum +=
          model_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) * memory_[k].v_read;
    }
    const double known = -joint.viscous * now.v_read;
    const double gain = joint.servo.observer * dt_;
    const double sent = now.sent[static_cast<std::size_t>(std::min(joint.delay, kLongestDelay))];
    now.load += gain / (1.0 + gain) *
                ((momentum - now.momentum) / dt_ - sent - 0.5 * (known + now.known) - now.load);
    now.momentum = momentum;
    now.known = known;
    return now.load;
  }

  void command(std::size_t i) {
    const LoopJoint& joint = joints_[i];
    Memory& now = memory_[i];
    double tau = 0.0;
    if (coupled_ != nullptr) {
      tau = torque_[static_cast<Eigen::Index>(i)];
    } else if (joint.is_computed) {
      tau = torque_[static_cast<Eigen::Index>(i)] - observed_load(i);
    } else {
      now.integral -= joint.ki * now.q_read * dt_;
      tau = -joint.kp * now.q_read + now.integral - joint.kd * now.v_read;
    }
    if (period_ % joint.cycle == 0) {
      std::shift_right(now.sent.begin(), now.sent.end(), 1);
    }
    now.sent[0] = tau;
  }

  void move() {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const LoopJoint& joint = joints_[i];
      Memory& now = memory_[i];
      const double acts = now.sent[static_cast<std::size_t>(std::min(joint.delay, kLongestDelay))];
      now.tau += share_of(joint.torque_lag, dt_) * (acts - now.tau);
      torque_[static_cast<Eigen::Index>(i)] = now.tau - joint.viscous * now.v;
    }
    wish_.noalias() = mobility_ * torque_;
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      const double a = wish_[static_cast<Eigen::Index>(i)];
      memory_[i].q += memory_[i].v * dt_ + 0.5 * a * dt_ * dt_;
      memory_[i].v += a * dt_;
    }
  }

  const std::vector<LoopJoint>& joints_;
  const Eigen::MatrixXd& model_;
  const CoupledGains* coupled_;
  double dt_;
  double rate_share_;
  std::vector<Memory> memory_;
  Eigen::VectorXd wish_;    // accelerations
  Eigen::VectorXd torque_;  // of the law, then of the motor
  Eigen::MatrixXd mobility_;
  Eigen::VectorXd mass_;
  Eigen::VectorXd spring_;
  int period_ = 0;
};

}  // namespace

LoopGrowth loop_growth(const std::vector<LoopJoint>& joints, const Eigen::MatrixXd& model,
                       double share, double dt, const CoupledGains* coupled) {
  constexpr int kWindows = 30;
  constexpr int kFirst = 10;       // windows until the fastest growing motion is alone
  constexpr double kWindow = 0.1;  // s: short enough that no motion grows beyond all numbers
  const int steps = std::max(1, static_cast<int>(kWindow / dt));
  Simulation loop(joints, model, share, dt, coupled);
  LoopGrowth growth;
  std::vector<double> energy(joints.size());
  std::vector<double> before(joints.size());
  std::vector<int> turns(joints.size());
  double folds = 0.0;
  for (int window = 0; window < kWindows; ++window) {
    std::fill(energy.begin(), energy.end(), 0.0);
    double sum = 0.0;
    if (window == kFirst) std::fill(turns.begin(), turns.end(), 0);
    for (int step = 0; step < steps; ++step) {
      for (std::size_t i = 0; i < joints.size(); ++i) before[i] = loop.speed(i);
      loop.step();
      sum += loop.energy();
      for (std::size_t i = 0; i < joints.size(); ++i) {
        energy[i] += loop.energy(i);
        if (before[i] * loop.speed(i) < 0.0) ++turns[i];
      }
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (sum == 0.0) return {-kInfinity, 0, 0.0};
    if (!std::isfinite(sum)) return {kInfinity, growth.joint, growth.frequency_hz};
    // Each window starts from 1.
    if (window >= kFirst) folds += 0.5 * std::log(sum);
    loop.scale(1.0 / std::sqrt(sum));
    growth.joint =
        static_cast<std::size_t>(std::max_element(energy.begin(), energy.end()) - energy.begin());
    const double seconds = (window < kFirst ? window + 1 : window - kFirst + 1) * kWindow;
    growth.frequency_hz = turns[growth.joint] / (2.0 * seconds);
  }
  growth.rate = folds / ((kWindows - kFirst) * kWindow);
  return growth;
}

}  // namespace jointrig
