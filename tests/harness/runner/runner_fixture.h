#pragma once
/// Runs scenarios that are written in a test, on the fake stack.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "harness/runner/runner.h"
#include "harness/runner/scenario_reader.h"
#include "tests/harness/runner/fake_stack.h"

namespace jointrig::harness {

class RunnerTest : public ::testing::Test {
 protected:
  RunnerTest() { renew(); }

  // Every run has a robot of its own.
  void renew() {
    fake = std::make_unique<testing::FakeStack>(testing::two_joint_robot());
    fake->script = script;
  }

  static Scenario scenario(const std::string& body) {
    const std::string text = "schema: 1\nscenario: demo\nrobot: odd\n" + body;
    auto all = read_scenarios(parse_yaml(text, "demo.yaml"), "demo.yaml");
    return std::move(all.front());
  }

  RunSetup setup() {
    return {.config = &fake->config(),
            .boards = &fake->boards(),
            .inbox = &fake->inbox(),
            .world = with_world ? &world : nullptr,
            .backend = "sim",
            .force_torque_sensors = 0};
  }

  Result run(const std::string& body) {
    renew();
    Runner runner(scenario(body), setup());
    constexpr int kMost = 200'000;
    for (int i = 0; i < kMost && !runner.finished(); ++i) {
      fake->cycle();
      runner.on_cycle(fake->snapshot(), fake->events());
    }
    EXPECT_TRUE(runner.finished());
    return runner.result();
  }

  // The first line of binding's error.
  std::string error(const std::string& body) {
    try {
      const Runner runner(scenario(body), setup());
    } catch (const FileError& problem) {
      const std::string what = problem.what();
      return what.substr(0, what.find('\n'));
    }
    return "no error";
  }

  static const Verdict& verdict(const Result& result, VerdictKind kind, std::size_t nth = 0) {
    for (const Verdict& one : result.verdicts) {
      if (one.kind == kind && nth-- == 0) return one;
    }
    static const Verdict none;
    ADD_FAILURE() << "no such verdict";
    return none;
  }

  std::function<void(testing::FakeStack&)> script;
  std::unique_ptr<testing::FakeStack> fake;
  testing::FakeWorld world;
  bool with_world = true;
};

}  // namespace jointrig::harness
