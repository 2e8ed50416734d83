#include "harness/runner/drive_step.h"

#include <fmt/core.h>

#include "control/core/command.h"
#include "control/core/command_facts.h"
#include "harness/runner/arm_command.h"
#include "harness/runner/command_run.h"
#include "harness/runner/command_steps.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

constexpr std::size_t kVelocityAt = place_of<DriveTool>("velocity");
constexpr std::size_t kFrameAt = place_of<DriveTool>("frame");
constexpr std::size_t kDurationAt = place_of<DriveTool>("duration");
constexpr std::size_t kTogetherAt = place_of<DriveTool>("together");
constexpr std::size_t kFreeAt = place_of<DriveTool>("free_rotation");
constexpr std::size_t kNumbers = kFreeAt + 1;

/// The number of a word, which the schema has checked.
template <typename Enumeration>
Text number_of_word(const YamlNode& word) {
  Enumeration value{};
  parse(word.text(), value);
  return {fmt::format("{}", static_cast<int>(value)), word.spot()};
}

/// Ends once the drive is over: its time has passed, and the tool has come to rest.
class DriveToolRun final : public CommandRun {
 public:
  DriveToolRun(const DriveToolStep& step, ArmIndex arm, const Binder& binder)
      : CommandRun(step.wait, step.timeout), command_(step.drive, arm, binder) {}

 private:
  Command command(std::size_t /*i*/, const StepScene& scene) const override {
    return command_.make(scene.now());
  }

  bool arrived(const StepScene& scene) override {
    return !scene.snapshot->arms[command_.arm()].drive.is_on;
  }

  StepProgress fail_late(const StepScene& scene) override {
    const std::string& name = scene.config->arms[command_.arm()].name;
    return fail("the drive of arm " + name + " over" + in_timeout(), "its tool is still driven");
  }

  BoundArmCommand command_;
};

}  // namespace

DriveToolStep read_drive_tool(const YamlNode& node) {
  DriveToolStep step;
  step.arm = read_text(node.at("arm"));
  step.drive = {CommandKind::kDriveTool, std::vector<Text>(kNumbers, Text{"0", node.spot()})};
  std::vector<Text>& numbers = step.drive.numbers;
  const auto read_three = [&](const char* key, std::size_t first) {
    const YamlNode* list = node.find(key);
    for (std::size_t i = 0; list != nullptr && i < 3; ++i) {
      numbers[first + i] = read_text(list->items()[i]);
    }
  };
  read_three("linear", kVelocityAt);
  read_three("angular", kVelocityAt + 3);
  if (const YamlNode* word = node.find("frame")) {
    numbers[kFrameAt] = number_of_word<ToolFrame>(*word);
  }
  if (const YamlNode* word = node.find("free_rotation")) {
    numbers[kFreeAt] = number_of_word<FreeRotation>(*word);
  }
  numbers[kDurationAt] = read_text(node.at("duration"));
  if (const YamlNode* together = node.find("together")) {
    numbers[kTogetherAt] = {together->boolean() ? "1" : "0", together->spot()};
  }
  if (const YamlNode* wait = node.find("wait")) step.wait = wait->boolean();
  step.timeout = read_seconds(node, "timeout", step.timeout);
  return step;
}

const Text& number_of(const DriveToolStep& step, std::string_view field, std::size_t index) {
  for (const FieldInfo& info : fields_of(CommandKind::kDriveTool)) {
    if (info.name == field) return step.drive.numbers[info.place + index];
  }
  throw std::logic_error("drive_tool has no such field");
}

std::unique_ptr<StepRun> make_command_step(const DriveToolStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  const ArmIndex arm = arm_named(step.arm, binder.config());
  needs.commanded |= joints_of(binder.config().arms[arm]);
  return std::make_unique<DriveToolRun>(step, arm, binder);
}

}  // namespace jointrig::harness
