#pragma once
/// Content of the page of a sweep: its cases as numbers, and the boundary between pass and fail.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/sweep/case_inputs.h"
#include "app/sweep/sweep_table.h"
#include "harness/report/sweep_page.h"

namespace jointrig::app {

/// Along each axis of a grid of one or two numbers, the middle between two neighbours, one of which
/// passes and the other doesn't. A place passes where all of its seeds do; a place without a
/// verdict has no boundary.
std::vector<harness::SweptBoundary> boundaries_of(std::span<const harness::SweptAxis> axes,
                                                  std::span<const harness::SweptCase> cases);

/// Throws WriteError.
void write_sweep_report(const std::filesystem::path& path, const SweepPlan& plan,
                        const CaseInputs& inputs, std::span<const SweepRow> rows);

}  // namespace jointrig::app
