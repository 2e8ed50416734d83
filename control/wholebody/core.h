#pragma once
/// The core of whole-body control: joint torques for tasks and contacts, by one quadratic program
/// per cycle.
///
///     variables   z = [q̈; ρ]: joints' accelerations, and forces ρ ≥ 0 along the edges of the
///                 friction pyramid at each point of each contact that is on
///     contacts    f = Σ ρᵢ eᵢ at each point, four edges eᵢ on the cone √(fx² + fy²) = μ fz
///     base        v̇_b = M_bb⁻¹ (G_b ρ + w_b - h_b - M_bj q̈): eliminated, so that the equations of
///                 motion hold to rounding whatever the solver does
///     torques     τ = M_jb v̇_b + M_jj q̈ + h_j - G_j ρ - w_j: eliminated, too
///
///     min  Σ w (task - wanted)² + r_a |q̈|² + r_ρ |ρ|² + r_τ |τ|² + r_c |z - z_before|²
///     so that   contacts that are on move as commanded, hard tasks are met,
///               low ≤ q̈ ≤ high   from ranges and speeds of the joints
///               |τ| ≤ torque_max
///               Σ ρ of a contact ≤ its force_max
///
/// Two other modes (CoreMode) make an answer of the same command:
///
///     inverse kinematics, for boards without torque: z = [q̈; v̇_b], the same tasks, the momentum's
///         rate as A v̇ + (dA/dt) v, motion of contacts and bounds of the joints. No forces: neither
///         friction nor torques nor external wrenches count, torques and wrenches of the answer are
///         0
///     virtual model: z = ρ. A task that wants acceleration a of a frame pulls there by the virtual
///         wrench F = (J M⁻¹ Jᵀ)⁻¹ (a - (dJ/dt) v), as if somebody outside did; a joint's task by
///         M_ii q̈, times its weight over the largest one of that task.
///             τ = h_j - G_j ρ - w_j + Σ J_jᵀ F + τ_joints
///             min  Σ w (L̇(ρ) - wanted)² + r_ρ |ρ|² + r_τ |τ|²
///         The wanted momentum's rate is the command's. The virtual wrenches' moments about the
///         centre of mass come on top of it, their forces only along axes that the command leaves
///         out. Tasks aren't weighed against each other there, `hard` is nothing more,
///         accelerations of contacts and ranges of joints don't count, and torques are cut at their
///         limits. Accelerations of the answer are 0. (Pratt et al. 2001, "Virtual model control".)
///
/// G = Σ Jᵀ W are contacts, w external wrenches. The friction pyramid lies inside the cone, and a
/// centre of pressure inside the contact's points follows from ρ ≥ 0. (The choice of variables is
/// that of Feng et al. 2015, "Optimization-based full body control for the DARPA Robotics
/// Challenge", with ρ as in Koolen et al. 2016, "Design of a momentum-based control framework".)
///
/// No weight is hidden: CoreSettings has all that the command has not.

#include <Eigen/Core>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "control/model/floating_model.h"
#include "control/wholebody/active_set_qp.h"
#include "control/wholebody/commands.h"
#include "control/wholebody/solution.h"

