#include "app/board/stepped_bench.h"

#include <algorithm>
#include <vector>

namespace jointrig {
namespace {

constexpr can::TimeNs kTimersEvery = can::kMillisecond;  // heartbeats, time-outs of SDO

/// All boards of a bus, and the ear of the bench.
class Seats {
 public:
  Seats(VirtualRobot& robot, std::size_t bus, can::VirtualBus& wire)
      : robot_(&robot), bus_(bus), wire_(&wire), ear_(wire.attach("bench")) {
    wire.set_listen_only(ear_, true);
    for (std::size_t joint = 0; joint < robot.size(); ++joint) {
      if (robot.bus_of(joint) != bus) continue;
      seats_.push_back({&robot.on_bus(joint), wire.attach("board " + std::to_string(joint))});
    }
  }

  can::TimeNs operator()(can::TimeNs now) {
    std::array<can::Delivery, 16> heard;
    while (const std::size_t count = wire_->receive(ear_, heard)) {
      for (std::size_t i = 0; i < count; ++i) watch(heard[i].frame);
    }
    for (const Seat& seat : seats_) serve(seat, now);
    return now + kTimersEvery;
  }

 private:
  struct Seat {
    VirtualBoard* board;
    can::NodeId node;
    std::uint64_t cycles = 0;  ///< opened for it
  };

  /// One SYNC opens a cycle for all, a question for one alone: the first one that is asked again
  /// begins the next cycle of its bus.
  void watch(const can::Frame& frame) {
    for (Seat& seat : seats_) {
      if (!seat.board->opens_cycle(frame)) continue;
      seat.cycles = std::max(seat.cycles + 1, cycles_);
      if (seat.cycles <= cycles_) continue;
      cycles_ = seat.cycles;
      robot_->on_cycle(bus_);
    }
  }

  void serve(const Seat& seat, can::TimeNs now) {
    VirtualBoard& board = *seat.board;
    std::array<can::Delivery, 16> heard;
    while (const std::size_t count = wire_->receive(seat.node, heard)) {
      for (std::size_t i = 0; i < count; ++i) {
        if (is_lost(board, heard[i].frame)) continue;
        board.receive(heard[i].frame, now);
        send(seat, now);
      }
    }
    board.poll(now);
    send(seat, now);
  }

  void send(const Seat& seat, can::TimeNs now) {
    while (const auto frame = seat.board->next_frame()) {
      if (!is_lost(*seat.board, *frame)) wire_->send(seat.node, *frame, now);
    }
  }

  [[nodiscard]] static bool is_lost(const VirtualBoard& board, const can::Frame& frame) {
    return board.is_mute() && board.is_cyclic(frame);
  }

  VirtualRobot* robot_;
  std::size_t bus_;
  can::VirtualBus* wire_;
  can::NodeId ear_;
  std::vector<Seat> seats_;
  std::uint64_t cycles_ = 0;
};

}  // namespace

void attach(VirtualRobot& robot, std::size_t bus, can::SteppedBus& line) {
  line.add(Seats(robot, bus, line.bus()));
}

}  // namespace jointrig
