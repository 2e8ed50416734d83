#include "hw/driver/hw_backend.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "hw/can/stepped_bus.h"
#include "hw/driver/canopen_bus.h"

namespace jointrig::hw {
namespace {

/// A bus with one drive, and the places of its joints in the robot.
HwBus wire(can::SteppedBus& line, const std::string& joint, std::vector<std::size_t> places) {
  BusJoint drive;
  drive.name = joint;
  std::vector<BusJoint> drives;
  drives.push_back(std::move(drive));
  HwBus bus;
  bus.name = joint + "'s wire";
  bus.transport = std::make_unique<can::SteppedTransport>(line, "host");
  bus.bus = std::make_unique<CanopenBus>(std::move(drives));
  bus.robot_index = std::move(places);
  return bus;
}

std::string refusal(std::vector<std::size_t> of_elbow, std::vector<std::size_t> of_wrist) {
  can::SteppedBus first(can::VirtualBusConfig{});
  can::SteppedBus second(can::VirtualBusConfig{});
  std::vector<HwBus> buses;
  buses.push_back(wire(first, "elbow", std::move(of_elbow)));
  buses.push_back(wire(second, "wrist", std::move(of_wrist)));
  try {
    const HwBackend backend(1'000'000, std::move(buses));
    return "elbow is joint " +
           std::string(backend.description().joints[0].joint == "elbow" ? "0" : "1");
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(HwBackend, PutsTheJointsOfAllBusesInTheRobotsOrder) {
  EXPECT_EQ(refusal({0}, {1}), "elbow is joint 0");
  EXPECT_EQ(refusal({1}, {0}), "elbow is joint 1");
}

TEST(HwBackend, RefusesBusesThatDoNotMakeOneRobot) {
  EXPECT_EQ(refusal({0}, {0}), "joint wrist is on two buses, or another joint is on none");
  EXPECT_EQ(refusal({0}, {2}), "joint wrist is on two buses, or another joint is on none");
  EXPECT_EQ(refusal({0, 1}, {2}), "bus elbow's wire has other joints than the robot puts on it");
}

}  // namespace
}  // namespace jointrig::hw