namespace jointrig {

/// A plane part of the robot that may touch the scene: z of its frame is the normal, away from the
/// scene, into the robot.
struct ContactSetup {
  std::string name;  ///< for messages
  BodyFrame frame;
  std::vector<Eigen::Vector3d> points;  ///< corners, in the frame [m]; 1 to kMaxContactPoints
};

struct JointBounds {
  double low = -std::numeric_limits<double>::infinity();  ///< position [rad or m]
  double high = std::numeric_limits<double>::infinity();
  double velocity_max = std::numeric_limits<double>::infinity();  ///< [rad/s or m/s]
  double torque_max = std::numeric_limits<double>::infinity();    ///< [N·m or N]
};

struct CoreSettings {
  double acceleration_weight = 1e-3;  ///< r_a [s⁴/rad²]
  double force_weight = 1e-5;         ///< r_ρ [1/N²]
  double torque_weight = 0.0;         ///< r_τ [1/(N·m)²]
  double change_weight = 0.0;         ///< r_c: against jumps from one cycle to the next
  double released_weight = 1e5;       ///< of each row of a constraint that gave way
  double acceleration_max = 200.0;    ///< of a joint [rad/s² or m/s²]
  /// Time in which a joint's acceleration may use up the way to its limit [s]; also that in which
  /// it comes back under its speed limit.
  double limit_horizon = 0.05;
  int iterations = 300;  ///< of the solver, per attempt
  int attempts = 6;      ///< constraints that may give way in one cycle, plus one
};

class WholeBodyCore {
 public:
  /// For start-up. Throws ModelError: more joints, contacts or points than there is room for, a
  /// contact without points, bounds that don't fit the joints, a setting that can't be.
  WholeBodyCore(const FloatingModel& model, std::vector<ContactSetup> contacts,
                std::vector<JointBounds> bounds, const CoreSettings& settings = {});

  /// Solves one cycle at the model's last update. Reads nothing of the past but the start of the
  /// solver and, if change_weight isn't 0, the solution before.
  const WholeBodySolution& solve(FloatingModel& model, const WholeBodyCommand& command) noexcept;

  [[nodiscard]] const WholeBodySolution& solution() const noexcept { return solution_; }
  [[nodiscard]] const std::vector<ContactSetup>& contacts() const noexcept { return contacts_; }

  /// All that outlives a cycle: from the same memory the same inputs give the same bits.
  struct Memory {
    std::vector<ActiveSetQp::Active> active;
    Eigen::VectorXd before;
    std::array<int, kMaxContacts> first_force_before{};
    CoreMode mode_before = CoreMode::kInverseDynamics;
    WholeBodySolution solution;
  };
  /// Not for the cycle.
  [[nodiscard]] Memory memory() const;
  void restore(const Memory& memory);

  /// The program of the last attempt, for tests and measurements.
  [[nodiscard]] QuadraticProgram program() const noexcept;
  [[nodiscard]] Eigen::VectorXd variables() const;

 private:
  using Jacobian = FloatingModel::Jacobian;

  static constexpr int kOff = -1;
  static constexpr int kForceless = -2;

  /// Equalities of one origin, which give way together.
  struct Group {
    GaveWay name;
    int first = 0;  ///< row
    int count = 0;
    bool released = false;
  };

  void lay_out(FloatingModel& model, const WholeBodyCommand& command) noexcept;
  void eliminate(FloatingModel& model) noexcept;
  void add_contact(FloatingModel& model, int contact, const ContactCommand& command) noexcept;
  [[nodiscard]] bool is_on(std::size_t contact, const WholeBodyCommand& command) const noexcept {
    return contact < contacts_.size() && command.contacts[contact].on;
  }
  void add_objectives(FloatingModel& model, const WholeBodyCommand& command) noexcept;
  void add_spatial_tasks(FloatingModel& model, const WholeBodyCommand& command) noexcept;
  void add_momentum(const FloatingModel& model, const WholeBodyCommand& command) noexcept;
  void add_momentum_of_motion(const FloatingModel& model, const WholeBodyCommand& command) noexcept;
  void momentum_row(const FloatingModel& model, int axis) noexcept;
  // The other modes (core_modes.cpp).
  void free_the_base() noexcept;
  void pull(FloatingModel& model, const WholeBodyCommand& command) noexcept;
  void pull_frame(FloatingModel& model, const SpatialTask& task) noexcept;
  void pull_joints(FloatingModel& model, const WholeBodyCommand& command) noexcept;
  void add_virtual_momentum(const FloatingModel& model, const WholeBodyCommand& command) noexcept;
  void add_pressure(FloatingModel& model, const WholeBodyCommand& command) noexcept;
  void add_joint_task(const JointTask& task) noexcept;
  void add_constraints(FloatingModel& model, const WholeBodyCommand& command) noexcept;
  void limit_normal_forces(const WholeBodyCommand& command) noexcept;
  void bound_joints(const FloatingModel& model) noexcept;
  /// The row in z, and what is wanted of it, of a row over v̇.
  template <typename Row>
  double row_in_variables(const Row& over_velocities, double wanted,
                          Eigen::Ref<Eigen::VectorXd> row) const noexcept;
  void add_objective_row(double wanted, double weight) noexcept;
  void add_equality_row(double wanted) noexcept;
  bool solve_virtual() noexcept;
  bool release_one() noexcept;
  void apply_releases() noexcept;
  void take_solution() noexcept;
  void count_active() noexcept;
  void note_range(int joint, double side) noexcept;
  void note_edge(int force) noexcept;
  void note_row(int row, double side) noexcept;

