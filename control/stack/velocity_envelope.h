#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "control/stack/joint_loads.h"

namespace jointrig {

/// Keeps the joints within their speeds, and stops them in time for their position limits, whatever
/// their laws want. Full torque is there at rest.
///
/// From the torques that would be sent it predicts the accelerations, of all joints together:
///
///     a = M⁻¹ (τ − bias − b v + r)
///
/// with r the load as the quick observer sees it. A joint may accelerate towards its speed limit by
/// no more than the torque rate r_τ can take back in time, T_v being the time in which the loop
/// answers:
///
///     allow(Δ) = sgn(Δ) γ (√(T_v² + 2 |Δ| / γ) − T_v)      Δ = v_hi − v,  γ = r_τ (M⁻¹)ᵢᵢ
///     a ≤ dv_hi/dt + allow(Δ)
///
///     v_hi(q)  = min(v_max, speed that a_max stops at q_stop), dv_hi/dt = −a_max v / v_hi near it
///     q_stop   = q_max − soft_margin / 2
///
/// and likewise from below. Joints S beyond their bound get torques that bring them onto it
/// together: (M⁻¹)_SS Δτ_S = −excess_S. (Each joint by itself would correct for the others, too.)
///
/// Functions are for the cycle unless they say otherwise.
class VelocityEnvelope {
 public:
  /// Not for the cycle.
  explicit VelocityEnvelope(std::size_t joint_count);

  /// Bounds the torques that the laws want, in the joints (JointControl::bound_torque). Joints
  /// whose board closes its own loop are left out.
  void advance(PlacedModel& model, Joints joints, const JointLoads& loads) noexcept;

  /// Turns torques beside the bias into accelerations, M⁻¹ x, after advance(): of joints that move
  /// freely; 0 of the others, and of all where no joint has a torque.
  void accelerations(std::span<double> torques) noexcept;

  [[nodiscard]] const EnvelopeNote& note(std::size_t joint) const noexcept { return notes_[joint]; }

 private:
  struct Bound {
    double from_above = 0.0;   // v_hi − v
    double from_below = 0.0;   // v − v_lo
    double slope_above = 0.0;  // dv_hi/dt
    double slope_below = 0.0;  // −dv_lo/dt
    bool near_above = false;
    bool near_below = false;
  };
  [[nodiscard]] static Bound bound_of(const JointSetup& setup, const JointState& state) noexcept;
  bool gather(Joints joints) noexcept;
  void factor(const PlacedModel& model) noexcept;
  void solve(double* x) const noexcept;
  [[nodiscard]] static double excess(const Bound& bound, double gamma, double loop_time,
                                     double a) noexcept;
  void predict(const PlacedModel& model, Joints joints, const JointLoads& loads) noexcept;
  void find_excess(const PlacedModel& model, Joints joints) noexcept;
  void solve_together() noexcept;
  void correct(Joints joints) noexcept;

  std::vector<std::size_t> free_;      // joints that move freely: not held by a board's own loop
  std::vector<std::size_t> factored_;  // those of root_
  std::uint64_t inertia_number_ = 0;   // of the model's inertia that root_ is from
  Eigen::MatrixXd root_;               // L of their inertia, lower triangle
  Eigen::MatrixXd columns_;            // M⁻¹ of the joints in set_
  Eigen::MatrixXd small_;              // (M⁻¹)_SS
  std::vector<Bound> bounds_;
  std::vector<double> a_;            // predicted, of the free joints
  bool is_factored_ = false;         // in this cycle
  std::vector<std::size_t> set_;     // S: places in free_ of the joints beyond their bound
  std::vector<double> corrections_;  // Δτ_S
  std::vector<EnvelopeNote> notes_;
};

}  // namespace jointrig
