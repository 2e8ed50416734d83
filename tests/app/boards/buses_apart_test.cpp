// Buses of one robot are apart: the orders of one may come to its boards before the SYNC of another
// lets the physics go on, or after it. In lockstep this decides nothing.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "app/boards/boards_on_bus.h"
#include "app/boards/local_boards.h"
#include "app/boards/seats.h"
#include "app/rig/rig.h"
#include "app/rig/wiring.h"
#include "control/exchange/robot_client.h"

namespace jointrig::app {
namespace {

constexpr std::uint32_t kToken = 1;
constexpr TimeNs kFramesTake = 5'000'000;  // all of a cycle, on the modelled wire

/// A frame that is sent is on its boards at once; a SteppedTransport's waits until somebody
/// listens.
class PromptTransport final : public can::Transport {
 public:
  explicit PromptTransport(can::SteppedBus& bus) : bus_(bus), link_(bus, "host") {}
  std::size_t send(std::span<const can::Frame> frames) noexcept override {
    const std::size_t sent = link_.send(frames);
    bus_.run_until(bus_.now() + kFramesTake);
    return sent;
  }
  std::size_t receive(std::span<can::ReceivedFrame> into, TimeNs deadline) noexcept override {
    return link_.receive(into, deadline);
  }
  [[nodiscard]] int poll_fd() const noexcept override { return link_.poll_fd(); }
  [[nodiscard]] can::LinkStatus status() const noexcept override { return link_.status(); }
  [[nodiscard]] can::LinkCounters counters() const noexcept override { return link_.counters(); }
  [[nodiscard]] Capabilities capabilities() const noexcept override { return link_.capabilities(); }
  void flush() noexcept override { link_.flush(); }
  void close() noexcept override { link_.close(); }
  [[nodiscard]] const std::string& name() const noexcept override { return link_.name(); }

 private:
  can::SteppedBus& bus_;
  can::SteppedTransport link_;
};

/// The hash of each cycle of a robot that moves on two buses while a joint of the second one is
/// deaf and mute for `missed` cycles.
std::vector<std::uint64_t> hashes(const BusPlan& plan, bool second_bus_is_prompt, double missed) {
  const RobotConfig robot =
      LocalBoards::wired(load_robot(harness::find_robot("models/franka/robot.yaml")).config, plan);
  VirtualRobot boards(robot, seats_of(robot, kToken), {}, {}, sensor_seats_of(robot, kToken));
  std::deque<can::SteppedBus> lines;
  std::deque<SteppedClock> clocks;
  const auto by_bus = joints_by_bus(robot);
  std::vector<hw::HwBus> buses(robot.buses.size());
  for (std::size_t bus = 0; bus < buses.size(); ++bus) {
    can::SteppedBus& line = lines.emplace_back(can::VirtualBusConfig{});
    clocks.emplace_back(line);
    attach(boards, bus, line);
    buses[bus].name = robot.buses[bus].name;
    if (bus == 1 && second_bus_is_prompt) {
      buses[bus].transport = std::make_unique<PromptTransport>(line);
    } else {
      buses[bus].transport = std::make_unique<can::SteppedTransport>(line, "host");
    }
    buses[bus].clock = &clocks[bus];
    buses[bus].bus = driver_bus(robot, bus, kToken);
    buses[bus].robot_index = by_bus[bus];
  }
  boards.power_on(0);
  hw::HwBackend backend(robot.period_ns, std::move(buses),
                        {.timing = hw::Timing::kLockstep, .answer_within_ns = 20'000'000});
  Stack stack(robot, backend.description().joints, std::make_unique<RobotModel>(robot));
  Loop loop(backend, stack);
  RobotClient user(robot, stack.inbox(), "test");
  backend.start();
  std::vector<std::uint64_t> hashes;
  for (int cycle = 0; cycle < 300; ++cycle) {
    if (cycle == 50) user.set_mode(user.select("all"), ModeRequest::kPosition);
    if (cycle == 100) user.move_to(pose_named(robot, "above_table"));
    if (cycle == 200) boards.boards()[5].inject(sim::SimFault::kMissedCycles, missed);
    if (!loop.step()) break;
    hashes.push_back(boards.hash());
  }
  backend.stop();
  return hashes;
}

struct Buses {
  BusProtocol protocol;
  int missed;
};
class BusesApart : public testing::TestWithParam<Buses> {};
INSTANTIATE_TEST_SUITE_P(OfEachKind, BusesApart,
                         testing::Values(Buses{BusProtocol::kCanopen, 2},
                                         Buses{BusProtocol::kCanopen, 10},
                                         Buses{BusProtocol::kMoteus, 2},
                                         Buses{BusProtocol::kMoteus, 10}));

TEST_P(BusesApart, InLockstepAnOrderMayComeBeforeOrAfterThePhysicsOfAnotherBus) {
  BusPlan plan;
  plan.joints_per_bus = 4;
  plan.buses = {BusProtocol::kCanopen, GetParam().protocol};
  plan.servo.gear = 1.5;
  const auto after = hashes(plan, false, GetParam().missed);
  const auto before = hashes(plan, true, GetParam().missed);
  ASSERT_EQ(after.size(), 300U);
  ASSERT_EQ(before.size(), 300U);
  const auto differs = std::mismatch(after.begin(), after.end(), before.begin()).first;
  EXPECT_EQ(differs - after.begin(), 300) << "the first cycle that differs";
  EXPECT_NE(after[199], after[299]) << "it moves";
}

}  // namespace
}  // namespace jointrig::app
