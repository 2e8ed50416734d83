#include <algorithm>
#include <stdexcept>
#include <utility>

#include "app/rig/backend_kit.h"
#include "app/rig/joined_backend.h"
#include "sim/board/state_hash.h"

namespace jointrig::app {
namespace {

/// The plant's joints of other backends.
class PlantLeader final : public LedJoints {
 public:
  explicit PlantLeader(sim::Plant& plant) noexcept : plant_(&plant) {}
  void lead(std::size_t joint, const JointState& sample) noexcept override {
    plant_->lead(joint, sample.q, sample.v);
  }

 private:
  sim::Plant* plant_;
};

/// By the joints that a part's backend describes: all of the robot's, or on buses its own alone.
std::vector<JointIndex> joints_of(const BackendPart& part, std::size_t described,
                                  std::size_t joints) {
  std::vector<JointIndex> own;
  for (std::size_t i = 0; i < joints; ++i) {
    if (part.joints.test(i)) {
      own.push_back(static_cast<JointIndex>(i));
    } else if (described == joints) {
      own.push_back(kNoJoint);
    }
  }
  return own;
}

/// A robot whose parts have backends of their own: a kit for each, joined.
class JoinedKit final : public BackendKit {
 public:
  JoinedKit(const RobotConfig& robot, const RigOptions& options,
            const std::vector<BackendPart>& parts)
      : BackendKit(robot) {
    if (const std::string why = why_not_together(parts); !why.empty()) {
      throw std::invalid_argument("robot " + robot.name + ": " + why);
    }
    std::vector<JoinedPart> joined;
    for (const BackendPart& part : parts) joined.push_back(make_part(part, options));
    backend_ = std::make_unique<JoinedBackend>(robot.period_ns, robot.joints.size(),
                                               std::move(joined), options.pacer);
  }

  [[nodiscard]] Backend& backend() noexcept override { return *backend_; }
  [[nodiscard]] std::uint64_t hash() const noexcept override {
    sim::StateHash hash;
    for (const auto& kit : kits_) hash.add(kit->hash());
    return hash.value();
  }
  [[nodiscard]] std::any save() const override {
    Saved saved{backend_->save(), {}};
    for (const auto& kit : kits_) {
      if (!saved.parts.emplace_back(kit->save()).has_value()) return {};
    }
    return saved;
  }
  void restore(const std::any& state) override {
    const auto& saved = std::any_cast<const Saved&>(state);
    backend_->restore(saved.joined);
    for (std::size_t i = 0; i < kits_.size(); ++i) kits_[i]->restore(saved.parts[i]);
  }

  [[nodiscard]] sim::SimBackend* sim() noexcept override {
    const auto kit = first([](const auto& one) { return one->sim() != nullptr; });
    return kit != nullptr ? kit->sim() : nullptr;
  }
  [[nodiscard]] sim::Plant* plant() noexcept override {
    BackendKit* const kit = physics();
    return kit != nullptr ? kit->plant() : nullptr;
  }
  [[nodiscard]] std::span<sim::SimBoard> boards() noexcept override {
    BackendKit* const kit = physics();
    return kit != nullptr ? kit->boards() : std::span<sim::SimBoard>{};
  }
  [[nodiscard]] sim::SimSensors* sensors() noexcept override {
    BackendKit* const kit = physics();
    return kit != nullptr ? kit->sensors() : nullptr;
  }
  [[nodiscard]] const RobotConfig& simulated_robot() const noexcept override {
    const BackendKit* const kit = physics();
    return kit != nullptr ? kit->simulated_robot() : robot();
  }
  [[nodiscard]] std::unique_ptr<harness::World> make_world() override {
    for (const auto& kit : kits_) {
      if (auto world = kit->make_world()) return world;
    }
    return nullptr;
  }
  [[nodiscard]] bool has_dynamics() const noexcept override {
    return any([](const auto& kit) { return kit->has_dynamics(); });
  }
  [[nodiscard]] bool is_on_buses() const noexcept override {
    return any([](const auto& kit) { return kit->is_on_buses(); });
  }
  [[nodiscard]] bool is_on_real_drives() const noexcept override {
    return any([](const auto& kit) { return kit->is_on_real_drives(); });
  }
  [[nodiscard]] bool keeps_the_boards_time() const noexcept override {
    return any([](const auto& kit) { return kit->keeps_the_boards_time(); });
  }
  [[nodiscard]] std::string note_on_boards() const override {
    std::string notes;
    for (const auto& kit : kits_) notes += kit->note_on_boards();
    return notes;
  }
  [[nodiscard]] std::string why_ended() const override {
    const std::optional<std::size_t> part = backend_->ended_by();
    if (!part) return BackendKit::why_ended();
    return std::string(to_string(configs_[*part]->backend)) + ": " + kits_[*part]->why_ended();
  }

 private:
  struct Saved {
    JoinedBackend::State joined;
    std::vector<std::any> parts;
  };

  JoinedPart make_part(const BackendPart& part, RigOptions options) {
    const bool keeps_time = jointrig::is_on_buses(part.kind);
    if (!keeps_time) options.pacer = nullptr;  // the joined backend has the clock
    configs_.push_back(std::make_unique<RobotConfig>(part_of(robot(), part)));
    BackendKit& kit = *kits_.emplace_back(type_of(part.kind).make(*configs_.back(), options));
    JoinedPart made{.name = std::string(to_string(part.kind)), .backend = &kit.backend()};
    made.keeps_time = keeps_time;
    const std::size_t described = kit.backend().description().joints.size();
    made.joints = joints_of(part, described, robot().joints.size());
    if (kit.plant() != nullptr) {
      made.led = leaders_.emplace_back(std::make_unique<PlantLeader>(*kit.plant())).get();
    }
    return made;
  }

  template <typename Is>
  [[nodiscard]] BackendKit* first(Is is) const noexcept {
    const auto kit = std::find_if(kits_.begin(), kits_.end(), is);
    return kit != kits_.end() ? kit->get() : nullptr;
  }
  template <typename Is>
  [[nodiscard]] bool any(Is is) const noexcept {
    return first(is) != nullptr;
  }
  /// The physics that is judged: that of the first part which has one in this program.
  [[nodiscard]] BackendKit* physics() const noexcept {
    return first([](const auto& kit) { return kit->plant() != nullptr; });
  }

  std::vector<std::unique_ptr<RobotConfig>> configs_;  ///< outlive the kits
  std::vector<std::unique_ptr<BackendKit>> kits_;
  std::vector<std::unique_ptr<PlantLeader>> leaders_;
  std::unique_ptr<JoinedBackend> backend_;
};

}  // namespace

std::unique_ptr<BackendKit> make_kit(const RobotConfig& robot, const RigOptions& options) {
  const std::vector<BackendPart> parts = backend_parts(robot);
  const bool is_one = parts.size() == 1 && parts.front().cycle_ns == robot.period_ns;
  if (is_one) return type_of(parts.front().kind).make(robot, options);
  return std::make_unique<JoinedKit>(robot, options, parts);
}

}  // namespace jointrig::app
