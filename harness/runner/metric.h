#pragma once
/// Computes one number from a series of samples.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/runner/scenario.h"

namespace jointrig::harness {

/// Settings for a step response.
struct StepResponse {
  std::optional<double> target;  ///< absent: the last sample
  double band = 0.02;            ///< half width, of settling_time
  bool band_is_relative = true;  ///< to |target - first sample|
};

/// Gathers samples x_0 ... x_n-1, one each dt.
///
///     rms   sqrt(Σ x² / n)          mean  Σ x / n           std   sqrt(Σ (x - mean)² / n)
///     peak  max |x|                 min   max   final x_n-1
///
/// and, with the step s = target - x_0 and the progress p = (x - x_0) / s:
///
///     overshoot      max(0, max p - 1)
///     rise_time      from p = 0.1 to p = 0.9, when first reached; between samples by straight
///     lines settling_time  k dt of the first sample x_k from which on |x - target| <= band
///
/// (the usual definitions, e.g. Ogata, "Modern Control Engineering").
class Metric {
 public:
  /// @param capacity  largest number of samples: the last three statistics keep them all
  Metric(Statistic statistic, double dt, std::size_t capacity);

  /// Never allocates up to the capacity; samples beyond it are ignored.
  void add(double x) noexcept;

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

  [[nodiscard]] double dt() const noexcept { return dt_; }

  /// Number (from 0) of the sample that gives a peak, min, max or final; nullopt for the others.
  [[nodiscard]] std::optional<std::uint64_t> decided_by() const noexcept;

  /// nullopt if there is no such number (no sample, no step, never settled); `why` gives the
  /// reason.
  [[nodiscard]] std::optional<double> value(const StepResponse& response, std::string& why) const;

 private:
  [[nodiscard]] std::optional<double> overshoot(double target) const;
  [[nodiscard]] std::optional<double> rise_time(double target, std::string& why) const;
  [[nodiscard]] std::optional<double> settling_time(double target, double band,
                                                    std::string& why) const;
  [[nodiscard]] std::optional<double> first_reached(double level) const;

  Statistic statistic_;
  double dt_;
  std::uint64_t count_ = 0;
  double sum_of_squares_ = 0.0;
  double mean_ = 0.0;
  double deviation_ = 0.0;  // Σ (x - mean)², updated as in Welford 1962
  double least_ = 0.0;
  double most_ = 0.0;
  std::uint64_t least_at_ = 0;  // number of the first sample with the least value
  std::uint64_t most_at_ = 0;
  double last_ = 0.0;
  bool has_nan_ = false;
  std::vector<double> samples_;
};

}  // namespace jointrig::harness
