#pragma once
/// Replays a take: its cycles one after the other, and again from the state before them.

#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "bench/take.h"

namespace jointrig::bench {

/// The cycles of a take, repeated. `begin_again` restores the subject's state before the first
/// cycle; it is not timed.
class Replay {
 public:
  explicit Replay(const Take& take) noexcept : take_(&take) {}

  template <typename BeginAgain>
  const TakeCycle& next(benchmark::State& state, const BeginAgain& begin_again) {
    if (at_ == take_->cycles.size()) {
      state.PauseTiming();
      begin_again();
      at_ = 0;
      state.ResumeTiming();
    }
    return take_->cycles[at_++];
  }

 private:
  const Take* take_;
  std::size_t at_ = 0;
};

/// Times `work(subject, cycle)` as `<robot>/<what>`. The subject is made from the take for each run
/// and has begin_again().
template <typename Subject, typename Work>
benchmark::internal::Benchmark* register_replay(const std::shared_ptr<const Take>& take,
                                                const std::string& what, Work work) {
  const auto run = [take, work](benchmark::State& state) {
    Subject subject(take);
    Replay replay(*take);
    const auto begin_again = [&subject] { subject.begin_again(); };
    for ([[maybe_unused]] auto _ : state) {
      work(subject, replay.next(state, begin_again));
      benchmark::ClobberMemory();
    }
  };
  return benchmark::RegisterBenchmark((take->name + "/" + what).c_str(), run);
}

}  // namespace jointrig::bench
