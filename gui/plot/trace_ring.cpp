#include "gui/plot/trace_ring.h"

#include <bit>

namespace jointrig::gui {

TraceRing::TraceRing(const RobotConfig& config, std::size_t capacity)
    : table_(config),
      mask_(std::bit_ceil(capacity) - 1),
      stamps_(mask_ + 1),
      values_((mask_ + 1) * table_.size()),
      modes_((mask_ + 1) * table_.joints()) {}

bool TraceRing::push(const Snapshot& snapshot) noexcept {
  const std::size_t tail = tail_.load(std::memory_order_relaxed);
  if (tail - head_.load(std::memory_order_acquire) > mask_) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  const std::size_t place = tail & mask_;
  stamps_[place] = {snapshot.cycle, snapshot.time_ns};
  table_.read(snapshot, std::span(values_).subspan(place * table_.size(), table_.size()),
              std::span(modes_).subspan(place * table_.joints(), table_.joints()));
  tail_.store(tail + 1, std::memory_order_release);
  return true;
}

TraceRow TraceRing::row(std::size_t place) const noexcept {
  return {stamps_[place].cycle, stamps_[place].time_ns,
          std::span(values_).subspan(place * table_.size(), table_.size()),
          std::span(modes_).subspan(place * table_.joints(), table_.joints())};
}

}  // namespace jointrig::gui
