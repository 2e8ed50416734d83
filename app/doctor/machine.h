#pragma once
/// Facts from /proc and /sys that matter to a loop of 1 kHz.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/enumeration.h"

namespace jointrig::app {

/// ok: good; note: worth knowing; fix: prevents steady cycles.
#define JOINTRIG_FINDING_KINDS(X) \
  X(kOk, "ok")                    \
  X(kNote, "note")                \
  X(kFix, "fix")
JOINTRIG_ENUM(FindingKind, JOINTRIG_FINDING_KINDS)

struct Finding {
  FindingKind severity = FindingKind::kOk;
  std::string topic;
  std::string text;
  std::string fix;  ///< a command, or a change to make; empty if none is needed
};

/// Files under a root: "/" for this machine, a folder of test files for a test.
class Machine {
 public:
  explicit Machine(std::filesystem::path root = "/") : root_(std::move(root)) {}

  /// The file's text without the line end; absent if it can't be read.
  [[nodiscard]] std::optional<std::string> read(std::string_view path) const;

  /// Numbers N of the folders /sys/devices/system/cpu/cpuN, rising.
  [[nodiscard]] std::vector<int> cores() const;

  /// CPU model of /proc/cpuinfo.
  [[nodiscard]] std::string cpu_model() const;
  [[nodiscard]] bool is_virtual() const;

 private:
  [[nodiscard]] std::optional<std::string> cpu_info(std::string_view key) const;

  std::filesystem::path root_;
};

/// All findings from these files, in the order of the report.
std::vector<Finding> examine(const Machine& machine);

}  // namespace jointrig::app
