#include "app/board/stepped_bench.h"

#include <algorithm>
#include <vector>

#include "hw/canopen/sync.h"

namespace jointrig {
namespace {

constexpr can::TimeNs kTimersEvery = can::kMillisecond;  // heartbeats, time-outs of SDO

/// All boards of a bus, and the bench itself, which hears each SYNC first and says when all is
/// said.
class Seats {
 public:
  Seats(VirtualRobot& robot, std::size_t bus, can::VirtualBus& wire)
      : robot_(&robot), bus_(bus), wire_(&wire), ear_(wire.attach("bench")) {
    for (std::size_t joint = 0; joint < robot.size(); ++joint) {
      if (robot.bus_of(joint) != bus) continue;
      nodes_.push_back({joint, wire.attach("board " + std::to_string(joint))});
    }
  }

  can::TimeNs operator()(can::TimeNs now) {
    const bool syncs = hear_sync();
    for (const Node& node : nodes_) serve(node, now);
    if (syncs) wire_->send(ear_, {.id = hw::kAllHaveAnswered}, now);
    return now + kTimersEvery;
  }

 private:
  struct Node {
    std::size_t joint;
    can::NodeId node;
  };

  bool hear_sync() {
    bool heard_one = false;
    std::array<can::Delivery, 16> heard;
    while (const std::size_t count = wire_->receive(ear_, heard)) {
      for (std::size_t i = 0; i < count; ++i) {
        if (heard[i].frame.id == canopen::kSyncId && !heard[i].frame.extended) {
          robot_->on_sync(bus_);
          heard_one = true;
        }
      }
    }
    return heard_one;
  }

  void serve(const Node& node, can::TimeNs now) {
    canopen::SlaveNode& slave = robot_->drive(node.joint).node();
    std::array<can::Delivery, 16> heard;
    while (const std::size_t count = wire_->receive(node.node, heard)) {
      for (std::size_t i = 0; i < count; ++i) {
        if (!is_lost(node, heard[i].frame)) slave.receive(heard[i].frame, now);
      }
    }
    slave.poll(now);
    while (const auto frame = slave.out().pop()) {
      if (!is_lost(node, *frame)) wire_->send(node.node, *frame, now);
    }
  }

  [[nodiscard]] bool is_lost(const Node& node, const can::Frame& frame) const {
    constexpr std::uint32_t kFirstPdo = 0x180;
    constexpr std::uint32_t kAfterLastPdo = 0x580;
    const bool is_pdo = frame.id >= kFirstPdo && frame.id < kAfterLastPdo;
    return is_pdo && robot_->drive(node.joint).is_mute();
  }

  VirtualRobot* robot_;
  std::size_t bus_;
  can::VirtualBus* wire_;
  can::NodeId ear_;
  std::vector<Node> nodes_;
};

}  // namespace

void attach(VirtualRobot& robot, std::size_t bus, can::SteppedBus& line) {
  line.add(Seats(robot, bus, line.bus()));
}

void attach(VirtualRobot& robot, std::size_t bus, can::BusHub& hub) {
  hub.add(Seats(robot, bus, hub.bus()));
}

}  // namespace jointrig
