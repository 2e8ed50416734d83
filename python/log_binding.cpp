/// A log's numbers as arrays. python/jointrig/log.py gives them names.

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "control/core/nearest_word.h"
#include "harness/log/log_reader.h"
#include "python/arrays.h"
#include "python/bindings.h"

namespace jointrig::python {
namespace {

using Name = std::pair<std::string, std::string>;

/// Time [s], value and unit of each.
nb::list series_of(const harness::LogReader& log, const std::vector<Name>& names) {
  std::vector<harness::SeriesName> wanted;
  for (const auto& [topic, field] : names) wanted.push_back({topic, field});
  std::vector<harness::Series> all;
  {
    const nb::gil_scoped_release others_may_run;
    all = log.series(wanted);
  }
  nb::list list;
  for (harness::Series& series : all) {
    std::vector<double> seconds;
    seconds.reserve(series.time_ns.size());
    for (const TimeNs time : series.time_ns) seconds.push_back(to_seconds(time));
    list.append(nb::make_tuple(array_of(std::move(seconds)), array_of(std::move(series.value)),
                               series.unit));
  }
  return list;
}

std::vector<Name> names_in(const harness::LogReader& log) {
  std::vector<Name> names;
  for (const harness::SeriesName& name : log.names()) names.emplace_back(name.topic, name.field);
  return names;
}

nb::list events_of(const harness::LogReader& log) {
  nb::list list;
  for (const harness::LoggedSentence& event : log.sentences()) {
    list.append(nb::make_tuple(to_seconds(event.time_ns), event.sentence));
  }
  return list;
}

}  // namespace

void bind_log(nb::module_& m) {
  nb::class_<harness::LogReader>(m, "LogFile", "The log of a run, as its file has it.")
      .def(nb::init<const std::string&>(), nb::arg("path"))
      .def_prop_ro("joints", &harness::LogReader::joints)
      .def("names", names_in, "Topic and field of all numbers at fixed places.")
      .def("series", series_of, nb::arg("names"),
           "Time [s], values and unit of each name, in one pass.")
      .def("events", events_of, "Time [s] and sentence of each event.");
  m.def(
      "did_you_mean",
      [](const std::string& word, const std::vector<std::string>& known) {
        return did_you_mean(word, known);
      },
      nb::arg("word"), nb::arg("known"),
      "The end of a sentence with the nearest known word, or nothing.");
}

}  // namespace jointrig::python
