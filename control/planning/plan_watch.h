#pragma once

#include <atomic>
#include <exception>

namespace jointrig {

/// Ends the making of a plan that nobody wants any more; thrown out of the planner's functions.
struct PlanCancelled : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "the plan was cancelled"; }
};

/// A plan that is being made, as seen by two threads: the one that asked for it and may cancel it,
/// and the one that makes it and tells how far it is.
class PlanWatch {
 public:
  // For any thread.

  void cancel() noexcept { is_cancelled_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_cancelled() const noexcept {
    return is_cancelled_.load(std::memory_order_relaxed);
  }
  /// Share of the work that is done, 0 to 1; never falls.
  [[nodiscard]] double progress() const noexcept {
    return progress_.load(std::memory_order_relaxed);
  }

  // For the thread that makes the plan.

  /// Progress that is told from now on counts as the part of the work from `begin` to `end`.
  void begin_part(double begin, double end) noexcept {
    begin_ = begin;
    end_ = end;
  }
  /// Told often: what lies between two calls can't be cancelled.
  /// @param share  of the present part, 0 to 1
  /// Throws PlanCancelled.
  void reach(double share) {
    if (is_cancelled()) throw PlanCancelled{};
    const double progress = begin_ + share * (end_ - begin_);
    if (progress > progress_.load(std::memory_order_relaxed)) {
      progress_.store(progress, std::memory_order_relaxed);
    }
  }

 private:
  std::atomic<bool> is_cancelled_{false};
  std::atomic<double> progress_{0.0};
  double begin_ = 0.0;
  double end_ = 1.0;
};

}  // namespace jointrig
