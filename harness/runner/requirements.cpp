#include "harness/runner/requirements.h"

#include <algorithm>
#include <array>

#include "control/core/nearest_word.h"

namespace jointrig::harness {
namespace {

bool takes_torque(const JointCapabilities& board) {
  return usable_modes(board).has(DriveMode::kTorque);
}
bool takes_duty(const JointCapabilities& board) {
  return usable_modes(board).has(DriveMode::kDuty);
}
bool takes_velocity(const JointCapabilities& board) {
  return usable_modes(board).has(DriveMode::kVelocity);
}
bool takes_impedance(const JointCapabilities& board) {
  return takes_torque(board) || usable_modes(board).has(DriveMode::kImpedance);
}
bool calibrates(const JointCapabilities& board) { return board.reports_status; }

struct BoardRequirement {
  std::string_view word;
  bool (*has)(const JointCapabilities&);
  std::string_view lack;
};
constexpr auto kOfBoards = std::to_array<BoardRequirement>({
    {"torque", takes_torque, "takes no torque"},
    {"duty", takes_duty, "takes no duty cycle"},
    {"velocity", takes_velocity, "takes no velocity"},
    {"impedance", takes_impedance, "takes neither torque nor impedance"},
    {"calibration", calibrates, "has no status machine to calibrate"},
});
constexpr std::array<std::string_view, 3> kOfWorld{"faults", "disturbances", "truth"};

bool acts_on_world(const Scenario& scenario) {
  if (!scenario.faults.empty() || !scenario.disturbances.empty()) return true;
  bool acts = false;
  for_each_step(scenario, [&acts](const Step& step) {
    acts = acts || std::holds_alternative<ActionStep>(step.what);
  });
  return acts;
}

bool follows_plans(const Scenario& scenario) {
  bool follows = false;
  for_each_step(scenario, [&follows](const Step& step) {
    const auto* rejected = std::get_if<ExpectRejectedStep>(&step.what);
    follows = follows || std::holds_alternative<TrajectoryStep>(step.what) ||
              (rejected != nullptr && rejected->command.trajectory);
  });
  return follows;
}

bool contains(std::string_view word, const auto& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void check_words(const Scenario& scenario) {
  std::vector<std::string_view> known(kOfWorld.begin(), kOfWorld.end());
  for (const BoardRequirement& one : kOfBoards) known.push_back(one.word);
  for (const std::string_view word : {"sim", "force_torque"}) known.push_back(word);
  for (const Text& word : scenario.requirements) {
    if (contains(word.text, known)) continue;
    throw FileError(word.spot, "nothing is called \"" + word.text + "\" in requires" +
                                   did_you_mean(word.text, known));
  }
}

}  // namespace

std::optional<std::string> reason_to_skip(const Scenario& scenario, const Offer& offer) {
  check_words(scenario);
  if (!scenario.backends.empty() && !contains(offer.backend, scenario.backends)) {
    return "it isn't meant for backend " + offer.backend;
  }
  for (const Text& word : scenario.requirements) {
    if (word.text == "sim" && offer.backend != "sim") return "it requires sim";
    if (word.text == "force_torque" && offer.force_torque_sensors == 0) {
      return "it requires a force/torque sensor, and the robot has none";
    }
    if (contains(word.text, kOfWorld) && !offer.has_world) {
      return "it requires " + word.text + ", and backend " + offer.backend +
             " has no simulated world";
    }
  }
  if (acts_on_world(scenario) && !offer.has_world) {
    return "it injects faults or disturbances, and backend " + offer.backend +
           " has no simulated world";
  }
  if (!offer.takes_plans && follows_plans(scenario)) {
    return "it follows a trajectory, whose plan is made in the robot's own program: run it there";
  }
  return std::nullopt;
}

std::optional<std::string> reason_to_skip(const Scenario& scenario, const Offer& offer,
                                          const JointSet& commanded) {
  if (auto reason = reason_to_skip(scenario, offer)) return reason;
  for (const Text& word : scenario.requirements) {
    for (const BoardRequirement& requirement : kOfBoards) {
      if (requirement.word != word.text) continue;
      for (std::size_t i = 0; i < offer.boards->size(); ++i) {
        const JointCapabilities& board = (*offer.boards)[i];
        if ((commanded.any() && !commanded.test(i)) || requirement.has(board)) continue;
        return "it requires " + word.text + ", and the board of " + board.joint + " " +
               std::string(requirement.lack);
      }
    }
  }
  return std::nullopt;
}

}  // namespace jointrig::harness
