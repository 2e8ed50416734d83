#include "harness/runner/binder.h"

#include <algorithm>

#include "control/core/nearest_word.h"
#include "control/exchange/robot_client.h"
#include "control/planning/kinematic_tree.h"
#include "harness/config/units.h"

namespace jointrig::harness {
namespace {

// The place of a character inside a scalar: one further in a quoted scalar.
SourceSpot inside(const Text& text, std::size_t column) {
  SourceSpot spot = text.spot;
  if (spot.source == nullptr || spot.line < 1 ||
      static_cast<std::size_t>(spot.line) > spot.source->lines.size()) {
    return spot;
  }
  const std::string& line = spot.source->lines[static_cast<std::size_t>(spot.line) - 1];
  // Columns count characters, not bytes.
  std::size_t byte = 0;
  for (int character = 1; byte < line.size(); ++byte) {
    if ((static_cast<unsigned char>(line[byte]) & 0xC0U) == 0x80U) continue;
    if (character++ == spot.column) break;
  }
  const bool quoted = byte < line.size() && (line[byte] == '"' || line[byte] == '\'');
  const std::size_t begin = byte + (quoted ? 1 : 0);
  // A text made from parameters, or over several lines, is not found as it is.
  if (line.compare(std::min(begin, line.size()), text.text.size(), text.text) != 0) return spot;
  spot.column += static_cast<int>(column) + (quoted ? 1 : 0);
  return spot;
}

std::string_view unit_of_joint(const JointConfig& joint, std::string_view units) {
  const std::size_t bar = units.find('|');
  if (bar == std::string_view::npos) return units;
  return joint.slide ? units.substr(bar + 1) : units.substr(0, bar);
}

template <typename Find>
auto at_place(const Text& text, Find find) {
  try {
    return find();
  } catch (const std::invalid_argument& error) {
    throw FileError(text.spot, error.what());
  }
}

}  // namespace

JointSet Binder::joints(const Text& name) const {
  return at_place(name, [&] { return joints_named(*config_, name.text); });
}

JointSet Binder::joints(const std::vector<Text>& names) const {
  JointSet set;
  for (const Text& name : names) set |= joints(name);
  return set;
}

JointIndex Binder::joint(const Text& name) const {
  return at_place(name, [&] { return joint_named(*config_, name.text); });
}

Expression Binder::expression(const Text& text, JointIndex each) const {
  try {
    return Expression(text.text, *signals_, each);
  } catch (const ExpressionError& error) {
    const SourceSpot spot = inside(text, error.column());
    if (error.needs_truth()) throw TruthMissing(spot, error.what());
    throw FileError(spot, error.what());
  }
}

BoundValue Binder::value(const Text& text, JointIndex joint, std::string_view units) const {
  return value_in(text, joint, std::string(unit_of_joint(config_->joints[joint], units)));
}

LawIndex Binder::law(const Text& name) const {
  return at_place(name, [&] { return law_named(*config_, name.text); });
}

GripperIndex Binder::gripper(const Text& name) const {
  return at_place(name, [&] { return gripper_named(*config_, name.text); });
}

std::vector<std::pair<std::uint8_t, BoundValue>> Binder::law_parameters(
    LawIndex law, const std::vector<Target>& targets) const {
  const LawConfig& config = config_->laws[law];
  std::vector<std::pair<std::uint8_t, BoundValue>> bound;
  for (const Target& target : targets) {
    const std::uint8_t index =
        at_place(target.name, [&] { return parameter_named(config, target.name.text); });
    std::string unit = config.parameters[index].unit;
    try {
      static_cast<void>(dimension_of(unit.empty() ? "1" : unit));
    } catch (const UnitError&) {
      unit.clear();  // a unit that files don't know: a plain number
    }
    bound.emplace_back(index, value_in(target.value, kNoJoint, unit.empty() ? "1" : unit));
  }
  return bound;
}

BoundValue Binder::value_in(const Text& text, JointIndex joint, const std::string& unit) const {
  std::optional<Quantity> found;
  try {
    found = parse_quantity(text.text);
  } catch (const UnitError&) {
    // Then it is an expression, and its own errors explain more.
  }
  if (found) {
    const YamlNode node(YamlNode::Kind::kString, text.text, text.spot);
    return BoundValue(quantity(node, unit));
  }
  Expression computed = expression(text, joint);
  if (!fits(computed.measure(), measure_of_unit(unit))) {
    throw FileError(text.spot, "expected " + to_string(dimension_of(unit)) + ", got " +
                                   to_string(computed.measure().dimension));
  }
  if (const auto fixed = computed.constant()) return BoundValue(*fixed);
  return BoundValue(std::move(computed));
}

std::vector<BoundTarget> Binder::targets(const std::vector<Target>& targets,
                                         std::string_view units) const {
  std::vector<BoundTarget> bound;
  JointSet met;
  for (const Target& target : targets) {
    const JointSet set = joints(target.name);
    if ((met & set).any()) {
      for (std::size_t i = 0; i < config_->joints.size(); ++i) {
        if (!met.test(i) || !set.test(i)) continue;
        throw FileError(target.name.spot,
                        "joint \"" + config_->joints[i].name + "\" is given a value twice");
      }
    }
    met |= set;
    for (std::size_t i = 0; i < config_->joints.size(); ++i) {
      if (!set.test(i)) continue;
      const auto index = static_cast<JointIndex>(i);
      bound.push_back({index, value(target.value, index, units)});
    }
  }
  std::sort(bound.begin(), bound.end(),
            [](const BoundTarget& a, const BoundTarget& b) { return a.joint < b.joint; });
  return bound;
}

std::vector<BoundValue> Binder::values(const std::optional<EachValue>& given,
                                       const JointSet& joints, std::string_view units,
                                       double otherwise) const {
  const bool has_own = given && !given->by_joint.empty();
  std::vector<BoundTarget> own;
  if (has_own) own = targets(given->by_joint, units);
  for (const BoundTarget& target : own) {
    if (joints.test(target.joint)) continue;
    throw FileError(given->by_joint.front().name.spot,
                    "joint \"" + config_->joints[target.joint].name +
                        "\" has a value here, but the step doesn't name it");
  }
  std::vector<BoundValue> bound;
  std::size_t next = 0;
  for (std::size_t i = 0; i < config_->joints.size(); ++i) {
    if (!joints.test(i)) continue;
    const auto joint = static_cast<JointIndex>(i);
    if (given && !has_own) {
      bound.push_back(value(given->all, joint, units));
    } else if (next < own.size() && own[next].joint == joint) {
      bound.push_back(std::move(own[next++].value));
    } else {
      bound.emplace_back(otherwise);
    }
  }
  return bound;
}

std::vector<JointIndex> Binder::each_of(const Text& expression,
                                        const std::vector<Text>& joints_named_there) const {
  std::vector<JointIndex> indices;
  const bool has_each = mentions_each(expression.text);
  if (!has_each && !joints_named_there.empty()) {
    throw FileError(joints_named_there.front().spot,
                    "\"joints\" replace \"each\", which the expression lacks");
  }
  if (!has_each) return indices;
  const bool all = joints_named_there.empty();
  const JointSet set = all ? joints_named(*config_, "all") : joints(joints_named_there);
  for (std::size_t i = 0; i < config_->joints.size(); ++i) {
    if (set.test(i)) indices.push_back(static_cast<JointIndex>(i));
  }
  return indices;
}

// An error for one joint of several names that joint.
Expression Binder::of_each(const Condition& condition, JointIndex joint) const {
  try {
    return expression(*condition.expression, joint);
  } catch (const TruthMissing&) {
    throw;
  } catch (const FileError& error) {
    throw FileError(error.problems().front().spot,
                    error.sentence() + ", where each is " + config_->joints[joint].name);
  }
}

std::vector<BoundCondition> Binder::condition(const Condition& condition) const {
  std::vector<BoundCondition> bound;
  if (condition.expression) {
    const auto joints_meant = each_of(*condition.expression, condition.joints);
    for (const JointIndex joint : joints_meant) {
      bound.push_back({config_->joints[joint].name, of_each(condition, joint)});
    }
    if (joints_meant.empty()) bound.push_back({"", expression(*condition.expression)});
    for (const BoundCondition& one : bound) {
      for (const SignalBound& line : one.expression.bounds()) bounds_->push_back(line);
    }
    return bound;
  }
  for (const Target& target : condition.modes) {
    const JointSet set = joints(target.name);
    for (std::size_t i = 0; i < config_->joints.size(); ++i) {
      if (!set.test(i)) continue;
      const std::string& name = config_->joints[i].name;
      const Text text{quoted_where_odd(name) + ".mode == " + target.value.text, target.name.spot};
      bound.push_back({name, expression(text)});
    }
  }
  return bound;
}

EventPattern Binder::event(const Text& text) const {
  return at_place(text, [&] { return EventPattern(text.text, *config_); });
}

std::size_t Binder::mark(const Text& name) const {
  const auto number = signals_->find_mark(name.text);
  if (!number) {
    throw FileError(name.spot, "no mark or step \"" + name.text + "\"" +
                                   did_you_mean(name.text, signals_->marks()));
  }
  return *number;
}

BoundMoment Binder::moment(const Moment& moment) const {
  if (!moment.mark) return {to_ns(moment.time), std::nullopt};
  return {0, mark(*moment.mark)};
}

const KinematicTree& Binder::tree() const {
  if (tree_ == nullptr) tree_ = std::make_shared<const KinematicTree>(*config_);
  return *tree_;
}

std::shared_ptr<PathCollision> Binder::collisions() const {
  if (collisions_ == nullptr && !config_->model_path.empty()) {
    collisions_ = std::make_shared<PathCollision>(*config_);
  }
  return collisions_;
}

}  // namespace jointrig::harness
