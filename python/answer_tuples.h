#pragma once
/// Answers for python/jointrig as tuples, of a Sim and of a connection.

#include <string>
#include <vector>

#include "control/core/asked_reach.h"
#include "control/core/plan_report.h"
#include "python/bindings.h"

namespace jointrig::python {

/// Sentence of the refusal (empty: none), reason, joints, positions, of each tool the distance and
/// the angle that are left, joint (negative: none) with the position that it would need, and its
/// limit.
inline nb::tuple tuple_of(const ReachAnswer& answer) {
  nb::list joints;
  for (const JointIndex joint : answer.joints) joints.append(static_cast<int>(joint));
  nb::list positions;
  for (const double q : answer.q) positions.append(q);
  nb::list rests;
  for (const ReachAnswer::Rest& rest : answer.rests) {
    rests.append(nb::make_tuple(rest.position, rest.rotation));
  }
  const int joint = answer.joint == kNoJoint ? -1 : static_cast<int>(answer.joint);
  return nb::make_tuple(answer.refusal.c_str(), answer.reason.c_str(), joints, positions, rests,
                        joint, answer.value, answer.limit);
}

/// Sentence of the refusal (empty: none), waypoint, duration, joints, times of the path and the
/// positions at each, times of the waypoints and the positions at each, the bodies that meet
/// (empty: none do) and when.
inline nb::tuple tuple_of(const PlanReport& report) {
  const auto numbers = [](const std::vector<double>& from) {
    nb::list list;
    for (const double number : from) list.append(number);
    return list;
  };
  const auto rows = [&](const std::vector<std::vector<double>>& from) {
    nb::list list;
    for (const std::vector<double>& row : from) list.append(numbers(row));
    return list;
  };
  nb::list joints;
  for (const JointIndex joint : report.joints) joints.append(static_cast<int>(joint));
  return nb::make_tuple(report.refusal.c_str(), static_cast<int>(report.waypoint), report.duration,
                        joints, numbers(report.times), rows(report.q),
                        numbers(report.waypoint_times), rows(report.waypoint_q),
                        report.meets.c_str(), report.meets_at);
}

}  // namespace jointrig::python
