#include "app/sweep/sweep_engine.h"

#include <exception>
#include <mutex>

#include "app/run/side_by_side.h"

namespace jointrig::app {

void run_locally(int jobs, std::size_t count, std::atomic<bool>& stop, const RunCase& run) {
  std::mutex mutex;
  std::exception_ptr first;
  std::atomic<bool> broken{false};
  run_side_by_side(jobs, count, stop, [&](int job, std::size_t i) {
    if (broken.load()) return;
    try {
      run(job, i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
      broken.store(true);
    }
  });
  if (first) std::rethrow_exception(first);
}

}  // namespace jointrig::app
