#include "harness/runner/reach_answer.h"

#include <vector>

#include "control/core/text.h"
#include "harness/runner/measure.h"
#include "harness/runner/move_run.h"

namespace jointrig::harness {

std::string tools_text(const AskedReach& asked, const RobotConfig& robot) {
  return (asked.tools.size() > 1 ? "the tools of " : "the tool of ") +
         joined(asked.tools, ", ", [&](const AskedPose& one) { return robot.arms[one.arm].name; });
}

std::string reach_sentence(const ReachSolver& solver, const AskedReach& asked,
                           const RobotConfig& robot) {
  const IkResult& result = solver.result();
  const auto at = [&](JointIndex joint) {
    return robot.joints[joint].name + " = " + position_text(result.q[joint], robot.joints[joint]);
  };
  if (result.outcome == IkOutcome::kSolved) return joined(solver.joints(), ", ", at);
  if (result.outcome == IkOutcome::kNotFinite) {
    return "a goal that is no number, or an orientation that is no quaternion of length 1";
  }
  std::size_t worst = 0;
  const auto size = [&](std::size_t i) {
    return result.errors[i].position + 0.3 * result.errors[i].rotation;
  };
  for (std::size_t i = 1; i < asked.tools.size(); ++i) {
    if (size(i) > size(worst)) worst = i;
  }
  const IkError& error = result.errors[worst];
  const AskedPose& tool = asked.tools[worst];
  std::string text =
      "no joint positions bring " + tools_text(asked, robot) + " there; the nearest leave " +
      (asked.tools.size() > 1 ? "that of " + robot.arms[tool.arm].name + " " : "it ") +
      shown_unit("mm").text(error.position) +
      (tool.holds_rotation() ? " and " + shown_unit("deg").text(error.rotation) : "") + " off";
  if (result.outcome == IkOutcome::kJointLimits) {
    const BeyondLimit& beyond = result.beyond;
    const JointConfig& joint = robot.joints[beyond.joint];
    text += ": " + joint.name + " would have to be at " + position_text(beyond.q, joint) +
            ", beyond " + position_text(beyond.limit, joint);
  }
  return text;
}

ReachAnswer answer_reach(const AskedReach& asked, const RobotConfig& robot,
                         const KinematicTree& tree, const Snapshot& now) {
  check_reach(asked, robot);
  ReachSolver solver(robot, tree, asked);
  const IkResult& result = solver.solve(asked, now);
  ReachAnswer answer;
  answer.reason = to_string(result.outcome);
  if (result.outcome != IkOutcome::kSolved) answer.refusal = reach_sentence(solver, asked, robot);
  answer.joints = solver.joints();
  for (const JointIndex joint : answer.joints) answer.q.push_back(result.q[joint]);
  for (const IkError& error : result.errors) {
    answer.rests.push_back({error.position, error.rotation});
  }
  if (result.outcome == IkOutcome::kJointLimits) {
    answer.joint = result.beyond.joint;
    answer.value = result.beyond.q;
    answer.limit = result.beyond.limit;
  }
  return answer;
}

}  // namespace jointrig::harness
