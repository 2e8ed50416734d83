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

using Array = Eigen::ArrayXd;

/// Share of a first-order lag in one period.
double share_of(double lag, double dt) { return lag > 0.0 ? -std::expm1(-dt / lag) : 1.0; }

Array of_each(const std::vector<LoopJoint>& joints, const auto& value) {
  Array all(static_cast<Eigen::Index>(joints.size()));
  for (Eigen::Index i = 0; i < all.size(); ++i) all[i] = value(joints[static_cast<std::size_t>(i)]);
  return all;
}

/// The joints' numbers that stay, one of each joint.
struct Constants {
  Constants(const std::vector<LoopJoint>& joints, double dt)
      : velocity_share(of_each(joints, [=](auto& j) { return share_of(j.velocity_lag, dt); })),
        torque_share(of_each(joints, [=](auto& j) { return share_of(j.torque_lag, dt); })),
        viscous(of_each(joints, [](auto& j) { return j.viscous; })),
        is_pid(of_each(joints, [](auto& j) { return j.is_computed ? 0.0 : 1.0; })),
        kp(of_each(joints, [](auto& j) { return j.kp; }) * is_pid),
        ki_dt(of_each(joints, [=](auto& j) { return j.ki * dt; }) * is_pid),
        kd(of_each(joints, [](auto& j) { return j.kd; }) * is_pid),
        w2(of_each(joints, [](auto& j) { return j.servo.w * j.servo.w; }) * (1.0 - is_pid)),
        zeta_w(of_each(joints, [](auto& j) { return 2.0 * j.servo.damping * j.servo.w; }) *
               (1.0 - is_pid)),
        observer(of_each(joints, [=](auto& j) { return j.servo.observer * dt; }) * (1.0 - is_pid)),
        has_servo((is_pid == 0.0).any()) {
    observer /= 1.0 + observer;
  }

  Array velocity_share;
  Array torque_share;
  Array viscous;
  Array is_pid;  ///< 1 or 0
  Array kp;
  Array ki_dt;
  Array kd;
  Array w2;
  Array zeta_w;
  Array observer;
  bool has_servo;
};

/// Torques on their way to the motors, the newest first, in a ring of each joint.
class Wires {
 public:
  explicit Wires(const std::vector<LoopJoint>& joints)
      : lines_(joints.size()),
        sent_(Eigen::ArrayXXd::Zero(kLength, static_cast<Eigen::Index>(joints.size()))) {
    for (std::size_t i = 0; i < joints.size(); ++i) {
      lines_[i].cycle = joints[i].cycle;
      lines_[i].delay = std::min(joints[i].delay, kLongestDelay);
    }
  }
  /// Begins a period. True for the joints whose bus has a cycle now.
  void tick() {
    for (Line& line : lines_) {
      line.is_due = line.periods == 0;
      line.periods = line.periods + 1 == line.cycle ? 0 : line.periods + 1;
      if (line.is_due) line.head = line.head + 1 == kLength ? 0 : line.head + 1;
    }
  }
  [[nodiscard]] bool is_due(Eigen::Index i) const { return at(i).is_due; }
  /// Sends; returns the torque that arrives.
  double pass(Eigen::Index i, double torque) {
    const Line& line = at(i);
    sent_(line.head, i) = torque;
    const int arrived = line.head - line.delay;
    return sent_(arrived < 0 ? arrived + kLength : arrived, i);
  }
  void scale(double by) { sent_ *= by; }

 private:
  static constexpr int kLength = kLongestDelay + 1;
  struct Line {
    int cycle = 1;
    int delay = 0;
    int periods = 0;  // since the bus had a cycle
    int head = 0;
    bool is_due = true;
  };
  [[nodiscard]] const Line& at(Eigen::Index i) const { return lines_[static_cast<std::size_t>(i)]; }

  std::vector<Line> lines_;
  Eigen::ArrayXXd sent_;
};

/// All that the loops remember from one period to the next is linear, so that it may be scaled.
class Simulation {
 public:
  Simulation(const std::vector<LoopJoint>& joints, const Eigen::MatrixXd& model, double share,
             double dt, const CoupledGains* coupled)
      : model_(model),
        coupled_(coupled),
        dt_(dt),
        rate_share_(-std::expm1(-2.0 * std::numbers::pi * kRateFilterHz * dt)),
        with_(joints, dt),
        wires_(joints) {
    const auto n = static_cast<Eigen::Index>(joints.size());
    // The joints' own damping at the end of the period: on a light joint it is faster than that.
    Eigen::MatrixXd inertia = share * model;
    inertia.diagonal().array() += dt * with_.viscous;
    mobility_ = inertia.llt().solve(Eigen::MatrixXd::Identity(n, n));
    mass_ = model.diagonal();
    spring_ = coupled == nullptr ? Array(mass_ * with_.w2 + with_.kp)
                                 : Array(coupled->stiffness.diagonal().array().max(0.0));
    for (Array* all : memory()) *all = Array::Zero(n);
    torque_ = wish_ = Eigen::VectorXd::Zero(n);
    // No symmetry of the robot may hide a motion: each joint starts with another sign and size.
    for (Eigen::Index i = 0; i < n; ++i) {
      const double size = 1.0 + 0.3 * std::sin(1.0 + 2.0 * static_cast<double>(i));
      v_[i] = v_sensed_[i] = (i % 3 == 0 ? -size : size) / std::sqrt(mass_[i]);
    }
  }

