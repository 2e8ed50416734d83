#include "harness/runner/trace_recorder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jointrig::harness {

TraceRecorder::TraceRecorder(std::vector<const Signal*> signals, double period)
    : signals_(std::move(signals)),
      period_(period),
      times_(kSpans),
      ranges_(kSpans * signals_.size()),
      near_(2 * static_cast<std::size_t>(std::llround(kNearSeconds / period)) + 1),
      near_times_(near_),
      near_values_(near_ * signals_.size()) {}

void TraceRecorder::push(double time) noexcept {
  push_span(time);
  push_near(time);
}

void TraceRecorder::push_span(double time) noexcept {
  if (spans_ == 0 || filled_ == stride_) {
    if (spans_ == kSpans) join_pairs();
    if (spans_ == 0 || filled_ == stride_) {
      times_[spans_++] = time;
      filled_ = 0;
    }
  }
  const bool is_first = filled_ == 0;
  Range* ranges = ranges_.data() + (spans_ - 1) * signals_.size();
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const auto value = static_cast<float>(*signals_[i]->value);
    auto& [least, most] = ranges[i];
    least = is_first ? value : std::min(least, value);
    most = is_first ? value : std::max(most, value);
  }
  ++filled_;
}

void TraceRecorder::join_pairs() noexcept {
  const std::size_t half = kSpans / 2;
  const std::size_t count = signals_.size();
  for (std::size_t k = 0; k < half; ++k) {
    times_[k] = times_[2 * k];
    const Range* first = ranges_.data() + 2 * k * count;
    const Range* second = first + count;
    for (std::size_t i = 0; i < count; ++i) {
      ranges_[k * count + i] = {std::min(first[i].least, second[i].least),
                                std::max(first[i].most, second[i].most)};
    }
  }
  spans_ = half;
  stride_ *= 2;
  filled_ = stride_;  // the last span is full: two full ones were joined
}

void TraceRecorder::push_near(double time) noexcept {
  if (near_left_ && *near_left_ == 0) return;
  near_times_[near_next_] = time;
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    near_values_[near_next_ * signals_.size() + i] = *signals_[i]->value;
  }
  near_next_ = (near_next_ + 1) % near_;
  near_count_ = std::min(near_count_ + 1, near_);
  if (near_left_) --*near_left_;
}

void TraceRecorder::mark_failure() noexcept {
  if (!near_left_) near_left_ = near_ / 2;
}

Traces TraceRecorder::traces() const {
  Traces traces;
  traces.times.assign(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(spans_));
  traces.span = static_cast<double>(stride_) * period_;
  const std::size_t oldest = (near_next_ + near_ - near_count_) % near_;
  const std::size_t kept = near_left_ ? near_count_ : 0;
  for (std::size_t k = 0; k < kept; ++k) {
    traces.times_near_failure.push_back(near_times_[(oldest + k) % near_]);
  }
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    Trace trace;
    trace.name = signals_[i]->name;
    trace.unit = signals_[i]->unit;
    for (std::size_t k = 0; k < spans_; ++k) {
      trace.least.push_back(ranges_[k * signals_.size() + i].least);
      trace.most.push_back(ranges_[k * signals_.size() + i].most);
    }
    for (std::size_t k = 0; k < kept; ++k) {
      trace.near_failure.push_back(near_values_[(oldest + k) % near_ * signals_.size() + i]);
    }
    traces.signals.push_back(std::move(trace));
  }
  return traces;
}

}  // namespace jointrig::harness
