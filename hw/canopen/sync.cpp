#include "hw/canopen/sync.h"

namespace jointrig::canopen {

can::Frame SyncProducer::next() noexcept {
  if (overflow_ == 0) return can::data_frame(id_, {});
  counter_ = counter_ >= overflow_ ? std::uint8_t{1} : static_cast<std::uint8_t>(counter_ + 1);
  const std::uint8_t bytes[] = {counter_};
  return can::data_frame(id_, bytes);
}

void SyncProducer::start(std::int64_t period, std::int64_t now) noexcept {
  period_ = period;
  next_ = now;
  counter_ = 0;
}

bool SyncProducer::poll(std::int64_t now, FrameQueue& out) noexcept {
  if (period_ <= 0 || now < next_) return false;
  const std::int64_t missed = (now - next_) / period_;
  skipped_ += static_cast<std::uint64_t>(missed);
  next_ += (missed + 1) * period_;
  out.push(next());
  return true;
}

}  // namespace jointrig::canopen
