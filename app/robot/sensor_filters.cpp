#include "app/robot/sensor_filters.h"

#include <algorithm>
#include <utility>

namespace jointrig {

SensorFilters::Site* SensorFilters::find(std::string_view site) {
  const auto found = std::find_if(sites_.begin(), sites_.end(),
                                  [site](const Site& each) { return each.name == site; });
  return found == sites_.end() ? nullptr : &*found;
}

void SensorFilters::set(std::string_view site, const std::string& name, FilterPtr filter,
                        const Values& present) {
  if (Site* its = find(site)) {
    its->filters.set(name, std::move(filter), present);
    return;
  }
  Site made{.name = std::string(site)};
  made.filters.set(name, std::move(filter), present);
  sites_.push_back(std::move(made));
}

void SensorFilters::remove(std::string_view site, const std::string& name) {
  const std::string place = "sensor " + std::string(site);
  FilterList none;
  Site* its = find(site);
  (its != nullptr ? its->filters : none).remove(name, place);
  std::erase_if(sites_, [](const Site& each) { return each.filters.empty(); });
}

std::vector<std::string> SensorFilters::names(std::string_view site) const {
  for (const Site& each : sites_) {
    if (each.name == site) return each.filters.names();
  }
  return {};
}

const SensorFilters::Values* SensorFilters::filtered(std::string_view site) const {
  for (const Site& each : sites_) {
    if (each.name == site && !each.out.empty()) return &each.out;
  }
  return nullptr;
}

std::string SensorFilters::pass(Site& site, const Values& own, double dt) {
  if (site.out.empty()) site.filters.begin_again();
  Values now = own;
  std::string why = site.filters.step(now, own, dt, "sensor " + site.name);
  site.out = why.empty() ? std::move(now) : Values{};
  return why;
}

}  // namespace jointrig
