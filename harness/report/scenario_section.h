#pragma once

#include <cstddef>
#include <map>
#include <ostream>
#include <string>

#include "harness/report/figure_plan.h"
#include "harness/report/html_report.h"

namespace jointrig::harness::report {

struct SectionPlace {
  std::size_t number = 0;  ///< number of the scenario in the run, from 0
  bool is_open = false;    ///< unfolded when the page is opened
  /// Properties common to all scenarios of the run, which are shown elsewhere.
  const std::map<std::string, std::string>* common = nullptr;
};

/// Writes the section of one scenario, folded behind its line of the table.
void write_scenario_section(std::ostream& out, const ScenarioReport& scenario,
                            const FigurePlan& plan, const SectionPlace& place);

/// Simulated over elapsed time: `85.1 ×`; "" if unknown.
std::string real_time_factor_text(double sim_time, double wall_time);

}  // namespace jointrig::harness::report
