#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/runner/result.h"
#include "harness/runner/signals.h"

namespace jointrig::harness {

/// Records signals for the report in fixed memory: least and most in each of at most kSpans spans
/// of the run (pairs are joined when they are full), and every sample near the first failure.
class TraceRecorder {
 public:
  static constexpr std::size_t kSpans = 2000;
  static constexpr double kNearSeconds = 0.25;  ///< before and after the failure

  TraceRecorder(std::vector<const Signal*> signals, double period);

  /// Call once a cycle, after the signals are read. Never allocates.
  void push(double time) noexcept;

  /// Marks a failure in the last cycle: the ring records for kNearSeconds more and then stops.
  void mark_failure() noexcept;

  /// The recorded traces; the caller adds bounds.
  [[nodiscard]] Traces traces() const;

 private:
  void push_span(double time) noexcept;
  void push_near(double time) noexcept;
  void join_pairs() noexcept;

  std::vector<const Signal*> signals_;
  double period_;

  std::size_t spans_ = 0;
  std::size_t stride_ = 1;  // cycles in a span
  std::size_t filled_ = 0;  // cycles in the last span
  // Span by span, so that a cycle writes to one place.
  std::vector<double> times_;
  struct Range {
    float least = 0.0F;
    float most = 0.0F;
  };
  std::vector<Range> ranges_;  // of all signals in each span

  std::size_t near_ = 0;  // samples in the ring
  std::size_t near_next_ = 0;
  std::size_t near_count_ = 0;
  std::optional<std::size_t> near_left_;  // samples to come after the failure
  std::vector<double> near_times_;
  std::vector<double> near_values_;  // of all signals in each sample
};

}  // namespace jointrig::harness
