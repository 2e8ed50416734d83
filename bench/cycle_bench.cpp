#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "bench/bare_steps.h"
#include "bench/bench.h"
#include "bench/replay.h"
#include "control/exchange/snapshot_exchange.h"
#include "harness/log/robot_log.h"

namespace jointrig::bench {
namespace {

using TakePtr = std::shared_ptr<const Take>;

/// Pushes to the log come in bursts that its ring holds: unpaced they come faster than the writer
/// looks, and the time would be the writer's. After the pause one take more is run, untimed: its
/// cycles find cold caches and a core that slept, which is no cost of theirs.
constexpr std::size_t kTakesInBurst = 10;
constexpr auto kWriterTime = std::chrono::milliseconds(10);
constexpr int kSpreadCycles = 20'000;    // two hundred beyond the 99th percentile
constexpr int kRatios = 1000;            // some two seconds
constexpr int kRecorderCycles = 20'000;  // fixed, since these pauses would count as too short a run

/// A stack of its own, in the state before the take.
struct Bench {
  explicit Bench(const TakePtr& t)
      : take(t),
        stack(t->config, t->boards, std::make_unique<RobotModel>(t->config)),
        exchange(t->boards.size(), t->config.arms.size()),
        statistics(t->config.period_ns) {
    stack.connect_base(t->backend);
    exchange.read(stack.snapshot());  // asks for them
    begin_again();
    first_snapshot();
  }

  void begin_again() { stack.restore(take->stack_before); }
  void first_snapshot() {
    stack.cycle(take->cycles.front().state, command);
    begin_again();
  }
  /// Work of Loop::step around the stack's cycle, without a backend.
  void measured_cycle(const TakeCycle& cycle) {
    const auto begin = clock_ns();
    const auto have_read = clock_ns();
    stack.cycle(cycle.state, command);
    const auto have_decided = clock_ns();
    const auto have_written = clock_ns();
    statistics.record({.read_ns = have_read - begin,
                       .decide_ns = have_decided - have_read,
                       .write_ns = have_written - have_decided});
    exchange.publish(stack.snapshot());
  }
  static std::int64_t clock_ns() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  }

  TakePtr take;
  Stack stack;
  SnapshotExchange exchange;
  LoopStatistics statistics;
  RobotCommand command;
};

/// The joints of a stack, one stage at a time.
struct Joints {
  explicit Joints(const TakePtr& t) : take(t) {
    for (std::size_t i = 0; i < t->boards.size(); ++i) {
      setups.push_back(
          make_setup(t->config.joints[i], t->boards[i], to_seconds(t->config.period_ns)));
    }
    snapshot.joints.resize(setups.size());
    begin_again();
  }

  void begin_again() { controls = take->stack_before.joints; }
  void follow(const TakeCycle& cycle) {
    for (std::size_t i = 0; i < setups.size(); ++i) {
      benchmark::DoNotOptimize(
          controls[i].follow(setups[i], cycle.state.joints[i], cycle.state.cycle));
    }
  }
  void advance(const TakeCycle& cycle) {
    const JointControl::Inputs inputs{0.0, order, guard, 1.0, room, cycle.state.cycle, 0.0, grip};
    for (std::size_t i = 0; i < setups.size(); ++i) {
      JointControl::Outcome outcome = controls[i].plan(setups[i], inputs);
      controls[i].drive(setups[i], inputs, 0.0);
      controls[i].send(setups[i], inputs, {}, outcome);
      benchmark::DoNotOptimize(outcome);
    }
  }
  void publish(const TakeCycle& /*cycle*/) {
    for (std::size_t i = 0; i < setups.size(); ++i) {
      controls[i].publish(setups[i], guard, snapshot.joints[i]);
    }
  }

  TakePtr take;
  std::vector<JointSetup> setups;
  std::vector<JointControl> controls;
  JointControl::ArmOrder order;
  JointControl::Guard guard;
  JointControl::Grip grip;
  MotionRoom room{.a = 10.0, .jerk = 100.0};
  Snapshot snapshot;
};

/// The same with a log, whose file goes nowhere: measures its cost for the loop.
struct RecordedBench : Bench {
  explicit RecordedBench(const TakePtr& t)
      : Bench(t), log("/dev/null", t->config, stack.events(), stack.inbox(), options(*t)) {}

  static harness::RobotLogOptions options(const Take& take) {
    harness::RobotLogOptions options;
    options.ring_cycles = 2 * kTakesInBurst * take.cycles.size();
    return options;
  }
  void begin_again() {
    Bench::begin_again();
    if (++takes % kTakesInBurst != 0) return;
    std::this_thread::sleep_for(kWriterTime);
    for (const TakeCycle& cycle : take->cycles) run(cycle);
    Bench::begin_again();
  }
  void run(const TakeCycle& cycle) {
    stack.inbox().push(cycle.asked);
    measured_cycle(cycle);
    for (const Command& taken : stack.drained()) {
      log.append(taken, stack.snapshot().cycle, stack.snapshot().time_ns);
    }
    log.push(stack.snapshot(), cycle.state);
  }

