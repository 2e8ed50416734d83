#pragma once
/// Data for the page's script, as JSON.

#include <iosfwd>

#include "harness/report/figure_plan.h"
#include "harness/runner/result.h"

namespace jointrig::harness::report {

/// SI units. One object, safe inside a <script>:
///
///     end         [s] of the scenario
///     span        [s] duration of one value of a trace
///     times       [s] of the spans: {start, step, count}, or a list where they aren't even
///     steps       [{at, until, label, phase, status}], numbered as in the page's table
///     marks       [[s, name]]
///     events      [{at, kind, joint, text}]: those that plots show, at most kMostPlottedEvents
///     modes       {joint: [[s, mode, interaction]]}
///     failure     {at, name, expected, got, figure, times}, or null
///     figures     [{title, joint, panels: [{title, unit, traces: [index]}]}], open ones first
///     traces      [{name, unit, role, bounds: [[value, "bound", "limit" or "soft limit"]],
///                 offset, step, low, high, near}], coded as trace_coding.h says; near: each sample
///                 at failure.times, of traces in the failure's figure
///
/// @param most_spans largest number per trace; neighbours are joined to reach it
void write_plot_data(std::ostream& out, const Result& result, const FigurePlan& plan,
                     std::size_t most_spans);

inline constexpr std::size_t kMostPlottedEvents = 120;

}  // namespace jointrig::harness::report
