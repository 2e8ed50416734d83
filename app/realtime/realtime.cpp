#include "app/realtime/realtime.h"

#include <fmt/core.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <ostream>

namespace jointrig::app {
namespace {

constexpr int kCapabilityIpcLock = 14;  // linux/capability.h: CAP_IPC_LOCK
constexpr std::size_t kStackTouched = 512 * 1024;
constexpr std::size_t kPage = 4096;

constexpr const char* kPriorityFix =
    "for this shell: sudo prlimit --pid $$ --rtprio=98 · for good: echo \"$USER - rtprio 98\" | "
    "sudo tee /etc/security/limits.d/jointrig-rtprio.conf, then log in again (ulimit -r shows it) "
    "· in a container: --cap-add SYS_NICE · or for the program alone: sudo setcap "
    "cap_sys_nice,cap_ipc_lock+ep PROGRAM";
constexpr const char* kMemoryFix =
    "for this shell: sudo prlimit --pid $$ --memlock=unlimited · for good: echo \"$USER - memlock "
    "unlimited\" | sudo tee /etc/security/limits.d/jointrig-memlock.conf, then log in again "
    "(ulimit -l shows it) · in a container: --ulimit memlock=-1";

/// `unlimited`, or the number with its unit.
std::string limit_text(int resource, rlim_t unit, const char* suffix) {
  rlimit limit{};
  getrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
  if (limit.rlim_cur == RLIM_INFINITY) return "unlimited";
  return fmt::format("{}{}", limit.rlim_cur / unit, suffix);
}

bool has_capability(int capability) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("CapEff:", 0) != 0) continue;
    return ((std::stoull(line.substr(7), nullptr, 16) >> capability) & 1U) != 0;
  }
  return false;
}

bool memory_is_unlimited() {
  rlimit limit{};
  getrlimit(RLIMIT_MEMLOCK, &limit);
  return limit.rlim_cur == RLIM_INFINITY || has_capability(kCapabilityIpcLock);
}

/// Returns the highest granted SCHED_FIFO priority up to `wanted`; 0 if none.
int try_priorities(int wanted) {
  for (int priority = std::min(wanted, sched_get_priority_max(SCHED_FIFO)); priority > 0;
       --priority) {
    const sched_param parameters{priority};
    // Threads started by this one don't inherit it: only the loop is urgent.
    if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == 0) return priority;
  }
  return 0;
}

RealtimeNote take_priority(int wanted, int& priority) {
  priority = try_priorities(wanted);
  if (priority == wanted) {
    return {true, fmt::format("scheduled as SCHED_FIFO with priority {}", priority), {}};
  }
  const std::string limit = limit_text(RLIMIT_RTPRIO, 1, "");
  if (priority > 0) {
    return {false,
            fmt::format("SCHED_FIFO with priority {}, not {}: the limit (ulimit -r) is {}",
                        priority, wanted, limit),
            kPriorityFix};
  }
  return {false,
          "no real-time scheduling: SCHED_FIFO is not permitted, the limit (ulimit -r) is " + limit,
          kPriorityFix};
}

RealtimeNote take_memory(bool untouched_too, bool& locked) {
  const std::string limit = limit_text(RLIMIT_MEMLOCK, 1024, " KiB");
  // With a limit, locking later allocations would make them fail.
  const bool future_too = memory_is_unlimited();
  const int which =
      (future_too ? MCL_CURRENT | MCL_FUTURE : MCL_CURRENT) | (untouched_too ? 0 : MCL_ONFAULT);
  locked = mlockall(which) == 0;
  if (locked && future_too) return {true, "memory locked", {}};
  if (locked) {
    return {
        false,
        "memory locked as it is now, later allocations are not: the limit (ulimit -l) is " + limit,
        kMemoryFix};
  }
  return {false,
          std::string{"memory not locked: "} + std::strerror(errno) +
              ", the limit (ulimit -l) is " + limit,
          kMemoryFix};
}

RealtimeNote take_core(int core, const cpu_set_t& permitted, std::optional<int>& got) {
  cpu_set_t one;
  CPU_ZERO(&one);
  if (core >= 0 && core < CPU_SETSIZE) CPU_SET(static_cast<unsigned>(core), &one);
  if (sched_setaffinity(0, sizeof(one), &one) == 0) {
    got = core;
    return {true, fmt::format("stays on core {}", core), {}};
  }
  std::string cores;
  for (unsigned i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &permitted)) cores += fmt::format("{}{}", (cores.empty() ? "" : ", "), i);
  }
  return {false, fmt::format("not bound to core {}: this process may use {}", core, cores),
          "choose one of the cores " + cores};
}

[[gnu::noinline]] void touch_stack() noexcept {
  std::array<unsigned char, kStackTouched> stack{};
  volatile unsigned char* bytes = stack.data();
  for (std::size_t i = 0; i < stack.size(); i += kPage) bytes[i] = 0;
}

}  // namespace

bool RealtimeSetup::got_all() const noexcept {
  return std::all_of(notes.begin(), notes.end(), [](const RealtimeNote& note) { return note.got; });
}

RealtimeSetup enter_realtime(const RealtimeOptions& options) {
  RealtimeSetup setup;
  setup.policy_before = sched_getscheduler(0);
  sched_getparam(0, &setup.parameters_before);
  sched_getaffinity(0, sizeof(setup.cores_before), &setup.cores_before);

  prctl(PR_SET_TIMERSLACK, 1UL);  // only ordinary scheduling uses it
  if (options.core) {
    setup.notes.push_back(take_core(*options.core, setup.cores_before, setup.core));
  }
  if (options.lock_memory)
    setup.notes.push_back(take_memory(options.lock_untouched, setup.memory_locked));
  touch_stack();
  if (options.priority > 0) {
    setup.notes.push_back(take_priority(options.priority, setup.priority));
  }
  return setup;
}

void leave_realtime(const RealtimeSetup& setup) noexcept {
  if (setup.priority > 0) sched_setscheduler(0, setup.policy_before, &setup.parameters_before);
  if (setup.core) sched_setaffinity(0, sizeof(setup.cores_before), &setup.cores_before);
  if (setup.memory_locked) munlockall();
  prctl(PR_SET_TIMERSLACK, 0UL);  // 0: the default of the process
}

std::ostream& operator<<(std::ostream& out, const RealtimeSetup& setup) {
  for (const RealtimeNote& note : setup.notes) {
    out << "realtime: " << note.text << '\n';
    if (!note.fix.empty()) out << "  to change that: " << note.fix << '\n';
  }
  return out;
}

}  // namespace jointrig::app
