#include "app/run/realtime_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/realtime/wall_clock_pacer.h"
#include "app/rig/sim_world.h"
#include "app/run/scenario_job.h"
#include "harness/log/log_reader.h"
#include "harness/runner/scenario_reader.h"
#include "tests/support/alloc_guard.h"

namespace jointrig::app {
namespace {

/// Commands of every kind, streams, disturbances, a payload and a fault, judged by the truth.
constexpr const char* kBusy = R"(schema: 1
scenario: busy
robot: franka
steps:
  - set_mode: {joints: all, mode: position}
  - move: {joints: {panda_joint1: 0.1}, duration: 0.2 s}
  - name: pushed
    force: {body: panda_link7, force: [0, 20, 0], for: 50 ms}
  - payload: {body: panda_link7, mass: 0.5, for: 100 ms}
  - set_mode: {joints: panda_joint7, mode: position_direct}
  - stream: {position: {panda_joint7: "each.q_ref + 0.0001"}, for: 0.3 s}
  - expect_rejected: {command: {move: {panda_joint7: 0}}, reason: wrong_mode, joint: panda_joint7}
  - set_mode: {joints: panda_joint1, mode: torque}
  - inject_fault: {joint: panda_joint2, type: over_temperature, value: 150, for: 20 ms}
  - wait: {event: fault.panda_joint2, timeout: 1 s}
  - wait: 0.1 s
teardown:
  - set_mode: {joints: all, mode: force_idle, wait: false}
assert:
  always:
    - {expr: abs(each.tau_cmd) <= each.tau_max, name: torque within its limit}
  at_end:
    - {expr: abs(truth.panda_joint4.q - panda_joint4.q) < 0.01, name: the encoder tells the truth}
metrics:
  - {name: sway, of: abs(panda_joint1.v), stat: max, max: 2}
)";

constexpr const char* kHold = R"(schema: 1
scenario: hold
robot: franka
steps:
  - set_mode: {joints: all, mode: position}
  - wait: 100 s
assert:
  always:
    - {expr: abs(each.tau_cmd) <= each.tau_max, name: torque within its limit}
timeout: {sim: 1000 s}
)";

std::vector<harness::Scenario> scenarios_of(const std::string& text) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                     ("realtime_run_" + std::to_string(getpid()) + ".yaml");
  std::ofstream(file) << text;
  std::vector<harness::Scenario> all = harness::read_scenarios(file);
  std::filesystem::remove(file);
  return all;
}

/// All that takes part in a run of the simulated Franka arm, its log in a temporary file.
struct Cast {
  explicit Cast(const std::string& text, double ring_seconds = CycleFollower::kRingSeconds,
                sim::Pacer* pacer = nullptr, Onlooker* onlooker = nullptr)
      : scenario(scenarios_of(text).front()),
        config(load_robot(harness::find_robot("franka")).config),
        rig(config, {.plant = SimWorld::plant_options({}, {"panda_link7"}), .pacer = pacer}),
        world(config, *rig.plant(), rig.boards()),
        relay(world),
        runner(scenario, {.config = &rig.stack().config(),
                          .boards = &rig.backend().description().joints,
                          .inbox = &rig.stack().inbox(),
                          .plans = &rig.stack().plans(),
                          .world = &relay}),
        log_path((std::filesystem::temp_directory_path() /
                  ("realtime_run_" + std::to_string(getpid()) + ".mcap"))
                     .string()),
        log(log_path, rig.stack().config(), rig.stack().events(), rig.stack().inbox(),
            {.ring_cycles = 8192}),
        run({&rig, &runner, &relay, &log, &interrupted, onlooker}, ring_seconds) {}
  ~Cast() { std::filesystem::remove(log_path); }
  Cast(const Cast&) = delete;
  Cast& operator=(const Cast&) = delete;

  harness::Scenario scenario;
  RobotConfig config;
  Rig rig;
  SimWorld world;
  RelayedWorld relay;
  harness::Runner runner;
  std::string log_path;
  harness::RobotLog log;
  std::atomic<bool> interrupted{false};
  RealtimeRun run;
};

constexpr RealtimeOptions kOrdinary{.priority = 0, .lock_memory = false};

