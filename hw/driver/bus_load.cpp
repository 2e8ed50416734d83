#include "hw/driver/bus_load.h"

#include "hw/driver/joint_pdos.h"
#include "hw/driver/sensor_setup.h"

namespace jointrig::hw {
namespace {

can::CyclicFrame each_cycle(std::size_t bytes, std::uint32_t period_us) {
  constexpr can::TimeNs kMicrosecond = 1000;
  can::CyclicFrame cyclic;
  cyclic.frame.size = static_cast<std::uint8_t>(bytes);
  cyclic.period = kMicrosecond * period_us;
  return cyclic;
}

}  // namespace

std::vector<can::CyclicFrame> order_frames(std::span<const DriveSettings> drives) {
  std::vector<can::CyclicFrame> frames;
  for (const DriveSettings& drive : drives) {
    JointPdos orders({.node = drive.node,
                      .has_life_counter = drive.has_life_counter,
                      .feed_forward = drive.feed_forward,
                      .layouts = drive.pdos});
    std::array<can::Frame, JointPdos::kMostOut> out;
    DriveOrder order;
    order.use = cia402::DriveUse::kPosition;
    const std::size_t count = orders.put(order, out);
    for (std::size_t i = 0; i < count; ++i) {
      frames.push_back(each_cycle(out[i].size, drive.period_us));
    }
  }
  return frames;
}

std::vector<can::CyclicFrame> cyclic_frames(std::span<const DriveSettings> drives) {
  std::vector<can::CyclicFrame> frames = order_frames(drives);
  if (!drives.empty()) frames.push_back(each_cycle(0, drives.front().period_us));
  for (const DriveSettings& drive : drives) {
    for (const PdoLayout& pdo : layouts_of(drive)) {
      if (pdo.sent && pdo.is_cyclic()) frames.push_back(each_cycle(pdo.bytes(), drive.period_us));
    }
  }
  return frames;
}

void add_sensors(std::size_t sensors, std::uint32_t period_us,
                 std::vector<can::CyclicFrame>& frames) {
  if (sensors > 0 && frames.empty()) frames.push_back(each_cycle(0, period_us));
  // An IMU's frames are as long as a force/torque sensor's.
  for (std::size_t i = 0; i < sensors; ++i) {
    for (const PdoLayout& pdo : sensor_layouts(canopen::SensorKind::kForceTorque)) {
      frames.push_back(each_cycle(pdo.bytes(), period_us));
    }
  }
}

std::optional<std::string> why_overfull(std::string_view bus, std::span<const DriveSettings> drives,
                                        const can::BitRates& rates, double budget) {
  return can::why_overfull(bus, cyclic_frames(drives), rates, budget);
}

}  // namespace jointrig::hw
