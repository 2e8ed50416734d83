#pragma once
/// An arm of six joints on a pedestal that is turned and tilted, so that the axes of world, base
/// and tool are all different ones; and MuJoCo, which says where its tool is.

#include <mujoco/mujoco.h>

#include <Eigen/Geometry>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "control/core/arm.h"

namespace jointrig::testing {

/// Light links without friction, a ball at the end; the ball alone touches anything.
inline std::string tilted_arm(const std::string& around = {}) {
  return R"(
<mujoco model="tilted">
  <compiler angle="radian" autolimits="true"/>
  <option timestep="0.001" integrator="implicitfast"/>
  <default>
    <joint armature="0.05" range="-2.8 2.8"/>
    <geom type="capsule" size="0.03" contype="0" conaffinity="0"/>
  </default>
  <worldbody>)" +
         around + R"(
    <body name="pedestal" pos="0.3 -0.2 0.5" euler="0.5 -0.3 0.8">
      <geom fromto="0 0 -0.1 0 0 0.1"/>
      <body pos="0 0 0.15">
        <joint name="yaw" axis="0 0 1"/><geom fromto="0 0 0 0 0 0.1" mass="2"/>
        <body pos="0 0 0.15">
          <joint name="shoulder" axis="0 1 0"/><geom fromto="0 0 0 0.35 0 0" mass="1.5"/>
          <body pos="0.35 0 0">
            <joint name="elbow" axis="0 1 0"/><geom fromto="0 0 0 0.15 0 0" mass="0.8"/>
            <body pos="0.15 0 0">
              <joint name="forearm" axis="1 0 0"/><geom fromto="0 0 0 0.15 0 0" mass="0.4"/>
              <body pos="0.15 0 0">
                <joint name="wrist" axis="0 1 0"/><geom fromto="0 0 0 0.06 0 0" mass="0.3"/>
                <body name="hand" pos="0.06 0 0">
                  <joint name="roll" axis="1 0 0"/><geom fromto="0 0 0 0.06 0 0" mass="0.2"/>
                  <geom type="sphere" size="0.02" pos="0.1 0 0.02" mass="0.05" condim="1"
                        contype="1" conaffinity="1"/>
                  <site name="tip" pos="0.1 0 0.02" euler="0.3 1.1 -0.4"/>
                </body>
              </body>
            </body>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="yaw" ctrlrange="-80 80"/><motor joint="shoulder" ctrlrange="-80 80"/>
    <motor joint="elbow" ctrlrange="-60 60"/><motor joint="forearm" ctrlrange="-20 20"/>
    <motor joint="wrist" ctrlrange="-20 20"/><motor joint="roll" ctrlrange="-20 20"/>
  </actuator>
</mujoco>)";
}

/// Far from straight and from its ranges.
inline constexpr const char* kTiltedRobot =
    "schema: 1\nname: tilted\nmodel: robot.xml\n"
    "parts: {arm: [yaw, shoulder, elbow, forearm, wrist, roll]}\n"
    "arms: {arm: {part: arm, tool: tip}}\n"
    "joints: {yaw: {start: 0.3}, shoulder: {start: -0.9}, elbow: {start: 1.5}, "
    "forearm: {start: 0.4}, wrist: {start: 0.8}, roll: {start: -0.5}}\n"
    "collision_avoidance: {on: false}\ncollision_detection: {on: false}\n";

inline const std::vector<double>& tilted_start() {
  static const std::vector<double> start{0.3, -0.9, 1.5, 0.4, 0.8, -0.5};
  return start;
}

/// MuJoCo's own reading of the file.
class TiltedTruth {
 public:
  explicit TiltedTruth(const std::string& file) {
    char why[500] = "";
    model_.reset(mj_loadXML(file.c_str(), nullptr, why, sizeof why));
    if (model_ == nullptr) throw std::runtime_error(why);
    data_.reset(mj_makeData(model_.get()));
  }
  void place(const std::vector<double>& q) {
    if (q.size() != static_cast<std::size_t>(model_->nq)) throw std::runtime_error("other joints");
    for (int i = 0; i < model_->nq; ++i) data_->qpos[i] = q[static_cast<std::size_t>(i)];
    mj_kinematics(model_.get(), data_.get());
  }
  /// X_WT
  [[nodiscard]] Eigen::Isometry3d tool() const {
    const int id = mj_name2id(model_.get(), mjOBJ_SITE, "tip");
    return placed(data_->site_xpos + 3 * id, data_->site_xmat + 9 * id);
  }
  /// X_WB
  [[nodiscard]] Eigen::Isometry3d base() const {
    const int id = mj_name2id(model_.get(), mjOBJ_BODY, "pedestal");
    return placed(data_->xpos + 3 * id, data_->xmat + 9 * id);
  }
  /// Where a frame of the arm is, in the world.
  [[nodiscard]] Eigen::Isometry3d of(ToolFrame frame) const {
    if (frame == ToolFrame::kBase) return base();
    return frame == ToolFrame::kTool ? tool() : Eigen::Isometry3d::Identity();
  }

 private:
  static Eigen::Isometry3d placed(const double* p, const double* rows) {
    Eigen::Isometry3d x = Eigen::Isometry3d::Identity();
    for (int i = 0; i < 3; ++i) {
      x.translation()[i] = p[i];
      for (int k = 0; k < 3; ++k) x.linear()(i, k) = rows[3 * i + k];
    }
    return x;
  }
  struct Free {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
  };
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
};

}  // namespace jointrig::testing
