// A cycle of the driver on a CANopen bus allocates, locks, throws and prints nothing, whatever
// comes.

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <vector>

#include "hw/driver/canopen_bus.h"
#include "hw/driver/hw_backend.h"
#include "tests/hw/can/random_frame.h"
#include "tests/hw/canopen/ideal_drive.h"
#include "tests/hw/driver/sensor_board.h"
#include "tests/support/alloc_guard.h"

namespace jointrig::hw {
namespace {

constexpr std::int64_t kPeriod = 1'000'000;
constexpr std::uint8_t kJoints = 7;

/// A bus without length: a sent frame is received at once, and time passes while a thread waits.
class DirectLink final : public can::Transport, public BusClock {
 public:
  DirectLink() {
    for (std::uint8_t node = 1; node <= kJoints; ++node) {
      drives_.emplace_back(node);
      drives_.back().node().power_on(now_);
    }
    sensor_.node().power_on(now_);
    std::mt19937 random(5);
    for (can::Frame& any : noise_) any = can::random_frame(random);
  }

  std::size_t send(std::span<const can::Frame> frames) noexcept override {
    for (const can::Frame& frame : frames) {
      for (canopen::IdealDrive& drive : drives_) drive.node().receive(frame, now_);
      sensor_.node().receive(frame, now_);
    }
    return frames.size();
  }
  std::size_t receive(std::span<can::ReceivedFrame> into, can::TimeNs deadline) noexcept override {
    std::size_t count = 0;
    const auto take_from = [&](canopen::SlaveNode& node) {
      node.poll(now_);
      while (count + 1 < into.size()) {
        const auto frame = node.out().pop();
        if (!frame) break;
        into[count++].frame = *frame;
      }
    };
    for (canopen::IdealDrive& drive : drives_) take_from(drive.node());
    take_from(sensor_.node());
    if (count == 0) now_ = std::max(now_, deadline);
    if (count != 0 && noisy) into[count++].frame = noise_[++heard_ % noise_.size()];
    return count;
  }
  [[nodiscard]] std::int64_t now() const noexcept override { return now_; }
  [[nodiscard]] int poll_fd() const noexcept override { return -1; }
  [[nodiscard]] can::LinkStatus status() const noexcept override { return {.open = true}; }
  [[nodiscard]] can::LinkCounters counters() const noexcept override { return {}; }
  [[nodiscard]] Capabilities capabilities() const noexcept override { return {}; }
  void flush() noexcept override {}
  void close() noexcept override {}
  [[nodiscard]] const std::string& name() const noexcept override { return name_; }

  /// 60FDh of the last drive.
  void press(std::uint32_t bits) {
    drives_.back().node().objects().object<std::uint32_t>(0x60FD).set(bits);
  }

  bool noisy = false;  ///< a frame of somebody else with each reading

 private:
  std::deque<canopen::IdealDrive> drives_;
  SensorBoard sensor_{kJoints + 1};
  std::array<can::Frame, 5000> noise_;
  std::size_t heard_ = 0;
  std::int64_t now_ = 0;
  std::string name_ = "direct";
};

TEST(CanopenInACycle, TheDriverOfSevenJointsAndASensorAllocatesNothing) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  auto link = std::make_unique<DirectLink>();
  DirectLink& wire = *link;
  std::vector<BusJoint> joints;
  for (std::uint8_t node = 1; node <= kJoints; ++node) {
    BusJoint& joint = joints.emplace_back();
    joint.name = "joint" + std::to_string(node);
    DriveFacts facts;
    facts.encoder_increments = 4096;
    facts.gear = 100;
    facts.rated_torque = 0.5;
    joint.host.units = DriveUnits(facts, false);
    joint.host.supported_modes = 0x3AD;
    joint.settings.node = node;
    joint.settings.tells_inputs = node == kJoints;
  }
  SensorSettings sensor;
  sensor.name = "sensor";
  sensor.node = kJoints + 1;
  std::vector<HwBus> buses(1);
  buses[0].name = "wire";
  buses[0].clock = &wire;
  buses[0].transport = std::move(link);
  buses[0].bus = std::make_unique<CanopenBus>(std::move(joints), std::vector{sensor});
  for (std::size_t i = 0; i < kJoints; ++i) buses[0].robot_index.push_back(i);
  HwBackend backend(kPeriod, std::move(buses));
  backend.start();
  RobotState state;
  RobotCommand command;
  command.joints.resize(kJoints);
  for (JointSetpoint& joint : command.joints) joint.drive = DriveMode::kPosition;
  backend.wait();
  backend.read(state);  // as large as it gets
  backend.write(command);

  wire.press(0x0001'0000);
  int driven = 0;
  int inputs = 0;
  int samples = 0;
  RealtimeGuard guard;
  for (int cycle = 0; cycle < 5000; ++cycle) {
    wire.noisy = cycle > 2500;
    backend.wait();
    backend.read(state);
    while (backend.next_notice()) {
    }
    backend.write(command);
    samples += state.force_torque[0].missed == 0 ? 1 : 0;
    inputs += state.joints[kJoints - 1].inputs;
    driven += state.joints[3].status == BoardStatus::kEnabled && state.joints[3].missed == 0;
  }
  EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
  EXPECT_GT(driven, 2000) << "the drives were driven meanwhile";
  EXPECT_GT(inputs, 2000) << "and input 0 of the last was on";
  EXPECT_GT(samples, 2000) << "and the sensor was read";
}

}  // namespace
}  // namespace jointrig::hw
