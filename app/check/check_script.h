#pragma once
/// The text of a scenario, line by line.

#include <fmt/core.h>

#include <string>
#include <utility>

#include "app/check/check_kind.h"
#include "app/check/checked_joint.h"

namespace jointrig::app {

/// A part of the run between two marks; `to` may be empty: to the end of the steps.
struct Span {
  std::string from;
  std::string to{};
};

class CheckScript {
 public:
  /// @param requirements  words of `requires`, beside the witness's own
  /// @param longest       of the robot's time [s]
  CheckScript(CheckKind kind, const std::string& robot, const std::string& requirements,
              double longest, CheckWitness witness);

  /// A step before anything is judged.
  template <typename... Args>
  void setup(fmt::format_string<Args...> text, Args&&... args) {
    setup_ += "  - " + fmt::format(text, std::forward<Args>(args)...) + "\n";
  }
  template <typename... Args>
  void step(fmt::format_string<Args...> text, Args&&... args) {
    steps_ += "  - " + fmt::format(text, std::forward<Args>(args)...) + "\n";
  }
  void wait(double seconds);
  /// Sets a mark and returns its name.
  std::string mark(const std::string& name);
  /// The mode of a joint in each cycle between two marks.
  void stays_in_mode(const std::string& joint_key, const std::string& mode, const Span& span);

  /// `what` of a joint: a statistic of an expression, in which $ stands for the joint's name, and
  /// truth.$.q for its position by the witness.
  /// @param bound  "max: 0.2 deg"
  void metric(const CheckedJoint& joint, const std::string& what, const std::string& of,
              const Span& span, const std::string& statistic, const std::string& bound);

  /// The same of anything else, such as an arm; `of` is taken as it is.
  void metric(const std::string& what, const std::string& whose, const std::string& of,
              const Span& span, const std::string& statistic, const std::string& bound);

  [[nodiscard]] std::string text() const;

 private:
  CheckWitness witness_;
  std::string head_;
  std::string setup_;
  std::string steps_;
  std::string modes_;
  std::string metrics_;
};

}  // namespace jointrig::app
