#pragma once
/// Boards that nothing is heard of, and what can be said of them: how long, and where their common
/// cause is. Their last values are old, and whether their motors are on nobody can know.

#include <string>
#include <vector>

#include "control/core/capabilities.h"
#include "control/core/snapshot.h"

namespace jointrig::gui {

/// Cycles without a sample from which a board counts as silent: the stack's own bar.
inline constexpr std::uint32_t kSilentFrom = 20;

/// Silence of one joint's board.
class Silence {
 public:
  /// It lasts until a sample of a board that is set up comes.
  void see(const JointSnapshot& joint, TimeNs now_ns, TimeNs period_ns);

  [[nodiscard]] bool lasts() const noexcept { return lasts_; }
  [[nodiscard]] TimeNs since_ns() const noexcept { return since_ns_; }

 private:
  bool lasts_ = false;
  TimeNs since_ns_ = 0;  ///< robot time of the last sample
};

/// Silent boards with one cause.
struct SilentGroup {
  std::string title;   ///< "8 boards silent: all on bus wires"
  std::string likely;  ///< its usual causes
  std::vector<JointIndex> joints;
  TimeNs since_ns = 0;  ///< of the first one
};

/// One for each bus, a single board and all of a bus alike; one in all where no board of several
/// buses is heard.
/// @param boards  by joint, with their buses
std::vector<SilentGroup> group_silent(const std::vector<Silence>& joints,
                                      const std::vector<JointCapabilities>& boards);

/// "for 3 s"; below a second in milliseconds.
std::string silent_for_text(double seconds);

}  // namespace jointrig::gui
