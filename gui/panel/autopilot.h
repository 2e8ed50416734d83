#pragma once

#include <string>

namespace jointrig::gui {

/// Something in the panel that goes on moving joints after the click that began it: a sequence, a
/// scenario. It begins only while ARMED, and what ends it asks nobody.
class Autopilot {
 public:
  Autopilot() = default;
  Autopilot(const Autopilot&) = delete;
  Autopilot& operator=(const Autopilot&) = delete;
  virtual ~Autopilot() = default;

  /// Sends nothing from now on that moves; its joints brake. Nothing to do where it isn't at work.
  /// @param why  "STOP", "OFF", "ARMED has ended"
  virtual void end(const std::string& why) = 0;
};

}  // namespace jointrig::gui
