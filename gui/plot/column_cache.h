#pragma once

#include <cstdint>
#include <vector>

#include "gui/plot/series.h"

namespace jointrig::gui {

/// The pixel columns of one line, kept from frame to frame: a column is computed while it fills,
/// and once more when it is complete. A plot of a minute, with slowly filling columns, then costs
/// less than one of a second.
///
/// Column k spans the samples [k · step, (k + 1) · step) for any k, so that columns neither flicker
/// nor change as they move over the screen. Ends of wide columns are moved to those of blocks (see
/// columns()); each sample is in one column.
class ColumnCache {
 public:
  /// @param step  samples per column; changes below a millionth are ignored
  /// @param first  number of the first column shown
  /// @returns `count` columns, empty where nothing is kept
  const std::vector<Extremes>& update(const SampleRing& series, double step, std::int64_t first,
                                      std::size_t count);
  /// Samples per column of the present columns.
  [[nodiscard]] double step() const noexcept { return step_; }
  /// Number of columns computed in the last update.
  [[nodiscard]] std::size_t worked_out() const noexcept { return worked_out_; }

 private:
  const SampleRing* series_ = nullptr;
  double step_ = 0.0;
  std::int64_t first_ = 0;
  std::int64_t whole_end_ = 0;  ///< columns from here on were incomplete
  std::vector<Extremes> columns_;
  std::size_t worked_out_ = 0;
};

}  // namespace jointrig::gui
