#pragma once

#include <string>
#include <vector>

#include "control/core/types.h"

namespace jointrig::gui {

/// Functions of a simulated world for the panel that a real robot lacks: pausing time, and
/// injecting faults. The window's thread calls them; the program passes them to the loop's thread.
class Simulation {
 public:
  Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  virtual ~Simulation() = default;

  [[nodiscard]] virtual bool paused() const = 0;
  virtual void pause(bool paused) = 0;
  /// Runs a number of cycles and pauses again.
  virtual void step(int cycles) = 0;

  /// Wanted robot time per wall time.
  [[nodiscard]] virtual double speed() const = 0;
  virtual void set_speed(double factor) = 0;

  /// Faults that can be injected, by name; the same list for every joint with a simulated board,
  /// empty for the others.
  [[nodiscard]] virtual std::vector<std::string> fault_types(JointIndex joint) const = 0;
  virtual void inject(JointIndex joint, std::size_t fault_type) = 0;
  virtual void end_faults(JointIndex joint) = 0;
};

}  // namespace jointrig::gui
