#pragma once
/// Sees what a real-time cycle must not do: allocate, lock, throw, write to a file or the screen.
///
///     RealtimeGuard guard;
///     for (int i = 0; i < 10'000; ++i) loop.step();
///     EXPECT_EQ(guard.violations(), kNoViolations) << guard.report();
///
/// Link jointrig_test_guard into the test program: its definitions of malloc, pthread_mutex_lock,
/// __cxa_throw, write and their like stand before those of the libraries, count the calls of the
/// guarded thread and pass them on. Calls made inside shared libraries are seen too; calls that a
/// library makes to itself without the linker's help are not (glibc's own locks in printf, say, but
/// printf itself is).
///
/// Under the address and thread sanitizers, which need those definitions for themselves, nothing is
/// counted: begin such a test with JOINTRIG_NEEDS_REALTIME_GUARD(), which skips it there.

#include <array>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>

#include "control/core/enumeration.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define JOINTRIG_REALTIME_GUARD 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define JOINTRIG_REALTIME_GUARD 0
#endif
#endif
#ifndef JOINTRIG_REALTIME_GUARD
#define JOINTRIG_REALTIME_GUARD 1
#endif

#define JOINTRIG_NEEDS_REALTIME_GUARD()                                         \
  if (!::jointrig::RealtimeGuard::works())                                      \
  GTEST_SKIP() << "the address or thread sanitizer has taken malloc: run this " \
                  "test in a build without it"

namespace jointrig {

#define JOINTRIG_REALTIME_VIOLATIONS(X)                                             \
  X(kAllocation, "allocation")     /* malloc, calloc, realloc, operator new, ... */ \
  X(kDeallocation, "deallocation") /* free, operator delete */                      \
  X(kLock, "lock")                 /* mutex, rwlock, condition, semaphore, futex */ \
  X(kException, "exception")       /* throw, rethrow */                             \
  X(kOutput, "output")             /* write, writev, send, printf, fwrite, ... */
JOINTRIG_ENUM(RealtimeViolation, JOINTRIG_REALTIME_VIOLATIONS)

/// How often each kind was seen; prints as `allocation 2, lock 1`, or `none`.
struct ViolationCounts {
  std::array<std::uint64_t, kAllRealtimeViolation.size()> of{};

  [[nodiscard]] std::uint64_t operator[](RealtimeViolation kind) const noexcept {
    return of[static_cast<std::size_t>(kind)];
  }
  bool operator==(const ViolationCounts&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const ViolationCounts& counts);
};
inline constexpr ViolationCounts kNoViolations{};

/// Guards the thread that constructs it, until it is read or destroyed. One at a time per thread.
class RealtimeGuard {
 public:
  RealtimeGuard() noexcept;
  ~RealtimeGuard();
  RealtimeGuard(const RealtimeGuard&) = delete;
  RealtimeGuard& operator=(const RealtimeGuard&) = delete;

  /// False where a sanitizer keeps the guard from seeing anything.
  [[nodiscard]] static constexpr bool works() noexcept { return JOINTRIG_REALTIME_GUARD != 0; }

  /// Violations since construction; ends the guarding, so that the test may print.
  [[nodiscard]] ViolationCounts violations() noexcept;

  /// The counts, then who called the first one, innermost first. Ends the guarding.
  [[nodiscard]] std::string report();

  /// For the interposed functions alone: counts a call if the calling thread is guarded.
  /// @param caller  return address of the interposed function
  static void saw(RealtimeViolation kind, const char* function, const void* caller) noexcept;

 private:
  static constexpr int kDeepest = 32;

  void note(RealtimeViolation kind, const char* function, const void* caller) noexcept;
  void end() noexcept;

  ViolationCounts counts_;
  const char* first_function_ = nullptr;
  const void* first_caller_ = nullptr;
  std::array<void*, kDeepest> first_stack_{};
  int first_depth_ = 0;
};

}  // namespace jointrig
