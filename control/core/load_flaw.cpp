#include <fmt/core.h>

#include "control/core/load.h"

namespace jointrig {

std::string describe_flaw(double value, double limit) {
  constexpr const char* kGive =
      "give Ixx Iyy Izz Ixy Ixz Iyz about the load's centre of mass, along the flange's axes";
  if (value < 0.0) {
    return fmt::format(
        "no rigid body has this inertia: its least principal moment is {:.6g} kg·m², below 0; {}",
        value, kGive);
  }
  if (value > limit) {
    return fmt::format(
        "no rigid body has this inertia: its largest principal moment is {:.6g} kg·m², above the "
        "sum of the other two, {:.6g} kg·m²; {}",
        value, limit, kGive);
  }
  return fmt::format(
      "an inertia of {:.6g} kg·m² without a mass is no rigid body; give the mass, or six zeros as "
      "inertia",
      value);
}

}  // namespace jointrig
