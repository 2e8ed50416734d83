#pragma once
/// The drift of a drive's clock against the host's, from its heartbeats alone: each is sent a fixed
/// time T_h (1017h) after the one before it by the drive's own clock.
///
/// Heartbeat number k of a drive whose clock is fast by d arrives at
///
///     t_k = t_0 + k T_h / (1 + d) + e_k        e_k: how long it took to be sent and to be read
///
/// so that what is left over the grid of the host's clock, r_k = t_k - t_0 - k T_h, is a straight
/// line over k. Its slope by least squares over the n heartbeats heard,
///
///     b = (n Σ k r - Σ k Σ r) / (n Σ k² - (Σ k)²)  [s]        d = -b / (T_h + b)
///
/// takes five sums, and is as uncertain as the delays: σ_b = σ_e √12 / n^1.5 for n heartbeats
/// without a gap. With σ_e ≤ 1 ms, 3 σ_d = 3 σ_e √12 / (n^1.5 T_h) ≤ 30 ppm asks for
///
///     n = ⌈(3 σ_e √12 / (30e-6 T_h))^(2/3)⌉        364 at 50 ms: 18 s
///
/// A lost heartbeat leaves a gap of a whole number of T_h, which counts as so many. A gap that is
/// none, or longer than kMostGap, begins anew: the drive did. The drift of a window is unknown
/// where 3 σ_d, with the σ_e found beside the line, is more than 30 ppm (the host or a link was
/// held up, or many heartbeats are missing), and where it is more than a crystal can be off
/// (kMostDrift): a drive that rounds its timer, or sets it anew after each heartbeat was sent,
/// shows that and not its clock. Such a delay of less than 0.1 ms in 50 ms can't be told from a
/// drift.
///
/// Plain data; one thread; allocates nothing.

#include <cstdint>
#include <optional>

namespace jointrig::hw {

class ClockDrift {
 public:
  static constexpr double kMostJitter = 1e-3;    ///< σ_e [s]
  static constexpr double kUncertainty = 30e-6;  ///< 3 σ of a drift that is told
  static constexpr double kMostDrift = 2000e-6;  ///< of a crystal, with much to spare
  static constexpr std::int64_t kMostGap = 10;   ///< [T_h]

  /// @param heartbeat_ms  1017h; 0: it sends none, and nothing is ever known
  explicit ClockDrift(std::uint16_t heartbeat_ms) noexcept;

  /// The next heartbeat is the first one.
  void restart() noexcept { sums_ = {}; }

  /// A heartbeat was read.
  /// @param now  the host's clock [ns], not before the last one's
  /// @return at the end of a window the drift, above 0 where the drive is fast; nothing before,
  ///     and where it is unknown
  std::optional<double> heard(std::int64_t now) noexcept;

  /// From the first heartbeat of a window to its last, if none is missing [T_h].
  [[nodiscard]] std::int64_t window() const noexcept { return window_; }

 private:
  struct Sums {
    std::int64_t begin = 0;   ///< t_0 [ns]
    std::int64_t last = 0;    ///< [ns]
    std::int64_t number = 0;  ///< k of the last one
    double n = 0;
    double k = 0;
    double kk = 0;
    double r = 0;  ///< [s]
    double kr = 0;
    double rr = 0;
  };
  void begin(std::int64_t now) noexcept;
  void add(std::int64_t now) noexcept;
  [[nodiscard]] std::optional<double> drift() const noexcept;

  std::int64_t period_;  ///< T_h [ns]
  std::int64_t window_ = 0;
  Sums sums_;
};

}  // namespace jointrig::hw
