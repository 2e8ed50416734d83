#include "remote/ros2_link.h"

#include <fmt/core.h>

#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "remote/address.h"
#include "remote/ros2_bus.h"
#include "remote/ros2_commander.h"
#include "remote/ros2_publisher.h"
#include "remote/ros2_refusals.h"

namespace jointrig::remote {
namespace {

Ros2Options options_of(const std::string& text, const RobotConfig& robot) {
  const char* const domain = std::getenv("ROS_DOMAIN_ID");
  Ros2Options options = read_ros2_options(text, domain == nullptr ? "" : domain);
  const double loop = 1.0 / to_seconds(robot.period_ns);
  if (options.rate <= loop + 0.5) return options;
  throw std::invalid_argument(
      fmt::format("--ros2 rate is {}: give {:.0f} at most, the cycles of this robot in a second",
                  options.rate, loop));
}

class FastLink final : public Ros2Link {
 public:
  FastLink(const ServedRobot& robot, Server& server, Ros2Options options,
           std::function<void(const std::string&)> tell)
      : robot_(robot),
        options_(std::move(options)),
        refusals_(std::move(tell)),
        bus_(join_ros2({.domain = options_.domain, .address = options_.address})),
        commander_(robot_, server, *bus_, options_, refusals_),
        publisher_(robot_, server.lease(), *bus_, options_, commander_.sender(), refusals_) {}

  [[nodiscard]] std::string sentence() const override {
    const bool is_here = is_loopback(options_.address + ":0");
    return fmt::format(
        "ROS 2: domain {} at {}{}; {} at {:g} Hz, commands from {} and {}", options_.domain,
        options_.address, is_here ? "" : ", unprotected: whoever reaches it may command",
        options_.joint_states, options_.rate, options_.joint_commands, options_.joint_trajectory);
  }

 private:
  ServedRobot robot_;
  Ros2Options options_;
  Ros2Refusals refusals_;
  std::unique_ptr<Ros2Bus> bus_;
  Ros2Commander commander_;
  Ros2Publisher publisher_;
};

}  // namespace

std::unique_ptr<Ros2Link> make_ros2_link(const ServedRobot& robot, Server& server,
                                         const std::string& options,
                                         std::function<void(const std::string&)> tell) {
  return std::make_unique<FastLink>(robot, server, options_of(options, *robot.config),
                                    std::move(tell));
}

}  // namespace jointrig::remote
