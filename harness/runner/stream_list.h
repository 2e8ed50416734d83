#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/arm_command.h"
#include "harness/runner/binder.h"
#include "harness/runner/command_link.h"

namespace jointrig::harness {

/// Streams of samples, in the foreground of a step or in the background of many steps.
class StreamList {
 public:
  /// Throws FileError. Streams in the background may share a name.
  /// @return its number
  std::size_t add(const Step& step, const StreamStep& stream, const Binder& binder);

  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] const std::string& label(std::size_t stream) const noexcept {
    return entries_[stream].label;
  }
  [[nodiscard]] const JointSet& joints(std::size_t stream) const noexcept {
    return entries_[stream].joints;
  }

  void begin(std::size_t stream, TimeNs now) noexcept;
  void end(std::size_t stream) noexcept { entries_[stream].runs = false; }
  void end(std::string_view background) noexcept;
  void end_all() noexcept;

  /// Sends the samples that are due.
  void update(TimeNs now, CommandLink& link) noexcept;

 private:
  struct Kind {
    CommandKind kind;
    std::vector<BoundTarget> targets;
    std::vector<BoundTarget> speeds;         ///< of a trajectory
    std::vector<BoundTarget> accelerations;  ///< of a trajectory
    std::vector<BoundTarget> torques;        ///< of a trajectory: of those that have one
  };
  struct Entry {
    std::string name;
    std::string label;
    std::vector<Kind> kinds;
    std::vector<BoundArmCommand> tools;
    std::vector<Suppressible> suppressed;
    JointSet suppressed_on;
    JointSet joints;
    TimeNs period = 0;  // 0: every cycle
    TimeNs next = 0;
    bool runs = false;
  };
  static void send(const Entry& entry, std::uint32_t number, CommandLink& link,
                   TimeNs now) noexcept;
  std::vector<Entry> entries_;
};

}  // namespace jointrig::harness
