#pragma once
/// What a look at a model found worth saying.

#include <string>
#include <utility>
#include <vector>

#include "control/core/enumeration.h"

namespace jointrig {

///     info     so it is, and it does no harm
///     warning  works, though perhaps not as meant
///     error    will not work until something is changed
#define JOINTRIG_SEVERITIES(X) \
  X(kInfo, "info")             \
  X(kWarning, "warning")       \
  X(kError, "error")
JOINTRIG_ENUM(Severity, JOINTRIG_SEVERITIES)

#define JOINTRIG_SUBJECTS(X) \
  X(kModel, "model")         \
  X(kJoint, "joint")         \
  X(kActuator, "actuator")   \
  X(kBody, "body")
JOINTRIG_ENUM(Subject, JOINTRIG_SUBJECTS)

struct Remark {
  Severity severity = Severity::kInfo;
  Subject subject = Subject::kModel;
  std::vector<std::string> names;  ///< of the joints, actuators or bodies; none of the model
  std::string text;                ///< what is so, and what to do about it
};

/// Remarks in the order they were made; what is said of several joints is said once.
class Remarks {
 public:
  Remarks() = default;
  /// To go on after these.
  explicit Remarks(std::vector<Remark> before) : all_(std::move(before)) {}

  void add(Severity severity, Subject subject, const std::string& name, const std::string& text) {
    for (Remark& remark : all_) {
      if (remark.severity != severity || remark.subject != subject || remark.text != text) {
        continue;
      }
      remark.names.push_back(name);
      return;
    }
    all_.push_back({severity, subject, {name}, text});
  }
  void add(Severity severity, const std::string& text) {
    all_.push_back({severity, Subject::kModel, {}, text});
  }
  [[nodiscard]] std::vector<Remark> take() && { return std::move(all_); }

 private:
  std::vector<Remark> all_;
};

}  // namespace jointrig
