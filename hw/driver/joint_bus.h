#pragma once
/// What the backend needs of a bus with joints on it, whatever is spoken there (canopen_bus.h,
/// moteus_bus.h). Plain logic: frames go in and out, time is handed in; whoever owns the medium
/// owns the thread and the clock.
///
///     bus.start(now);
///     until all are up:   receive(frame, now)*  poll(now)  send out()
///     each cycle:         open_cycle(now)  send out()  receive(frame, now)* until is_complete()
///                         close_cycle()  read(i, since, state)*  write(i, setpoint)*  send out()
///
/// A cycle is one of the bus. A setpoint written in cycle k acts from the opening of cycle k + 1
/// on.
///
/// After construction nothing allocates but capabilities() and problems().

#include <cstdint>
#include <string>
#include <vector>

#include "control/backend.h"
#include "hw/canopen/frame_queue.h"
#include "hw/driver/notice_log.h"

namespace jointrig::hw {

using FrameQueue = canopen::FrameQueue;

/// Of the way to the bus: the host's controller and its adapter.
enum class BusLink : std::uint8_t { kGood, kBusOff, kGone };

/// What is told of a link that has become so.
[[nodiscard]] constexpr Notice notice_of(BusLink link) noexcept {
  if (link == BusLink::kGood) return Notice::kBusBack;
  return link == BusLink::kBusOff ? Notice::kBusOff : Notice::kAdapterLost;
}

class JointBus {
 public:
  JointBus() = default;
  JointBus(const JointBus&) = delete;
  JointBus& operator=(const JointBus&) = delete;
  virtual ~JointBus() = default;

  [[nodiscard]] virtual std::size_t size() const noexcept = 0;
  [[nodiscard]] virtual JointCapabilities capabilities(std::size_t joint) const = 0;
  /// Its link must carry CAN FD.
  [[nodiscard]] virtual bool needs_fd() const noexcept = 0;

  /// Looks for the boards anew and sets up those that answer.
  virtual void start(std::int64_t now) noexcept = 0;
  virtual void receive(const can::Frame& frame, std::int64_t now) noexcept = 0;
  virtual void poll(std::int64_t now) noexcept = 0;
  [[nodiscard]] virtual FrameQueue& out() noexcept = 0;
  /// All boards are there, and are what they must be: cycles may begin.
  [[nodiscard]] virtual bool all_running() const noexcept = 0;

  /// Every board runs, or was refused: waiting changes nothing.
  [[nodiscard]] virtual bool is_decided() const noexcept = 0;
  /// Rises as long as a start goes on.
  [[nodiscard]] virtual std::size_t steps_done() const noexcept = 0;
  /// How the way to the bus is, once a cycle.
  virtual void follow_link(BusLink link) noexcept = 0;
  /// What there is to tell beside the states.
  [[nodiscard]] virtual NoticeLog& notices() noexcept = 0;

  virtual void open_cycle(std::int64_t now) noexcept = 0;
  /// Every board that runs has answered in this cycle.
  [[nodiscard]] virtual bool is_complete() const noexcept = 0;
  virtual void close_cycle() noexcept = 0;
  /// @param since  what opened the cycle that was closed last [s]: the loop may be faster
  virtual void read(std::size_t joint, double since, JointState& state) const noexcept = 0;
  virtual void write(std::size_t joint, const JointSetpoint& setpoint) noexcept = 0;

  /// Every motor is off and its board one word away from being enabled; or in a fault, which
  /// nothing but a request leaves.
  [[nodiscard]] virtual bool is_settled() const noexcept = 0;
  /// From here on what is written is the stack's.
  virtual void begin() noexcept = 0;
  /// Every motor is told to be off.
  virtual void stop() noexcept = 0;

  /// What keeps it from running or settling, a sentence each; also boards that belong to no joint.
  /// @param had_cycles  in which its boards could have got ready
  [[nodiscard]] virtual std::vector<std::string> problems(bool had_cycles) const = 0;
};

}  // namespace jointrig::hw
