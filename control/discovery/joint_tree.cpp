#include "control/discovery/joint_tree.h"

#include "control/discovery/survey.h"

namespace jointrig {

JointTree joint_tree(const Survey& survey) {
  const mjModel& m = *survey.model;
  const std::size_t count = survey.controlled.size();
  JointTree tree{std::vector<JointIndex>(count, kNoJoint), {}};
  tree.children.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const int own = survey.controlled[i];
    int body = m.jnt_bodyid[own];
    for (std::size_t other = i; other-- > 0 && body > 0;) {
      // Joints are in the order of the bodies: the last one on the way to the world is the nearest.
      const int carrier = m.jnt_bodyid[survey.controlled[other]];
      while (body > carrier) body = m.body_parentid[body];
      if (body != carrier) {
        body = m.jnt_bodyid[own];
        continue;
      }
      tree.before[i] = static_cast<JointIndex>(other);
      tree.children[other].push_back(static_cast<JointIndex>(i));
      break;
    }
  }
  return tree;
}

}  // namespace jointrig
