#pragma once

#include <cstddef>
#include <map>
#include <ostream>
#include <string>

#include "harness/report/figure_plan.h"
#include "harness/report/html_report.h"

namespace jointrig::harness::report {

struct SectionPlace {
  std::size_t number = 0;  ///< of the scenario in the run, from 0
  bool is_open = false;    ///< unfolded when the page is opened
  /// Properties that all scenarios of the run share: told once, elsewhere.
  const std::map<std::string, std::string>* common = nullptr;
};

/// All that is said of one scenario, folded behind its line of the table.
void write_scenario_section(std::ostream& out, const ScenarioReport& scenario,
                            const FigurePlan& plan, const SectionPlace& place);

/// Simulated over elapsed time: `85.1 ×`; "" where it isn't known.
std::string real_time_factor_text(double sim_time, double wall_time);

}  // namespace jointrig::harness::report
