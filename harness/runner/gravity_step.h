#pragma once
/// The step set_gravity: read from its file, bound to a robot, made each time it is sent.

#include <vector>

#include "control/core/command.h"
#include "harness/runner/binder.h"
#include "harness/runner/scenario.h"

namespace jointrig::harness {

GravityStep read_gravity(const YamlNode& node);

class BoundGravity {
 public:
  BoundGravity(const GravityStep& step, const Binder& binder);

  /// Makes the command with the present values.
  [[nodiscard]] SetGravity make() const noexcept;

 private:
  std::vector<BoundValue> numbers_;  ///< three [m/s²]
};

}  // namespace jointrig::harness
