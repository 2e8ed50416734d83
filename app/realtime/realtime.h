#pragma once
/// Asks the system for what a loop of 1 kHz wants: real-time scheduling, memory that stays in RAM,
/// a core. What isn't granted is told and gone without; nothing here fails.

#include <sched.h>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace jointrig::app {

struct RealtimeOptions {
  int priority = 80;          ///< SCHED_FIFO, 1..99; 0: ordinary scheduling
  bool lock_memory = true;    ///< mlockall
  std::optional<int> core{};  ///< to stay on; absent: any
  /// Memory that nobody has used yet is fetched and locked as well. Without, a page is locked from
  /// its first use on: the loop's are, once a cycle of its kind has run.
  bool lock_untouched = true;
};

/// What came of one wish.
struct RealtimeNote {
  bool got = false;
  std::string text;  ///< a sentence
  std::string fix;   ///< what to type; empty where it was got
};

struct RealtimeSetup {
  int priority = 0;  ///< SCHED_FIFO; 0 where not permitted
  bool memory_locked = false;
  std::optional<int> core{};
  std::vector<RealtimeNote> notes;

  [[nodiscard]] bool got_all() const noexcept;

  // As it was before: for leave_realtime.
  int policy_before = SCHED_OTHER;
  sched_param parameters_before{};
  cpu_set_t cores_before{};
};

/// Sets the calling thread up, and the memory of the whole process. Threads that it starts
/// afterwards are scheduled as usual, but stay on its core where one was asked for: start them
/// before.
///
/// SCHED_FIFO is tried, from the priority wanted down to 1: what limits.conf promises and what a
/// container or a systemd unit permits are two things. Timer slack is set to its least, which
/// needs no permission. 512 KiB of the stack are touched, so that the cycle meets no page fault.
RealtimeSetup enter_realtime(const RealtimeOptions& options);

/// Gives back what enter_realtime got. Same thread.
void leave_realtime(const RealtimeSetup& setup) noexcept;

/// A line per note, and one per fix.
std::ostream& operator<<(std::ostream& out, const RealtimeSetup& setup);

}  // namespace jointrig::app
