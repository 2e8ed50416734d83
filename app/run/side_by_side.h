#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace jointrig::app {

/// Runs work(job, i) once for each i below count, in `jobs` threads that take the next i as they
/// become free. It ends early once `stop` is set: what was begun is finished, the rest is left.
template <typename Work>
void run_side_by_side(int jobs, std::size_t count, const std::atomic<bool>& stop,
                      const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto take_turns = [&](int job) {
    for (std::size_t i = next.fetch_add(1); i < count && !stop.load(); i = next.fetch_add(1)) {
      work(job, i);
    }
  };
  std::vector<std::thread> workers;
  for (int job = 0; job < jobs; ++job) workers.emplace_back(take_turns, job);
  for (std::thread& worker : workers) worker.join();
}

}  // namespace jointrig::app
