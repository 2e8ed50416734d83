#pragma once
/// Requests real-time conditions for a loop of 1 kHz from the system: scheduling, memory that stays
/// in RAM, a core. A refusal is reported and accepted; no function here fails.

#include <sched.h>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace jointrig::app {

struct RealtimeOptions {
  int priority = 80;          ///< SCHED_FIFO, 1..99; 0: ordinary scheduling
  bool lock_memory = true;    ///< mlockall
  std::optional<int> core{};  ///< core to use; absent: any
  /// Also locks unused memory. Otherwise a page is locked at its first use: the loop's pages after
  /// its first cycle of each kind.
  bool lock_untouched = true;
};

/// Result of one request.
struct RealtimeNote {
  bool got = false;
  std::string text;  ///< a sentence
  std::string fix;   ///< a command to type; empty if granted
};

struct RealtimeSetup {
  int priority = 0;  ///< SCHED_FIFO; 0 where not permitted
  bool memory_locked = false;
  std::optional<int> core{};
  std::vector<RealtimeNote> notes;

  [[nodiscard]] bool got_all() const noexcept;

  // State before, for leave_realtime.
  int policy_before = SCHED_OTHER;
  sched_param parameters_before{};
  cpu_set_t cores_before{};
};

/// Sets up the calling thread, and the memory of the whole process. Threads started afterwards are
/// scheduled as usual, but stay on its core if one was requested: start them before.
///
/// It tries SCHED_FIFO from the wanted priority down to 1, since a container or a systemd unit may
/// permit less than limits.conf. It sets timer slack to its minimum, which needs no permission, and
/// touches 512 KiB of the stack, so that no cycle has a page fault.
RealtimeSetup enter_realtime(const RealtimeOptions& options);

/// Undoes enter_realtime. Same thread.
void leave_realtime(const RealtimeSetup& setup) noexcept;

/// A line per note, and one per fix.
std::ostream& operator<<(std::ostream& out, const RealtimeSetup& setup);

}  // namespace jointrig::app
