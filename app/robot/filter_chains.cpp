#include "app/robot/filter_chains.h"

#include <algorithm>
#include <utility>

namespace jointrig {
namespace {

std::vector<double> of_joints(const std::vector<double>& all, const JointSet& joints) {
  std::vector<double> own;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (joints.test(i)) own.push_back(all[i]);
  }
  return own;
}

bool is_of_commands(FilterOn on) {
  return on == FilterOn::kCommandedPosition || on == FilterOn::kCommandedVelocity ||
         on == FilterOn::kCommandedTorque || on == FilterOn::kCommandedAcceleration;
}

}  // namespace

FilterChains::Chain* FilterChains::find(FilterOn on, const JointSet& joints) {
  for (Chain& chain : chains_) {
    if (chain.on == on && chain.joints == joints) return &chain;
  }
  return nullptr;
}

void FilterChains::set(FilterOn on, const std::string& part, const JointSet& joints, bool is_robot,
                       const std::string& name, FilterPtr filter, const Values& present) {
  Chain* chain = find(on, joints);
  if (chain != nullptr) {
    chain->filters.set(name, std::move(filter), of_joints(present, joints));
    return;
  }
  Chain made{on, part, joints, is_robot, {}, std::nullopt};
  made.filters.set(name, std::move(filter), of_joints(present, joints));
  // Those of all joints stay last.
  const auto place = std::find_if(chains_.begin(), chains_.end(),
                                  [&](const Chain& other) { return other.is_robot; });
  chains_.insert(is_robot ? chains_.end() : place, std::move(made));
}

void FilterChains::remove(FilterOn on, const std::string& part, const JointSet& joints,
                          const std::string& name) {
  const std::string place = std::string(to_string(on)) + " of " + part;
  FilterList none;
  Chain* chain = find(on, joints);
  (chain != nullptr ? chain->filters : none).remove(name, place);
  std::erase_if(chains_, [](const Chain& each) { return each.filters.empty(); });
}

std::vector<std::string> FilterChains::names(FilterOn on, const JointSet& joints) const {
  for (const Chain& chain : chains_) {
    if (chain.on == on && chain.joints == joints) return chain.filters.names();
  }
  return {};
}

bool FilterChains::act_on(FilterOn on) const {
  return std::any_of(chains_.begin(), chains_.end(),
                     [on](const Chain& chain) { return chain.on == on; });
}

bool FilterChains::act_on_commands() const { return act_on_commands(JointSet().set()); }

bool FilterChains::act_on_commands(const JointSet& joints) const {
  return std::any_of(chains_.begin(), chains_.end(), [&](const Chain& chain) {
    return is_of_commands(chain.on) && (chain.joints & joints).any();
  });
}

std::vector<FilterFailure> FilterChains::pass(FilterOn on, JointSet of, Values& values,
                                              const Values& present, TimeNs time, TimeNs period,
                                              TimeNs longest) {
  std::vector<FilterFailure> failures;
  for (Chain& chain : chains_) {
    if (chain.on != on || (chain.joints & of).none()) continue;
    const bool goes_on = chain.last && time - *chain.last <= longest;
    if (!goes_on) chain.filters.begin_again();
    const TimeNs since = goes_on ? std::max(time - *chain.last, period) : period;
    chain.last = time;
    Values own;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (chain.joints.test(i)) own.push_back(of.test(i) ? values[i] : present[i]);
    }
    std::string why =
        chain.filters.step(own, of_joints(present, chain.joints), to_seconds(since),
                           std::string(to_string(on)) + " of " + chain.part, " joints");
    if (!why.empty()) {
      chain.last.reset();
      failures.push_back({chain.joints & of, std::move(why)});
      of &= ~chain.joints;
      continue;
    }
    std::size_t place = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!chain.joints.test(i)) continue;
      if (of.test(i)) values[i] = own[place];
      ++place;
    }
  }
  return failures;
}

}  // namespace jointrig
