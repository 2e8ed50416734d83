#pragma once
/// Joints that follow others: MJCF's joint equalities (what URDF calls mimic).
///
///     q_f = r_f + sum_k c_k (q_l - r_l)^k,   k = 0..4
///
/// with r the positions of follower f and leader l in qpos0 (MuJoCo, "equality/joint").

#include <mujoco/mujoco.h>

#include <array>
#include <vector>

namespace jointrig {

/// One follower. A leader of -1: the follower is held where it is.
struct Coupling {
  int equality = -1;  ///< id in the model
  int follower = -1;  ///< joint id
  int leader = -1;    ///< joint id, or -1
  std::array<double, 5> c{};
  double follower_ref = 0.0;
  double leader_ref = 0.0;

  /// Where the follower is when the leader is at `q`.
  [[nodiscard]] double position(double q) const noexcept;
  /// d position / d q.
  [[nodiscard]] double slope(double q) const noexcept;
};

/// The couplings that tell, directly or over others, where joints are that `known` doesn't hold;
/// ordered so that each leader comes before its followers. A leader written as the follower of a
/// known joint is solved for where the polynomial is a straight line. Inactive equalities and those
/// between two known joints are left out.
///
/// @param known  (njnt) true for joints whose position is given
std::vector<Coupling> couplings_of(const mjModel& model, std::vector<bool> known);

/// Puts each follower where its leader in `qpos` wants it.
void place_followers(const mjModel& model, const std::vector<Coupling>& couplings,
                     mjtNum* qpos) noexcept;

}  // namespace jointrig
