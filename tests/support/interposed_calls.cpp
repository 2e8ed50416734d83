// Locks, exceptions and output of glibc and libstdc++, seen by the guard and passed on.
// The headers must only declare them: no checked variants, no inline bodies.
#undef _FORTIFY_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1  // NOLINT(bugprone-reserved-identifier): glibc's own switch
#endif

#include "tests/support/alloc_guard.h"

namespace jointrig::interposed {
void link_calls() noexcept {}
}  // namespace jointrig::interposed

#if JOINTRIG_REALTIME_GUARD

#include <cxxabi.h>
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

using jointrig::RealtimeGuard;
using jointrig::RealtimeViolation;

namespace {

/// The definition that would have been called without ours, looked up once.
template <typename Function>
class Next {
 public:
  explicit constexpr Next(const char* name) noexcept : name_(name) {}

  Function* get() noexcept {
    // Two threads may look it up at once: both find the same.
    Function* found = __atomic_load_n(&function_, __ATOMIC_RELAXED);
    if (found == nullptr) {
      found = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name_));
      if (found == nullptr) std::abort();
      __atomic_store_n(&function_, found, __ATOMIC_RELAXED);
    }
    return found;
  }

 private:
  const char* name_;
  Function* function_ = nullptr;
};

}  // namespace

