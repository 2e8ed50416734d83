#pragma once
/// Errors of scenarios that could not begin, once for each family: the variations of one file fail
/// for the same reason as a rule. Any thread.

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "harness/runner/result.h"
#include "harness/runner/scenario.h"

namespace jointrig::app {

class FamilyErrors {
 public:
  explicit FamilyErrors(const std::vector<harness::Scenario>& scenarios);

  /// Lines to print for a finished scenario: `own`, unless it could not begin. Then they come with
  /// the last variation of its family, once for each reason; in a run of many families only the
  /// first problem of each.
  std::vector<std::string> news(const harness::Result& result, std::vector<std::string> own);

  /// True if a scenario could not begin.
  [[nodiscard]] bool any() const;

 private:
  struct Family {
    int variations = 0;
    int left = 0;
    /// In the order in which they were met: how many, and the lines of the first.
    std::vector<std::pair<int, std::vector<std::string>>> errors;
    std::map<std::string, std::size_t> of_reason;
  };

  [[nodiscard]] std::vector<std::string> told(const std::string& name, const Family& family) const;

  mutable std::mutex mutex_;
  std::map<std::string, Family> families_;
  bool any_ = false;
};

}  // namespace jointrig::app
