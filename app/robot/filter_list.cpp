#include "app/robot/filter_list.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "control/core/nearest_word.h"

namespace jointrig {
namespace {

/// Empty: it fits.
std::string why_unfit(const Filter::Vector& out, std::size_t count, std::string_view of) {
  if (out.size() != count) return fmt::format("gave {} numbers for {}{}", out.size(), count, of);
  for (const double x : out) {
    if (!std::isfinite(x)) return fmt::format("gave {}", x);
  }
  return {};
}

}  // namespace

void FilterList::set(const std::string& name, FilterPtr filter, const Values& present) {
  if (!filter) throw std::invalid_argument("filter \"" + name + "\" is empty: give one");
  filter->start(present);
  for (Named& named : filters_) {
    if (named.name != name) continue;
    named = {name, std::move(filter)};
    return;
  }
  filters_.push_back({name, std::move(filter)});
}

void FilterList::remove(const std::string& name, const std::string& on) {
  if (std::erase_if(filters_, [&](const Named& named) { return named.name == name; }) > 0) return;
  throw std::invalid_argument("there is no filter \"" + name + "\" on " + on +
                              did_you_mean(name, names()));
}

std::vector<std::string> FilterList::names() const {
  std::vector<std::string> names;
  for (const Named& named : filters_) names.push_back(named.name);
  return names;
}

void FilterList::begin_again() noexcept {
  for (Named& named : filters_) named.has_started = false;
}

std::string FilterList::step(Values& values, const Values& present, double dt,
                             const std::string& on, std::string_view of) {
  for (Named& named : filters_) {
    std::string why;
    try {
      if (!named.has_started) named.filter->start(present);
      named.has_started = true;
      Values out = named.filter->next(values, dt);
      why = why_unfit(out, values.size(), of);
      values = std::move(out);
    } catch (const std::exception& error) {
      why = std::string("failed: ") + error.what();
    } catch (...) {
      why = "failed";
    }
    if (why.empty()) continue;
    named.has_started = false;
    return fmt::format("filter \"{}\" on {} {}", named.name, on, why);
  }
  return {};
}

}  // namespace jointrig
