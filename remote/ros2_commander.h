#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "remote/lease.h"
#include "remote/outbox.h"
#include "remote/rate_limit.h"
#include "remote/ros2_bus.h"
#include "remote/ros2_options.h"
#include "remote/ros2_refusals.h"
#include "remote/ros2_twist.h"
#include "remote/served_robot.h"

namespace jointrig::remote {

/// Commands of a DDS domain on their way to the inbox, under the lease. Each process of the domain
/// is a client: its first command takes the lease if it is free, its messages are the signs of
/// life.
///
///     Fast DDS   bytes → queue of streams, newest trajectory
///     streams    queue → lease → inbox
///     plans      newest trajectory → planner → lease → inbox
///
/// A trajectory doesn't wait for the streams, nor they for the planner.
class Ros2Commander {
 public:
  /// All of it outlives the commander.
  Ros2Commander(const ServedRobot& robot, Server& server, Ros2Bus& bus, const Ros2Options& options,
                Ros2Refusals& refusals);
  ~Ros2Commander();
  Ros2Commander(const Ros2Commander&) = delete;
  Ros2Commander& operator=(const Ros2Commander&) = delete;

  /// Of its commands, in the inbox.
  [[nodiscard]] std::uint16_t sender() const noexcept { return sender_; }

 private:
  struct Received {
    Ros2Peer from{};
    std::vector<std::byte> cdr;
    ArmIndex arm = kNoArm;  ///< of a twist; kNoArm: joint commands
  };

  void take(const Ros2Peer& from, std::span<const std::byte> cdr, ArmIndex arm);
  void take_trajectory(const Ros2Peer& from, std::span<const std::byte> cdr);
  void run_streams();
  void run_plans();
  void stream(const Received& received);
  void step(const Received& received);
  void plan(const Received& received);

  [[nodiscard]] ClientId client_of(const Ros2Peer& peer);
  [[nodiscard]] std::string why_not(ClientId client, const Request& request) const;
  /// @returns empty, or a sentence that tells why not
  std::string give(const Ros2Peer& from, const Request& request);
  bool push(const Request& request);
  void hold();

  const ServedRobot* robot_;
  Server* server_;
  Lease* lease_;
  Ros2Refusals* refusals_;
  std::uint16_t sender_ = 0;

  std::mutex give_mutex_;  ///< of the two threads that give commands
  std::uint64_t number_ = 0;
  std::map<Ros2Peer, ClientId> clients_;
  RateLimit commands_;

  Outbox<Received> streams_;
  TwistSteps twists_;              ///< the streams' thread
  std::unique_ptr<Snapshot> now_;  ///< likewise
  std::mutex plan_mutex_;
  std::condition_variable plan_changed_;
  std::optional<Received> next_plan_;
  bool is_over_ = false;

  std::thread stream_thread_;
  std::thread plan_thread_;
  std::vector<std::unique_ptr<Ros2Reader>> readers_;
};

}  // namespace jointrig::remote
