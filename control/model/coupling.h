#pragma once
/// Joints that follow others: MJCF's joint equalities (what URDF calls mimic).
///
///     q_f = r_f + sum_k c_k (q_l - r_l)^k,   k = 0..4
///
/// with r the positions of follower f and leader l in qpos0 (MuJoCo, "equality/joint").

#include <mujoco/mujoco.h>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace jointrig {

/// One follower. With a leader of -1 it keeps its position.
struct Coupling {
  int equality = -1;  ///< id in the model
  int follower = -1;  ///< joint id
  int leader = -1;    ///< joint id, or -1
  std::array<double, 5> c{};
  double follower_ref = 0.0;
  double leader_ref = 0.0;

  /// Position of the follower when the leader is at `q`.
  [[nodiscard]] double position(double q) const noexcept;
  /// True if the slope is the same everywhere.
  [[nodiscard]] bool is_linear() const noexcept;
  /// d position / d q.
  [[nodiscard]] double slope(double q) const noexcept;
};

/// Returns the couplings that determine, directly or over others, the joints that are not in
/// `known`; each leader comes before its followers. If a known joint is written as a follower, the
/// coupling is solved for its leader, provided that the polynomial is linear. Inactive equalities
/// and those between two known joints are left out.
///
/// @param known  (njnt) true for joints whose position is given
std::vector<Coupling> couplings_of(const mjModel& model, std::vector<bool> known);

/// Pairs of `joints`, by place, that an equality of joints or of tendons ties to each other.
/// Inactive ones are left out.
///
/// @param joints  ids
std::vector<std::pair<std::size_t, std::size_t>> ties_between(const mjModel& model,
                                                              const std::vector<int>& joints);

/// Sets each follower in `qpos` to the position that its leader determines.
void place_followers(const mjModel& model, const std::vector<Coupling>& couplings,
                     mjtNum* qpos) noexcept;

/// By joint id: its speed per speed of `joint`. 1 for that joint, the product of slopes for those
/// that follow it, directly or over others, and 0 for all others.
///
/// @param couplings  leaders before followers, as couplings_of() gives them
/// @param qpos       positions at which the slopes are taken
std::vector<double> speeds_with(int joint, const mjModel& model,
                                const std::vector<Coupling>& couplings, const mjtNum* qpos);

/// The robot's joint that moves a degree of freedom, itself or as its follower.
struct Mover {
  int joint = -1;      ///< joint of the robot; -1: none
  double slope = 0.0;  ///< velocity of the degree of freedom per velocity of the joint
};

/// By degree of freedom of the model.
///
/// @param joints     ids of the robot's joints, in their order
/// @param couplings  as couplings_of() gives them for these joints
/// @param qpos       positions at which the slopes are taken
std::vector<Mover> movers_of(const mjModel& model, const std::vector<int>& joints,
                             const std::vector<Coupling>& couplings, const mjtNum* qpos);

}  // namespace jointrig
