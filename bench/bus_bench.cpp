// jointrig_bus_bench trip|cycle|loop ROBOT COUNT     virtual boards run: jointrig board ROBOT
// jointrig_bus_bench driver ROBOT COUNT              boards and wires in this program
//
//     trip    from before the orders are sent until the states of the SYNC that makes them act are
//             read: RPDO, SYNC, TPDOs, and what says that all have answered. No stack
//     cycle   Loop::step: SYNC, states, the stack's cycle, orders. Boards in lockstep, begun at
//             1 kHz, or at once where the one before took longer
//     loop    COUNT seconds at the robot's period against the clock, boards free running
//     driver  wait, read and write of the backend, less what it spends in its links
//
// Prints JSON; times in µs. bench/boards.py starts the boards and calls this.

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "app/boards/boards_on_bus.h"
#include "app/boards/seats.h"
#include "app/realtime/realtime.h"
#include "app/rig/rig.h"
#include "app/rig/wiring.h"
#include "control/exchange/robot_client.h"
#include "hw/can/clock.h"
#include "hw/can/forwarding_transport.h"

namespace jointrig::bench {
namespace {

constexpr int kWarmUp = 300;  // cycles: drives enabled, caches and branches as they will be

void sleep_until(can::TimeNs time) {
  const timespec until{static_cast<time_t>(time / can::kSecond),
                       static_cast<long>(time % can::kSecond)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

class Times {
 public:
  void add(can::TimeNs time) { times_.push_back(static_cast<double>(time) / can::kMicrosecond); }
  [[nodiscard]] std::string json() {
    std::sort(times_.begin(), times_.end());
    return fmt::format(R"("count": {}, "p50": {:.2f}, "p99": {:.2f}, "max": {:.2f})", times_.size(),
                       at(0.5), at(0.99), at(1.0));
  }

 private:
  [[nodiscard]] double at(double share) const {
    const auto last = times_.size() - 1;
    return times_[std::min(last, static_cast<std::size_t>(share * static_cast<double>(last)))];
  }
  std::vector<double> times_;
};

/// `what` once a millisecond, or as often as it can.
template <typename What>
Times each_millisecond(int count, What what) {
  Times times;
  can::TimeNs start = can::monotonic_now();
  for (int i = 0; i < kWarmUp + count; ++i) {
    start = std::max(start + can::kMillisecond, can::monotonic_now());
    sleep_until(start);
    const can::TimeNs before = can::monotonic_now();
    what();
    if (i >= kWarmUp) times.add(can::monotonic_now() - before);
  }
  return times;
}

app::RigOptions over_buses() {
  app::RigOptions options;
  options.backend = BackendKind::kHw;
  return options;
}

/// Every motor on, without torque: the pendulums hang as they are.
RobotCommand at_rest(const RobotConfig& robot) {
  RobotCommand command;
  command.joints.resize(robot.joints.size());
  for (JointSetpoint& joint : command.joints) joint.drive = DriveMode::kTorque;
  return command;
}

void need_all_enabled(const RobotState& state) {
  for (const JointState& joint : state.joints) {
    if (joint.status == BoardStatus::kEnabled && joint.missed == 0) continue;
    throw std::runtime_error("a joint was not driven to the end: nothing was measured");
  }
}

void trip(const RobotConfig& robot, int count) {
  app::Rig rig(robot, over_buses());
  rig.start();
  Backend& backend = rig.backend();
  const RobotCommand command = at_rest(robot);
  RobotState state;
  Times times = each_millisecond(count, [&] {
    backend.write(command);
    backend.wait();
    backend.read(state);
  });
  need_all_enabled(state);
  std::cout << "{" << times.json() << "}\n";
}

void in_position_mode(app::Rig& rig, const RobotConfig& robot) {
  RobotClient user(robot, rig.stack().inbox(), "bench");
  user.set_mode(user.select("all"), ModeRequest::kPosition);
}

void cycle(const RobotConfig& robot, int count) {
  app::Rig rig(robot, over_buses());
  rig.start();
  in_position_mode(rig, robot);
  Times times = each_millisecond(count, [&] { rig.loop().step(); });
  need_all_enabled(rig.loop().state());
  std::cout << "{" << times.json() << "}\n";
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::string json_of(const DurationSummary& summary) {
  const auto us = [](std::int64_t ns) {
    return fmt::format("{:.3f}", 1e-3 * static_cast<double>(ns));
  };
  return "{\"p50\": " + us(summary.p50_ns) + ", \"p99\": " + us(summary.p99_ns) +
         ", \"max\": " + us(summary.max_ns) + "}";
}

void loop(const RobotConfig& robot, int seconds) {
  app::Rig rig(robot, over_buses());
  if (!rig.keeps_the_boards_time()) {
    throw std::runtime_error("boards in lockstep keep no time: start them with --free");
  }
  const app::RealtimeSetup realtime = app::enter_realtime({});
  rig.start();
  in_position_mode(rig, robot);
  for (int i = 0; i < kWarmUp; ++i) rig.loop().step();
  const LoopSummary before = rig.loop().statistics().summary();
  const auto& backend = static_cast<const hw::HwBackend&>(rig.backend());
  const std::uint64_t incomplete_before = backend.incomplete_cycles();
  const double processor_before = processor_seconds();
  const can::TimeNs start = can::monotonic_now();
  const std::uint64_t first = rig.stack().snapshot().cycle;
  while (can::monotonic_now() - start < seconds * can::kSecond) rig.loop().step();
  const double wall = 1e-9 * static_cast<double>(can::monotonic_now() - start);
  const double share = (processor_seconds() - processor_before) / wall;
  const LoopSummary after = rig.loop().statistics().summary();
  std::size_t in_a_fault = 0;
  for (const JointSnapshot& joint : rig.stack().snapshot().joints) {
    in_a_fault += joint.mode == JointMode::kPosition ? 0 : 1;
  }
  std::cout << "{\"seconds\": " << wall << ", \"fifo\": " << realtime.priority
            << ", \"period\": " << 1e-3 * static_cast<double>(robot.period_ns)
            << ", \"late\": " << json_of(after.late) << ", \"cycle\": " << json_of(after.cycle)
            << ", \"cycles\": " << rig.stack().snapshot().cycle - first
            << ", \"overruns\": " << after.overruns() - before.overruns()
            << ", \"skipped\": " << after.skipped - before.skipped
            << ", \"incomplete\": " << backend.incomplete_cycles() - incomplete_before
            << ", \"lost_joints\": " << in_a_fault << ", \"share\": " << share << "}\n";
  app::leave_realtime(realtime);
}

/// A link that counts the time spent in it.
class Timed final : public can::ForwardingTransport {
 public:
  Timed(std::unique_ptr<can::Transport> link, can::TimeNs& spent)
      : ForwardingTransport(std::move(link)), spent_(&spent) {}

  std::size_t send(std::span<const can::Frame> frames) noexcept override {
    const can::TimeNs before = can::monotonic_now();
    const std::size_t count = ForwardingTransport::send(frames);
    *spent_ += can::monotonic_now() - before;
    return count;
  }
  std::size_t receive(std::span<can::ReceivedFrame> into, can::TimeNs deadline) noexcept override {
    const can::TimeNs before = can::monotonic_now();
    const std::size_t count = ForwardingTransport::receive(into, deadline);
    *spent_ += can::monotonic_now() - before;
    return count;
  }

 private:
  can::TimeNs* spent_;
};

void driver(const RobotConfig& robot, int count) {
  constexpr std::uint32_t kToken = 1;
  app::VirtualRobot boards(robot, app::seats_of(robot, kToken));
  std::deque<can::SteppedBus> lines;
  std::deque<app::SteppedClock> clocks;
  std::vector<hw::HwBus> buses;
  can::TimeNs in_links = 0;
  const auto by_bus = app::joints_by_bus(robot);
  for (std::size_t i = 0; i < by_bus.size(); ++i) {
    can::SteppedBus& line = lines.emplace_back(can::VirtualBusConfig{});
    clocks.emplace_back(line);
    app::attach(boards, i, line);
    hw::HwBus& bus = buses.emplace_back();
    bus.name = robot.buses[i].name;
    bus.transport =
        std::make_unique<Timed>(std::make_unique<can::SteppedTransport>(line, "host"), in_links);
    bus.clock = &clocks.back();
    bus.bus = app::driver_bus(robot, i, kToken, true);
    bus.robot_index = by_bus[i];
  }
  boards.power_on(0);
  hw::HwBackend backend(robot.period_ns, std::move(buses), {.timing = hw::Timing::kLockstep});
  backend.start();
  const RobotCommand command = at_rest(robot);
  RobotState state;
  Times times;
  for (int i = 0; i < kWarmUp + count; ++i) {
    in_links = 0;
    const can::TimeNs before = can::monotonic_now();
    backend.wait();
    backend.read(state);
    backend.write(command);
    if (i >= kWarmUp) times.add(can::monotonic_now() - before - in_links);
  }
  need_all_enabled(state);
  std::cout << "{" << times.json() << "}\n";
}

int run(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int count = argc > 3 ? std::atoi(argv[3]) : 0;
  const auto measure = what == "trip"     ? trip
                       : what == "cycle"  ? cycle
                       : what == "loop"   ? loop
                       : what == "driver" ? driver
                                          : nullptr;
  if (measure == nullptr || count < 1) {
    std::cerr << "usage: jointrig_bus_bench trip|cycle|driver ROBOT CYCLES\n"
                 "       jointrig_bus_bench loop ROBOT SECONDS\n";
    return 2;
  }
  measure(app::load_robot(harness::find_robot(argv[2])).config, count);
  return 0;
}

}  // namespace
}  // namespace jointrig::bench

int main(int argc, char** argv) {
  try {
    return jointrig::bench::run(argc, argv);
  } catch (const std::exception& problem) {
    std::cerr << "jointrig_bus_bench: " << problem.what() << '\n';
    return 2;
  }
}
