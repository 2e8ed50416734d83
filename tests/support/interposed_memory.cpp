// The malloc family of glibc, seen by the guard and passed on. operator new and delete of libstdc++
// come here too.
#include <cerrno>
#include <cstddef>

#include "tests/support/alloc_guard.h"

namespace jointrig::interposed {
void link_memory() noexcept {}
}  // namespace jointrig::interposed

#if JOINTRIG_REALTIME_GUARD

using jointrig::RealtimeGuard;
using jointrig::RealtimeViolation;

// glibc's own names of its functions ("Replacing malloc" in its manual names the family).
// Libraries have to find these in place of their own, so they are not hidden as all else is.
#pragma GCC visibility push(default)

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
// NOLINTEND(bugprone-reserved-identifier)

void* malloc(std::size_t size) {
  RealtimeGuard::saw(RealtimeViolation::kAllocation, "malloc", __builtin_return_address(0));
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  RealtimeGuard::saw(RealtimeViolation::kAllocation, "calloc", __builtin_return_address(0));
  return __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) {
  RealtimeGuard::saw(RealtimeViolation::kAllocation, "realloc", __builtin_return_address(0));
  return __libc_realloc(block, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  RealtimeGuard::saw(RealtimeViolation::kAllocation, "aligned_alloc", __builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  RealtimeGuard::saw(RealtimeViolation::kAllocation, "memalign", __builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  RealtimeGuard::saw(RealtimeViolation::kAllocation, "posix_memalign", __builtin_return_address(0));
  const bool power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!power_of_two || alignment % sizeof(void*) != 0) return EINVAL;
  void* got = __libc_memalign(alignment, size);
  if (got == nullptr) return ENOMEM;
  *block = got;
  return 0;
}

void free(void* block) {
  if (block != nullptr)
    RealtimeGuard::saw(RealtimeViolation::kDeallocation, "free", __builtin_return_address(0));
  __libc_free(block);
}
}

#pragma GCC visibility pop

#endif
