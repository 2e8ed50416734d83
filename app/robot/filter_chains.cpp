#include "app/robot/filter_chains.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "control/core/nearest_word.h"

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

/// Empty: it fits.
std::string why_unfit(const std::vector<double>& out, std::size_t count) {
  if (out.size() != count) {
    return fmt::format("gave {} numbers for {} joints", out.size(), count);
  }
  for (const double x : out) {
    if (!std::isfinite(x)) return fmt::format("gave {}", x);
  }
  return {};
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
  if (!filter) throw std::invalid_argument("filter \"" + name + "\" is empty: give one");
  filter->start(of_joints(present, joints));
  Chain* chain = find(on, joints);
  if (chain == nullptr) {
    // Those of all joints stay last.
    const auto place = std::find_if(chains_.begin(), chains_.end(),
                                    [&](const Chain& other) { return other.is_robot; });
    chain = &*chains_.insert(is_robot ? chains_.end() : place,
                             {on, part, joints, is_robot, {}, std::nullopt});
  }
  for (Named& named : chain->filters) {
    if (named.name != name) continue;
    named = {name, std::move(filter)};
    return;
  }
  chain->filters.push_back({name, std::move(filter)});
}

void FilterChains::remove(FilterOn on, const std::string& part, const JointSet& joints,
                          const std::string& name) {
  Chain* chain = find(on, joints);
  const std::size_t removed =
      chain == nullptr
          ? 0
          : std::erase_if(chain->filters, [&](const Named& named) { return named.name == name; });
  if (removed == 0) {
    throw std::invalid_argument("there is no filter \"" + name + "\" on " +
                                std::string(to_string(on)) + " of " + part +
                                did_you_mean(name, names(on, joints)));
  }
  std::erase_if(chains_, [](const Chain& each) { return each.filters.empty(); });
}

std::vector<std::string> FilterChains::names(FilterOn on, const JointSet& joints) const {
  std::vector<std::string> names;
  for (const Chain& chain : chains_) {
    if (chain.on != on || chain.joints != joints) continue;
    for (const Named& named : chain.filters) names.push_back(named.name);
  }
  return names;
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

/// @return  why a filter failed; empty: none did
std::string FilterChains::step(Chain& chain, Values& own, const Values& present, double dt) {
  for (Named& named : chain.filters) {
    std::string why;
    try {
      if (!named.has_started) named.filter->start(present);
      named.has_started = true;
      Values out = named.filter->next(own, dt);
      why = why_unfit(out, own.size());
      own = std::move(out);
    } catch (const std::exception& error) {
      why = std::string("failed: ") + error.what();
    } catch (...) {
      why = "failed";
    }
    if (why.empty()) continue;
    named.has_started = false;
    return "filter \"" + named.name + "\" on " + std::string(to_string(chain.on)) + " of " +
           chain.part + " " + why;
  }
  return {};
}

std::vector<FilterFailure> FilterChains::pass(FilterOn on, JointSet of, Values& values,
                                              const Values& present, TimeNs time, TimeNs period,
                                              TimeNs longest) {
  std::vector<FilterFailure> failures;
  for (Chain& chain : chains_) {
    if (chain.on != on || (chain.joints & of).none()) continue;
    const bool goes_on = chain.last && time - *chain.last <= longest;
    if (!goes_on) {
      for (Named& named : chain.filters) named.has_started = false;
    }
    const TimeNs since = goes_on ? std::max(time - *chain.last, period) : period;
    chain.last = time;
    Values own;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (chain.joints.test(i)) own.push_back(of.test(i) ? values[i] : present[i]);
    }
    std::string why = step(chain, own, of_joints(present, chain.joints), to_seconds(since));
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
