#pragma once
/// An ideal robot that runs at 1 kHz on a thread of its own, and its server.

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "remote/client.h"
#include "remote/hold_on_loss.h"
#include "remote/parameter_tap.h"
#include "remote/served_robot.h"
#include "tests/support/ideal_rig.h"

namespace jointrig::testing {

class ServedRig {
 public:
  using Plan = decltype(remote::ServedRobot::plan);

  explicit ServedRig(remote::ServerOptions options = {}, std::size_t joints = 2, Plan plan = {})
      : rig(joints) {
    if (!options.listen.empty()) options.listen = "127.0.0.1:0";
    server_ = remote::make_server({.config = &rig.stack.config(),
                                   .inbox = &rig.stack.inbox(),
                                   .events = &rig.stack.events(),
                                   .snapshots = &rig.loop.exchange(),
                                   .parameters = &parameters_.exchange(),
                                   .watch = &watch_,
                                   .backend = "ideal",
                                   .version = "test",
                                   .notes = {},
                                   .plan = std::move(plan)},
                                  options);
    thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
  ~ServedRig() {
    server_.reset();
    thread_.request_stop();
  }
  ServedRig(const ServedRig&) = delete;
  ServedRig& operator=(const ServedRig&) = delete;

  [[nodiscard]] remote::Server& server() { return *server_; }
  [[nodiscard]] int port() const { return server_->port(); }
  [[nodiscard]] remote::ClientOptions options(const std::string& name, double rate = 200.0) const {
    remote::ClientOptions options;
    options.address = "127.0.0.1:" + std::to_string(port());
    options.name = name;
    options.rate = rate;
    return options;
  }

  IdealRig rig;

 private:
  void run(const std::stop_token& stop) {
    auto due = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
      hold_.before_cycle(rig.stack.snapshot());
      rig.run(1);
      parameters_.after_cycle(rig.stack.drained());
      due += std::chrono::milliseconds(1);
      std::this_thread::sleep_until(due);
    }
  }

  remote::ParameterTap parameters_{rig.stack.config(), rig.stack.events()};
  remote::HolderWatch watch_{rig.stack.config().period_ns};
  remote::HoldOnLoss hold_{watch_, rig.stack.inbox(), rig.stack.events(),
                           rig.stack.config().joints.size()};
  std::unique_ptr<remote::Server> server_;
  std::jthread thread_;
};

}  // namespace jointrig::testing
