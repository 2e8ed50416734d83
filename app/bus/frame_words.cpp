#include "app/bus/frame_words.h"

#include <fmt/core.h>

#include "app/bus/sdo_words.h"
#include "hw/canopen/bytes.h"
#include "hw/canopen/emergency.h"
#include "hw/canopen/joint_board_objects.h"
#include "hw/canopen/nmt.h"
#include "hw/canopen/pdo_record.h"
#include "hw/canopen/sync.h"
#include "hw/cia402/modes.h"
#include "hw/cia402/power_machine.h"
#include "hw/driver/hw_backend.h"

namespace jointrig::app {
namespace {

template <class T>
T number_at(const can::Frame& frame, std::size_t at) noexcept {
  return static_cast<T>(canopen::load_little_endian(frame.bytes().subspan(at), sizeof(T)));
}

std::string mode_words(std::int8_t mode) {
  return fmt::format("{} ({})", cia402::mode_in_words(mode), mode);
}

std::string bytes_in_words(const can::Frame& frame) {
  std::string text;
  for (const std::uint8_t byte : frame.bytes())
    text += fmt::format("{}{:02X}", text.empty() ? "" : " ", byte);
  return text.empty() ? "no data" : text;
}

std::string_view order_in_words(canopen::NmtCommand command) {
  switch (command) {
    case canopen::NmtCommand::kStart:
      return "start";
    case canopen::NmtCommand::kStop:
      return "stop";
    case canopen::NmtCommand::kEnterPreOperational:
      return "enter pre-operational";
    case canopen::NmtCommand::kResetNode:
      return "reset node";
    case canopen::NmtCommand::kResetCommunication:
      return "reset communication";
  }
  return "?";
}

std::string nmt_words(const can::Frame& frame) {
  const auto order = canopen::nmt_order_of(frame);
  if (!order) return "no NMT order: " + bytes_in_words(frame);
  const std::string whom =
      order->node == canopen::kAllNodes ? "all nodes" : fmt::format("node {}", order->node);
  return whom + ": " + std::string(order_in_words(order->command));
}

std::string emergency_words(const can::Frame& frame) {
  const auto emergency = canopen::emergency_of(frame);
  if (!emergency) return "not 8 bytes: " + bytes_in_words(frame);
  if (emergency->code == 0) return "all errors gone";
  const std::string words(canopen::emergency_in_words(emergency->code));
  return fmt::format("{:04X}h {}, error register {:02X}h", emergency->code, words,
                     emergency->error_register);
}

std::string heartbeat_words(const can::Frame& frame) {
  const auto state = canopen::heartbeat_state_of(frame);
  if (!state) return "no heartbeat: " + bytes_in_words(frame);
  if (*state == canopen::NmtState::kInitialising) return "boot-up";
  return std::string(to_string(*state));
}

std::string tpdo_words(const can::Frame& frame, std::uint8_t number) {
  if (const auto state = state_report_of(frame); state && number == 1) {
    return fmt::format("{}, {}, position {}", statusword_in_words(state->statusword),
                       mode_words(state->mode), state->position);
  }
  if (const auto motion = motion_report_of(frame); motion && number == 2) {
    std::string text =
        fmt::format("velocity {}, torque {} per mille", motion->velocity, motion->torque);
    if (motion->error_code != 0) {
      text += fmt::format(", error {:04X}h ", motion->error_code);
      text += canopen::emergency_in_words(motion->error_code);
    }
    return text;
  }
  if (number == 3 && frame.size == 8) {
    return fmt::format(
        "motor {:.1f} degC, homing {:.1f} %, supply {:.1f} V",
        number_at<std::int16_t>(frame, 0) / static_cast<double>(canopen::kStepsPerDegree),
        0.1 * number_at<std::uint16_t>(frame, 2), 1e-3 * number_at<std::uint32_t>(frame, 4));
  }
  if (number == 5 && frame.size == 4) {
    return fmt::format("digital inputs {:08X}h", number_at<std::uint32_t>(frame, 0));
  }
  return bytes_in_words(frame);
}

std::string rpdo_words(const can::Frame& frame, std::uint8_t number) {
  if (number == 4 && frame.size == 6) {
    return fmt::format("velocity offset {}, torque offset {} per mille",
                       number_at<std::int32_t>(frame, 0), number_at<std::int16_t>(frame, 4));
  }
  if (number > 3 || frame.size != 8) return bytes_in_words(frame);
  const auto word = number_at<std::uint16_t>(frame, 0);
  const std::string order = std::string(to_string(cia402::command_of(word))) +
                            fmt::format(" ({:04X}h), ", word) +
                            mode_words(number_at<std::int8_t>(frame, 2));
  if (number == 1) {
    return fmt::format("{}, target position {}", order, number_at<std::int32_t>(frame, 4));
  }
  if (number == 3) {
    return fmt::format("{}, target velocity {}", order, number_at<std::int32_t>(frame, 4));
  }
  return fmt::format("{}, target torque {}, duty {} per mille", order,
                     number_at<std::int16_t>(frame, 4), number_at<std::int16_t>(frame, 6));
}

}  // namespace

std::string_view to_string(FrameKind kind) noexcept {
  constexpr std::array<std::string_view, kFrameKinds> kNames{
      "NMT", "SYNC", "EMCY", "TPDO", "RPDO", "SDO <-", "SDO ->", "HB", "other"};
  return kNames[static_cast<std::size_t>(kind)];
}

FrameRole role_of(const can::Frame& frame) noexcept {
  if (frame.extended || frame.fd) return {};
  if (frame.id == canopen::kNmtId) {
    const auto order = canopen::nmt_order_of(frame);
    return {FrameKind::kNmt, order ? order->node : canopen::kAllNodes, 0};
  }
  if (frame.id == canopen::kSyncId) return {FrameKind::kSync, 0, 0};
  const auto node = static_cast<std::uint8_t>(frame.id & 0x7F);
  if (node == 0) return {};
  const auto function = static_cast<std::uint8_t>(frame.id >> 7);
  if (function == 1) return {FrameKind::kEmergency, node, 0};
  if (function >= 3 && function <= 10) {  // 180h, 200h, 280h ... 500h: sent and received in turn
    const FrameKind kind = function % 2 == 1 ? FrameKind::kTpdo : FrameKind::kRpdo;
    return {kind, node, static_cast<std::uint8_t>((function - 1) / 2)};
  }
  if (function == 11) return {FrameKind::kSdoAnswer, node, 0};
  if (function == 12) return {FrameKind::kSdoRequest, node, 0};
  if (function == 13 && node <= canopen::kLastNodeOfFifthTpdo) return {FrameKind::kTpdo, node, 5};
  if (function == 14) return {FrameKind::kHeartbeat, node, 0};
  return {};
}

std::optional<StateReport> state_report_of(const can::Frame& frame) noexcept {
  const FrameRole role = role_of(frame);
  if (role.kind != FrameKind::kTpdo || role.number != 1 || frame.size != 8 || frame.remote) {
    return std::nullopt;
  }
  return StateReport{number_at<std::uint16_t>(frame, 0), number_at<std::int8_t>(frame, 2),
                     number_at<std::int32_t>(frame, 4)};
}

std::optional<MotionReport> motion_report_of(const can::Frame& frame) noexcept {
  const FrameRole role = role_of(frame);
  if (role.kind != FrameKind::kTpdo || role.number != 2 || frame.size != 8 || frame.remote) {
    return std::nullopt;
  }
  return MotionReport{number_at<std::int32_t>(frame, 0), number_at<std::int16_t>(frame, 4),
                      number_at<std::uint16_t>(frame, 6)};
}

std::string statusword_in_words(std::uint16_t statusword) {
  namespace status = cia402::status;
  const auto state = cia402::state_of(statusword);
  std::string text = state ? std::string(to_string(*state))
                           : fmt::format("no state of CiA 402 ({:04X}h)", statusword);
  const auto add = [&](std::uint16_t bit, const char* words) {
    if ((statusword & bit) != 0) text += std::string(", ") + words;
  };
  add(status::kWarning, "warning");
  add(status::kTargetReached, "target reached");
  add(status::kInternalLimit, "internal limit");
  return text;
}

std::string in_words(const can::Frame& frame, const canopen::DeviceDescription& objects) {
  if (frame.id == hw::kAllHaveAnswered && frame.size == 0 && !frame.extended) {
    return "virtual boards: all have answered";
  }
  const FrameRole role = role_of(frame);
  if (frame.remote)
    return fmt::format("{:03X}h: a remote frame, asks for {} bytes", frame.id, frame.size);
  const std::string node = fmt::format("node {} ", role.node);
  const std::string number = fmt::format("{}: ", role.number);
  switch (role.kind) {
    case FrameKind::kNmt:
      return "NMT " + nmt_words(frame);
    case FrameKind::kSync:
      return frame.size == 1 ? fmt::format("SYNC {}", frame.data[0]) : "SYNC";
    case FrameKind::kEmergency:
      return node + "EMCY: " + emergency_words(frame);
    case FrameKind::kTpdo:
      return node + "TPDO" + number + tpdo_words(frame, role.number);
    case FrameKind::kRpdo:
      return node + "RPDO" + number + rpdo_words(frame, role.number);
    case FrameKind::kSdoAnswer:
      return node + "SDO <- " + sdo_answer_words(frame, objects);
    case FrameKind::kSdoRequest:
      return node + "SDO -> " + sdo_request_words(frame, objects);
    case FrameKind::kHeartbeat:
      return node + "heartbeat: " + heartbeat_words(frame);
    case FrameKind::kOther:
      break;
  }
  return fmt::format("{:03X}h: ", frame.id) + bytes_in_words(frame);
}

}  // namespace jointrig::app
