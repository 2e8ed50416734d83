#include "harness/runner/trace_recorder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jointrig::harness {

TraceRecorder::TraceRecorder(std::vector<const Signal*> signals, double period)
    : signals_(std::move(signals)),
      period_(period),
      times_(kSpans),
      least_(kSpans * signals_.size()),
      most_(kSpans * signals_.size()),
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
  const std::size_t span = spans_ - 1;
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const auto value = static_cast<float>(*signals_[i]->value);
    float& least = least_[i * kSpans + span];
    float& most = most_[i * kSpans + span];
    least = is_first ? value : std::min(least, value);
    most = is_first ? value : std::max(most, value);
  }
  ++filled_;
}

void TraceRecorder::join_pairs() noexcept {
  const std::size_t half = kSpans / 2;
  for (std::size_t k = 0; k < half; ++k) times_[k] = times_[2 * k];
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    float* least = &least_[i * kSpans];
    float* most = &most_[i * kSpans];
    for (std::size_t k = 0; k < half; ++k) {
      least[k] = std::min(least[2 * k], least[2 * k + 1]);
      most[k] = std::max(most[2 * k], most[2 * k + 1]);
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
    near_values_[i * near_ + near_next_] = *signals_[i]->value;
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
    const auto begin = static_cast<std::ptrdiff_t>(i * kSpans);
    const auto end = begin + static_cast<std::ptrdiff_t>(spans_);
    trace.least.assign(least_.begin() + begin, least_.begin() + end);
    trace.most.assign(most_.begin() + begin, most_.begin() + end);
    for (std::size_t k = 0; k < kept; ++k) {
      trace.near_failure.push_back(near_values_[i * near_ + (oldest + k) % near_]);
    }
    traces.signals.push_back(std::move(trace));
  }
  return traces;
}

}  // namespace jointrig::harness
