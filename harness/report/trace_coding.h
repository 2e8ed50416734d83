#pragma once
/// A trace in few characters: whole steps of a fixed size, each as the difference to the one
/// before.

#include <optional>
#include <span>
#include <vector>

namespace jointrig::harness::report {

/// Of span i, with d summed up over the spans before it (null ones left out):
///
///     least = offset + step Σ low     most = least + step high     null: no number
///
/// The step is 1/65535 of the trace's range: far below what a plot resolves, also enlarged.
struct CodedTrace {
  double offset = 0.0;
  double step = 0.0;
  std::vector<std::optional<int>> low;
  std::vector<int> high;  ///< empty where every span has least = most

  [[nodiscard]] std::vector<float> least() const;
  [[nodiscard]] std::vector<float> most() const;
};

/// @param joined  so many neighbouring spans become one
CodedTrace code_trace(std::span<const float> least, std::span<const float> most,
                      std::size_t joined);

/// Six significant digits or as many as wished, as a number that prints with no more.
double rounded(double value, int digits = 6);

}  // namespace jointrig::harness::report
