#pragma once
/// Waits beside the loop for virtual boards whose process ended and was started again. They are new
/// ones: with another token (2011h), and in their start pose. The driver is told the token before
/// they boot, and then sets them up again as far as motor off; the operator asks for more.

#include <thread>

#include "app/boards/side_line_client.h"
#include "hw/driver/hw_backend.h"

namespace jointrig::app {

class BoardsReturn {
 public:
  /// All of it outlives this object, whose thread looks at the line and waits in between.
  BoardsReturn(SideLineClient& line, hw::HwBackend& driver, const RobotConfig& robot,
               sim::PlantOptions plant);

 private:
  void watch(const std::stop_token& stop);
  void take_back();

  SideLineClient* line_;
  hw::HwBackend* driver_;
  const RobotConfig* robot_;
  sim::PlantOptions plant_;
  std::jthread thread_;  ///< last member: it uses the others
};

}  // namespace jointrig::app
