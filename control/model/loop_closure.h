#pragma once
/// Kinematic loops: bodies that an active `<connect>` of the MJCF pins to each other at a point, so
/// that joints without a motor between them follow the robot's joints (four-bar legs, parallel
/// arms).
///
/// With r the distances between pinned points, J = dr/dq, u the speeds of those passive joints and
/// v the robot's:
///
///     J_u u + J_v v = 0,   and of all u that obey it the one with the least kinetic energy:
///     u = T v,   T = -H⁻¹ (H_v + J_uᵀ Λ),   Λ = (J_u H⁻¹ J_uᵀ)⁻¹ (J_v - J_u H⁻¹ H_v)
///
/// with H and H_v the mass matrix's blocks (passive, passive) and (passive, robot's joint): Gauss's
/// principle. Where loops leave a passive joint no choice, T is geometry alone (Featherstone 2008,
/// "Rigid Body Dynamics Algorithms", chapter 8). A torque of the robot's joints that holds forces f
/// of all degrees of freedom is then f_v + Tᵀ f_u.
///
/// A passive joint with a spring stands as long as the others can close the loops without it: its
/// deflection isn't measured, and at rest virtual work with a spring held is exact. The inertia
/// behind such springs depends on how fast a motion is. With d their deflections, K and D their
/// stiffness and damping, and M_vv, M_vd, M_dd the inertia over v and d' of the mechanism whose
/// loops are closed, a motion e^(s t) of the robot's joints feels
///
///     I(s) = M_vv − M_vd (M_dd + D/s + K/s²)⁻¹ M_dv
///
///     I(0) = M_vv                         slow for the springs: they stand, add_slow_inertia()
///     I(∞) = M_vv − M_vd M_dd⁻¹ M_dv      a torque's first answer: they are free, add_inertia()
///
/// Both ends are exact: I(s) − I(0) is M_vd K⁻¹ M_dv s² + …, I(s) − I(∞) is M_vd M_dd⁻¹ K M_dd⁻¹
/// M_dv / s² + …. No one number stands for what is between them: along the imaginary axis I(jω)
/// rises from I(0) to infinity at ω² = K/M_dd and comes back from below. So a law chooses by what
/// it needs (stack/computed_torque.h).
///
/// After construction nothing allocates or throws. One thread at a time.

#include <mujoco/mujoco.h>

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "control/model/coupling.h"

namespace jointrig {

/// Two points that an equality keeps in one place.
struct PinnedPoints {
  int equality = -1;
  std::array<int, 2> bodies{};
  std::array<std::array<double, 3>, 2> points{};  ///< in the frame of each body [m]
};

class LoopClosure {
 public:
  /// No loops.
  LoopClosure();

  /// Those loops of a model with its equalities in which a joint of the robot moves passive ones.
  ///
  /// @param joints     ids of the robot's joints, in their order
  /// @param couplings  as couplings_of() gives them for these joints
  LoopClosure(const mjModel& whole, const std::vector<int>& joints,
              const std::vector<Coupling>& couplings);

  [[nodiscard]] bool empty() const noexcept { return pins_.empty(); }
  [[nodiscard]] const std::vector<PinnedPoints>& pins() const noexcept { return pins_; }
  /// Ids of the joints without a motor that the loops move, those with a spring included.
  [[nodiscard]] const std::vector<int>& passive_joints() const noexcept { return passive_; }

  /// Moves passive joints until the loops are closed, or come no nearer: damped Gauss-Newton.
  /// Masses weigh which of them move. Where the loops are far open, it goes to the positions of
  /// `data` from those of the last call, or from the model's own, in short strides: a loop can be
  /// put together in several ways.
  ///
  /// @param model  with bodies and joints of the constructor's; may lack the equalities
  /// @param data   with mj_kinematics and mj_comPos of its positions, before and after
  /// @param steps  bound on the number of steps
  /// @return the largest distance that is left between pinned points [m]
  double close(const mjModel& model, mjData& data, int steps) noexcept;

  /// Finds T at the positions of `data`, which has mj_kinematics and mj_comPos.
  /// @param movers  by degree of freedom, of those that aren't passive
  void find_slopes(const mjModel& model, mjData& data, std::span<const Mover> movers) noexcept;

  /// Finds dT/dt at the positions and velocities of `data`, which has mj_comVel, too. Call after
  /// find_slopes() of the same positions.
  void find_slope_rates(const mjModel& model, const mjData& data,
                        std::span<const Mover> movers) noexcept;

  /// Row of a degree of freedom in slopes() and slope_rates(), or -1.
  [[nodiscard]] int row_of(int dof) const noexcept {
    return pins_.empty() ? -1 : held_.row[static_cast<std::size_t>(dof)];
  }
  /// T, with springs held: columns the robot's joints.
  [[nodiscard]] const Eigen::MatrixXd& slopes() const noexcept { return held_.slopes; }
  /// dT/dt [1/s]
  [[nodiscard]] const Eigen::MatrixXd& slope_rates() const noexcept { return held_.rates; }

