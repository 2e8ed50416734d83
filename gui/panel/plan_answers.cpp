#include "gui/panel/plan_answers.h"

#include <algorithm>

namespace jointrig::gui {

const PlanCourse* PlanAnswers::of(std::uint64_t number) const noexcept {
  const auto found = std::find_if(courses_.begin(), courses_.end(),
                                  [number](const PlanCourse& one) { return one.number == number; });
  return found == courses_.end() ? nullptr : &*found;
}

PlanCourse& PlanAnswers::course_of(std::uint64_t number) {
  for (PlanCourse& known : courses_) {
    if (known.number == number) return known;
  }
  if (courses_.size() == kCapacity) courses_.pop_front();
  PlanCourse& added = courses_.emplace_back();
  added.number = number;
  return added;
}

void PlanAnswers::see(const Event& event, const std::string& text) {
  if (event.kind != EventKind::kPlan && event.kind != EventKind::kPlanBroken) return;
  const auto change = static_cast<PlanChange>(event.detail);
  PlanCourse& course = course_of(event.number);
  if (change == PlanChange::kWaypoint) {
    course.waypoint = event.waypoint;
    return;
  }
  if (course.is_over) return;  // the first end is the reason
  course.last = change;
  course.text = text;
  course.has_started = true;
  course.is_over = change != PlanChange::kStarted;
}

}  // namespace jointrig::gui
