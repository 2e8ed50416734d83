#pragma once

#include <cstdint>

#include "hw/can/time.h"

namespace jointrig::can {

/// A node of a virtual bus, in the order of attaching.
using NodeId = int;
inline constexpr NodeId kAnyNode = -1;

enum class FaultKind : std::uint8_t {
  kLose,     ///< the wire carries it, the receiver misses it
  kDelay,    ///< received later by `delay`: an adapter that takes its time
  kHold,     ///< received at `until`, all together: a receiver that stalls, then a burst
  kDouble,   ///< received once more for each of `copies`
  kReorder,  ///< received after the next frame, or `delay` later if none comes by then
  kCorrupt,  ///< destroyed on the wire: error frame, then the sender tries again
};

/// A fault that happens to frames as long as the rule stands. A frame is looked at by each rule in
/// turn; those that agree add up.
struct FaultRule {
  FaultKind kind = FaultKind::kLose;
  /// Frames with (id & id_mask) == (this id & id_mask); a mask of 0 takes all.
  std::uint32_t id = 0;
  std::uint32_t id_mask = 0;
  NodeId sender = kAnyNode;
  NodeId receiver = kAnyNode;  ///< of no account for kCorrupt, which nobody escapes
  /// Frames that end on the wire (kCorrupt: start) in [from, until).
  TimeNs from = 0;
  TimeNs until = kNever;
  std::uint32_t skip = 0;   ///< so many frames that fit are let through first
  std::uint32_t count = 0;  ///< and so many are hit then; 0: no end
  double probability = 1;   ///< of a hit, by the seed of the bus
  TimeNs delay = 0;         ///< kDelay, kReorder
  int copies = 1;           ///< kDouble; at most 100
};

}  // namespace jointrig::can