  void step() {
    wires_.tick();
    read();
    if (coupled_ != nullptr) {
      pull_together();
    } else {
      choose_torques();
    }
    move();
  }
  /// Energy of each joint, of mass and spring, so that it stays while an undamped joint swings.
  [[nodiscard]] auto energies() const { return mass_ * v_.square() + spring_ * q_.square(); }
  /// That of all joints. The exchange by springs between them counts, or a slow beat would pass for
  /// growth.
  [[nodiscard]] double coupled_energy() {
    wish_.noalias() = model_ * v_.matrix();
    torque_.noalias() = coupled_->stiffness * q_.matrix();
    return wish_.dot(v_.matrix()) + std::max(0.0, torque_.dot(q_.matrix()));
  }
  [[nodiscard]] const Array& speeds() const { return v_; }
  void scale(double by) {
    for (Array* all : memory()) *all *= by;
    wires_.scale(by);
  }

 private:
  std::array<Array*, 12> memory() {
    return {&q_,        &v_,        &v_sensed_, &q_read_, &v_read_, &error_rate_,
            &integral_, &momentum_, &known_,    &load_,   &tau_,    &acts_};
  }
  void read() {
    v_sensed_ += with_.velocity_share * (v_ - v_sensed_);
    for (Eigen::Index i = 0; i < q_.size(); ++i) {
      if (!wires_.is_due(i)) continue;
      q_read_[i] = q_[i];
      v_read_[i] = v_sensed_[i];
    }
  }

  void choose_torques() {
    error_rate_ -= rate_share_ * (v_read_ + error_rate_);
    integral_ -= with_.ki_dt * q_read_;
    if (with_.has_servo) {
      wish_ = with_.zeta_w * error_rate_ - with_.w2 * q_read_;
      torque_.noalias() = model_ * wish_;
      observe_loads();
      torque_.array() = (1.0 - with_.is_pid) * (torque_.array() - load_);
    } else {
      torque_.setZero();
    }
    torque_.array() += integral_ - with_.kp * q_read_ - with_.kd * v_read_;
  }

  void observe_loads() {
    wish_.noalias() = model_ * v_read_.matrix();  // momentum
    load_ += with_.observer * ((wish_.array() - momentum_) / dt_ - acts_ +
                               0.5 * (with_.viscous * v_read_ + known_) - load_);
    momentum_ = wish_;
    known_ = with_.viscous * v_read_;
  }

  void pull_together() {
    torque_.noalias() = -coupled_->stiffness * q_read_.matrix();
    torque_.noalias() -= coupled_->damping * v_read_.matrix();
  }

  void move() {
    for (Eigen::Index i = 0; i < q_.size(); ++i) acts_[i] = wires_.pass(i, torque_[i]);
    tau_ += with_.torque_share * (acts_ - tau_);
    torque_ = tau_ - with_.viscous * v_;
    wish_.noalias() = mobility_ * torque_;
    q_ += dt_ * (v_ + (0.5 * dt_) * wish_.array());
    v_ += dt_ * wish_.array();
  }

  const Eigen::MatrixXd& model_;
  const CoupledGains* coupled_;
  double dt_;
  double rate_share_;
  Constants with_;
  Wires wires_;
  Array q_;
  Array v_;
  Array v_sensed_;
  Array q_read_;  // as the bus brought it
  Array v_read_;
  Array error_rate_;
  Array integral_;
  Array momentum_;
  Array known_;  // friction, against the motion
  Array load_;
  Array tau_;               // in the motor
  Array acts_;              // the torque that arrived
  Eigen::VectorXd wish_;    // accelerations
  Eigen::VectorXd torque_;  // of the law, then of the motor
  Eigen::MatrixXd mobility_;
  Array mass_;
  Array spring_;
};

}  // namespace

LoopGrowth loop_growth(const std::vector<LoopJoint>& joints, const Eigen::MatrixXd& model,
                       double share, double dt, const CoupledGains* coupled) {
  constexpr int kWindows = 30;
  constexpr int kFirst = 10;       // windows until the fastest growing motion is alone
  constexpr double kWindow = 0.1;  // s: short enough that no motion grows beyond all numbers
  // A motion that doesn't decay began with more than e^-12 of the whole, and would show by then.
  constexpr double kGone = -12.0;  // e-folds
  constexpr int kLooks = 4;        // steps from one look at the energy to the next
  const int steps = std::max(1, static_cast<int>(kWindow / dt));
  Simulation loop(joints, model, share, dt, coupled);
  LoopGrowth growth;
  Array energy(static_cast<Eigen::Index>(joints.size()));
  Array before(energy.size());
  Array turns = Array::Zero(energy.size());
  double folds = 0.0;    // since kFirst
  double decayed = 0.0;  // from the start
  for (int window = 0; window < kWindows && decayed > kGone; ++window) {
    energy.setZero();
    double sum = 0.0;
    if (window == kFirst) turns.setZero();
    for (int step = 0; step < steps; ++step) {
      before = loop.speeds();
      loop.step();
      turns += (before * loop.speeds() < 0.0).cast<double>();
      if (step % kLooks != 0) continue;
      energy += loop.energies();
      if (coupled != nullptr) sum += loop.coupled_energy();
    }
    if (coupled == nullptr) sum = energy.sum();
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (sum == 0.0) return {-kInfinity, 0, 0.0};
    if (!std::isfinite(sum)) return {kInfinity, growth.joint, growth.frequency_hz};
    // Each window starts from 1.
    const double fold = 0.5 * std::log(sum);
    decayed += fold;
    if (window >= kFirst) folds += fold;
    const int counted = std::max(1, window - kFirst + 1);
    growth.rate = (window < kFirst ? fold : folds) / (counted * kWindow);
    loop.scale(1.0 / std::sqrt(sum));
    Eigen::Index most = 0;
    energy.maxCoeff(&most);
    growth.joint = static_cast<std::size_t>(most);
    const double seconds = (window < kFirst ? window + 1 : counted) * kWindow;
    growth.frequency_hz = turns[most] / (2.0 * seconds);
  }
  return growth;
}

}  // namespace jointrig
