#include "app/check/check_script.h"

#include <string_view>

#include "harness/config/yaml_document.h"

namespace jointrig::app {

CheckScript::CheckScript(CheckKind kind, const std::string& robot, const std::string& requirements,
                         double longest, CheckWitness witness)
    : witness_(witness) {
  const char* truth = witness == CheckWitness::kReports ? ""
                      : requirements.empty()            ? "truth"
                                                        : "truth, ";
  head_ = fmt::format(
      "schema: 1\nscenario: {}\nabout: {}\nrobot: {}\nrequires: [{}{}]\ntimeout: {{sim: {:.0f} s, "
      "wall: 1 h}}\n",
      to_string(kind), harness::yaml_string(about(kind)), harness::yaml_string(robot), truth,
      requirements, longest);
}

void CheckScript::wait(double seconds) { step("wait: {} s", harness::yaml_number(seconds)); }

std::string CheckScript::mark(const std::string& name) {
  step("mark: {}", name);
  return name;
}

void CheckScript::stays_in_mode(const std::string& joint_key, const std::string& mode,
                                const Span& span) {
  modes_ += fmt::format("    - {{mode: {{{}: {}}}, from: {}, to: {}}}\n", joint_key, mode,
                        span.from, span.to);
}

void CheckScript::metric(const CheckedJoint& joint, const std::string& what, const std::string& of,
                         const Span& span, const std::string& statistic, const std::string& bound) {
  constexpr std::string_view kTruth = "truth.$";
  std::string by_witness = of;
  if (witness_ == CheckWitness::kReports) {
    for (std::size_t at = 0; (at = by_witness.find(kTruth, at)) != std::string::npos; ++at) {
      by_witness.replace(at, kTruth.size(), "$");
    }
  }
  std::string expression;
  for (const char c : by_witness) expression += c == '$' ? joint.name : std::string(1, c);
  metric(what, joint.config->name, expression, span, statistic, bound);
}

void CheckScript::metric(const std::string& what, const std::string& whose, const std::string& of,
                         const Span& span, const std::string& statistic, const std::string& bound) {
  metrics_ +=
      fmt::format("  - {{name: {}, of: {}, from: {}, {}stat: {}, {}}}\n",
                  harness::yaml_string(what + " of " + whose), harness::yaml_string(of), span.from,
                  span.to.empty() ? "" : "to: " + span.to + ", ", statistic, bound);
}

std::string CheckScript::text() const {
  std::string text = head_;
  if (!setup_.empty()) text += "setup:\n" + setup_;
  text += "steps:\n" + steps_;
  if (!modes_.empty()) text += "assert:\n  always:\n" + modes_;
  if (!metrics_.empty()) text += "metrics:\n" + metrics_;
  return text;
}

}  // namespace jointrig::app
