#pragma once
/// Remarks on a model, for the report of a discovery.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "control/core/enumeration.h"

namespace jointrig {

///     info     a fact, harmless
///     warning  works, perhaps not as intended
///     error    will not work without a change
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

/// The text of a remark on joints that the limits of a tendon tie begins so: `check` asks such
/// joints one after the other.
inline constexpr std::string_view kTiedByTendon = "tied by the limits of tendon ";

struct Remark {
  Severity severity = Severity::kInfo;
  Subject subject = Subject::kModel;
  std::vector<std::string> names;  ///< names of the joints, actuators or bodies; empty: the model
  std::string text;                ///< the fact, and the remedy
};

/// Remarks in the order of their creation; one text for several joints becomes one remark.
class Remarks {
 public:
  Remarks() = default;
  /// Continues after these remarks.
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
