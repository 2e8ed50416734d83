#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/robot/filter_list.h"
#include "control/core/types.h"

namespace jointrig {

/// A filter that failed.
struct FilterFailure {
  JointSet joints;       ///< of its part
  std::string sentence;  ///< with the part's, the quantity's and the filter's name
};

/// The filters of a robot, by quantity and part, in the order in which they act (filters.h).
class FilterChains {
 public:
  using Values = std::vector<double>;

  /// Adds a filter, in the place of one of this name. Throws std::invalid_argument.
  /// @param present  of all joints of the robot
  void set(FilterOn on, const std::string& part, const JointSet& joints, bool is_robot,
           const std::string& name, FilterPtr filter, const Values& present);
  /// Throws std::invalid_argument: there is no such filter.
  void remove(FilterOn on, const std::string& part, const JointSet& joints,
              const std::string& name);
  [[nodiscard]] std::vector<std::string> names(FilterOn on, const JointSet& joints) const;

  [[nodiscard]] bool act_on(FilterOn on) const;
  /// True if there is a filter on anything that is commanded.
  [[nodiscard]] bool act_on_commands() const;
  /// Likewise of any of these joints.
  [[nodiscard]] bool act_on_commands(const JointSet& joints) const;

  /// Once a step for a quantity: passes values of all joints through the filters that act on any of
  /// `of`.
  /// @param values   those that aren't in `of` stay as they are; in a filter of more joints they
  ///                 stand at `present`
  /// @param present  where filters begin that weren't used for `longest`
  /// @return  filters that failed: the values of their joints are not to be used
  [[nodiscard]] std::vector<FilterFailure> pass(FilterOn on, JointSet of, Values& values,
                                                const Values& present, TimeNs time, TimeNs period,
                                                TimeNs longest);

 private:
  struct Chain {
    FilterOn on{};
    std::string part;
    JointSet joints;
    bool is_robot = false;
    FilterList filters;
    std::optional<TimeNs> last{};  ///< step
  };
  [[nodiscard]] Chain* find(FilterOn on, const JointSet& joints);

  std::vector<Chain> chains_;  ///< in the order in which they act
};

}  // namespace jointrig
