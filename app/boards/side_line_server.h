#pragma once
/// The boards' end of the side line (side_line_messages.h): one client at a time. The owner polls
/// the descriptors of put_waits() and calls serve(). One thread.

#include <poll.h>

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "harness/runner/world.h"
#include "hw/can/inet.h"
#include "hw/can/unique_fd.h"
#include "sim/plant_model.h"

namespace jointrig::app {

/// The robot of virtual boards, for the server.
struct ServedRobot {
  std::uint32_t token = 0;
  bool lockstep = true;
  /// Replaces the robot; throws std::exception with a sentence and then leaves all unchanged.
  std::function<void(const RobotConfig&, const sim::PlantOptions&)> reset;
  std::function<harness::World*()> world;  ///< world of the present robot
  std::function<std::uint64_t()> hash;
};

class SideLineServer {
 public:
  /// Throws can::OpenError.
  SideLineServer(const can::Endpoint& address, ServedRobot robot);

  std::size_t put_waits(std::span<pollfd> into) const noexcept;
  void serve();

  [[nodiscard]] int port() const { return can::port_of(listener_.get()); }

 private:
  void accept();
  void read();
  [[nodiscard]] nlohmann::json answer(const nlohmann::json& request);
  [[nodiscard]] nlohmann::json prepare(const nlohmann::json& request);
  void send(const std::string& line);
  void let_go();

  ServedRobot robot_;
  can::UniqueFd listener_;
  can::UniqueFd client_;
  std::string received_;
  std::vector<harness::World::Handle> truths_;  ///< truths that the client found, in its order
};

}  // namespace jointrig::app