// One definition per function: count it, pass it on.
#define JOINTRIG_PASS_ON(KIND, RESULT, NAME, PARAMETERS, ARGUMENTS)                  \
  RESULT NAME PARAMETERS {                                                           \
    static constinit Next<RESULT PARAMETERS> next{#NAME};                            \
    RealtimeGuard::saw(RealtimeViolation::KIND, #NAME, __builtin_return_address(0)); \
    return next.get() ARGUMENTS;                                                     \
  }

// Libraries have to find these in place of their own, so they are not hidden as all else is.
#pragma GCC visibility push(default)

extern "C" {

JOINTRIG_PASS_ON(kLock, int, pthread_mutex_lock, (pthread_mutex_t * m) noexcept, (m))
JOINTRIG_PASS_ON(kLock, int, pthread_mutex_timedlock,
                 (pthread_mutex_t * m, const timespec* t) noexcept, (m, t))
JOINTRIG_PASS_ON(kLock, int, pthread_mutex_trylock, (pthread_mutex_t * m) noexcept, (m))
JOINTRIG_PASS_ON(kLock, int, pthread_rwlock_rdlock, (pthread_rwlock_t * l) noexcept, (l))
JOINTRIG_PASS_ON(kLock, int, pthread_rwlock_wrlock, (pthread_rwlock_t * l) noexcept, (l))
JOINTRIG_PASS_ON(kLock, int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * l) noexcept, (l))
JOINTRIG_PASS_ON(kLock, int, pthread_rwlock_trywrlock, (pthread_rwlock_t * l) noexcept, (l))
JOINTRIG_PASS_ON(kLock, int, pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t* m), (c, m))
JOINTRIG_PASS_ON(kLock, int, pthread_cond_timedwait,
                 (pthread_cond_t * c, pthread_mutex_t* m, const timespec* t), (c, m, t))
JOINTRIG_PASS_ON(kLock, int, pthread_cond_clockwait,
                 (pthread_cond_t * c, pthread_mutex_t* m, clockid_t k, const timespec* t),
                 (c, m, k, t))
JOINTRIG_PASS_ON(kLock, int, sem_wait, (sem_t * s), (s))
JOINTRIG_PASS_ON(kLock, int, sem_timedwait, (sem_t * s, const timespec* t), (s, t))

JOINTRIG_PASS_ON(kOutput, ssize_t, write, (int fd, const void* data, size_t size), (fd, data, size))
JOINTRIG_PASS_ON(kOutput, ssize_t, pwrite, (int fd, const void* data, size_t size, off_t at),
                 (fd, data, size, at))
JOINTRIG_PASS_ON(kOutput, ssize_t, writev, (int fd, const iovec* parts, int count),
                 (fd, parts, count))
JOINTRIG_PASS_ON(kOutput, ssize_t, send, (int fd, const void* data, size_t size, int flags),
                 (fd, data, size, flags))
JOINTRIG_PASS_ON(kOutput, ssize_t, sendto,
                 (int fd, const void* data, size_t size, int flags, const sockaddr* to,
                  socklen_t length),
                 (fd, data, size, flags, to, length))
JOINTRIG_PASS_ON(kOutput, ssize_t, sendmsg, (int fd, const msghdr* message, int flags),
                 (fd, message, flags))
JOINTRIG_PASS_ON(kOutput, size_t, fwrite, (const void* data, size_t size, size_t count, FILE* file),
                 (data, size, count, file))
JOINTRIG_PASS_ON(kOutput, int, fputs, (const char* text, FILE* file), (text, file))
JOINTRIG_PASS_ON(kOutput, int, fputc, (int c, FILE* file), (c, file))
JOINTRIG_PASS_ON(kOutput, int, putc, (int c, FILE* file), (c, file))
JOINTRIG_PASS_ON(kOutput, int, putchar, (int c), (c))
JOINTRIG_PASS_ON(kOutput, int, puts, (const char* text), (text))
JOINTRIG_PASS_ON(kOutput, void, perror, (const char* text), (text))
JOINTRIG_PASS_ON(kOutput, int, fflush, (FILE * file), (file))
JOINTRIG_PASS_ON(kOutput, int, vfprintf, (FILE * file, const char* format, va_list list),
                 (file, format, list))
JOINTRIG_PASS_ON(kOutput, int, vprintf, (const char* format, va_list list), (format, list))

JOINTRIG_PASS_ON(kOutput, int, __vfprintf_chk,
                 (FILE * file, int flag, const char* format, va_list list),
                 (file, flag, format, list))

// std::atomic::wait and std::counting_semaphore sleep in a futex. Six arguments are the most that a
// system call takes; passing on more than were given is harmless.
long syscall(long number, ...) noexcept {
  using Function = long(long, ...);
  static constinit Next<Function> next{"syscall"};
  if (number == SYS_futex) {
    RealtimeGuard::saw(RealtimeViolation::kLock, "futex", __builtin_return_address(0));
  }
  std::array<long, 6> given{};
  va_list list;
  va_start(list, number);
  for (long& argument : given) argument = va_arg(list, long);
  va_end(list);
  return next.get()(number, given[0], given[1], given[2], given[3], given[4], given[5]);
}

// A call with an ellipsis can't be passed on as it is: each goes to its va_list twin.
int printf(const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = vprintf(format, list);
  va_end(list);
  return result;
}

int fprintf(FILE* file, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = vfprintf(file, format, list);
  va_end(list);
  return result;
}

// NOLINTBEGIN(bugprone-reserved-identifier): what printf becomes under _FORTIFY_SOURCE
int __printf_chk(int flag, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = __vfprintf_chk(stdout, flag, format, list);
  va_end(list);
  return result;
}

int __fprintf_chk(FILE* file, int flag, const char* format, ...) {
  va_list list;
  va_start(list, format);
  const int result = __vfprintf_chk(file, flag, format, list);
  va_end(list);
  return result;
}
// NOLINTEND(bugprone-reserved-identifier)
}

namespace __cxxabiv1 {
extern "C" {
__attribute__((noreturn)) void __cxa_throw(void* thrown, std::type_info* type,
                                           void (*destroy)(void*)) {
  static constinit Next<void(void*, std::type_info*, void (*)(void*))> next{"__cxa_throw"};
  RealtimeGuard::saw(RealtimeViolation::kException, "throw", __builtin_return_address(0));
  next.get()(thrown, type, destroy);
  std::abort();
}

__attribute__((noreturn)) void __cxa_rethrow() {
  static constinit Next<void()> next{"__cxa_rethrow"};
  RealtimeGuard::saw(RealtimeViolation::kException, "rethrow", __builtin_return_address(0));
  next.get()();
  std::abort();
}
}
}  // namespace __cxxabiv1

#pragma GCC visibility pop

#endif