/// Loop and follower on two threads, the loop held back until the follower has judged each cycle.
/// The calling thread is the loop's.
/// @returns cycles run
std::uint64_t run_in_lockstep(Cast& cast, std::uint64_t most) {
  std::atomic<std::uint64_t> run{0};
  std::atomic<std::uint64_t> judged{0};
  std::atomic<bool> finished{false};
  std::thread follower([&] {
    while (judged.load() < most && !finished.load()) {
      const std::uint64_t ready = run.load();
      if (ready == judged.load()) {
        std::this_thread::yield();
        continue;
      }
      cast.run.follow();
      finished.store(cast.runner.finished());
      judged.store(ready);
    }
  });
  RealtimeGuard guard;
  while (run.load() < most && !finished.load()) {
    EXPECT_TRUE(cast.run.step());
    run.fetch_add(1);
    while (judged.load() < run.load()) std::this_thread::yield();
  }
  const ViolationCounts counts = guard.violations();
  EXPECT_EQ(counts, kNoViolations) << guard.report();
  follower.join();
  return run.load();
}

/// Also the proof that the loop's thread allocates, locks, throws and prints nothing.
TEST(RealtimeRun, AFollowerThatKeepsUpComesToTheBitsOfAHeadlessRun) {
  const JobResult headless = run_scenario(scenarios_of(kBusy).front(), {});
  ASSERT_EQ(headless.result.outcome, harness::Outcome::kPassed) << headless.result.reason;

  Cast cast(kBusy);
  cast.rig.start();
  const std::uint64_t cycles = run_in_lockstep(cast, 2 * headless.result.cycles);
  EXPECT_GT(cycles, 500U);
  EXPECT_TRUE(cast.runner.finished());
  const harness::Result& result = cast.runner.result();
  EXPECT_EQ(result.outcome, harness::Outcome::kPassed) << result.reason;
  EXPECT_EQ(result.cycles, headless.result.cycles);
  EXPECT_EQ(cast.rig.hash(), headless.hashes.back());
  ASSERT_EQ(result.verdicts.size(), headless.result.verdicts.size());
  for (std::size_t i = 0; i < result.verdicts.size(); ++i) {
    const harness::Verdict& verdict = result.verdicts[i];
    SCOPED_TRACE(verdict.name);
    EXPECT_EQ(verdict.status, headless.result.verdicts[i].status);
    EXPECT_EQ(verdict.value, headless.result.verdicts[i].value);
    EXPECT_EQ(verdict.margin, headless.result.verdicts[i].margin);
  }
}

TEST(RealtimeRun, TheLoopsThreadAllocatesLocksThrowsAndPrintsNothingForThousandsOfCycles) {
  JOINTRIG_NEEDS_REALTIME_GUARD();
  Cast cast(kHold);
  cast.rig.start();
  EXPECT_EQ(run_in_lockstep(cast, 5000), 5000U);  // has the guard
  EXPECT_EQ(cast.runner.result().cycles, 5000U);
}

TEST(RealtimeRun, AFollowerThatFallsBehindMissesCyclesSaysHowManyAndCanNotJudge) {
  Cast cast(kHold, 0.5);  // 501 cycles, rounded up to 512
  cast.rig.start();
  for (int i = 0; i < 3000; ++i) ASSERT_TRUE(cast.run.step());
  cast.run.follow();
  EXPECT_EQ(cast.run.most_behind(), 511U) << "behind the oldest";
  ASSERT_TRUE(cast.runner.finished()) << "it is broken off as soon as it is known";
  const harness::Result& result = cast.runner.result();
  EXPECT_EQ(result.cycles_missed, 2488U);
  EXPECT_EQ(harness::exit_code(result.outcome), 2);
  EXPECT_EQ(result.reason.find("could not judge: "), 0U) << result.reason;
  ASSERT_EQ(result.notes.size(), 1U);
  EXPECT_EQ(result.notes[0], "missed 2488 cycles");

  ASSERT_TRUE(cast.run.step());  // there is room again
  const harness::RobotLogStatus log = cast.log.close();
  EXPECT_EQ(log.cycles, 3001U) << "the log has a ring of its own";
  std::vector<double> missed;
  const harness::LogReader reader(cast.log_path);
  const harness::Series kinds = reader.series("/event_data", "kind");
  const harness::Series values = reader.series("/event_data", "value");
  for (std::size_t i = 0; i < kinds.value.size(); ++i) {
    if (kinds.value[i] == static_cast<double>(EventKind::kCyclesMissed)) {
      missed.push_back(values.value[i]);
    }
  }
  EXPECT_EQ(missed, std::vector<double>{2488.0});
}

