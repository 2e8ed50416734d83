#pragma once
/// Joint positions that bring one or several frames of a robot to their goals, within the joints'
/// limits.
///
///     minimize ½ |W e(q)|²   subject to   low <= q <= high
///
///     e   (6 for each task)   Rᵍᵀ (p - p_g) [m], then the rotation vector of R_gᵀ R [rad]: along
///     the
///                             goal's own axes, so that a free axis is one of the goal
///     W   weights of the axes; 0: the axis is free
///
/// The steps are those of Levenberg and Marquardt (damped_step.h) with the damping of the error
/// that is left (Sugihara 2011, "Solvability-Unconcerned Inverse Kinematics by the
/// Levenberg-Marquardt Method"): full steps near the goal, short ones far away and where there is
/// none. Where a start leads to no solution, the next one is a posture at random, from a fixed
/// seed: equal calls give equal results, to the bit.
///
/// The nearest to a posture is taken among the solutions found. Joints that the goals leave
/// free are then led towards it, without moving the frames (Liegeois 1977, null space motion).
///
/// After construction nothing allocates or throws. One thread at a time.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "control/planning/damped_step.h"
#include "control/planning/frame_kinematics.h"
#include "control/planning/ik_outcome.h"
#include "control/planning/singular_value.h"

namespace jointrig {

/// A frame that is to come to a goal.
struct IkTask {
  FramePair frames;
  /// Along, then about x y z of the goal [1, m/rad]. A radian of error counts as much as so many
  /// metres: by default 0.3, some size of a hand.
  std::array<double, 6> weights{1.0, 1.0, 1.0, 0.3, 0.3, 0.3};
  /// With a free axis the last three weights are about the axes of held_axes(), and the last one
  /// is 0 (held_rotation.h); with `all` the three are.
  FreeRotation free = FreeRotation::kNone;
};

/// Numbers are choices; bench/ik_bench measures their effect.
struct IkOptions {
  double position_tolerance = 1e-6;  ///< [m]
  double rotation_tolerance = 1e-6;  ///< [rad]
  int steps = 60;                    ///< at most, from one start
  int starts = 60;                   ///< at most
  int candidates = 1;                ///< solutions to choose the nearest to the posture from
  bool leads_to_posture = false;     ///< in the null space
  /// Without a solution it is told why, and q is what comes nearest. Else it is out of reach, and q
  /// is where the search ended: for the cycle, with few steps.
  bool explains = true;
  std::uint64_t seed = 1;  ///< of the random starts
};

/// A joint that a solution would need beyond its limits.
struct BeyondLimit {
  JointIndex joint = kNoJoint;
  double q = 0.0;      ///< that it would need [rad or m]
  double limit = 0.0;  ///< [rad or m]
};

/// Rest of a task.
struct IkError {
  double position = 0.0;  ///< along the axes that count [m]
  double rotation = 0.0;  ///< about them [rad]
};

struct IkResult {
  IkOutcome outcome = IkOutcome::kOutOfReach;
  std::vector<double> q;  ///< all joints of the robot; without a solution those that come nearest
  std::vector<IkError> errors;  ///< one for each task, at q
  JointSet at_limit;            ///< moved joints that stand at a limit
  BeyondLimit beyond;           ///< with joint_limits: the joint that is furthest beyond
  int steps = 0;                ///< of all starts
  int starts = 0;
};

class InverseKinematics {
 public:
  /// @param joints  joints that are moved
  /// @param ranges  of these joints; may be infinite
  InverseKinematics(const KinematicTree& tree, std::vector<IkTask> tasks,
                    const std::vector<JointIndex>& joints, std::vector<JointRange> ranges,
                    const IkOptions& options = {});

  /// Pose of the floating base in the world.
  void set_base(const Placement& base) noexcept { kinematics_.set_base(base); }

  /// From now on a task's frame T stands at X_FT in the frame F that was given for it.
  void set_offset(std::size_t task, const Placement& offset) noexcept {
    kinematics_.set_offset(task, offset);
  }