  std::vector<ContactSetup> contacts_;
  std::vector<JointBounds> bounds_;
  CoreSettings settings_;
  int joints_ = 0;
  CoreMode mode_ = CoreMode::kInverseDynamics;
  int accelerations_ = 0;  ///< q̈ among the variables, first: joints_, or none
  int forces_ = 0;         ///< ρ of this cycle, after them
  int base_ = 0;           ///< v̇_b among the variables, last: 6, or none
  int variables_ = 0;
  int slacks_ = 0;              ///< of released rows
  int rows_ = 0;                ///< constraints
  int torque_rows_ = 0;         ///< of these, limits of torques,
  int first_torque_row_ = 0;    ///< from here on; limits of contacts' forces come next
  int load_rows_ = 0;           ///< these; then come the joints' ranges, where they gave way
  std::vector<int> row_joint_;  ///< joint of each torque row
  std::array<std::size_t, kMaxContacts> row_contact_{};  ///< contact of each load row
  int objectives_ = 0;                                   ///< rows of the objective

  ActiveSetQp qp_;
  WholeBodySolution solution_;
  std::vector<Group> groups_;
  bool limits_released_ = false;
  /// Number of a contact's first ρ; kOff, or kForceless in inverse kinematics.
  std::array<int, kMaxContacts> first_force_{};
  std::array<int, kMaxContacts> first_force_before_{};
  CoreMode mode_before_ = CoreMode::kInverseDynamics;

  Jacobian jacobian_;
  std::array<Eigen::Vector3d, kMaxContacts> origin_;           // of the contacts' frames
  Eigen::MatrixXd forces_to_velocities_;                       // G (nv, forces)
  Eigen::Matrix<double, 3, Eigen::Dynamic> forces_to_points_;  // edges (3, forces), in the world
  Eigen::Matrix<double, 3, Eigen::Dynamic> points_;            // where each acts, in the world
  Eigen::VectorXd wrench_force_;                               // Jᵀ w of external wrenches (nv)
  SixNumbers wrench_momentum_;  // their part of the momentum's rate (6)
  Jacobian base_of_;            // v̇_b = base_of z + base_at (6, variables)
  SixNumbers base_at_;
  Eigen::MatrixXd torque_of_;  // τ = torque_ofᵀ z + torque_at (variables, joints)
  Eigen::VectorXd torque_at_;
  // Of virtual model control:
  SixNumbers virtual_momentum_;  // force and moment about the centre of mass of the wrenches
  Eigen::MatrixXd factor_;       // of M: its lower triangle (nv, nv)
  Eigen::MatrixXd pulled_;       // chosen rows of a task's J, as columns (nv, 6)
  Eigen::MatrixXd moved_;        // M⁻¹ times them (nv, 6)
  Eigen::MatrixXd objective_;    // (variables, rows)
  Eigen::VectorXd row_;
  Eigen::VectorXd before_;  // z of the cycle before
  Eigen::VectorXd diagonal_;
  Eigen::VectorXd gradient_;
  Eigen::VectorXd low_;
  Eigen::VectorXd high_;
  Eigen::MatrixXd constraint_;  // (variables, rows)
  Eigen::VectorXd row_low_;
  Eigen::VectorXd row_high_;
};

}  // namespace jointrig
