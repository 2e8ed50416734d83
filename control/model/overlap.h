#pragma once
/// Bodies of a model that are inside each other in a pose.

#include <string>
#include <vector>

#include "control/model/mjcf.h"

namespace jointrig {

struct Overlap {
  std::string a, b;    ///< names of the bodies; empty for the nameless
  double depth = 0.0;  ///< of the deepest contact [m]
  /// Both are links of one robot: of one tree that hangs on the world. Such an overlap is a slip of
  /// the model's (collision shapes are rougher than links), or of a start pose nobody checked; one
  /// with another tree is a robot that stands in a table.
  bool one_robot = false;
};

/// The pairs of bodies that `data` has contacts of deeper than 1 mm between, or than a twentieth of
/// the smaller shape's bounding radius (choices: more than a contact sinks in at rest), deepest
/// first. A contact begins where its margin does. `data` is after mj_fwdPosition.
std::vector<Overlap> overlaps(const mjModel& model, const mjData& data);

/// Leaves out all contacts between such links of one robot, as MJCF's <exclude> does: whatever a
/// controller does they would push apart from the first step. Returns how many pairs those were;
/// compile anew if any.
std::size_t leave_out_overlaps(Mjcf& mjcf, const std::vector<Overlap>& pairs);

}  // namespace jointrig
