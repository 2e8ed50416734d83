#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "control/core/event.h"
#include "control/core/plan.h"

namespace jointrig::gui {

/// State of a plan that the panel has sent.
struct PlanCourse {
  std::uint64_t number = 0;  ///< of its command
  bool has_started = false;
  bool is_over = false;
  PlanChange last = PlanChange::kStarted;
  std::uint32_t waypoint = 0;  ///< last one that was passed, from 1
  std::string text;            ///< of the last change, as a sentence
};

/// The course of the panel's own plans, by the loop's events; it sends nothing.
class PlanAnswers {
 public:
  static constexpr std::size_t kCapacity = 16;  ///< as many as wait or are followed at once

  /// @param event  of a plan that the panel itself has sent
  void see(const Event& event, const std::string& text);

  /// Null: the loop has told nothing of it.
  [[nodiscard]] const PlanCourse* of(std::uint64_t number) const noexcept;

 private:
  PlanCourse& course_of(std::uint64_t number);

  std::deque<PlanCourse> courses_;
};

}  // namespace jointrig::gui
