#include "app/boards/boards_on_bus.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace jointrig::app {
namespace {

/// A board is polled at least so often: event timers, time-outs of SDO. Heartbeats come when they
/// are due: in steps of this time, a clock that is off by 60 ppm looked as if by more than 100.
constexpr can::TimeNs kTimersEvery = can::kMillisecond;
constexpr can::TimeNs kTimersAtMost = kTimersEvery / 10;
/// In which boards answer one behind the other; one of them may be silent.
constexpr can::TimeNs kLongestChain = 5 * can::kMillisecond;

/// All boards of a bus, and a listener that receives first the frame that opens a cycle, and
/// detects when all boards have answered.
class BoardsOnBus {
 public:
  BoardsOnBus(VirtualRobot& robot, std::size_t bus, can::VirtualBus& wire)
      : robot_(&robot), bus_(bus), wire_(&wire), ear_(wire.attach("listener")) {
    for (std::size_t device = 0; device < robot.devices(); ++device) {
      if (robot.bus_of(device) != bus) continue;
      seats_.push_back({device, wire.attach(fmt::format("board {}", device))});
    }
  }

  can::TimeNs operator()(can::TimeNs now) {
    std::array<can::Delivery, 16> heard;
    bool opened = false;
    while (const std::size_t count = wire_->receive(ear_, heard)) {
      for (std::size_t i = 0; i < count; ++i) opened = watch(heard[i].frame) || opened;
    }
    for (Seat& seat : seats_) serve(seat, now);
    if (opened && all_asked()) tell_by_ = now + kLongestChain;
    if (tell_by_ && (now >= *tell_by_ || !any_owes())) {
      wire_->send(ear_, {.id = hw::kAllHaveAnswered}, now);
      tell_by_.reset();
    }
    return next_poll(now);
  }

 private:
  struct Seat {
    std::size_t device;  ///< its board is looked up, since the robot may have been replaced
    can::NodeId node;
    std::uint64_t cycles = 0;  ///< number of cycles opened for it
    /// Since the frame that opened its cycle: the physics may go on for another bus before this
    /// one's frames are here, or after.
    bool is_mute = false;
    bool is_dark = false;
    std::uint64_t periods = 0;  ///< that the physics had run when it was polled
    can::TimeNs poll_by = 0;
  };

  /// A SYNC opens a cycle for all boards, a request for one board alone: the first board that gets
  /// a second request begins the next cycle of its bus.
  /// @return true if the frame opened a cycle
  bool watch(const can::Frame& frame) {
    bool opened = false;
    for (Seat& seat : seats_) {
      if (!board(seat).opens_cycle(frame)) continue;
      opened = true;
      seat.cycles = std::max(seat.cycles + 1, cycles_);
      if (seat.cycles <= cycles_) continue;
      cycles_ = seat.cycles;
      robot_->on_cycle(bus_);
    }
    return opened;
  }

  [[nodiscard]] bool all_asked() const {
    return std::all_of(seats_.begin(), seats_.end(),
                       [this](const Seat& seat) { return seat.cycles == cycles_; });
  }

  [[nodiscard]] bool any_owes() const {
    return std::any_of(seats_.begin(), seats_.end(),
                       [this](const Seat& seat) { return board(seat).owes_answer(); });
  }

  [[nodiscard]] can::TimeNs next_poll(can::TimeNs now) const noexcept {
    can::TimeNs next = now + kTimersEvery;
    for (const Seat& seat : seats_) {
      if (!seat.is_dark) next = std::min(next, std::max(seat.poll_by, now + 1));
    }
    return next;
  }

  [[nodiscard]] VirtualBoard& board(const Seat& seat) const noexcept {
    return robot_->on_bus(seat.device);
  }

  void serve(Seat& seat, can::TimeNs now) {
    VirtualBoard& its_board = board(seat);
    if (its_board.is_dark()) return keep_dark(seat);
    if (seat.is_dark) its_board.restart(now);
    bool is_news = seat.is_dark || seat.periods != robot_->cycles() || now >= seat.poll_by;
    seat.is_dark = false;
    std::array<can::Delivery, 16> heard;
    while (const std::size_t count = wire_->receive(seat.node, heard)) {
      for (std::size_t i = 0; i < count; ++i) {
        if (its_board.opens_cycle(heard[i].frame)) seat.is_mute = its_board.is_mute();
        if (is_lost(seat, heard[i].frame)) continue;
        is_news = its_board.receive(heard[i].frame, now) || is_news;
        send(seat, now);
      }
    }
    if (!is_news) return;  // most frames of a bus are for other boards
    seat.periods = robot_->cycles();
    its_board.poll(now);
    send(seat, now);
    const can::TimeNs latest = now + kTimersEvery;
    seat.poll_by = std::clamp(its_board.next_timer().value_or(latest), now + kTimersAtMost, latest);
  }

  /// All that comes or wants to be sent meanwhile is lost.
  void keep_dark(Seat& seat) {
    seat.is_dark = true;
    std::array<can::Delivery, 16> lost;
    while (wire_->receive(seat.node, lost) > 0) continue;
    while (board(seat).next_frame()) continue;
  }

  void send(const Seat& seat, can::TimeNs now) {
    while (const auto frame = board(seat).next_frame()) {
      if (!is_lost(seat, *frame)) wire_->send(seat.node, *frame, now);
    }
  }

  [[nodiscard]] bool is_lost(const Seat& seat, const can::Frame& frame) const {
    return seat.is_mute && board(seat).is_cyclic(frame);
  }

  VirtualRobot* robot_;
  std::size_t bus_;
  can::VirtualBus* wire_;
  can::NodeId ear_;
  std::vector<Seat> seats_;
  std::uint64_t cycles_ = 0;
  std::optional<can::TimeNs> tell_by_;  ///< that all have answered
};

}  // namespace

void attach(VirtualRobot& robot, std::size_t bus, can::SteppedBus& line) {
  line.add(BoardsOnBus(robot, bus, line.bus()));
}

void attach(VirtualRobot& robot, std::size_t bus, can::BusHub& hub) {
  hub.add(BoardsOnBus(robot, bus, hub.bus()));
}

}  // namespace jointrig::app
