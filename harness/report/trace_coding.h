#pragma once
/// Codes a trace in few characters: whole steps of a fixed size, each as the difference to the
/// previous one.

#include <optional>
#include <span>
#include <vector>

namespace jointrig::harness::report {

/// Span i, with d summed over the spans before it (without null ones):
///
///     least = offset + step Σ low     most = least + step high     null: no number
///
/// The step is 1/65535 of the trace's range: far below the resolution of a plot, also enlarged.
struct CodedTrace {
  double offset = 0.0;
  double step = 0.0;
  std::vector<std::optional<int>> low;
  std::vector<int> high;  ///< empty if least = most in every span

  [[nodiscard]] std::vector<float> least() const;
  [[nodiscard]] std::vector<float> most() const;
};

/// @param joined  number of neighbouring spans that become one
CodedTrace code_trace(std::span<const float> least, std::span<const float> most,
                      std::size_t joined);

/// Rounds to six or `digits` significant digits, to a number that prints with no more.
double rounded(double value, int digits = 6);

}  // namespace jointrig::harness::report
