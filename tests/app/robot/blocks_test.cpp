// Blocks by themselves, and as controllers of a robot.

#include "app/robot/blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "app/robot/block_runner.h"

namespace jointrig {
namespace {

using Vector = Signals::Vector;

Signals at(double t, Vector q = {0.0}) {
  return {{"t", {t}}, {"dt", {0.001}}, {"q", std::move(q)}};
}

BlockPtr constant(double value) {
  return std::make_shared<Linear>(std::vector<Linear::Term>{}, "out", Vector{value});
}
/// Gives the time that it is told.
BlockPtr clock_of(const std::string& output = "out") {
  return std::make_shared<Lambda>(std::vector<std::string>{"t"}, output,
                                  [](const auto& in) { return in[0]; });
}

std::string refusal(const auto& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(Blocks, ALinearBlockMultipliesAndAdds) {
  Linear block({{"a", {{1.0, 2.0}, {3.0, 4.0}}}, {"b", {{10.0}, {20.0}}}}, "out", {0.5, 0.25});
  const Signals out = block.advance({{"a", {1.0, -1.0}}, {"b", {2.0}}});
  EXPECT_EQ(out.at("out"), (Vector{0.5 - 1.0 + 20.0, 0.25 - 1.0 + 40.0}));
  EXPECT_EQ(refusal([&] {
              block.advance({{"a", {1.0}}, {"b", {2.0}}});
            }),
            "signal \"a\" has 1 numbers, and its matrix 2 columns");
  EXPECT_EQ(refusal([&] {
              block.advance({{"aa", {1.0}}, {"b", {2.0}}});
            }),
            "no signal \"a\"; did you mean \"aa\"?");
}

TEST(Blocks, CompositionAndLambdaMakeOneVectorOfSeveral) {
  Composition whole({"arm", "hand"}, "qcmd");
  EXPECT_EQ(whole.advance({{"hand", {3.0}}, {"arm", {1.0, 2.0}}}).at("qcmd"),
            (Vector{1.0, 2.0, 3.0}));
  Lambda product({"arm", "hand"}, "out",
                 [](const auto& in) { return Vector{in[0][1] * in[1][0]}; });
  EXPECT_EQ(product.advance({{"hand", {3.0}}, {"arm", {1.0, 2.0}}}).number("out"), 6.0);
}

TEST(Blocks, ParallelOnesSeeWhatThoseBeforeThemGave) {
  Parallel block({clock_of("a"),
                  std::make_shared<Lambda>(std::vector<std::string>{"a"}, "b",
                                           [](const auto& in) { return Vector{2.0 * in[0][0]}; })});
  const Signals out = block.advance(at(3.0));
  EXPECT_EQ(out.number("a"), 3.0);
  EXPECT_EQ(out.number("b"), 6.0);
  EXPECT_FALSE(out.has("t")) << "the inputs aren't its own";
}

TEST(Blocks, ATimedSequenceSwitchesAtItsTimesAndEachSeesItsOwn) {
  TimedSequence block({clock_of(), clock_of(), clock_of()}, {1.0, 2.0});
  EXPECT_EQ(block.advance(at(5.0)).number("out"), 0.0) << "its time begins with its first step";
  EXPECT_DOUBLE_EQ(block.advance(at(5.9)).number("out"), 5.9 - 5.0);
  EXPECT_DOUBLE_EQ(block.advance(at(6.0)).number("out"), 0.0);
  EXPECT_EQ(block.current(), 1U);
  EXPECT_DOUBLE_EQ(block.advance(at(20.0)).number("out"), 12.0) << "the last goes on";
  EXPECT_NE(refusal([] { TimedSequence({constant(0.0)}, {0.0}); }).find("above 0 s"),
            std::string::npos);
}

TEST(Blocks, ATransitionActsInItsStepByTheFirstConditionThatHolds) {
  const auto after = [](double time) {
    return [time](const Signals& in) { return in.number("t") >= time; };
  };
  TransitionStateMachine machine({clock_of(), constant(7.0), constant(9.0)},
                                 {{0, 1, after(1.0)}, {0, 2, after(0.5)}, {1, 0, after(2.0)}});
  EXPECT_EQ(machine.advance(at(10.0)).number("out"), 0.0);
  EXPECT_DOUBLE_EQ(machine.advance(at(10.4)).number("out"), 10.4 - 10.0);
  EXPECT_EQ(machine.advance(at(11.5)).number("out"), 7.0) << "the earlier of both that hold";
  EXPECT_EQ(machine.advance(at(13.0)).number("out"), 7.0);
  EXPECT_EQ(machine.advance(at(13.5)).number("out"), 0.0) << "2 s after it was entered, anew";
  EXPECT_EQ(machine.state(), 0U);
  EXPECT_EQ(refusal([&] {
              TransitionStateMachine({constant(0.0)}, {{0, 1, after(1.0)}});
            }),
            "a transition names state 1, and there are 1; count from 0");
}

TEST(Blocks, AnEstimatorFindsTheSpeedOfARampAndLessNoiseThanADifference) {
  StateEstimator block(10.0);
  double v = 0.0;
  double squares = 0.0;
  unsigned noise = 1;
  for (int i = 0; i < 4000; ++i) {
    noise = noise * 1664525U + 1013904223U;
    const double error = 1e-4 * (static_cast<double>(noise >> 8) / 0x1p23 - 1.0);
    const Signals out = block.advance(at(0.001 * i, {1.0 + 0.5 * 0.001 * i + error}));
    v = out.number("dq");
    if (i > 2000) squares += (v - 0.5) * (v - 0.5);
  }
  // Differences of two samples of uniform noise: sqrt(2/3) 1e-4 / 1e-3 = 0.082 rad/s.
  EXPECT_LT(std::sqrt(squares / 2000.0), 0.082 / 10.0);
  // Without noise it settles on the ramp exactly: its error is an impulse through two equal poles.
  StateEstimator clean(10.0);
  Signals out;
  for (int i = 0; i < 4000; ++i) out = clean.advance(at(0.0, {0.25 * 0.001 * i}));
  EXPECT_NEAR(out.number("dq"), 0.25, 1e-9);
  EXPECT_NEAR(out.number("q"), 0.25 * 3.999, 1e-9);
}

TEST(Blocks, TrackingIsStraightBetweenMilestonesAndStaysAtTheEnd) {
  TrajectoryTracking block({0.0, 2.0, 3.0}, {{0.0}, {1.0}, {-1.0}});
  block.advance(at(10.0));
  const Signals half = block.advance(at(11.0));
  EXPECT_DOUBLE_EQ(half.number("qcmd"), 0.5);
  EXPECT_DOUBLE_EQ(half.number("dqcmd"), 0.5);
  EXPECT_DOUBLE_EQ(block.advance(at(12.5)).number("dqcmd"), -2.0);
  const Signals over = block.advance(at(99.0));
  EXPECT_EQ(over.number("qcmd"), -1.0);
  EXPECT_EQ(over.number("dqcmd"), 0.0);
  TrajectoryTracking pulled({0.0, 1.0}, {{0.0}, {1.0}}, 5.0);
  EXPECT_DOUBLE_EQ(pulled.advance(at(0.0, {0.1})).number("dqcmd"), 1.0 - 5.0 * 0.1);
}

std::shared_ptr<Block> a_program() {
  return std::make_shared<TimedSequence>(
      std::vector<BlockPtr>{std::make_shared<Parallel>(std::vector<BlockPtr>{
                                std::make_shared<StateEstimator>(20.0),
                                std::make_shared<Lambda>(std::vector<std::string>{"q", "dq"}, "out",
                                                         [](const auto& in) {
                                                           return Vector{in[0][0] + 0.1 * in[1][0]};
                                                         })}),
                            std::make_shared<TrajectoryTracking>(
                                Vector{0.0, 1.0}, std::vector<Vector>{{0.0}, {1.0}})},
      Vector{0.5});
}

TEST(Blocks, GoOnFromWhatWasSavedToTheBit) {
  const auto step = [](Block& block, int i) {
    return block.advance(at(0.001 * i, {std::sin(0.02 * i)}));
  };
  for (const int saved_at : {300, 700}) {
    const auto one = a_program();
    for (int i = 0; i < saved_at; ++i) step(*one, i);
    const Block::Memory memory = one->save();
    const auto other = a_program();
    other->restore(memory);
    for (int i = saved_at; i < 1200; ++i) EXPECT_EQ(step(*other, i), step(*one, i)) << i;
  }
  const auto whole = a_program();
  EXPECT_THROW(whole->restore({1.0}), std::invalid_argument);
  EXPECT_THROW(constant(1.0)->restore({1.0}), std::invalid_argument);
}

TEST(Blocks, AProgramOfBlocksMovesARobot) {
  Robot robot("franka", {.backend = "kinematic"});
  robot.initialize();
  const Vector q = robot.commanded_position();
  Vector there = q;
  there[0] += 0.3;
  // First along a path with feedback, then to rest by a law of one's own.
  TimedSequence program(
      {std::make_shared<TrajectoryTracking>(Vector{0.0, 2.0}, std::vector{q, there}, 5.0),
       Linear::gains({{"dq", 0.0}}, "dqcmd", q.size())},
      {2.5});
  EXPECT_EQ(run_block(robot, program, 3.0), 3000U);
  EXPECT_NEAR(robot.sensed_position()[0], there[0], 2e-3);
  EXPECT_NEAR(robot.sensed_velocity()[0], 0.0, 1e-3);
  EXPECT_NEAR(robot.sensed_position()[1], q[1], 1e-6);

  const auto nothing = constant(1.0);
  EXPECT_NE(refusal([&] { run_block(robot, *nothing, 1.0); }).find("this one gave none"),
            std::string::npos);
}

TEST(Blocks, SeeTheRobotsSensorsByTheirNames) {
  Robot robot("franka", {.backend = "sim"});
  robot.initialize();
  const Signals in = inputs_of(robot, robot.all());
  const SensorReading wrist = robot.sensor("wrist_sensor");
  const Signals::Vector expected{wrist.linear[0],  wrist.linear[1],  wrist.linear[2],
                                 wrist.angular[0], wrist.angular[1], wrist.angular[2]};
  EXPECT_EQ(in.at("wrist_sensor"), expected);
  EXPECT_NE(expected, Signals::Vector(6, 0.0));
}

}  // namespace
}  // namespace jointrig
