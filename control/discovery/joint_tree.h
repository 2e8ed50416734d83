#pragma once
/// The order in which joints of a robot carry one another.

#include <vector>

#include "control/core/types.h"

namespace jointrig {

struct Survey;

/// The controlled joints as a tree.
struct JointTree {
  std::vector<JointIndex> before;                 ///< by joint: the nearest one that moves it
  std::vector<std::vector<JointIndex>> children;  ///< by joint
};

/// For start-up: allocates.
JointTree joint_tree(const Survey& survey);

}  // namespace jointrig
