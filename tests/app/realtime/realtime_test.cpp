#include "app/realtime/realtime.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/alloc_guard.h"

namespace jointrig::app {
namespace {

/// Runs `check` in a process of its own that may do nothing special, whoever runs the test.
/// @returns whether it returned true there
bool holds_without_permission(const std::function<bool()>& check) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit no_priority{0, 0};
    const rlimit little_memory{65536, 65536};
    constexpr uid_t kNobody = 65534;
    bool ready = setrlimit(RLIMIT_RTPRIO, &no_priority) == 0 &&
                 setrlimit(RLIMIT_MEMLOCK, &little_memory) == 0;
    if (geteuid() == 0) ready = ready && setresuid(kNobody, kNobody, kNobody) == 0;
    _exit(ready && check() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool says(const RealtimeSetup& setup, const std::string& text) {
  std::ostringstream out;
  out << setup;
  return out.str().find(text) != std::string::npos;
}

TEST(Realtime, GoesOnWithoutPermissionAndSaysWhatToDo) {
  EXPECT_TRUE(holds_without_permission([] {
    const RealtimeSetup setup = enter_realtime({});
    return setup.priority == 0 && !setup.got_all() && sched_getscheduler(0) == SCHED_OTHER &&
           says(setup,
                "no real-time scheduling: SCHED_FIFO is not permitted, the limit (ulimit "
                "-r) is 0") &&
           says(setup, "prlimit --pid $$ --rtprio=98");
  }));
}

TEST(Realtime, GoesOnWithoutLockedMemoryAndSaysWhatToDo) {
  if (!RealtimeGuard::works())
    GTEST_SKIP() << "the sanitizers make mlockall do nothing and succeed";
  EXPECT_TRUE(holds_without_permission([] {
    const RealtimeSetup setup = enter_realtime({.priority = 0});
    return !setup.memory_locked && says(setup, "memory not locked") &&
           says(setup, "the limit (ulimit -l) is 64 KiB") &&
           says(setup, "prlimit --pid $$ --memlock=unlimited");
  }));
}

TEST(Realtime, LessensTimerSlackWithoutAnyPermission) {
  EXPECT_TRUE(holds_without_permission([] {
    const RealtimeSetup setup = enter_realtime({.priority = 0, .lock_memory = false});
    const bool least = prctl(PR_GET_TIMERSLACK) == 1;
    leave_realtime(setup);
    return least && prctl(PR_GET_TIMERSLACK) > 1;
  }));
}

/// Allocates 64 MB without using them; returns how many of them are in RAM.
std::size_t resident_of_unused(const RealtimeOptions& options, bool& locked) {
  constexpr std::size_t kBytes = 64U << 20U;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* unused = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const RealtimeSetup setup = enter_realtime(options);
  locked = setup.memory_locked;
  std::vector<unsigned char> pages(kBytes / page);
  mincore(unused, kBytes, pages.data());
  leave_realtime(setup);
  munmap(unused, kBytes);
  const auto resident = std::count_if(pages.begin(), pages.end(),
                                      [](unsigned char flags) { return (flags & 1U) != 0; });
  return static_cast<std::size_t>(resident) * page;
}

TEST(Realtime, MemoryThatNobodyUsesIsFetchedOnlyWhereThatIsWanted) {
  if (!RealtimeGuard::works())
    GTEST_SKIP() << "the sanitizers make mlockall do nothing and succeed";
  bool locked = false;
  const std::size_t all = resident_of_unused({.priority = 0}, locked);
  if (!locked) GTEST_SKIP() << "memory can't be locked here";
  EXPECT_EQ(all, 64U << 20U);
  EXPECT_LT(resident_of_unused({.priority = 0, .lock_untouched = false}, locked), 4U << 20U);
  EXPECT_TRUE(locked);
}

TEST(Realtime, TellsTheTruthAboutWhatItGot) {
  std::thread([] {
    const RealtimeSetup setup = enter_realtime({.priority = 10});
    const int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
    sched_param parameters{};
    sched_getparam(0, &parameters);
    EXPECT_EQ(policy, setup.priority > 0 ? SCHED_FIFO : SCHED_OTHER);
    EXPECT_EQ(parameters.sched_priority, setup.priority);

    int policy_of_helper = -1;
    std::thread([&] { policy_of_helper = sched_getscheduler(0); }).join();
    EXPECT_EQ(policy_of_helper, SCHED_OTHER);

    leave_realtime(setup);
    EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  }).join();
}

TEST(Realtime, AsksForNothingThatWasNotWanted) {
  std::thread([] {
    const RealtimeSetup setup = enter_realtime({.priority = 0, .lock_memory = false});
    EXPECT_TRUE(setup.notes.empty());
    EXPECT_TRUE(setup.got_all());
    EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
    leave_realtime(setup);
  }).join();
}

TEST(Realtime, StaysOnTheCoreAskedForUntilItLeaves) {
  std::thread([] {
    cpu_set_t before;
    sched_getaffinity(0, sizeof(before), &before);
    int core = 0;
    while (!CPU_ISSET(static_cast<unsigned>(core), &before)) ++core;

    const RealtimeSetup setup = enter_realtime({.priority = 0, .lock_memory = false, .core = core});
    cpu_set_t now;
    sched_getaffinity(0, sizeof(now), &now);
    EXPECT_EQ(setup.core, core);
    EXPECT_EQ(CPU_COUNT(&now), 1);
    EXPECT_EQ(sched_getcpu(), core);

    leave_realtime(setup);
    sched_getaffinity(0, sizeof(now), &now);
    EXPECT_TRUE(CPU_EQUAL(&now, &before));
  }).join();
}

TEST(Realtime, NamesTheCoresThereAreWhereTheOneAskedForIsMissing) {
  for (const int core : {-1, 1000, 100'000}) {
    SCOPED_TRACE(core);
    const RealtimeSetup setup = enter_realtime({.priority = 0, .lock_memory = false, .core = core});
    EXPECT_FALSE(setup.core.has_value());
    EXPECT_FALSE(setup.got_all());
    EXPECT_TRUE(
        says(setup, "not bound to core " + std::to_string(core) + ": this process may use"));
    leave_realtime(setup);
  }
}

}  // namespace
}  // namespace jointrig::app
