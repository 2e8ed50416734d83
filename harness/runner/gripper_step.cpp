#include "harness/runner/gripper_step.h"

#include <algorithm>
#include <array>
#include <string>

#include "harness/log/event_text.h"
#include "harness/runner/command_run.h"
#include "harness/runner/command_steps.h"
#include "harness/runner/step_reader.h"

namespace jointrig::harness {
namespace {

struct Act {
  std::string_view word;
  CommandKind kind;
  GripperChange end;
};
constexpr auto kActs = std::to_array<Act>({
    {"open", CommandKind::kOpenGripper, GripperChange::kOpened},
    {"close", CommandKind::kCloseGripper, GripperChange::kClosed},
    {"move", CommandKind::kMoveGripper, GripperChange::kReached},
    {"grasp", CommandKind::kGrasp, GripperChange::kGrasped},
});

const Act& act_of(CommandKind kind) {
  return *std::find_if(kActs.begin(), kActs.end(),
                       [kind](const Act& act) { return act.kind == kind; });
}

/// True if the command has a use for the key.
bool takes(CommandKind kind, std::string_view key) {
  if (key == "width") return kind == CommandKind::kMoveGripper || kind == CommandKind::kGrasp;
  return kind == (key == "share" ? CommandKind::kMoveGripper : CommandKind::kGrasp);
}

/// Ends when the gripper has done what it was asked for, and fails when it has not.
class GripperRun final : public CommandRun {
 public:
  GripperRun(const GripperStep& step, const Binder& binder)
      : CommandRun(step.wait, step.timeout),
        command_(step, binder),
        end_(step.becomes.value_or(act_of(step.kind).end)) {}

  void begin(StepScene& scene) override {
    CommandRun::begin(scene);
    last_.reset();
  }

  StepProgress poll(StepScene& scene) override {
    const StepProgress progress = CommandRun::poll(scene);
    const bool has_ended = last_ && static_cast<GripperChange>(last_->detail) != end_;
    if (progress != StepProgress::kRunning || !has_ended) return progress;
    return fail("gripper " + std::string(to_string(end_)), sentence(*last_, *scene.config, {}));
  }

 private:
  Command command(std::size_t /*i*/, const StepScene& scene) const override {
    return make_command(command_.make(), scene.now());
  }

  bool arrived(const StepScene& scene) override {
    const bool is_taken_now =
        std::any_of(scene.events.begin(), scene.events.end(), [&](const Event& event) {
          return event.kind == EventKind::kAccepted && event.gripper == command_.gripper();
        });
    for (const Event& event : scene.events) {
      if (event.kind != EventKind::kGripper || event.gripper != command_.gripper()) continue;
      // The end of what it did before is told in the cycle that takes the command.
      const bool is_old = static_cast<GripperChange>(event.detail) == GripperChange::kStopped;
      if (!is_taken_now || !is_old) last_ = event;
    }
    return last_ && static_cast<GripperChange>(last_->detail) == end_;
  }

  StepProgress fail_late(const StepScene& scene) override {
    const GripperSnapshot& now = scene.snapshot->grippers[command_.gripper()];
    return fail("gripper " + std::string(to_string(end_)) + in_timeout(),
                "it is " + std::string(to_string(now.state)));
  }

  BoundGripper command_;
  GripperChange end_;
  std::optional<Event> last_;
};

}  // namespace

GripperStep read_gripper(const YamlNode& node) {
  GripperStep step;
  const std::string word = node.at("do").text();  // the schema has checked it
  step.kind = std::find_if(kActs.begin(), kActs.end(), [&](const Act& act) {
                return act.word == word;
              })->kind;
  const auto text = [&](std::string_view key) -> std::optional<Text> {
    const YamlNode* value = node.find(key);
    if (value == nullptr) return std::nullopt;
    if (!takes(step.kind, key)) {
      throw FileError(node.key_spot(key), "a gripper that is to " + word + " has no use for \"" +
                                              std::string(key) + "\"");
    }
    return read_text(*value);
  };
  if (const YamlNode* name = node.find("gripper")) step.gripper = read_text(*name);
  step.width = text("width");
  step.share = text("share");
  step.force = text("force");
  step.epsilon_inner = text("epsilon_inner");
  step.epsilon_outer = text("epsilon_outer");
  if (const YamlNode* speed = node.find("speed")) step.speed = read_text(*speed);
  if (step.kind == CommandKind::kMoveGripper && step.width.has_value() == step.share.has_value()) {
    throw node.error("a gripper moves to an opening: give one of \"width\", \"share\"");
  }
  if (const YamlNode* becomes = node.find("becomes")) {
    parse(becomes->text(), step.becomes.emplace());
  }
  if (const YamlNode* wait = node.find("wait")) step.wait = wait->boolean();
  step.timeout = read_seconds(node, "timeout", step.timeout);
  return step;
}

BoundGripper::BoundGripper(const GripperStep& step, const Binder& binder)
    : kind_(step.kind), gripper_(binder.gripper(step.gripper)) {
  const auto bind = [&](const std::optional<Text>& text, std::string_view unit) -> Value {
    if (!text) return std::nullopt;
    return binder.value(*text, 0, unit);
  };
  width_ = bind(step.width, "m");
  share_ = bind(step.share, "1");
  force_ = bind(step.force, "N");
  speed_ = bind(step.speed, "m/s");
  inner_ = bind(step.epsilon_inner, "m");
  outer_ = bind(step.epsilon_outer, "m");
}

Request BoundGripper::make() const {
  const double speed = number(speed_, 0.0);
  switch (kind_) {
    case CommandKind::kOpenGripper:
      return OpenGripper{gripper_, speed};
    case CommandKind::kCloseGripper:
      return CloseGripper{gripper_, speed};
    case CommandKind::kMoveGripper:
      return MoveGripper{gripper_, number(share_ ? share_ : width_, 0.0),
                         share_ ? OpeningScale::kShare : OpeningScale::kWidth, speed};
    default:
      break;
  }
  const Grasp own;
  return Grasp{gripper_,
               number(force_, own.force),
               speed,
               number(width_, own.width),
               number(inner_, own.epsilon_inner),
               number(outer_, own.epsilon_outer)};
}

std::unique_ptr<StepRun> make_command_step(const GripperStep& step, const Binder& binder,
                                           StepNeeds& needs) {
  needs.commanded |= joints_of(binder.config().grippers[binder.gripper(step.gripper)]);
  return std::make_unique<GripperRun>(step, binder);
}

}  // namespace jointrig::harness
