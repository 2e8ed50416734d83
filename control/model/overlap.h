#pragma once
/// Bodies of a model that overlap in a pose.

#include <string>
#include <vector>

#include "control/model/mjcf.h"

namespace jointrig {

struct Overlap {
  std::string a, b;    ///< names of the bodies; empty for a body without a name
  double depth = 0.0;  ///< depth of the deepest contact [m]
  /// True if both are links of one robot, that is of one tree on the world. Such an overlap is an
  /// error of the model (collision shapes are rougher than links) or of the start pose; an overlap
  /// with another tree is a robot that stands in a table, say.
  bool one_robot = false;
};

/// Returns the pairs of bodies with contacts deeper than 1 mm, or than a twentieth of the smaller
/// shape's bounding radius (choices: deeper than a contact at rest), deepest first. A contact
/// begins where its margin does. A link that touches the fixed base that it is mounted on counts
/// with any depth: it would rub there in some poses and not in others, by rounding. So do links
/// that touch where a joint between them may go no way but deeper into the other: not they touch,
/// but their hulls. `data` is after mj_fwdPosition, and is again when it returns.
std::vector<Overlap> overlaps(const mjModel& model, mjData& data);

/// Excludes all contacts between such links of one robot, as MJCF's <exclude> does: they would push
/// apart from the first step, whatever a controller does. Returns the number of these pairs;
/// compile again if it is above 0.
std::size_t leave_out_overlaps(Mjcf& mjcf, const std::vector<Overlap>& pairs);

}  // namespace jointrig