std::uint64_t newest_cycle(Rig& rig) {
  const auto snapshot = std::make_unique<Snapshot>();
  while (!rig.loop().exchange().read(*snapshot)) std::this_thread::yield();
  return snapshot->cycle;
}

TEST(RealtimeRun, TheLoopDoesNotWaitForAFollowerThatStandsStill) {
  Cast cast(kHold, 0.1);
  cast.run.run(kOrdinary, [&] {
    // As long as it stands in here it follows nothing: only a loop that goes on lets it out.
    while (newest_cycle(cast.rig) < 2000) std::this_thread::yield();
  });
  ASSERT_TRUE(cast.runner.finished());
  const harness::Result& result = cast.runner.result();
  EXPECT_EQ(result.outcome, harness::Outcome::kCouldNotRun) << result.reason;
  EXPECT_GT(result.cycles_missed, 1000U);
}

TEST(RealtimeRun, AnInterruptedRunEndsWithTheMotorsOffAndAWholeLog) {
  WallClockPacer pacer({});
  Cast cast(kHold, CycleFollower::kRingSeconds, &pacer);
  cast.run.run(kOrdinary, [&] {
    if (cast.runner.result().cycles > 300) cast.interrupted = true;
  });
  EXPECT_EQ(cast.runner.result().outcome, harness::Outcome::kCouldNotRun);
  EXPECT_EQ(cast.runner.result().reason, "interrupted");
  const harness::RobotLogStatus log = cast.log.close();
  EXPECT_TRUE(log.ok);
  EXPECT_GT(harness::LogReader(cast.log_path).series("/loop", "cycle").value.size(), 300U);

  double torque_before = 0.0;
  for (std::size_t i = 0; i < cast.config.joints.size(); ++i) {
    torque_before += std::abs(cast.rig.plant()->torque(i));
  }
  EXPECT_GT(torque_before, 1.0) << "it held the arm up";
  cast.rig.loop().step();  // the stack still wants to hold; the boards don't listen any more
  for (std::size_t i = 0; i < cast.config.joints.size(); ++i) {
    EXPECT_EQ(cast.rig.plant()->torque(i), 0.0) << cast.config.joints[i].name;
  }
}

TEST(RealtimeRun, ABackendThatEndsEndsTheRun) {
  WallClockPacer pacer({});
  Cast cast(kHold, CycleFollower::kRingSeconds, &pacer);
  cast.run.run(kOrdinary, [&] {
    if (cast.runner.result().cycles > 100) cast.rig.sim()->close();
  });
  ASSERT_TRUE(cast.runner.finished());
  EXPECT_EQ(cast.runner.result().outcome, harness::Outcome::kSafetyStop);
  EXPECT_EQ(cast.runner.result().reason, "the backend ended the run");
}

/// Shows nothing to nobody, and has enough after 200 cycles.
struct Impatient final : Onlooker {
  void before_cycle() noexcept override { ++before; }
  void after_cycle() noexcept override { ++after; }
  std::string look() override { return after > 200 ? "seen enough" : ""; }
  std::atomic<std::uint64_t> before{0};
  std::atomic<std::uint64_t> after{0};
};

TEST(RealtimeRun, AnOnlookerSeesEachCycleAndMayEndTheRun) {
  WallClockPacer pacer({});
  Impatient onlooker;
  Cast cast(kHold, CycleFollower::kRingSeconds, &pacer, &onlooker);
  cast.run.run(kOrdinary);
  ASSERT_TRUE(cast.runner.finished());
  EXPECT_EQ(cast.runner.result().outcome, harness::Outcome::kSafetyStop);
  EXPECT_EQ(cast.runner.result().reason, "seen enough");
  EXPECT_EQ(onlooker.before, onlooker.after);
  EXPECT_EQ(onlooker.after, cast.rig.stack().snapshot().cycle + 1) << "cycle 0, too";
}

/// A look sees a world in another program as it was before them.
TEST(CycleFollower, CyclesThatComeDuringALookWaitForTheNextOne) {
  Cast cast(kHold);
  CycleFollower follower(cast.rig.stack());
  for (int i = 0; i < 3; ++i) follower.hand_over();
  int judged = 0;
  const auto judge = [&] { return ++judged > 0; };
  const auto long_look = [&] {
    for (int i = 0; i < 5; ++i) follower.hand_over();
  };
  follower.look_and_follow(long_look, judge);
  EXPECT_EQ(judged, 3);
  follower.look_and_follow([] {}, judge);
  EXPECT_EQ(judged, 8);
}

}  // namespace
}  // namespace jointrig::app
