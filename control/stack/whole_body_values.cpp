// Inner values of the whole-body controller beside those of its managers: the centre of mass, the
// contacts, and the constraints that hold the solution back.

#include <algorithm>
#include <array>

#include "control/stack/whole_body_parts.h"
#include "control/wholebody/value_writer.h"

namespace jointrig {
namespace {

bool has_given_way(const WholeBodySolution& solution, Yielding what, std::size_t index) noexcept {
  return std::any_of(solution.gave_way.begin(), solution.gave_way.end(), [=](const GaveWay& one) {
    return one.what == what && static_cast<std::size_t>(one.index) == index;
  });
}

void put_contact(ValueWriter& out, const WholeBodySolution& solution,
                 std::size_t contact) noexcept {
  const SixNumbers& wrench = solution.contact_wrench[contact];
  out.put(Eigen::Vector3d(wrench.head<3>()));
  out.put(Eigen::Vector3d(wrench.tail<3>()));
  out.put(solution.active.edges_of[contact]);
  out.put(solution.active.is_loaded[contact] ? 1.0 : 0.0);
  out.put(has_given_way(solution, Yielding::kContactMotion, contact) ? 1.0 : 0.0);
}

}  // namespace

/// Behind the signals that show() and the managers write; 0 while it doesn't stand.
void WholeBody::show_values() noexcept {
  const std::span<double> values = std::span(state_.signals).subspan(parts_->first_value);
  if (state_.phase != Phase::kStands) {
    std::fill(values.begin(), values.end(), 0.0);
    return;
  }
  const FloatingModel& model = parts_->model;
  const WholeBodyCommand& command = parts_->command;
  const WholeBodySolution& solution = parts_->core.solution();
  parts_->managers.show_values(model, {command, solution, state_.posture, parts_->joint_of},
                               values);

  ValueWriter out(values.subspan(parts_->values_of_managers));
  out.put(state_.goal);
  out.put(model.com());
  for (int axis = 0; axis < 3; ++axis) {
    const bool is_driven = command.momentum.axes[static_cast<std::size_t>(axis)];
    out.put(is_driven ? command.momentum.weights[axis] : 0.0);
  }
  out.put(Eigen::Vector3d(model.momentum().tail<3>()));
  out.put(command.momentum.weights[3]);
  for (std::size_t i = 0; i < state_.upright.size(); ++i) {
    out.turned(model, command.spatial[i], state_.upright[i]);
  }
  for (std::size_t c = 0; c < parts_->core.contacts().size(); ++c) put_contact(out, solution, c);
  const ActiveConstraints& active = solution.active;
  for (const int count : {active.ranges, active.torques, active.edges, active.loads})
    out.put(count);
  out.put(has_given_way(solution, Yielding::kJointLimits, 0) ? 1.0 : 0.0);
  out.put(solution.attempts);
  const std::span<double> held = values.subspan(parts_->values_of_managers + out.next());
  for (std::size_t k = 0; k < parts_->joint_of.size(); ++k) {
    held[parts_->joint_of[k]] = static_cast<double>(active.joint[k]);
  }
  if (!leads()) return;
  const Eigen::Vector3d at =
      Eigen::Vector3d(model.base().position.data()) + parts_->base * pressure_.centre;
  const std::array<double, 5> of_lead{state_.lead.way.x(), state_.lead.way.y(), at.x(), at.y(),
                                      state_.away};
  std::copy(of_lead.begin(), of_lead.end(), held.subspan(parts_->joint_of.size()).begin());
}

}  // namespace jointrig
