#pragma once

#include <array>
#include <vector>

#include "control/core/fixed_vector.h"

namespace jointrig::gui {

/// A force in a contact [N], in the world frame, at a point of it [m].
struct ContactArrow {
  std::array<double, 3> point{};
  std::array<double, 3> force{};

  bool operator==(const ContactArrow&) const = default;
};

/// Choice: more arrows can't be distinguished.
inline constexpr std::size_t kMostContactArrows = 64;

/// True state of a simulated world, as plain data for another thread.
struct WorldPose {
  std::vector<double> qpos;        ///< (nq) as in MuJoCo's data
  std::vector<double> mocap_pos;   ///< (3 nmocap)
  std::vector<double> mocap_quat;  ///< (4 nmocap)
  FixedVector<ContactArrow, kMostContactArrows> contacts;
  std::array<double, 3> pull{};  ///< force of the hand that pulls at a body [N], in the world frame
};

}  // namespace jointrig::gui
