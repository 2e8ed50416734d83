#pragma once

#include <string>

namespace jointrig::gui {

/// A part of the panel that goes on moving joints after the click that began it: a sequence, a
/// scenario. It begins only while ARMED, and end() ends it without a question.
class Autopilot {
 public:
  Autopilot() = default;
  Autopilot(const Autopilot&) = delete;
  Autopilot& operator=(const Autopilot&) = delete;
  virtual ~Autopilot() = default;

  /// Stops sending motion; its joints brake. No effect if it is not active.
  /// @param why  "STOP", "OFF", "ARMED has ended"
  virtual void end(const std::string& why) = 0;
};

}  // namespace jointrig::gui
