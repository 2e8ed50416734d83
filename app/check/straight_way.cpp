#include "app/check/straight_way.h"

namespace jointrig::app {

JointPlan straight_way(const std::vector<JointIndex>& joints, const std::vector<double>& from,
                       const std::vector<double>& way) {
  std::vector<double> coefficients;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    coefficients.insert(coefficients.end(), {from[i], way[i], 0.0, 0.0, 0.0, 0.0});
  }
  return JointPlan(joints, {0.0, 1.0}, coefficients, {{0.0, 0.0, 1.0, 0.0}, {1.0, 1.0, 0.0, 0.0}},
                   {1.0});
}

}  // namespace jointrig::app
