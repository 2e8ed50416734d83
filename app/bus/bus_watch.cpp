#include "app/bus/bus_watch.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "hw/cia402/modes.h"

namespace jointrig {
namespace {

const ExpectedDrive* drive_at(const ChosenBus& bus, std::uint8_t node) {
  const auto found = std::find_if(bus.drives.begin(), bus.drives.end(),
                                  [&](const ExpectedDrive& each) { return each.node == node; });
  return found == bus.drives.end() ? nullptr : &*found;
}

std::string emergency_words(const NodeWatch& node) {
  if (!node.emergency || node.emergency->code == 0) return {};
  std::array<char, 16> code{};
  std::snprintf(code.data(), code.size(), "%04Xh ", node.emergency->code);
  return code.data() + std::string(canopen::emergency_in_words(node.emergency->code));
}

/// It said something, or is told something every cycle; a question to a number makes no node.
bool is_there(const NodeWatch& node) {
  return node.of(FrameKind::kTpdo) + node.of(FrameKind::kRpdo) + node.of(FrameKind::kSdoAnswer) +
             node.of(FrameKind::kEmergency) + node.of(FrameKind::kHeartbeat) !=
         0;
}

constexpr const char* kRow = "%4s  %-20s %-15s %-30s %-27s %14s %6s %6s %6s %5s  %s\n";

template <typename... Cells>
std::string row_of(const Cells&... cells) {
  std::array<char, 400> line{};
  std::snprintf(line.data(), line.size(), kRow, cells...);
  return line.data();
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
  if (node.boot_ups != 0) nmt += " B" + std::to_string(node.boot_ups);
  const std::string state = node.state ? statusword_in_words(node.state->statusword) : "-";
  const std::string mode =
      node.state ? std::string(cia402::mode_in_words(node.state->mode)) : std::string("-");
  const std::string position =
      node.state ? position_in_words(bus_, number, node.state->position) : std::string("-");
  const std::uint64_t sdo = node.of(FrameKind::kSdoRequest) + node.of(FrameKind::kSdoAnswer);
  return row_of(
      std::to_string(number).c_str(), bus_.label_of(number).c_str(), nmt.c_str(), state.c_str(),
      mode.c_str(), position.c_str(), std::to_string(node.of(FrameKind::kTpdo)).c_str(),
      std::to_string(node.of(FrameKind::kRpdo)).c_str(), std::to_string(sdo).c_str(),
      std::to_string(node.of(FrameKind::kEmergency)).c_str(), emergency_words(node).c_str());
}

std::string BusWatch::table(can::TimeNs now) const {
  std::array<char, 320> head{};
  const double seconds = 1e-9 * static_cast<double>(now - start_);
  const NodeWatch& nobody = nodes_[0];
  std::snprintf(
      head.data(), head.size(),
      "bus %s: %llu frames in %.3f s, load %.2f %% of %lld bit/s, last second %.2f %%, at "
      "most %.2f %%; %llu SYNC, %llu orders to all, %llu other\n",
      bus_.name.c_str(), static_cast<unsigned long long>(frames_), seconds, 100.0 * load(now),
      static_cast<long long>(bus_.rates.nominal), 100.0 * load_.load(), 100.0 * load_.peak(),
      static_cast<unsigned long long>(nobody.of(FrameKind::kSync)),
      static_cast<unsigned long long>(nobody.of(FrameKind::kNmt)),
      static_cast<unsigned long long>(nobody.of(FrameKind::kOther)));
  std::string text = head.data();
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
  if (drive == nullptr) return std::to_string(counts) + " counts";
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.5f %s", drive->units.position(counts),
                drive->slide ? "m" : "rad");
  return text.data();
}

}  // namespace jointrig
