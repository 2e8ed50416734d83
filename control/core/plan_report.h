#pragma once
/// Result of planning a trajectory, for whoever shows it before it is followed.

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "control/core/types.h"

namespace jointrig {

struct PlanReport {
  std::string refusal;         ///< as a sentence; empty: it passed all checks
  std::uint16_t waypoint = 0;  ///< that the refused way leads to, from 1; 0: none in particular
  /// References where it begins, of the joints that were asked for, by rising index [rad or m].
  std::vector<double> start;

  // The path; all of it is empty without one. A path that meets something is told, too.
  double duration = 0.0;                        ///< at full speed override [s]
  std::vector<JointIndex> joints;               ///< that it moves, in the order of the numbers
  std::vector<double> times;                    ///< rising [s]
  std::vector<std::vector<double>> q;           ///< at each time [rad or m]
  std::vector<double> waypoint_times;           ///< [s]
  std::vector<std::vector<double>> waypoint_q;  ///< at each waypoint [rad or m]

  // Two bodies that come too near on the path.
  std::string meets;                                           ///< both; empty: none do
  double meets_at = std::numeric_limits<double>::quiet_NaN();  ///< [s]
  std::vector<double> meets_q;                                 ///< of `joints` there [rad or m]

  bool operator==(const PlanReport&) const = default;
};

}  // namespace jointrig
