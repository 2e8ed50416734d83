#include "app/robot/sensor_filters.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "control/core/nearest_word.h"

namespace jointrig {
namespace {

std::string why_no_reading(const SensorFilters::Values& out, std::size_t count) {
  if (out.size() != count) return fmt::format("gave {} numbers for {}", out.size(), count);
  for (const double x : out) {
    if (!std::isfinite(x)) return fmt::format("gave {}", x);
  }
  return {};
}

}  // namespace

SensorFilters::Site* SensorFilters::find(std::string_view site) {
  const auto found = std::find_if(sites_.begin(), sites_.end(),
                                  [site](const Site& each) { return each.name == site; });
  return found == sites_.end() ? nullptr : &*found;
}

void SensorFilters::set(std::string_view site, const std::string& name, FilterPtr filter,
                        const Values& present) {
  if (!filter) throw std::invalid_argument("filter \"" + name + "\" is empty: give one");
  filter->start(present);
  Site* its = find(site);
  if (its == nullptr) its = &sites_.emplace_back(Site{.name = std::string(site)});
  for (Site::Named& named : its->filters) {
    if (named.name != name) continue;
    named.filter = std::move(filter);
    return;
  }
  its->filters.push_back({name, std::move(filter)});
}

void SensorFilters::remove(std::string_view site, const std::string& name) {
  Site* its = find(site);
  const std::size_t removed =
      its == nullptr
          ? 0
          : std::erase_if(its->filters, [&](const auto& each) { return each.name == name; });
  if (removed == 0) {
    throw std::invalid_argument("there is no filter \"" + name + "\" on sensor " +
                                std::string(site) + did_you_mean(name, names(site)));
  }
  std::erase_if(sites_, [](const Site& each) { return each.filters.empty(); });
}

std::vector<std::string> SensorFilters::names(std::string_view site) const {
  std::vector<std::string> names;
  for (const Site& each : sites_) {
    if (each.name != site) continue;
    for (const Site::Named& named : each.filters) names.push_back(named.name);
  }
  return names;
}

const SensorFilters::Values* SensorFilters::filtered(std::string_view site) const {
  for (const Site& each : sites_) {
    if (each.name == site && !each.out.empty()) return &each.out;
  }
  return nullptr;
}

std::string SensorFilters::pass(Site& site, const Values& own, double dt) {
  Values now = own;
  const bool begins = site.out.empty();
  for (Site::Named& named : site.filters) {
    std::string why;
    try {
      if (begins) named.filter->start(now);
      Values out = named.filter->next(now, dt);
      why = why_no_reading(out, own.size());
      now = std::move(out);
    } catch (const std::exception& error) {
      why = std::string("failed: ") + error.what();
    } catch (...) {
      why = "failed";
    }
    if (why.empty()) continue;
    site.out.clear();
    return fmt::format("filter \"{}\" on sensor {} {}", named.name, site.name, why);
  }
  site.out = std::move(now);
  return {};
}

}  // namespace jointrig
