#pragma once
/// Where the cases of a sweep run: cases in, results out. An engine knows nothing of what a case
/// is; each case leaves its result in the store, so that it may run in any process.

#include <atomic>
#include <cstddef>
#include <functional>

namespace jointrig::app {

/// Runs case i. Called side by side; throws where no further case can succeed, such as on a full
/// disk.
using RunCase = std::function<void(int job, std::size_t i)>;

/// In threads of this process. Ends early, with what was begun finished, once `stop` is set or a
/// case throws; then rethrows the first exception.
void run_locally(int jobs, std::size_t count, std::atomic<bool>& stop, const RunCase& run);

/// A share of the work, for an array of processes: shard 2 of 5 has the cases 1, 6, 11... counted
/// from 0.
struct Shard {
  std::size_t number = 1;
  std::size_t of = 1;

  [[nodiscard]] bool has(std::size_t i) const noexcept { return i % of == number - 1; }
};

}  // namespace jointrig::app
