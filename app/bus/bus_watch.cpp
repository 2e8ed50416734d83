#include "app/bus/bus_watch.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "hw/cia402/modes.h"

namespace jointrig::app {
namespace {

const ExpectedDrive* drive_at(const ChosenBus& bus, std::uint8_t node) {
  const auto found = std::find_if(bus.drives.begin(), bus.drives.end(),
                                  [&](const ExpectedDrive& each) { return each.node == node; });
  return found == bus.drives.end() ? nullptr : &*found;
}

std::string emergency_words(const NodeWatch& node) {
  if (!node.emergency || node.emergency->code == 0) return {};
  return fmt::format("{:04X}h {}", node.emergency->code,
                     canopen::emergency_in_words(node.emergency->code));
}

/// True if it sent a frame, or gets one every cycle; a request to a number alone makes no node.
bool is_there(const NodeWatch& node) {
  return node.of(FrameKind::kTpdo) + node.of(FrameKind::kRpdo) + node.of(FrameKind::kSdoAnswer) +
             node.of(FrameKind::kEmergency) + node.of(FrameKind::kHeartbeat) !=
         0;
}

template <typename... Cells>
std::string row_of(const Cells&... cells) {
  return fmt::format("{:>4}  {:<20} {:<15} {:<30} {:<27} {:>14} {:>6} {:>6} {:>6} {:>5}  {}\n",
                     cells...);
}

}  // namespace

BusWatch::BusWatch(ChosenBus bus, can::TimeNs now) : bus_(std::move(bus)), start_(now) {
  load_.update(now, 0);
}

void BusWatch::take(const can::Frame& frame) noexcept {
  busy_ += can::duration(frame, bus_.rates, can::Stuffing::kExact);
  ++frames_;
  const FrameRole role = role_of(frame);
  NodeWatch& node = nodes_[role.node];
  ++node.frames[static_cast<std::size_t>(role.kind)];
  if (role.kind == FrameKind::kHeartbeat) {
    node.nmt = canopen::heartbeat_state_of(frame);
    if (node.nmt == canopen::NmtState::kInitialising) ++node.boot_ups;
  }
  if (const auto emergency = canopen::emergency_of(frame)) node.emergency = emergency;
  if (const auto state = state_report_of(frame)) node.state = state;
  if (const auto motion = motion_report_of(frame)) node.motion = motion;
}

double BusWatch::load(can::TimeNs now) const noexcept {
  return now > start_ ? static_cast<double>(busy_) / static_cast<double>(now - start_) : 0.0;
}

std::string BusWatch::row(std::uint8_t number) const {
  const NodeWatch& node = nodes_[number];
  std::string nmt = node.nmt ? std::string(to_string(*node.nmt)) : "no beat";
  if (node.boot_ups != 0) nmt += fmt::format(" B{}", node.boot_ups);
  const std::string state = node.state ? statusword_in_words(node.state->statusword) : "-";
  const std::string mode =
      node.state ? std::string(cia402::mode_in_words(node.state->mode)) : std::string("-");
  const std::string position =
      node.state ? position_in_words(bus_, number, node.state->position) : std::string("-");
  const std::uint64_t sdo = node.of(FrameKind::kSdoRequest) + node.of(FrameKind::kSdoAnswer);
  return row_of(number, bus_.label_of(number), nmt, state, mode, position,
                node.of(FrameKind::kTpdo), node.of(FrameKind::kRpdo), sdo,
                node.of(FrameKind::kEmergency), emergency_words(node));
}

std::string BusWatch::table(can::TimeNs now) const {
  const double seconds = 1e-9 * static_cast<double>(now - start_);
  const NodeWatch& nobody = nodes_[0];
  std::string text = fmt::format(
      "bus {}: {} frames in {:.3f} s, load {:.2f} % of {} bit/s, last second {:.2f} %, at most "
      "{:.2f} %; {} SYNC, {} orders to all, {} other\n",
      bus_.name, frames_, seconds, 100.0 * load(now), bus_.rates.nominal, 100.0 * load_.load(),
      100.0 * load_.peak(), nobody.of(FrameKind::kSync), nobody.of(FrameKind::kNmt),
      nobody.of(FrameKind::kOther));
  bool any = false;
  for (std::size_t node = 1; node < nodes_.size(); ++node) {
    if (!is_there(nodes_[node])) continue;
    if (!any) {
      text += row_of("node", "joint", "network", "drive", "mode", "position", "TPDO", "RPDO", "SDO",
                     "EMCY", "error");
    }
    any = true;
    text += row(static_cast<std::uint8_t>(node));
  }
  return text;
}

std::string position_in_words(const ChosenBus& bus, std::uint8_t node, std::int32_t counts) {
  const ExpectedDrive* drive = drive_at(bus, node);
  if (drive == nullptr) return fmt::format("{} counts", counts);
  return fmt::format("{:.5f} {}", drive->units.position(counts), drive->slide ? "m" : "rad");
}

}  // namespace jointrig::app
