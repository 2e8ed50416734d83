#include "tests/support/alloc_guard.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <semaphore.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <mutex>
#include <new>
#include <semaphore>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace jointrig::app {

// Outside the unnamed namespace: a name that the program exports.
[[gnu::noinline]] void the_culprit(std::vector<double>& values) {
  values.resize(1000);
  asm volatile("" : : : "memory");  // no tail call: it stays among the callers
}

[[gnu::noinline]] void calls_malloc_itself() {
  void* volatile block = std::malloc(8);
  std::free(block);
}

namespace {

// The compiler may remove an allocation that is not used.
template <typename T>
void look_at(T* pointer) {
  asm volatile("" : : "r"(pointer) : "memory");
}

/// Count of the guard for one run of `action`.
template <typename Action>
ViolationCounts counts_of(Action action) {
  RealtimeGuard guard;
  action();
  return guard.violations();
}

/// Skips in builds where the guard is blind.
class Guard : public testing::Test {
 protected:
  void SetUp() override { JOINTRIG_NEEDS_REALTIME_GUARD(); }
};

TEST_F(Guard, SeesNothingInArithmeticAndAtomics) {
  std::atomic<int> sum{0};
  std::array<double, 64> values{};
  const auto counts = counts_of([&] {
    for (double& value : values) value = 2.0 * value + sum.fetch_add(1);
    sum.load();
  });
  EXPECT_EQ(counts, kNoViolations);
}

TEST_F(Guard, SeesEveryWayToAllocate) {
  const std::vector<void (*)()> ways{
      [] { look_at(std::malloc(8)); },
      [] { look_at(std::calloc(2, 8)); },
      [] { look_at(std::realloc(nullptr, 8)); },
      [] { look_at(std::aligned_alloc(64, 64)); },
      [] {
        void* block = nullptr;
        EXPECT_EQ(posix_memalign(&block, 64, 8), 0);
        look_at(block);
      },
      [] { look_at(new int); },
      [] { look_at(new int[3]); },
      [] { look_at(new (std::nothrow) int); },
      [] {
        struct alignas(128) Wide {
          char bytes[128];
        };
        look_at(new Wide);
      },
  };
  for (std::size_t i = 0; i < ways.size(); ++i) {
    SCOPED_TRACE(i);
    const auto counts = counts_of(ways[i]);
    EXPECT_EQ(counts[RealtimeViolation::kAllocation], 1U);
    EXPECT_EQ(counts[RealtimeViolation::kDeallocation], 0U);
  }
}

TEST_F(Guard, SeesEveryWayToFree) {
  int* from_new = new int;
  void* from_malloc = std::malloc(8);
  look_at(from_new);
  look_at(from_malloc);
  EXPECT_EQ(counts_of([&] { delete from_new; })[RealtimeViolation::kDeallocation], 1U);
  EXPECT_EQ(counts_of([&] { std::free(from_malloc); })[RealtimeViolation::kDeallocation], 1U);
  EXPECT_EQ(counts_of([] { std::free(nullptr); }), kNoViolations);
}

TEST_F(Guard, SeesAContainerThatGrows) {
  std::vector<int> reserved;
  reserved.reserve(10);
  std::vector<int> grows;
  EXPECT_EQ(counts_of([&] { reserved.resize(10); }), kNoViolations);
  EXPECT_EQ(counts_of([&] { grows.resize(10); })[RealtimeViolation::kAllocation], 1U);
}

TEST_F(Guard, SeesLocks) {
  std::mutex mutex;
  std::shared_mutex shared;
  EXPECT_EQ(counts_of([&] { std::lock_guard lock{mutex}; })[RealtimeViolation::kLock], 1U);
  EXPECT_EQ(counts_of([&] { std::lock_guard lock{shared}; })[RealtimeViolation::kLock], 1U);
  EXPECT_EQ(counts_of([&] { std::shared_lock lock{shared}; })[RealtimeViolation::kLock], 1U);
  EXPECT_EQ(counts_of([&] {
              std::unique_lock lock{mutex, std::try_to_lock};
            })[RealtimeViolation::kLock],
            1U);
}

TEST_F(Guard, SeesWaitingForACondition) {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock{mutex};
  const auto timed = counts_of([&] { condition.wait_for(lock, std::chrono::milliseconds(1)); });
  EXPECT_EQ(timed[RealtimeViolation::kLock], 1U);

  bool ready = false;
  std::thread other([&] {
    std::lock_guard other_lock{mutex};
    ready = true;
    condition.notify_one();
  });
  const auto waited = counts_of([&] { condition.wait(lock, [&] { return ready; }); });
  other.join();
  EXPECT_EQ(waited[RealtimeViolation::kLock], 1U);
}

TEST_F(Guard, SeesASemaphore) {
  sem_t semaphore;
  ASSERT_EQ(sem_init(&semaphore, 0, 1), 0);
  EXPECT_EQ(counts_of([&] { sem_wait(&semaphore); })[RealtimeViolation::kLock], 1U);
  sem_destroy(&semaphore);

  std::counting_semaphore<> taken{0};
  EXPECT_FALSE(taken.try_acquire());
  const auto waited =
      counts_of([&] { EXPECT_FALSE(taken.try_acquire_for(std::chrono::milliseconds(1))); });
  EXPECT_GE(waited[RealtimeViolation::kLock], 1U);
}

TEST_F(Guard, SeesAnExceptionThoughItIsCaught) {
  const auto counts = counts_of([] {
    try {
      throw 7;
    } catch (int) {
    }
  });
  EXPECT_EQ(counts[RealtimeViolation::kException], 1U);
  EXPECT_GE(counts[RealtimeViolation::kAllocation], 1U);
}

TEST_F(Guard, SeesAnExceptionThrownInsideALibraryAndThrownOn) {
  const std::string text = "not a number";
  const auto counts = counts_of([&] {
    try {
      try {
        (void)text.at(1000);  // thrown in libstdc++
      } catch (const std::out_of_range&) {
        throw;
      }
    } catch (const std::exception&) {
    }
  });
  EXPECT_EQ(counts[RealtimeViolation::kException], 2U);
}

TEST_F(Guard, SeesOutputOfEveryKind) {
  const int null_fd = ::open("/dev/null", O_WRONLY);
  std::FILE* null_file = std::fopen("/dev/null", "w");
  std::ofstream null_stream("/dev/null");
  ASSERT_TRUE(null_fd >= 0 && null_file != nullptr && null_stream.is_open());
  const char text[] = "x";
  iovec part{const_cast<char*>(text), 1};

  EXPECT_EQ(counts_of([&] { EXPECT_EQ(::write(null_fd, text, 1), 1); })[RealtimeViolation::kOutput],
            1U);
  EXPECT_EQ(
      counts_of([&] { EXPECT_EQ(::writev(null_fd, &part, 1), 1); })[RealtimeViolation::kOutput],
      1U);
  EXPECT_EQ(counts_of([&] { std::fwrite(text, 1, 1, null_file); })[RealtimeViolation::kOutput], 1U);
  EXPECT_EQ(counts_of([&] { std::fputs(text, null_file); })[RealtimeViolation::kOutput], 1U);
  EXPECT_EQ(counts_of([&] { std::fputc('x', null_file); })[RealtimeViolation::kOutput], 1U);
  EXPECT_GE(counts_of([&] { std::fprintf(null_file, "%d", null_fd); })[RealtimeViolation::kOutput],
            1U);
  EXPECT_GE(counts_of([&] { null_stream << 'x' << std::flush; })[RealtimeViolation::kOutput], 1U);
  EXPECT_GE(counts_of([&] { std::cerr << std::string_view{}; })[RealtimeViolation::kOutput] +
                counts_of([&] { std::cerr << ' '; })[RealtimeViolation::kOutput],
            1U);
  std::fclose(null_file);
  ::close(null_fd);
}

TEST_F(Guard, PassesOutputOnUnchanged) {
  std::array<char, 32> path{"guard_test_XXXXXX"};
  const int fd = ::mkstemp(path.data());
  ASSERT_GE(fd, 0);
  std::FILE* file = ::fdopen(fd, "w");
  {
    RealtimeGuard guard;
    std::fprintf(file, "%d %s %.2f;", 42, "joints", 0.5);
    std::fputs("end", file);
    std::fflush(file);
    EXPECT_GE(guard.violations()[RealtimeViolation::kOutput], 3U);
  }
  std::fclose(file);
  std::stringstream read;
  read << std::ifstream(path.data()).rdbuf();
  ::unlink(path.data());
  EXPECT_EQ(read.str(), "42 joints 0.50;end");
}

TEST_F(Guard, LooksAtItsOwnThreadOnly) {
  std::atomic<bool> go{false};
  std::atomic<bool> done{false};
  std::thread other([&] {
    while (!go) std::this_thread::yield();
    look_at(new int);
    done = true;
  });
  const auto counts = counts_of([&] {
    go = true;
    while (!done) {
    }
  });
  other.join();
  EXPECT_EQ(counts, kNoViolations);
}

TEST_F(Guard, EndsWhenItIsReadOrDestroyed) {
  RealtimeGuard guard;
  EXPECT_EQ(guard.violations(), kNoViolations);
  look_at(new int);
  EXPECT_EQ(guard.violations(), kNoViolations);
  { const RealtimeGuard short_lived; }
  look_at(new int);  // would crash if a dead guard still counted
}

TEST_F(Guard, NamesTheFunctionThatDidItFirst) {
  std::vector<double> values;
  std::ostringstream printed;
  RealtimeGuard guard;
  the_culprit(values);
  look_at(std::malloc(8));
  printed << guard.violations();
  EXPECT_EQ(printed.str(), "allocation 2");
  const std::string report = guard.report();
  EXPECT_EQ(report.rfind("first: malloc, called by\n", 0), 0U) << report;
  EXPECT_NE(report.find("the_culprit(std::vector<double"), std::string::npos) << report;
}

TEST_F(Guard, BeginsItsReportWithTheCallerItself) {
  RealtimeGuard guard;
  calls_malloc_itself();
  const std::string report = guard.report();
  EXPECT_EQ(report.rfind("first: malloc, called by\n  jointrig::app::calls_malloc_itself()", 0), 0U)
      << report;
}

TEST_F(Guard, ReportsThatThereIsNothingToReport) {
  RealtimeGuard guard;
  EXPECT_EQ(guard.violations(), kNoViolations);
  EXPECT_EQ(guard.report(), "nothing that a real-time cycle must not do");
}

}  // namespace
}  // namespace jointrig::app
