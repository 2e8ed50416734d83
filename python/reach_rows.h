#pragma once
/// Poses of tools from rows of numbers, which python/jointrig/reaching.py checks and lays out, for
/// a Sim and for a connection. A row:
///
///     position, by, orientation, turn; NaN: absent

#include <cstddef>
#include <vector>

#include "control/core/asked_reach.h"
#include "python/asked_rows.h"

namespace jointrig::python {

struct ReachRows {
  std::vector<std::size_t> arms;
  std::vector<int> frames;  ///< a ToolFrame of each
  std::vector<int> free;    ///< a FreeRotation of each
  std::vector<std::vector<double>> poses;

  [[nodiscard]] AskedReach with(const std::vector<JointIndex>& beside,
                                const std::vector<JointIndex>& posture_joints,
                                const std::vector<double>& posture) const {
    AskedReach asked;
    for (std::size_t i = 0; i < arms.size(); ++i) {
      AskedPose& to = asked.tools.emplace_back();
      to.arm = static_cast<ArmIndex>(arms[i]);
      to.frame = static_cast<ToolFrame>(frames.at(i));
      to.free_rotation = static_cast<FreeRotation>(free.at(i));
      to.position = list_at<3>(poses.at(i), 0);
      to.by = list_at<3>(poses[i], 3);
      to.orientation = list_at<4>(poses[i], 6);
      to.turn = list_at<3>(poses[i], 10);
    }
    for (const JointIndex joint : beside) asked.with.set(joint);
    for (std::size_t i = 0; i < posture_joints.size(); ++i) {
      asked.posture.push_back({posture_joints[i], posture.at(i)});
    }
    return asked;
  }
};

}  // namespace jointrig::python
