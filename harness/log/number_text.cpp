#include "harness/log/number_text.h"

#include "control/core/command_facts.h"
#include "control/core/command_numbers.h"
#include "harness/log/command_words.h"
#include "harness/log/event_numbers.h"

namespace jointrig::harness {

using event_numbers::number;
using event_numbers::quantity;
using event_numbers::text;

std::string number_out_of_range(CommandKind kind, std::size_t place, double value, double limit) {
  const NumberInfo at = number_at(fields_of(kind), place);
  if (at.field == nullptr) return number(value) + " is beyond " + number(limit);
  if (!at.field->words.empty()) {
    return "its " + text(at.field->name) + " is number " + number(value) +
           ", and the last word that it has is number " + number(limit) + ", " +
           text(at.field->words.back());
  }
  if (at.field->range == Range::kObstacleName) {
    return "its name has character number " + number(value) +
           "; give 1 to 16 printable characters of ASCII";
  }
  if (at.field->range == Range::kDriveTime) {
    return "its duration is " + number(value) + " s; give a time above 0, at most " +
           number(kLongestDrive) + " s";
  }
  if (at.field->range == Range::kToolVelocity) {
    const bool turns = at.index >= 3;
    const std::string_view unit = turns ? "rad/s" : "m/s";
    return "its " + text(turns ? "angular" : "linear") + " velocity has a size of " +
           quantity(value, unit, false) + ", and the arm's limit is " +
           quantity(limit, unit, false);
  }
  const std::string axis = axis_words(*at.field, at.index);
  const bool is_linear = axis.rfind(" along", 0) == 0;
  const std::string_view unit = unit_of(at.field->quantity, is_linear);
  const std::string name = text(at.field->name);
  const std::string what =
      (at.field->range == Range::kUnitLength ? "the length of its " : "its ") + name;
  const bool is_below = value < limit;
  return what + axis + " is " + quantity(value, unit, false) +
         (is_below ? ", and the smallest allowed value is "
                   : ", and the largest allowed value is ") +
         quantity(limit, unit, false);
}

}  // namespace jointrig::harness