  harness::RobotLog log;
  std::size_t takes = 0;
};

struct Model : RobotModel {
  explicit Model(const TakePtr& take) : RobotModel(take->config) {}
  void begin_again() {}
};

void register_whole(const TakePtr& take) {
  register_replay<RecordedBench>(take, "cycle_recorded",
                                 [](RecordedBench& b, const TakeCycle& cycle) { b.run(cycle); })
      ->Iterations(kRecorderCycles);
  register_replay<Bench>(take, "cycle", [](Bench& b, const TakeCycle& cycle) {
    b.stack.inbox().push(cycle.asked);
    b.stack.cycle(cycle.state, b.command);
  });
  register_replay<Bench>(take, "cycle_uncommanded", [](Bench& b, const TakeCycle& cycle) {
    b.stack.cycle(cycle.state, b.command);
  });
}

/// Each cycle by itself, a look at the clock included: how far the slow ones are from the middle.
void register_spread(const TakePtr& take) {
  benchmark::RegisterBenchmark((take->name + "/cycle_spread").c_str(), [take](benchmark::State&
                                                                                  state) {
    Bench bench(take);
    Replay replay(*take);
    std::vector<std::int64_t> times;
    times.reserve(kSpreadCycles);
    for ([[maybe_unused]] auto _ : state) {
      const TakeCycle& cycle = replay.next(state, [&bench] { bench.begin_again(); });
      bench.stack.inbox().push(cycle.asked);
      const std::int64_t begin = Bench::clock_ns();
      bench.stack.cycle(cycle.state, bench.command);
      times.push_back(Bench::clock_ns() - begin);
    }
    std::sort(times.begin(), times.end());
    state.counters["p50_ns"] = static_cast<double>(times[times.size() / 2]);
    state.counters["p99_ns"] = static_cast<double>(times[times.size() * 99 / 100]);
  })->Iterations(kSpreadCycles);
}

/// Time of all cycles of a take, one after the other [ns].
template <typename Work>
double time_of_take(const Take& take, const Work& work) {
  const std::int64_t begin = Bench::clock_ns();
  for (const TakeCycle& cycle : take.cycles) work(cycle);
  return static_cast<double>(Bench::clock_ns() - begin);
}

/// By turns, half a millisecond each: what else the machine does meets both, or is a ratio far from
/// the median.
void register_ratio(const TakePtr& take) {
  benchmark::RegisterBenchmark((take->name + "/recorded_per_step").c_str(), [take](benchmark::State&
                                                                                       state) {
    BareSteps bare(take);
    RecordedBench bench(take);
    std::vector<double> ratios;
    ratios.reserve(kRatios);
    for ([[maybe_unused]] auto _ : state) {
      bare.begin_again();
      const double steps = time_of_take(*take, [&](const TakeCycle& c) { bare.step(c); });
      bench.begin_again();
      ratios.push_back(time_of_take(*take, [&](const TakeCycle& c) { bench.run(c); }) / steps);
    }
    std::sort(ratios.begin(), ratios.end());
    state.counters["p25"] = ratios[ratios.size() / 4];
    state.counters["p50"] = ratios[ratios.size() / 2];
    state.counters["p75"] = ratios[ratios.size() * 3 / 4];
  })->Iterations(kRatios);
}

void register_event(const TakePtr& take) {
  benchmark::RegisterBenchmark((take->name + "/event").c_str(), [](benchmark::State& state) {
    EventRing ring;
    EventRing::Reader reader(ring);
    Event event;
    for ([[maybe_unused]] auto _ : state) {
      ring.publish(event);
      benchmark::DoNotOptimize(reader.next(event));
      ++event.number;
    }
  });
}

}  // namespace

void register_cycle(const TakePtr& take) {
  register_whole(take);
  register_ratio(take);
  register_replay<Bench>(take, "inbox", [](Bench& b, const TakeCycle& cycle) {
    b.stack.inbox().push(cycle.asked);
    b.stack.inbox().drain(1, [](const Command& command) { benchmark::DoNotOptimize(&command); });
  });
  register_replay<Joints>(take, "follow", [](Joints& j, const TakeCycle& c) { j.follow(c); });
  register_replay<Model>(take, "model", [](Model& m, const TakeCycle& c) { m.update(c.state); });
  register_replay<Joints>(take, "advance", [](Joints& j, const TakeCycle& c) { j.advance(c); });
  register_replay<Joints>(take, "snapshot", [](Joints& j, const TakeCycle& c) { j.publish(c); });
  register_spread(take);
  register_event(take);
  register_replay<Bench>(take, "statistics", [](Bench& b, const TakeCycle& /*cycle*/) {
    const auto begin = Bench::clock_ns();
    const auto have_read = Bench::clock_ns();
    const auto have_decided = Bench::clock_ns();
    const auto have_written = Bench::clock_ns();
    b.statistics.record({.read_ns = have_read - begin,
                         .decide_ns = have_decided - have_read,
                         .write_ns = have_written - have_decided});
  });
  register_replay<Bench>(take, "exchange", [](Bench& b, const TakeCycle& /*cycle*/) {
    b.exchange.publish(b.stack.snapshot());
  });
  register_replay<RecordedBench>(take, "recorder", [](RecordedBench& b, const TakeCycle& cycle) {
    b.log.push(b.stack.snapshot(), cycle.state);
  })->Iterations(kRecorderCycles);
}

}  // namespace jointrig::bench
