#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/robot/filter_list.h"

namespace jointrig {

/// Filters of a program on force/torque sensors and IMUs, by site, in the order in which they were
/// added. Each passes the six numbers of a reading: linear, then angular.
class SensorFilters {
 public:
  using Values = Filter::Vector;

  /// Adds a filter, in the place of one of this name. Throws std::invalid_argument.
  void set(std::string_view site, const std::string& name, FilterPtr filter, const Values& present);
  /// Throws std::invalid_argument: there is no such filter.
  void remove(std::string_view site, const std::string& name);
  [[nodiscard]] std::vector<std::string> names(std::string_view site) const;

  struct Site {
    std::string name;
    Values out{};  ///< behind all filters; empty: the sensor's own count, since one failed
    FilterList filters{};
  };
  /// Sites with filters.
  [[nodiscard]] std::vector<Site>& sites() noexcept { return sites_; }
  /// Null: no filter acts on this sensor, or one has failed.
  [[nodiscard]] const Values* filtered(std::string_view site) const;

  /// One step of a site's filters. After a failure each begins anew with the next step.
  /// @return  a sentence with the filter's name if one failed; empty: none did
  static std::string pass(Site& site, const Values& own, double dt);

 private:
  [[nodiscard]] Site* find(std::string_view site);
  std::vector<Site> sites_;
};

}  // namespace jointrig
