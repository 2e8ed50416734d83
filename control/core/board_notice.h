#pragma once
/// Notices of a backend beside the states of the joints: problems on the way to the boards that
/// were handled, or that explain a status. Each becomes an event.

#include <array>
#include <cstdint>
#include <string_view>

#include "control/core/enumeration.h"
#include "control/core/types.h"

namespace jointrig {

/// Member, word, sentence, unit of the value. A value that is a count covers all notices of this
/// kind since the last report; each kind is reported at most once a second per joint.
#define JOINTRIG_NOTICES(X)                                                                      \
  X(kLinkStale, "link_stale", "a sample of its board is missing and extrapolated", "cycles")     \
  X(kPartHeld, "part_held", "its part holds until its board is heard and follows", "")           \
  X(kPartFreed, "part_freed", "its part goes on by itself: its board is heard and follows", "")  \
  X(kPartWaits, "part_waits", "its part holds until a mode is asked for", "")                    \
  X(kTpdoLate, "tpdo_late", "its frames come after the cycle was closed", "frames")              \
  X(kTpdoDoubled, "tpdo_dup", "its frames came twice, or were of an earlier cycle", "frames")    \
  X(kPdoLength, "pdo_length", "its frames have another length than configured", "frames")        \
  X(kRpdoTimeout, "rpdo_timeout", "its drive got no commands and stopped by itself", "")         \
  X(kSyncGap, "sync_gap", "no drive of its bus answered in a cycle", "cycles")                   \
  X(kBacklog, "rx_backlog", "frames of earlier cycles came together and were dropped", "frames") \
  X(kSkipped, "sync_skipped", "cycles were skipped: the host was late", "cycles")                \
  X(kBusOff, "bus_off", "its bus is off: the adapter's controller went bus-off", "")             \
  X(kBusBack, "bus_back", "its bus is back; its joints stay in their fault", "")                 \
  X(kAdapterLost, "adapter_lost", "the adapter of its bus is gone", "")                          \
  X(kNodeBootUp, "node_bootup", "its node restarted by itself", "node")                          \
  X(kHeartbeatLost, "hb_lost", "its node's heartbeat has stopped", "ms")                         \
  X(kNmtChanged, "nmt_changed", "another master took its node out of operation", "node")         \
  X(kSetupFailed, "setup_failed", "setting up its drive again was refused", "step")              \
  X(kDuplicateNode, "dup_node", "two nodes send under its number", "node")                       \
  X(kEmergency, "emcy", "its drive sent an emergency", "code")                                   \
  X(kEmergencyStorm, "emcy_storm", "its drive sends emergencies continuously", "1/s")            \
  X(kLineGarbage, "line_garbage", "damaged lines came over the link", "lines")                   \
  X(kWarning, "drive_warning", "its drive warns", "°C")                                          \
  X(kEncoderGlitch, "enc_glitch", "a sample of its position jumped and was replaced", "samples") \
  X(kForeignReset, "foreign_reset", "another master reset its fault, which stays latched", "")   \
  X(kModeRefused, "mode_refused", "its drive does not enter the requested mode", "s")            \
  X(kNotEnabled, "not_enabled", "its drive is not enabled yet: see its input and supply", "s")   \
  X(kQuickStop, "quick_stop", "its drive is in a quick stop not requested here", "")             \
  X(kClockDrift, "clock_drift", "its drive's clock is off, above 0 fast", "ppm")                 \
  X(kBoardBack, "board_back", "its board is back, motor off; ask for force_idle and a mode", "") \
  X(kOtherBoard, "other_board", "another board answers in its place and is refused", "serial")
JOINTRIG_ENUM(Notice, JOINTRIG_NOTICES)

#define JOINTRIG_NOTICE_TEXT(member, word, sentence, unit) std::string_view{sentence},
#define JOINTRIG_NOTICE_UNIT(member, word, sentence, unit) std::string_view{unit},
constexpr std::string_view describe(Notice notice) noexcept {
  constexpr std::array kSentences{JOINTRIG_NOTICES(JOINTRIG_NOTICE_TEXT)};
  return kSentences[static_cast<std::size_t>(notice)];
}
constexpr std::string_view unit_of(Notice notice) noexcept {
  constexpr std::array kUnits{JOINTRIG_NOTICES(JOINTRIG_NOTICE_UNIT)};
  return kUnits[static_cast<std::size_t>(notice)];
}
/// True if the joint's part holds until a mode is asked for: the joint's board can't be trusted.
constexpr bool holds_part(Notice notice) noexcept { return notice == Notice::kEmergencyStorm; }

struct BoardNotice {
  Notice kind = Notice::kLinkStale;
  JointIndex joint = kNoJoint;
  double value = 0.0;
  double limit = 0.0;
  bool operator==(const BoardNotice&) const = default;
};

}  // namespace jointrig