  /// @param goals    X_RT of each task, in its reference
  /// @param q        all joints of the robot: the first start, and where the others stay
  /// @param posture  of the moved joints, to be near to; empty: that of q. The second start.
  const IkResult& solve(std::span<const Placement> goals, std::span<const double> q,
                        std::span<const double> posture = {}) noexcept;

  /// The solution that q leads to without a leap: one start, q itself, no posture. For paths.
  const IkResult& follow(std::span<const Placement> goals, std::span<const double> q) noexcept;

  /// From now on a task leaves this rotation free.
  void set_free(std::size_t task, FreeRotation free) noexcept;
  /// From now on x, y and z of a task's free rotation are those of a frame in which its reference
  /// has this orientation; at first of the reference itself.
  void set_axes(std::size_t task, const Eigen::Matrix3d& axes) noexcept { frames_[task] = axes; }

  /// From now on joint number `place` of the moved ones may be there.
  void set_range(std::size_t place, const JointRange& range) noexcept { ranges_[place] = range; }

  [[nodiscard]] const std::vector<JointIndex>& joints() const noexcept {
    return kinematics_.joints();
  }
  [[nodiscard]] const std::vector<JointRange>& ranges() const noexcept { return ranges_; }

 private:
  /// A row of the error that counts.
  struct Row {
    std::size_t task = 0;
    std::size_t axis = 0;
    double weight = 0.0;
  };

  [[nodiscard]] bool begin_call(std::span<const Placement> goals, std::span<const double> q,
                                std::span<const double> posture) noexcept;
  const IkResult& fail(int starts_without_limits) noexcept;
  void search(std::span<const double> posture) noexcept;
  bool descend() noexcept;
  void lead_to(std::span<const double> posture) noexcept;
  void polish() noexcept;
  void find_limit(int starts) noexcept;
  void evaluate() noexcept;
  void linearize() noexcept;
  [[nodiscard]] bool is_there() const noexcept;
  void bound_step() noexcept;
  void take(std::span<const double> x) noexcept;
  [[nodiscard]] IkError error_of(std::size_t task) const noexcept;
  void begin_at(std::span<const double> moved) noexcept;
  void begin_at_random() noexcept;
  void unwind(std::span<const double> posture) noexcept;
  [[nodiscard]] double distance_to(std::span<const double> posture) const noexcept;
  [[nodiscard]] double random() noexcept;
  void keep(std::vector<double>& place) const noexcept;
  void conclude() noexcept;

  std::vector<IkTask> tasks_;
  std::vector<std::array<double, 6>> weights_;  ///< by task: as given, whatever is free
  std::vector<Eigen::Matrix3d> frames_;         ///< by task: as of set_axes()
  std::vector<JointRange> ranges_;
  IkOptions options_;
  FrameKinematics kinematics_;
  std::vector<bool> is_slide_;
  std::vector<Row> rows_;  ///< the first `row_count_` of them
  std::size_t row_count_ = 0;
  DampedStep step_;

  // Values of one call.
  std::span<const Placement> goals_;
  std::vector<double> first_;          // moved joints at the start
  std::vector<double> posture_;        // of the moved joints
  std::vector<double> q_;              // all joints
  std::vector<JointRange> now_;        // ranges in force
  std::vector<Vector6> errors_;        // by task
  std::vector<Eigen::Matrix3d> axes_;  // by task: held_axes() of its goal
  std::vector<double> residual_;
  std::vector<double> jacobian_;
  std::vector<double> shifted_;
  std::vector<double> low_;
  std::vector<double> high_;
  std::vector<double> x_;
  std::vector<double> towards_;
  std::vector<double> best_;  // moved joints that come nearest
  std::vector<double> solution_;
  std::vector<double> chosen_;  // moved joints of the solution nearest to the posture
  double cost_ = 0.0;
  double best_cost_ = 0.0;
  int found_ = 0;
  std::uint64_t random_ = 0;
  IkResult result_;
};

}  // namespace jointrig
