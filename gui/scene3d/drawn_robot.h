#pragma once

#include <array>
#include <span>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/model/coupling.h"
#include "control/model/mjcf.h"
#include "gui/scene3d/world_pose.h"

namespace jointrig::gui {

/// The drawn model: a robot with the scene around it.
struct DrawnModel {
  ModelPtr model;
  std::vector<double> qpos;  ///< (nq) initial pose, until data arrives
};

/// A robot to draw: a model and data of its own, posed by measured positions; no data of it reaches
/// a controller or a plant. Beside it stands a ghost in the reference pose.
///
/// One thread: the window's.
class DrawnRobot {
 public:
  /// Smaller changes aren't drawn: a fraction of a pixel on any screen [rad, m]; also for the arrow
  /// of a force [N].
  static constexpr double kLeastMove = 2e-4;
  static constexpr double kLeastForce = 0.5;

  /// @param robot  its joints must be in the model by name; else ModelError
  DrawnRobot(DrawnModel drawn, const RobotConfig& robot);

  /// Shows the truth of a simulation. Sizes must be those of the model; a pose of other sizes is
  /// ignored.
  void show(const WorldPose& pose);
  /// Shows measured positions: joints, followers of joint equalities, a floating base. The rest of
  /// the world stays.
  void show(const Snapshot& snapshot);
  /// @param q  a position per joint of the robot; NaN: as drawn
  void show_ghost(std::span<const double> q);

  /// Increases with each visible change.
  [[nodiscard]] std::uint64_t revision() const noexcept { return revision_; }

  [[nodiscard]] mjModel& model() noexcept { return *model_; }
  [[nodiscard]] const mjModel& model() const noexcept { return *model_; }
  [[nodiscard]] mjData& data() noexcept { return *data_; }
  [[nodiscard]] const mjData& data() const noexcept { return *data_; }
  [[nodiscard]] mjData& ghost() noexcept { return *ghost_; }
  [[nodiscard]] const FixedVector<ContactArrow, kMostContactArrows>& contacts() const noexcept {
    return contacts_;
  }
  /// Force of the hand that pulls at a body of a simulation [N], in the world frame.
  [[nodiscard]] const std::array<double, 3>& pull() const noexcept { return pull_; }

  /// The joint that moves a body relative to the body that carries it, also as a follower; for a
  /// body fixed to another, that one's joint. kNoJoint: no joint of the robot moves it.
  [[nodiscard]] JointIndex joint_of(int body) const noexcept {
    return body_joint_[static_cast<std::size_t>(body)];
  }
  /// True of a body that a joint of the robot moves, or that carries the robot.
  [[nodiscard]] bool is_part(int body) const noexcept {
    return is_part_[static_cast<std::size_t>(body)];
  }
  /// Sites of such bodies.
  [[nodiscard]] const std::vector<int>& frames() const noexcept { return frames_; }

 private:
  void find_joints(const RobotConfig& robot);
  void map_bodies();
  void find_parts();
  void place(mjData& data) const;
  void take(std::span<const double> qpos);

  ModelPtr model_;
  DataPtr data_;
  DataPtr ghost_;
  std::vector<int> q_address_;  ///< by joint of the robot
  std::vector<Coupling> couplings_;
  std::vector<JointIndex> mj_joint_;  ///< by MuJoCo's joint: the robot's joint that moves it
  std::vector<JointIndex> body_joint_;
  std::vector<bool> is_part_;  ///< by body
  std::vector<int> frames_;
  int base_address_ = -1;      ///< free joint that carries the robot, in qpos
  std::vector<double> qpos_;   ///< buffer
  std::vector<double> drawn_;  ///< as of the last revision
  std::vector<double> drawn_mocap_;
  std::vector<double> drawn_ghost_;
  FixedVector<ContactArrow, kMostContactArrows> contacts_;
  std::array<double, 3> pull_{};
  std::uint64_t revision_ = 1;
};

}  // namespace jointrig::gui
