#pragma once
/// The marks of a run: named steps set them when they begin and when they end.

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "harness/runner/result.h"
#include "harness/runner/scenario.h"
#include "harness/runner/signals.h"
#include "harness/runner/window.h"

namespace jointrig::harness {

/// Marks of one step: `settled[2]`, and `settled`, which every round sets.
struct StepMarks {
  std::optional<std::size_t> start;
  std::optional<std::size_t> start_of_any_round;
  std::optional<std::size_t> end;
  std::optional<std::size_t> end_of_any_round;
};

class RunMarks {
 public:
  explicit RunMarks(SignalTable& signals) : signals_(&signals) {}

  /// Call before anything that uses marks is bound.
  void define(const Scenario& scenario);
  /// @param name  of a step or a state; "": it sets none
  [[nodiscard]] StepMarks of(const std::string& name) const;
  /// Reserves memory for the marks of so many steps, so that a cycle allocates nothing. Marks
  /// beyond kAgain, of states that are entered again and again, aren't listed in the result.
  void reserve(std::size_t steps) { log_.reserve(2 * steps + kAgain); }

  void set_start(const StepMarks& marks, TimeNs now) noexcept {
    set(marks.start, marks.start_of_any_round, now);
  }
  void set_end(const StepMarks& marks, TimeNs now) noexcept {
    set(marks.end, marks.end_of_any_round, now);
  }
  [[nodiscard]] std::span<const MarkTimes> times() const noexcept { return times_; }

  void finish(Result& result) const;

 private:
  static constexpr std::size_t kAgain = 1000;
  void set(const std::optional<std::size_t>& mark, const std::optional<std::size_t>& of_any_round,
           TimeNs now) noexcept;

  SignalTable* signals_;
  std::vector<MarkTimes> times_;
  std::vector<std::pair<std::size_t, TimeNs>> log_;
};

}  // namespace jointrig::harness
