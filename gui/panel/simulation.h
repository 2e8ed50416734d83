#pragma once

#include <string>
#include <vector>

#include "control/core/types.h"

namespace jointrig::gui {

/// What a panel may do to a simulated world that no robot can: hold time, and break things. A real
/// robot has none of it. Called by the window's thread; the program hands it to the loop's.
class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  virtual ~Simulation() = default;

  [[nodiscard]] virtual bool paused() const = 0;
  virtual void pause(bool paused) = 0;
  /// Runs so many cycles and pauses again.
  virtual void step(int cycles) = 0;

  /// Robot time per wall time that is wanted.
  [[nodiscard]] virtual double speed() const = 0;
  virtual void set_speed(double factor) = 0;

  /// Faults that can be injected, by name; the same list for every joint.
  [[nodiscard]] virtual std::vector<std::string> fault_types() const = 0;
  virtual void inject(JointIndex joint, std::size_t fault_type) = 0;
  virtual void end_faults(JointIndex joint) = 0;
};

}  // namespace jointrig::gui
