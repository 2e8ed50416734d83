#pragma once
/// A bus with joints on it, as the backend sees it, whatever its boards speak (canopen_bus.h,
/// moteus_bus.h, dynamixel_bus.h): set-up and cycle are an interface each. Plain logic: frames go
/// in and out, time is handed in; the owner of the medium owns the thread and the clock.
///
///     setup.start(now)
///     until progress():   cycle.receive(frame, now)*  setup.poll(now)  send cycle.out()
///     each cycle:         open_cycle(now)  send out()  receive(frame, now)* until is_complete()
///                         close_cycle()  read(i, since, state)*  write(i, setpoint)*  send out()
///
/// A cycle is one of the bus. A setpoint written in cycle k acts from the opening of cycle k + 1
/// on.
///
/// After construction nothing allocates but description() and problems().

#include <cstdint>
#include <string>
#include <vector>

#include "control/backend.h"
#include "hw/canopen/frame_queue.h"
#include "hw/driver/notice_log.h"

namespace jointrig::hw {

using FrameQueue = canopen::FrameQueue;

/// State of the link to the bus: the host's controller and its adapter.
enum class BusLink : std::uint8_t { kGood, kBusOff, kGone };

/// The notice for a link that enters this state.
[[nodiscard]] constexpr Notice notice_of(BusLink link) noexcept {
  if (link == BusLink::kGood) return Notice::kBusBack;
  return link == BusLink::kBusOff ? Notice::kBusOff : Notice::kAdapterLost;
}

struct BusDescription {
  std::vector<JointCapabilities> joints;  ///< in the order of their indices on this bus
  /// Sites of the force/torque sensors, in the order of their indices on this bus.
  std::vector<std::string> force_torque_sites{};
  /// Likewise of the IMUs.
  std::vector<std::string> imu_sites{};
  bool needs_fd = false;  ///< its link must carry CAN FD
};

/// How far a start has come.
struct BusProgress {
  bool all_running = false;  ///< all boards are there and as they must be: cycles may begin
  bool is_decided = false;   ///< every board runs or was refused: waiting changes nothing
  std::size_t steps = 0;     ///< rises as long as the start goes on
};

/// From power-on to the first cycle of the stack. Not in the loop.
class BusSetup {
 public:
  BusSetup() = default;
  BusSetup(const BusSetup&) = delete;
  BusSetup& operator=(const BusSetup&) = delete;
  virtual ~BusSetup() = default;

  /// Fixed for life.
  [[nodiscard]] virtual BusDescription description() const = 0;

  /// Looks for the boards anew and sets up those that answer.
  virtual void start(std::int64_t now) noexcept = 0;
  /// Sends what is due by the clock: the next step of a set-up, heartbeats.
  virtual void poll(std::int64_t now) noexcept = 0;
  [[nodiscard]] virtual BusProgress progress() const noexcept = 0;

  /// Every motor is off and its board one word away from being enabled; or in a fault, which only a
  /// request leaves.
  [[nodiscard]] virtual bool is_settled() const noexcept = 0;
  /// Setpoints are the stack's from here on. A board that gets lost from now on and comes back is
  /// set up again by itself, up to motor off.
  virtual void begin() noexcept = 0;

  /// The virtual boards were replaced: those that come back have this token.
  virtual void expect_boards(std::uint32_t /*token*/) noexcept {}

  /// Reasons why it does not run or settle, a sentence each; also boards that belong to no joint.
  /// @param had_cycles  in which its boards could have got ready
  [[nodiscard]] virtual std::vector<std::string> problems(bool had_cycles) const = 0;
};

/// The frames of a bus, cycle by cycle.
class BusCycle {
 public:
  BusCycle() = default;
  BusCycle(const BusCycle&) = delete;
  BusCycle& operator=(const BusCycle&) = delete;
  virtual ~BusCycle() = default;

  virtual void receive(const can::Frame& frame, std::int64_t now) noexcept = 0;
  /// Frames to be sent.
  [[nodiscard]] virtual FrameQueue& out() noexcept = 0;
  /// Events beside the states, by the bus's joints.
  [[nodiscard]] virtual NoticeLog& notices() noexcept = 0;
  /// Takes the state of the link, once a cycle.
  virtual void follow_link(BusLink link) noexcept = 0;

  /// The host stood still and left out so many cycles before the one that is opened next.
  virtual void skip(std::uint64_t cycles) noexcept = 0;
  virtual void open_cycle(std::int64_t now) noexcept = 0;
  /// In lockstep, on a line that carries bytes alone: all virtual boards of this cycle have said
  /// what they say (hw_backend.h, kAllHaveAnswered).
  [[nodiscard]] virtual bool all_have_answered() const noexcept { return false; }
  /// Every board that runs has answered in this cycle.
  [[nodiscard]] virtual bool is_complete() const noexcept = 0;
  virtual void close_cycle() noexcept = 0;
  /// @param since  time since the cycle that was closed last was opened [s]: the loop may be faster
  virtual void read(std::size_t joint, double since, JointState& state) const noexcept = 0;
  virtual void write(std::size_t joint, const JointSetpoint& setpoint) noexcept = 0;

  /// The newest sample of a force/torque sensor, with its age in cycles of the bus.
  virtual void read_force_sensor(std::size_t /*sensor*/,
                                 ForceTorqueState& /*state*/) const noexcept {}
  /// Likewise of an IMU.
  virtual void read_imu(std::size_t /*imu*/, ImuState& /*state*/) const noexcept {}

  /// Turns every motor off.
  virtual void stop() noexcept = 0;
};

class JointBus : public BusSetup, public BusCycle {};

}  // namespace jointrig::hw
