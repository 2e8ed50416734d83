// Solutions of the whole-body controller's program in random states of the iCub, as JSON: one
// object a line, for a judge that shares no code with it (inverse_dynamics_test.py).
//
//     solutions STATES

#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "tests/control/wholebody/icub_on_soles.h"

namespace jointrig {
namespace {

void print(const char* name, std::span<const double> numbers, const char* end = ", ") {
  std::printf("\"%s\": [", name);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::printf("%s%.17g", i == 0 ? "" : ", ", numbers[i]);
  }
  std::printf("]%s", end);
}

std::span<const double> numbers_of(const Eigen::VectorXd& vector) {
  return {vector.data(), static_cast<std::size_t>(vector.size())};
}

void print_solution(const soles::Icub& icub, const WholeBodyCore& core) {
  const WholeBodySolution& answer = core.solution();
  const soles::BodyState state = soles::state_of(icub.plant, *icub.data);
  std::printf("{");
  print("position", state.base.position);
  print("orientation", state.base.orientation);
  print("linear_velocity", state.base.linear_velocity);
  print("angular_velocity", state.base.angular_velocity);
  print("q", state.q);
  print("v", state.v);
  print("acceleration", numbers_of(answer.acceleration));
  print("torque", numbers_of(answer.torque));
  std::printf("\"forces\": {");
  for (std::size_t c = 0; c < core.contacts().size(); ++c) {
    const ContactSetup& contact = core.contacts()[c];
    std::printf("%s\"%s\": [", c == 0 ? "" : ", ", contact.name.c_str());
    for (std::size_t p = 0; p < contact.points.size(); ++p) {
      const Eigen::Vector3d force = answer.point_force[c].col(static_cast<Eigen::Index>(p));
      std::printf("%s{", p == 0 ? "" : ", ");
      print("point", {contact.points[p].data(), 3});
      print("force", {force.data(), 3}, "}");
    }
    std::printf("]");
  }
  std::printf("}}\n");
}

}  // namespace
}  // namespace jointrig

int main(int argc, char** argv) {
  using namespace jointrig;
  const int states = argc > 1 ? std::atoi(argv[1]) : 1;
  soles::Icub icub;
  std::mt19937 random(1519);
  WholeBodyCore core(icub.model, soles::both_soles(icub.model), icub.bounds);
  std::printf("[");
  for (const FloatingModel::Joint& joint : icub.model.joints()) {
    std::printf("%s\"%s\"", &joint == icub.model.joints().data() ? "" : ", ", joint.name.c_str());
  }
  std::printf("]\n");
  for (int i = 0; i < states; ++i) {
    icub.shake(random);
    if (core.solve(icub.model, soles::stand(icub, random)).outcome == CoreOutcome::kNoAnswer) {
      std::fprintf(stderr, "state %d has no solution\n", i);
      return 1;
    }
    print_solution(icub, core);
  }
  return 0;
}
