#pragma once

#include <span>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/snapshot.h"
#include "control/model/coupling.h"
#include "control/model/mjcf.h"
#include "gui/scene3d/world_pose.h"

namespace jointrig::gui {

/// What is drawn: a robot with the scene around it.
struct DrawnModel {
  ModelPtr model;
  std::vector<double> qpos;  ///< (nq) where all stands until something is heard of it
};

/// A robot to look at: a model and data of its own, posed by what others measured; nothing of it
/// ever reaches a controller or a plant. Beside it a ghost, which stands where it was asked to go.
///
/// One thread: the window's.
class DrawnRobot {
 public:
  /// Smaller changes aren't drawn anew: a fraction of a pixel on any screen [rad, m], and the same
  /// for the arrow of a force [N].
  static constexpr double kLeastMove = 2e-4;
  static constexpr double kLeastForce = 0.5;

  /// @param robot  its joints must be in the model by name; else ModelError
  DrawnRobot(DrawnModel drawn, const RobotConfig& robot);

  /// The truth of a simulation. Sizes must be those of the model; a pose of other sizes is ignored.
  void show(const WorldPose& pose);
  /// What was measured: joints, followers of joint equalities, a floating base. The rest of the
  /// world stays where it was.
  void show(const Snapshot& snapshot);
  /// @param q  a position per joint of the robot; NaN: as drawn
  void show_ghost(std::span<const double> q);

  /// Counts up with each change that can be seen.
  [[nodiscard]] std::uint64_t revision() const noexcept { return revision_; }

  [[nodiscard]] mjModel& model() noexcept { return *model_; }
  [[nodiscard]] const mjModel& model() const noexcept { return *model_; }
  [[nodiscard]] mjData& data() noexcept { return *data_; }
  [[nodiscard]] const mjData& data() const noexcept { return *data_; }
  [[nodiscard]] mjData& ghost() noexcept { return *ghost_; }
  [[nodiscard]] const FixedVector<ContactArrow, kMostContactArrows>& contacts() const noexcept {
    return contacts_;
  }

  /// The joint that moves a body relative to what carries it, be it as a follower; of a body bolted
  /// to such a one, that one's. kNoJoint: no joint of the robot's moves it.
  [[nodiscard]] JointIndex joint_of(int body) const noexcept {
    return body_joint_[static_cast<std::size_t>(body)];
  }
  /// Sites of bodies that a joint of the robot's moves, or that carry the robot.
  [[nodiscard]] const std::vector<int>& frames() const noexcept { return frames_; }

 private:
  void find_joints(const RobotConfig& robot);
  void map_bodies();
  void find_frames();
  void place(mjData& data) const;
  void take(std::span<const double> qpos);

  ModelPtr model_;
  DataPtr data_;
  DataPtr ghost_;
  std::vector<int> q_address_;  ///< by joint of the robot
  std::vector<Coupling> couplings_;
  std::vector<JointIndex> mj_joint_;  ///< by MuJoCo's joint: the robot's that moves it
  std::vector<JointIndex> body_joint_;
  std::vector<int> frames_;
  int base_address_ = -1;      ///< of the free joint that carries the robot, in qpos
  std::vector<double> qpos_;   ///< room
  std::vector<double> drawn_;  ///< as of the last revision
  std::vector<double> drawn_mocap_;
  std::vector<double> drawn_ghost_;
  FixedVector<ContactArrow, kMostContactArrows> contacts_;
  std::uint64_t revision_ = 1;
};

}  // namespace jointrig::gui
