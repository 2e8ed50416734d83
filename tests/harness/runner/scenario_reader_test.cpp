#include "harness/runner/scenario_reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>
#include <set>
#include <tuple>

#include "harness/runner/effective_yaml.h"

namespace jointrig::harness {
namespace {

constexpr double kRadPerDeg = std::numbers::pi / 180.0;

const std::string kHead = "schema: 1\nscenario: demo\nrobot: arm\n";

std::vector<Scenario> read(const std::string& text, const std::vector<std::string>& settings = {}) {
  return read_scenarios(parse_yaml(text, "demo.yaml"), "demo.yaml", settings);
}

Scenario read_one(const std::string& text, const std::vector<std::string>& settings = {}) {
  auto all = read(text, settings);
  EXPECT_EQ(all.size(), 1U);
  return std::move(all.front());
}

// The first line of the error.
std::string error(const std::string& text) {
  try {
    read(text);
  } catch (const FileError& problem) {
    const std::string what = problem.what();
    return what.substr(0, what.find('\n'));
  }
  return "no error";
}

TEST(ScenarioReader, FillsInDefaults) {
  const Scenario scenario = read_one(kHead + "steps: [{wait: 2 s}]\n");
  EXPECT_EQ(scenario.name, "demo");
  EXPECT_EQ(scenario.timeout_sim, 60.0);
  EXPECT_EQ(scenario.timeout_wall, 300.0);
  ASSERT_EQ(scenario.steps.size(), 1U);
  EXPECT_EQ(std::get<WaitStep>(scenario.steps[0].what).time, 2.0);
  EXPECT_EQ(scenario.steps[0].label, "wait 2 s");
}

TEST(ScenarioReader, ReadsEveryKindOfStep) {
  const Scenario scenario = read_one(kHead + R"yaml(
steps:
  - set_mode: {joints: [elbow, wrist], mode: position, interaction: compliant, stiffness: 20 Nm/rad}
  - set_interaction: {joints: elbow, interaction: stiff}
  - set_impedance: {joints: all, damping: 2}
  - {move: {joints: {elbow: 60 deg}, speed: 30 deg/s, within: 1 deg}, name: up}
  - home: {pose: home, of: arm, duration: 2 s}
  - calibrate: {joints: all, wait: false}
  - stop: {joints: elbow}
  - stream: {position: {elbow: "0.5 * sin(time)"}, torque: {wrist: 1 Nm}, rate: 500 Hz, for: 1 s}
  - stream: {velocity: {elbow: 0.1}, background: push}
  - stop_stream: push
  - wait: {until: "elbow.q < 1", for: 100 ms, timeout: 2 s}
  - wait: {event: goal_reached.elbow}
  - expect_rejected: {command: {velocity: {elbow: 0.1}}, reason: wrong_mode, joint: elbow}
  - expect_rejected: {command: {set_mode: {joints: elbow, mode: torque}}, reason: board_faulted}
  - inject_fault: {joint: elbow, type: encoder_freeze, for: 200 ms}
  - {force: {body: hand, force: [10, 0, 0 N], for: 500 ms}, name: shove}
  - payload: {body: hand, mass: 500 g}
  - obstacle: {name: wall, shape: box, size: [1 cm, 10 cm, 10 cm], position: [0.4, 0, 1]}
  - end: shove
  - expect: "elbow.q > 0"
  - expect: [{mode: {elbow: idle}}, "each.q < 3"]
  - mark: done
)yaml");
  ASSERT_EQ(scenario.steps.size(), 22U);
  const auto& set = std::get<SetStep>(scenario.steps[0].what);
  EXPECT_EQ(set.joints.size(), 2U);
  EXPECT_EQ(set.mode, ModeRequest::kPosition);
  EXPECT_EQ(set.interaction, InteractionMode::kCompliant);
  EXPECT_EQ(set.stiffness->all.text, "20 Nm/rad");
  EXPECT_FALSE(set.damping.has_value());
  const auto& stream = std::get<StreamStep>(scenario.steps[7].what);
  EXPECT_DOUBLE_EQ(stream.period, 0.002);
  EXPECT_EQ(stream.targets[1].first, CommandKind::kStreamTorque);
  const auto& force = std::get<ForceAction>(std::get<ActionStep>(scenario.steps[15].what).action);
  EXPECT_EQ(force.force[0], 10.0);
  const auto& load = std::get<PayloadAction>(std::get<ActionStep>(scenario.steps[16].what).action);
  EXPECT_EQ(load.mass, 0.5);
  EXPECT_EQ(obstacles_of(scenario).size(), 1U);
  EXPECT_DOUBLE_EQ(obstacles_of(scenario)[0].size[1], 0.1);
  EXPECT_EQ(scenario.steps[3].label, "up");
  EXPECT_EQ(scenario.steps[4].label, "home home of arm");
}

TEST(ScenarioReader, ATargetHasGoalsOrVelocitiesOrBoth) {
  const Scenario scenario = read_one(kHead + R"yaml(
steps:
  - target: {joints: {elbow: 60 deg}, velocities: {elbow: 0.1}, jerk: 30 rad/s^3, synchronise: none}
  - target: {velocities: {wrist: 0.2 rad/s}, shape: acceleration_limited}
  - expect_rejected: {command: {target: {joints: {elbow: 9}}}, reason: out_of_range, joint: elbow}
)yaml");
  const auto& both = std::get<TargetStep>(scenario.steps[0].what);
  EXPECT_EQ(both.goals[0].value.text, "60 deg");
  EXPECT_EQ(both.velocities[0].value.text, "0.1");
  EXPECT_EQ(both.jerk->all.text, "30 rad/s^3");
  EXPECT_EQ(both.synchronise, Synchronisation::kNone);
  EXPECT_EQ(scenario.steps[0].label, "target elbow to 60 deg");
  const auto& alone = std::get<TargetStep>(scenario.steps[1].what);
  EXPECT_TRUE(alone.goals.empty());
  EXPECT_EQ(alone.shape, MotionShape::kAccelerationLimited);
  const auto& refused = std::get<ExpectRejectedStep>(scenario.steps[2].what);
  EXPECT_EQ(refused.command.kind, CommandKind::kSetJointTarget);

  EXPECT_NE(error(kHead + "steps: [{target: {jerk: 3}}]\n").find("a target needs \"joints\""),
            std::string::npos);
  EXPECT_NE(error(kHead + "steps: [{target: {velocities: {elbow: 1}, speed: 1}}]\n")
                .find("a velocity has no use for \"speed\""),
            std::string::npos);
}

TEST(ScenarioReader, ListsThatSomeWaypointsHaveAreRefusedWithTheWaypoint) {
  const auto said = [](const std::string& first, const std::string& second) {
    return error(kHead + "steps:\n  - trajectory:\n      waypoints:\n" +
                 "        - {time: 1 s, joints: {elbow: 0.1}" + first + "}\n" +
                 "        - {time: 2 s, joints: {elbow: 0.2}" + second + "}\n");
  };
  const std::string v = ", velocities: {elbow: 0}";
  const std::string a = ", accelerations: {elbow: 0}";
  for (const auto& [first, second, sentence] :
       {std::tuple(v, v + a, "waypoint 2 has \"accelerations\", and waypoint 1 has none"),
        std::tuple(v + a, v, "waypoint 2 has no \"accelerations\", and waypoint 1 has them"),
        std::tuple(std::string(), v, "waypoint 2 has \"velocities\", and waypoint 1 has none"),
        std::tuple(v, std::string(),
                   "waypoint 2 has no \"velocities\", and waypoint 1 has them")}) {
    EXPECT_NE(said(first, second).find(sentence), std::string::npos) << said(first, second);
    EXPECT_NE(said(first, second).find(": give them at all waypoints, or at none"),
              std::string::npos);
  }
}

TEST(ScenarioReader, ReadsAssertionsAndMetrics) {
  const Scenario scenario = read_one(kHead + R"yaml(
steps: [{mark: settled}]
assert:
  always:
    - {expr: "each.tau < 3", joints: elbow, from: settled, to: 2 s}
    - no_fault_except: [elbow.encoder_frozen]
  never: [{event: overrun}]
  at_end: [{mode: {elbow: position}}]
  within: [{event: fault.elbow, after: 6 s, max: 20 ms}]
metrics:
  - {name: error, of: elbow.q_err, stat: rms, max: 0.3 deg, warn: 0.2 deg, from: settled}
  - {name: settle, of: elbow.q, stat: settling_time, band: 1 deg, target: 60 deg, max: 300 ms}
  - {name: over, of: elbow.q, stat: overshoot, band: 5 %, max: 8 %}
)yaml");
  EXPECT_EQ(scenario.always.size(), 1U);
  EXPECT_EQ(scenario.always[0].from.mark->text, "settled");
  EXPECT_EQ(scenario.always[0].to->time, 2.0);
  EXPECT_EQ(scenario.faults_allowed[0].text, "elbow.encoder_frozen");
  EXPECT_EQ(scenario.never[0].event->text, "overrun");
  EXPECT_EQ(scenario.at_end[0].name, "elbow in position");
  EXPECT_DOUBLE_EQ(scenario.within[0].longest, 0.02);
  EXPECT_DOUBLE_EQ(*scenario.metrics[0].most, 0.3 * kRadPerDeg);
  EXPECT_FALSE(scenario.metrics[1].band_is_relative);
  EXPECT_DOUBLE_EQ(scenario.metrics[1].band, kRadPerDeg);
  EXPECT_TRUE(scenario.metrics[2].band_is_relative);
  EXPECT_DOUBLE_EQ(scenario.metrics[2].band, 0.05);
  EXPECT_DOUBLE_EQ(*scenario.metrics[2].most, 0.08);
}

TEST(ScenarioReader, ParametersKeepTheirTypeWhereTheyStandAlone) {
  const Scenario scenario = read_one(kHead + R"yaml(
parameters: {n: 2, goal: 60 deg, who: elbow}
steps:
  - repeat: {times: "${n}", do: [{move: {joints: {"${who}": "${goal}"}}, name: "to ${goal}"}]}
)yaml");
  ASSERT_EQ(scenario.steps.size(), 2U);
  const auto& move = std::get<MoveStep>(scenario.steps[1].what);
  EXPECT_EQ(move.targets[0].name.text, "elbow");
  EXPECT_EQ(move.targets[0].value.text, "60 deg");
  EXPECT_EQ(scenario.steps[0].name, "to 60 deg[1]");
  EXPECT_EQ(scenario.steps[1].name, "to 60 deg[2]");
  EXPECT_EQ(without_round("to 60 deg[2]"), "to 60 deg");
}

TEST(ScenarioReader, ARepeatCountsFromOne) {
  const Scenario scenario = read_one(kHead + R"yaml(
steps:
  - repeat: {times: 3, do: [{wait: "${i} s"}]}
)yaml");
  EXPECT_EQ(std::get<WaitStep>(scenario.steps[0].what).time, 1.0);
  EXPECT_EQ(std::get<WaitStep>(scenario.steps[2].what).time, 3.0);
}

TEST(ScenarioReader, AMatrixGivesATestForEachCombination) {
  const auto all = read(kHead + R"yaml(
matrix: {payload: [0 kg, 1 kg], stiff: [true, false]}
steps: [{wait: 1 s, name: "with ${payload} ${stiff}"}]
)yaml");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].name, "demo[payload=0kg,stiff=true]");
  EXPECT_EQ(all[1].name, "demo[payload=0kg,stiff=false]");
  EXPECT_EQ(all[3].name, "demo[payload=1kg,stiff=false]");
  EXPECT_EQ(all[3].family, "demo");
  EXPECT_EQ(all[3].variation.at("payload"), "1 kg");
  EXPECT_EQ(all[3].steps[0].name, "with 1 kg false");
}

TEST(ScenarioReader, AMatrixCanListItsCombinations) {
  const auto all = read(kHead + R"yaml(
parameters: {speed: 1, goal: 2}
matrix: [{speed: 3}, {speed: 4, goal: 5}]
steps: [{move: {joints: {elbow: "${goal}"}, speed: "${speed}"}}]
)yaml");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "demo[speed=3]");
  EXPECT_EQ(std::get<MoveStep>(all[0].steps[0].what).targets[0].value.text, "2");
  EXPECT_EQ(std::get<MoveStep>(all[1].steps[0].what).targets[0].value.text, "5");
}

// The names of a matrix's variations.
std::vector<std::string> names_of(const std::string& matrix) {
  const std::string text = "schema: 1\nscenario: demo\nrobot: odd\nmatrix:\n" + matrix +
                           "steps: [{wait: \"${t}\"}, {mark: \"${m}\"}]\n";
  std::vector<std::string> names;
  for (const Scenario& one : read_scenarios(parse_yaml(text, "demo.yaml"), "demo.yaml")) {
    names.push_back(one.name);
  }
  return names;
}

TEST(ScenarioReader, TheNameOfALongVariationIsShortItsOwnAndStaysTheSame) {
  const std::string lengthy = "a_mark_with_a_very_long_name_that_ends_in_";
  const auto both = names_of("  t: [1 s]\n  m: [" + lengthy + "a, " + lengthy + "b]\n");
  ASSERT_EQ(both.size(), 2U);
  EXPECT_TRUE(both[0].starts_with("demo[t=1s,m=a_mark_with_a_ve~")) << both[0];
  EXPECT_LT(both[0].size(), 40U);
  EXPECT_NE(both[0], both[1]);
  // The same with all else that the matrix holds.
  const auto one = names_of("  t: [1 s, 2 s]\n  m: [other, " + lengthy + "b]\n");
  ASSERT_EQ(one.size(), 4U);
  EXPECT_EQ(one[0], "demo[t=1s,m=other]");
  EXPECT_EQ(one[1], both[1]);
}

TEST(ScenarioReader, ParametersThatDoNotFitIntoTheNameAreANumber) {
  std::string matrix;
  std::string uses;
  for (int i = 0; i < 9; ++i) {
    const std::string name = "parameter_" + std::to_string(i);
    matrix += "  " + name + ": [left, right]\n";
    uses += ", {mark: \"${" + name + "}" + std::to_string(i) + "\"}";
  }
  const std::string text = "schema: 1\nscenario: demo\nrobot: odd\nmatrix:\n" + matrix +
                           "steps: [{wait: 1}" + uses + "]\n";
  const auto all = read_scenarios(parse_yaml(text, "demo.yaml"), "demo.yaml");
  std::set<std::string> names;
  for (const Scenario& one : all) {
    EXPECT_LT(one.name.size(), 80U) << one.name;
    names.insert(one.name);
    EXPECT_EQ(one.variation.size(), 9U);  // told in full beside the name
  }
  EXPECT_EQ(names.size(), 512U);
}

TEST(ScenarioReader, AVariationThatStandsThereTwiceIsAnError) {
  try {
    names_of("  - {t: 1 s, m: a}\n  - {t: 1 s, m: a}\n");
    FAIL() << "no error";
  } catch (const FileError& error) {
    EXPECT_EQ(error.sentence(), "the matrix has the variation [t=1s,m=a] twice");
    EXPECT_EQ(error.line(), 5);
  }
}

TEST(ScenarioReader, SettingsChangeAnyKey) {
  const std::string text = kHead + "parameters: {t: 1 s}\nsteps: [{wait: \"${t}\"}]\n";
  const Scenario scenario = read_one(text, {"parameters.t=4 s", "timeout.sim=7 s"});
  EXPECT_EQ(std::get<WaitStep>(scenario.steps[0].what).time, 4.0);
  EXPECT_EQ(scenario.timeout_sim, 7.0);
}

TEST(ScenarioReader, SceneKeyframeAndSeedAreLaidOverTheRobot) {
  const Scenario scenario = read_one(kHead + R"yaml(
scene: table
seed: 7
config: {joints: {elbow: {stiffness: 20}}, plant: {mass_scale: 1.1}}
steps: []
)yaml");
  EXPECT_EQ(scenario.config.at("scene").text(), "table");
  EXPECT_EQ(scenario.config.at("plant").at("seed").integer(), 7);
  EXPECT_EQ(scenario.config.at("plant").at("mass_scale").number(), 1.1);
  EXPECT_EQ(scenario.config.at("joints").at("elbow").at("stiffness").number(), 20.0);
}

TEST(ScenarioReader, OldModeNamesAreTakenWithANote) {
  const Scenario scenario =
      read_one(kHead + "steps: [{set_mode: {joints: elbow, mode: impedance_position}}]\n");
  EXPECT_EQ(std::get<SetStep>(scenario.steps[0].what).mode, ModeRequest::kImpedancePosition);
  ASSERT_EQ(scenario.notes.size(), 1U);
  EXPECT_EQ(scenario.notes[0],
            "demo.yaml:4:42: impedance_position is an old name: write mode: position, "
            "interaction: compliant");
}

TEST(ScenarioReader, ErrorsNamePlaceAndNearestRightWord) {
  EXPECT_EQ(error("schema: 1\nscenario: demo\nsteps: []\n"),
            "demo.yaml:1:1: key \"robot\" is missing");
  EXPECT_EQ(error(kHead + "steps: []\nmetric: []\n"),
            "demo.yaml:5:1: unknown key \"metric\"; did you mean \"metrics\"?");
  EXPECT_EQ(error(kHead + "steps: [{mov: {joints: {elbow: 1}}}]\n"),
            "demo.yaml:4:10: unknown key \"mov\" in steps[0]; did you mean \"move\"?");
  EXPECT_EQ(error(kHead + "steps: [{set_mode: {joints: elbow, mode: positon}}]\n"),
            "demo.yaml:4:42: mode: \"positon\" is not one of idle, position, position_direct, "
            "velocity, mixed, torque, openloop, cartesian, force_idle, impedance_position, "
            "impedance_velocity; did you mean \"position\"?");
  EXPECT_EQ(error(kHead + "steps: [{wait: 2 m}]\n"),
            "demo.yaml:4:16: wait: expected a time (s, ms), got 2 m, a length");
  EXPECT_EQ(error(kHead + "steps: [{wait: 1 s, mark: a}]\n"),
            "demo.yaml:4:21: only one of \"wait\", \"mark\" can be given in steps[0]");
  EXPECT_EQ(error(kHead + "steps: [{name: a}]\n").substr(0, 62),
            "demo.yaml:4:9: one of these keys is missing in steps[0]: set_m");
  EXPECT_EQ(error(kHead + "steps: [{set_arm: {arm: a, inertia: [1, 1, 1]}}]\n"),
            "demo.yaml:4:37: inertia: expected 6 values, got 3");
  EXPECT_EQ(error("schema: 2\nscenario: a\nrobot: b\nsteps: []\n"),
            "demo.yaml:1:9: schema: 2 is not 1");
}

TEST(ScenarioReader, ErrorsOfMeaningStandAtTheirPlace) {
  EXPECT_EQ(error(kHead + "steps: [{set_mode: {joints: elbow}}]\n"),
            "demo.yaml:4:20: key \"mode\" is missing in set_mode");
  EXPECT_EQ(error(kHead + "steps: [{stream: {position: {elbow: 1}}}]\n"),
            "demo.yaml:4:18: this stream never ends: give it \"for\", \"until\" or \"background\"");
  EXPECT_EQ(error(kHead + "steps: [{move: {joints: {elbow: 1}, speed: 1, duration: 1 s}}]\n"),
            "demo.yaml:4:47: only one of \"speed\", \"duration\" can be given");
  EXPECT_EQ(error(kHead + "steps: []\nassert: {at_end: [{mode: {elbow: positon}}]}\n"),
            "demo.yaml:5:34: no mode \"positon\"; did you mean \"position\"?");
  EXPECT_EQ(error(kHead + "steps: [{obstacle: {name: a, shape: sphere, size: [1, 2], position: "
                          "[0, 0, 0]}}]\n"),
            "demo.yaml:4:51: the size of a sphere has 1 values, got 2");
}

TEST(ScenarioReader, ErrorsOfParameters) {
  EXPECT_EQ(error(kHead + "parameters: {goal: 1 s}\nsteps: [{wait: \"${gaol}\"}]\n"),
            "demo.yaml:5:16: no parameter \"gaol\"; did you mean \"goal\"?");
  EXPECT_EQ(error(kHead + "parameters: {goal: 1 s}\nsteps: []\n"),
            "demo.yaml:4:14: parameter \"goal\" is used nowhere: write ${goal} where it belongs");
  EXPECT_EQ(error(kHead + "matrix: {goal: [1, 2]}\nsteps: []\n"),
            "demo.yaml:4:9: parameter \"goal\" of the matrix is used nowhere");
  EXPECT_EQ(error(kHead + "parameters: {goal: 1 m}\nsteps: [{wait: \"${goal}\"}]\n"),
            "demo.yaml:4:20: wait: expected a time (s, ms), got 1 m, a length");
  EXPECT_EQ(error(kHead + "parameters: {l: [1]}\nsteps: [{wait: \"${l} s\"}]\n"),
            "demo.yaml:5:16: parameter \"l\" is a list: it can stand alone, but not within other "
            "text");
}

class IncludeTest : public ::testing::Test {
 protected:
  IncludeTest() : folder_(std::filesystem::path(::testing::TempDir()) / "jointrig_include") {
    std::filesystem::create_directories(folder_);
  }
  ~IncludeTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  std::vector<Scenario> read_file() { return read_scenarios(folder_ / "main.yaml"); }
  std::string sentence() {
    try {
      read_file();
    } catch (const FileError& problem) {
      return std::filesystem::path(problem.file()).filename().string() + ":" +
             std::to_string(problem.line()) + ": " + problem.sentence();
    }
    return "no error";
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(IncludeTest, PutsInStepsWithTheirOwnParameters) {
  write("main.yaml", kHead +
                         "steps: [{include: {file: part.yaml, with: {t: 3 s}}}, {include: "
                         "part.yaml}]\n");
  write("part.yaml", "schema: 1\nparameters: {t: 1 s}\nsteps: [{wait: \"${t}\"}]\n");
  const auto all = read_file();
  ASSERT_EQ(all[0].steps.size(), 2U);
  EXPECT_EQ(std::get<WaitStep>(all[0].steps[0].what).time, 3.0);
  EXPECT_EQ(std::get<WaitStep>(all[0].steps[1].what).time, 1.0);
}

TEST_F(IncludeTest, ErrorsStandInTheFileThatIsWrong) {
  write("main.yaml", kHead + "steps: [{include: part.yaml}]\n");
  EXPECT_EQ(sentence().substr(0, 27), "main.yaml:4: can't include:");
  write("part.yaml", "schema: 1\nsteps:\n  - {wiat: 1 s}\n");
  EXPECT_EQ(sentence(), "part.yaml:3: unknown key \"wiat\" in steps[0]; did you mean \"wait\"?");
  write("part.yaml", "schema: 1\nsteps: [{include: main.yaml}]\n");
  EXPECT_EQ(sentence(), "main.yaml:2: unknown key \"scenario\"");
  write("part.yaml", "schema: 1\nsteps: [{include: part.yaml}]\n");
  EXPECT_EQ(sentence(), "part.yaml:2: \"part.yaml\" includes itself, directly or through others");
  write("main.yaml", kHead + "steps: [{include: {file: part.yaml, with: {t: 3 s}}}]\n");
  EXPECT_EQ(sentence(), "main.yaml:4: the included file has no parameter \"t\"");
}

TEST(EffectiveYaml, ReadsBackAsTheSameRun) {
  const Scenario first = read_one(kHead + R"yaml(
tags: [smoke]
seed: 3
parameters: {goal: 60 deg}
timeout: {sim: 10 s}
faults: [{at: 6 s, joint: elbow, type: encoder_freeze, for: 200 ms}]
disturbances: [{at: 1 s, name: shove, force: {body: hand, force: [10, 0, 0]}}]
setup: [{calibrate: {joints: all}}]
steps:
  - repeat:
      times: 2
      do:
        - {move: {joints: {elbow: "${goal}"}, speed: 30 deg/s}, name: up}
        - expect: ["abs(elbow.q - ${goal}) < 1 deg", {mode: {elbow: position}}]
  - stream: {torque: {elbow: "hypot(1, 2)"}, until: "elbow.q > 1", rate: 250 Hz}
  - set_impedance: {joints: [elbow, wrist], stiffness: 0.5}
  - set_parameter: {joints: elbow, parameter: velocity_max, value: 30 deg/s}
  - set_parameter: {joints: all, parameter: bandwidth, value: {elbow: 5 Hz, wrist: 6 Hz}}
  - target: {joints: {elbow: 1, wrist: 2}, speed: {elbow: 10 deg/s}, acceleration: 3, wait: false}
  - move: {joints: {elbow: 1, wrist: 2}, duration: {elbow: 2 s, wrist: 3 s}, wait: false}
  - expect_rejected: {command: {set_impedance: {joints: elbow, stiffness: 1, damping: 2}, age: 1 s}, reason: stale}
  - wait: {until: "elbow.q > 0, 1", for: 10 ms}
  - end: shove
  - {force: {joint: elbow, along: 3 Nm, for: 0.3 s}, name: load}
  - parallel: [[{wait: 1 s}, {parallel: [[{mark: m1}], [{wait: 2 s}]]}], [{end: load}]]
  - repeat:
      times: 2
      do:
        - name: round
          state_machine:
            timeout: 20 s
            states:
              go: {do: [{wait: 1 s, name: w}], next: [{to: rest, when: elbow.q > 1, for: 5 ms}, {to: end}]}
              rest:
                next: [{to: go, when: {mode: {elbow: position}}}, {to: end, event: fault}, {to: end, after: 3 s}]
teardown: [{stop: {joints: all}}]
assert:
  always: [{expr: "each.tau < 3", from: up}, {no_fault_except: [elbow]}]
  never: [{event: overrun}]
  at_end: [{expr: "elbow.q > 1"}]
  within: [{expr: "elbow.q > 1", after: 'up[1]', max: 20 ms, for: 5 ms}]
metrics: [{name: m, of: elbow.q, stat: overshoot, max: 8 %, warn: 4 %, target: 1}]
plots: [elbow.v]
)yaml");
  const std::string text = to_yaml(first);
  const auto again = read_scenarios(parse_yaml(text, "effective.yaml"), "effective.yaml");
  ASSERT_EQ(again.size(), 1U) << text;
  const Scenario& second = again[0];
  EXPECT_EQ(second.steps, first.steps) << text;
  EXPECT_EQ(second.setup, first.setup);
  EXPECT_EQ(second.teardown, first.teardown);
  EXPECT_EQ(second.always, first.always);
  EXPECT_EQ(second.never, first.never);
  EXPECT_EQ(second.at_end, first.at_end);
  EXPECT_EQ(second.within, first.within);
  EXPECT_EQ(second.metrics, first.metrics);
  EXPECT_EQ(second.faults, first.faults);
  EXPECT_EQ(second.disturbances, first.disturbances);
  EXPECT_EQ(second.faults_allowed, first.faults_allowed);
  EXPECT_EQ(second.config.at("plant").at("seed").integer(), 3);
  EXPECT_EQ(to_yaml(second), text);
}

}  // namespace
}  // namespace jointrig::harness
