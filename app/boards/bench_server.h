#pragma once
/// The bench's side of the line to a run in another program (messages.h): one client at a time.
/// Whoever owns it polls what put_waits() gives and calls serve(). One thread.

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

namespace jointrig {

/// What the server needs of the robot on the bench.
struct BenchDesk {
  std::uint32_t token = 0;
  bool lockstep = true;
  /// Puts another robot on it; throws std::exception with a sentence, and then all is as before.
  std::function<void(const RobotConfig&, const PlantOptions&)> reset;
  std::function<World*()> world;  ///< of the robot that is on it
  std::function<std::uint64_t()> hash;
};

class BenchServer {
 public:
  /// Throws can::OpenError.
  BenchServer(const can::Endpoint& address, BenchDesk desk);

  std::size_t put_waits(std::span<pollfd> into) const noexcept;
  void serve();

  [[nodiscard]] bool has_client() const noexcept { return static_cast<bool>(client_); }
  [[nodiscard]] int port() const { return can::port_of(listener_.get()); }

 private:
  void accept();
  void read();
  [[nodiscard]] nlohmann::json answer(const nlohmann::json& request);
  [[nodiscard]] nlohmann::json prepare(const nlohmann::json& request);
  void send(const std::string& line);
  void let_go();

  BenchDesk desk_;
  can::UniqueFd listener_;
  can::UniqueFd client_;
  std::string received_;
  std::vector<World::Handle> truths_;  ///< that the client found, in its order
};

}  // namespace jointrig
