#include "app/run/truth_log.h"

#include <algorithm>
#include <array>

namespace jointrig::app {
namespace {

struct Family {
  std::string_view prefix;
  harness::LoggedTruth::Kind kind;
  std::array<std::string_view, 3> fields;
};
constexpr auto kFamilies = std::to_array<Family>({
    {"truth.", harness::LoggedTruth::Kind::kJoint, {"q", "v", "tau"}},
    {"body.", harness::LoggedTruth::Kind::kPoint, {"x", "y", "z"}},
    {"site.", harness::LoggedTruth::Kind::kPoint, {"x", "y", "z"}},
    {"contact.", harness::LoggedTruth::Kind::kContact, {"force", "", ""}},
});

bool slides(const RobotConfig& config, std::string_view name) {
  return std::any_of(config.joints.begin(), config.joints.end(),
                     [&](const JointConfig& joint) { return joint.slide && joint.name == name; });
}

}  // namespace

TruthLog::TruthLog(const std::vector<std::string>& names, const RobotConfig& config,
                   harness::World& world)
    : world_(&world) {
  for (const std::string& name : names) add(name, config);
}

void TruthLog::add(const std::string& name, const RobotConfig& config) {
  for (const Family& family : kFamilies) {
    if (!name.starts_with(family.prefix)) continue;
    const std::size_t begin = family.prefix.size();
    const std::string of = name.substr(begin, name.rfind('.') - begin);
    harness::LoggedTruth channel{family.kind,
                                 "/" + std::string(family.prefix.substr(0, begin - 1)) + "/" + of,
                                 slides(config, of)};
    const bool known = std::any_of(channels_.begin(), channels_.end(),
                                   [&](const auto& other) { return other.topic == channel.topic; });
    if (known) return;
    for (std::size_t i = 0; i < channel.values(); ++i) {
      const std::string field(family.fields[i]);
      handles_.push_back(world_->find_truth(name.substr(0, name.rfind('.') + 1) + field).value());
    }
    channels_.push_back(std::move(channel));
    return;
  }
}

void TruthLog::read(std::span<double> values) const noexcept {
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = world_->truth(handles_[i]);
}

}  // namespace jointrig::app
