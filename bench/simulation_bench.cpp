#include <benchmark/benchmark.h>

#include "bench/bench.h"
#include "bench/replay.h"

namespace jointrig::bench {
namespace {

using TakePtr = std::shared_ptr<const Take>;

/// A rig of its own, in the state before the take.
struct Simulation {
  explicit Simulation(const TakePtr& t) : take(t), rig(t->config, {}) {
    rig.start();
    rig.loop().step();
    begin_again();
  }

  void begin_again() {
    rig.sim()->restore(*take->plant_before);
    rig.stack().restore(take->stack_before);
  }
  void step(const TakeCycle& cycle) {
    rig.stack().inbox().push(cycle.asked);
    rig.loop().step();
  }

  TakePtr take;
  app::Rig rig;
  RobotState state;
};

/// The boards alone, with the recorded states of the joints and setpoints.
struct Boards {
  explicit Boards(const TakePtr& t) : take(t) {
    const RobotConfig& robot = t->config;
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      boards.emplace_back(
          sim::make_board_spec(robot.joints[i], robot.plant, to_seconds(robot.period_ns)));
    }
    begin_again();
  }

  void begin_again() {
    for (std::size_t i = 0; i < boards.size(); ++i)
      boards[i].restore(take->plant_before->boards[i]);
  }
  void step(const TakeCycle& cycle) {
    for (std::size_t i = 0; i < boards.size(); ++i) {
      benchmark::DoNotOptimize(boards[i].step(&cycle.sent.joints[i], cycle.truth[i]));
    }
  }

  TakePtr take;
  std::vector<sim::SimBoard> boards;
};

}  // namespace

void register_simulation(const TakePtr& take) {
  register_replay<Boards>(take, "boards", [](Boards& b, const TakeCycle& c) { b.step(c); });
  register_replay<Simulation>(take, "read", [](Simulation& s, const TakeCycle& /*cycle*/) {
    s.rig.backend().read(s.state);
  });
  register_replay<Simulation>(take, "write", [](Simulation& s, const TakeCycle& cycle) {
    s.rig.backend().write(cycle.sent);
  });
  register_replay<Simulation>(take, "loop_step",
                              [](Simulation& s, const TakeCycle& c) { s.step(c); });
}

}  // namespace jointrig::bench
