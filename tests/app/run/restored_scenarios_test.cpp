// Every scenario once more, driven by stacks that are restored from Stack::State alone. Two stacks
// take turns, each restored from the other before its cycle, so that whatever a stack keeps beside
// its state is a cycle old; and at random cycles one of them is built again, so that it is lost.
// The robot must reach the same states as in the program's run.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "app/run/scenario_job.h"
#include "harness/runner/runner.h"
#include "harness/runner/scenario_reader.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBuiltAnew = 3;  // times in a run; loading the model takes most of the time

std::unique_ptr<Stack> build_stack(Rig& rig, const std::shared_ptr<JointPlanPool>& plans) {
  const RobotConfig& config = rig.stack().config();
  auto stack = std::make_unique<Stack>(config, rig.backend().description().joints,
                                       std::make_unique<RobotModel>(config));
  stack->connect_force_sensors(rig.backend().description().force_torque_sites);
  stack->connect_base(rig.backend().description());
  stack->share_plans(plans);
  return stack;
}

/// A scenario without the program's loop: its robot, its judge, and stacks in turn.
class RestoredRun {
 public:
  explicit RestoredRun(const harness::Scenario& scenario)
      : config_(robot_of(scenario, {}).config),
        rig_(config_, {.backend = config_.backend, .plant = plant_options_of(scenario)}),
        world_(rig_.make_world()),
        runner_(scenario, setup()),
        drives_(build_stack(rig_, plans_)),
        waits_(build_stack(rig_, plans_)) {
    drives_->restore(rig_.stack().state());
    state_.joints.resize(rig_.backend().description().joints.size());
    command_.joints.resize(rig_.backend().description().joints.size());
  }

  /// Hashes as run_scenario() gives them.
  /// @param built_anew  cycles before which a new stack takes over
  std::vector<std::uint64_t> run(const std::vector<std::uint64_t>& built_anew) {
    std::vector<std::uint64_t> hashes;
    const std::uint64_t second = to_ns(1.0) / config_.period_ns;
    rig_.start();
    for (std::uint64_t cycle = 1; !runner_.finished(); ++cycle) {
      if (std::find(built_anew.begin(), built_anew.end(), cycle) != built_anew.end()) {
        waits_ = build_stack(rig_, plans_);
      }
      waits_->restore(drives_->state());
      std::swap(drives_, waits_);
      if (!step()) {
        runner_.break_off(harness::Outcome::kSafetyStop, rig_.why_ended());
        break;
      }
      if (cycle % second == 0) hashes.push_back(rig_.hash());
    }
    hashes.push_back(rig_.hash());
    return hashes;
  }

  [[nodiscard]] const harness::Result& result() const { return runner_.result(); }

 private:
  harness::RunSetup setup() {
    harness::RunSetup setup;
    setup.config = &rig_.stack().config();
    setup.boards = &rig_.backend().description().joints;
    setup.inbox = &inbox_;
    setup.plans = plans_.get();
    setup.world = world_.get();
    setup.backend = rig_.backend().description().name;
    if (rig_.sim() != nullptr) {
      setup.force_torque_sensors = rig_.plant()->force_torque_sites().size();
    }
    return setup;
  }

  bool step() {
    Backend& backend = rig_.backend();
    if (!backend.wait().is_due) return false;
    backend.read(state_);
    EventRing::Reader reader(drives_->events());
    while (const std::optional<BoardNotice> notice = backend.next_notice()) drives_->note(*notice);
    inbox_.drain(Stack::kCommandsPerCycle,
                 [this](const Command& command) { drives_->inbox().push(command); });
    drives_->cycle(state_, command_);
    backend.write(command_);
    std::vector<Event> events;
    for (Event event; reader.next(event);) events.push_back(event);
    if (world_) world_->update();
    runner_.on_cycle(drives_->snapshot(), events);
    return true;
  }

  RobotConfig config_;
  Rig rig_;
  CommandInbox inbox_;
  std::shared_ptr<JointPlanPool> plans_ = std::make_shared<JointPlanPool>(16);
  std::unique_ptr<harness::World> world_;
  harness::Runner runner_;
  std::unique_ptr<Stack> drives_;
  std::unique_ptr<Stack> waits_;
  RobotState state_;
  RobotCommand command_;
};

/// Seeded by the scenario's name.
std::vector<std::uint64_t> random_cycles(const std::string& name, std::uint64_t cycles) {
  std::seed_seq seed(name.begin(), name.end());
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> chosen;
  for (std::size_t i = 0; i < kBuiltAnew && cycles > 0; ++i) {
    chosen.push_back(1 + random() % cycles);
  }
  return chosen;
}

bool is_scenario(const fs::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("scenario:", 0) == 0) return true;
  }
  return false;  // a fragment for `include`
}

std::vector<std::string> scenario_files() {
  std::vector<std::string> files;
  if (!fs::exists("scenarios")) return files;  // another working directory: see the test below
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator("scenarios")) {
    const fs::path& file = entry.path();
    if (file.extension() == ".yaml" && is_scenario(file)) files.push_back(file.generic_string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string test_name(const ::testing::TestParamInfo<std::string>& file) {
  std::string name = file.param;
  const auto is_other = [](unsigned char c) { return std::isalnum(c) == 0; };
  std::replace_if(name.begin(), name.end(), is_other, '_');
  return name;
}

TEST(RestoredScenarios, AreFound) { EXPECT_GT(scenario_files().size(), 100U); }

class RestoredScenario : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(OfTheTree, RestoredScenario, ::testing::ValuesIn(scenario_files()),
                         test_name);

TEST_P(RestoredScenario, ComesToTheSameStates) {
  for (const harness::Scenario& scenario : harness::read_scenarios(GetParam())) {
    SCOPED_TRACE(scenario.name);
    const JobResult program = run_scenario(scenario, {});
    if (program.result.outcome == harness::Outcome::kSkipped) continue;
    ASSERT_NE(program.result.outcome, harness::Outcome::kCouldNotRun) << program.result.reason;
    RecordProperty(scenario.name, program.result.state_hash);  // to compare two builds by
    RestoredRun restored(scenario);
    const auto hashes = restored.run(random_cycles(scenario.name, program.result.cycles));
    EXPECT_EQ(restored.result().outcome, program.result.outcome) << restored.result().reason;
    EXPECT_EQ(hashes.size(), program.hashes.size());
    const auto apart =
        std::mismatch(hashes.begin(), hashes.end(), program.hashes.begin(), program.hashes.end());
    if (apart.first != hashes.end()) {
      ADD_FAILURE() << "another state after second " << apart.first - hashes.begin();
    }
  }
}

}  // namespace
}  // namespace jointrig::app