  /// True if springs stand, so that I(0) isn't I(∞).
  [[nodiscard]] bool has_springs() const noexcept { return has_springs_; }

  /// Adds what the robot's joints feel of the passive ones, springs free, to their inertia:
  /// T'ᵀ H T' + T'ᵀ H_v + H_vᵀ T'.
  ///
  /// @param data     with mj_makeM, mj_kinematics and mj_comPos
  /// @param inertia  of all other degrees of freedom, (n, n); added to
  void add_inertia(const mjModel& model, const mjData& data, std::span<const Mover> movers,
                   Eigen::Ref<Eigen::MatrixXd> inertia) noexcept;
  /// Likewise with springs that stand, at the positions of the last find_slopes().
  void add_slow_inertia(Eigen::Ref<Eigen::MatrixXd> inertia) noexcept;

  /// Slowest motion of the springs while the robot's joints stand, the least ω with
  /// det(K − ω² M_dd) = 0 [rad/s]; infinite without springs. M_dd⁻¹ is what is left of H⁻¹ where
  /// the loops hold, H⁻¹ − H⁻¹ J_uᵀ (J_u H⁻¹ J_uᵀ)⁻¹ J_u H⁻¹, for the springs. Allocates.
  ///
  /// @param data  with mj_makeM, mj_kinematics and mj_comPos
  [[nodiscard]] double slowest_spring(const mjModel& model, const mjData& data);

 private:
  /// Passive degrees of freedom that close the loops, and what their equations need.
  struct Passive {
    std::vector<int> dofs;
    std::vector<int> row;        ///< by degree of freedom of the model; -1: not one of them
    Eigen::MatrixXd inertia;     ///< H
    Eigen::MatrixXd of_joints;   ///< H_v
    Eigen::MatrixXd jacobian;    ///< J_u
    Eigen::MatrixXd led;         ///< J_v, then what is made of it
    Eigen::MatrixXd answer;      ///< H⁻¹ J_uᵀ
    Eigen::MatrixXd free;        ///< H⁻¹ H_v
    Eigen::MatrixXd compliance;  ///< J_u H⁻¹ J_uᵀ
    Eigen::MatrixXd slopes;      ///< T
    Eigen::MatrixXd rates;       ///< dT/dt
    Eigen::VectorXd step;        ///< of close()
    Eigen::LLT<Eigen::MatrixXd> inertia_factor;
    Eigen::LLT<Eigen::MatrixXd> compliance_factor;

    Passive();
  };

  void take(const mjModel& whole, const std::vector<bool>& driven);
  void choose_dofs(const mjModel& whole);
  void prepare(Passive& set, const std::vector<int>& dofs, std::size_t nv) const;
  double find_gaps(const mjData& data) noexcept;
  void walk(const mjModel& model, mjData& data, int steps) noexcept;
  double settle(const mjModel& model, mjData& data, int steps) noexcept;
  void find_point_jacobians(const mjModel& model, const mjData& data, std::size_t pin) noexcept;
  void fill_jacobian(const mjModel& model, const mjData& data, Passive& set) noexcept;
  void fill_led(const mjModel& model, const mjData& data, std::span<const Mover> movers,
                Passive& set) noexcept;
  static void fill_inertia(const mjModel& model, const mjData& data, std::span<const Mover> movers,
                           Passive& set) noexcept;
  static void factor(Passive& set) noexcept;
  void solve_slopes(const mjModel& model, const mjData& data, std::span<const Mover> movers,
                    Passive& set) noexcept;
  static void add_inertia_of(Passive& set, Eigen::Ref<Eigen::MatrixXd> inertia) noexcept;

  std::vector<PinnedPoints> pins_;
  std::vector<int> passive_;  ///< joint ids
  std::size_t joints_ = 0;    ///< of the robot
  bool has_springs_ = false;  ///< free_ has more than held_
  Passive held_;              ///< springs held where the loops close without them
  Passive free_;              ///< all, if has_springs_
  Eigen::VectorXd gaps_;      ///< r [m]
  std::array<std::vector<mjtNum>, 2> point_jacobians_;  ///< of a pin's points, (3, nv) by rows
  std::vector<mjtNum> motion_;                          ///< by degree of freedom
  std::vector<mjtNum> before_;                          ///< positions before a step
  std::vector<mjtNum> last_;                            ///< positions after the last close()
  std::vector<mjtNum> target_;                          ///< positions to walk to
  std::vector<mjtNum> travel_;                          ///< motion_ of a stride
};

}  // namespace jointrig
