#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/robot/filters.h"

namespace jointrig {

/// Filters on one quantity, each with its name, in the order in which they were added.
class FilterList {
 public:
  using Values = Filter::Vector;

  /// Adds a filter that starts from `present`, in the place of one of this name. Throws
  /// std::invalid_argument: there is no filter to add.
  void set(const std::string& name, FilterPtr filter, const Values& present);
  /// @param on  what the list acts on, for the sentence
  /// Throws std::invalid_argument: there is no such filter.
  void remove(const std::string& name, const std::string& on);
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] bool empty() const noexcept { return filters_.empty(); }

  /// Each starts anew with the next step.
  void begin_again() noexcept;

  /// One step of all, each with what the one before it gave.
  /// @param present  from where a filter starts that hasn't yet
  /// @param of       the numbers' owners, for the sentence, as in " joints"
  /// @return  why a filter failed, after which it starts anew; empty: none did
  std::string step(Values& values, const Values& present, double dt, const std::string& on,
                   std::string_view of = {});

 private:
  struct Named {
    std::string name;
    FilterPtr filter;
    bool has_started = false;
  };
  std::vector<Named> filters_;
};

}  // namespace jointrig
