#include "hw/driver/twin_watch.h"

#include <algorithm>

#include "hw/canopen/bytes.h"

namespace jointrig::hw {

bool TwinWatch::Beside::has(std::uint64_t state) const noexcept {
  return std::find(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(count), state) !=
         states.begin() + static_cast<std::ptrdiff_t>(count);
}

void TwinWatch::Beside::add(std::uint64_t state) noexcept {
  if (count < states.size() && !has(state)) states[count++] = state;
}

void TwinWatch::synced() noexcept {
  const bool forgets = ++cycles_ == kForgets;
  if (forgets) cycles_ = 0;
  balance_ = std::max(balance_ - (forgets ? 2 : 1), -kLatest);
  follow_standing();
  now_ = {};
  settle();
}

void TwinWatch::settle() noexcept {
  silent_ = has_heard_ ? 0 : std::min(silent_ + 1, kLatest);
  has_heard_ = false;
  settles_ = silent_ == kLatest ? kLatest : std::max(settles_ - 1, 0);
  if (settles_ == 0) return;
  balance_ = -kLatest;
  stood_ = 0;
}

void TwinWatch::heard(std::span<const std::uint8_t> bytes) noexcept {
  const std::uint64_t state = canopen::load_little_endian(bytes, bytes.size());
  now_.add(state);
  has_heard_ = true;
  if (is_repeated(state)) return;
  heard_[next_] = state;
  next_ = (next_ + 1) % kRemembered;
  remembered_ = std::min(remembered_ + 1, kRemembered);
  ++balance_;
}

void TwinWatch::follow_standing() noexcept {
  if (now_.count < 2) {
    stood_ = std::max(stood_ - 1, 0);
    return;
  }
  Beside both;
  for (std::size_t i = 0; i < now_.count; ++i) {
    if (standing_.has(now_.states[i])) both.add(now_.states[i]);
  }
  const bool goes_on = stood_ > 0 && both.count > 0;
  standing_ = goes_on ? both : now_;
  stood_ = goes_on ? stood_ + 1 : 1;
}

bool TwinWatch::is_repeated(std::uint64_t state) const noexcept {
  const auto end = heard_.begin() + static_cast<std::ptrdiff_t>(remembered_);
  return std::find(heard_.begin(), end, state) != end;
}

}  // namespace jointrig::hw
