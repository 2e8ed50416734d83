// Metrics.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "harness/runner/judges.h"

namespace jointrig::harness {
namespace {

constexpr std::array<const char*, 3> kBounds{"max", "min", "warn"};

// Measure of a statistic of an expression.
Measure measure_of(const MetricSpec& spec, const Expression& of) {
  switch (spec.statistic) {
    case Statistic::kOvershoot:
      return measure_of_unit("1");
    case Statistic::kRiseTime:
    case Statistic::kSettlingTime:
      return measure_of_unit("s");
    default:
      return of.measure();
  }
}

// The unit of a bound as the author wrote it, else the signal's.
ShownUnit unit_for(const MetricSpec& spec, const Measure& measure) {
  for (const char* key : kBounds) {
    const auto written = spec.keys.find(key);
    if (written == spec.keys.end()) continue;
    const std::string unit = unit_of_quantity(written->second.text);
    if (!unit.empty()) return shown_unit(unit);
  }
  return shown_unit(measure, {});
}

class MetricJudge final : public Judge {
 public:
  MetricJudge(Verdict verdict, const MetricSpec& spec, Expression of, Window window,
              std::optional<BoundValue> target, double dt, std::size_t cycles)
      : Judge(std::move(verdict)),
        spec_(spec),
        of_(std::move(of)),
        shown_(unit_for(spec, measure_of(spec, of_))),
        window_(window),
        target_(std::move(target)),
        metric_(spec.statistic, dt, cycles) {
    const Measure measure = measure_of(spec, of_);
    verdict_.least = spec.least;
    verdict_.most = spec.most;
    verdict_.unit = shown_unit(measure, {}).unit;
    verdict_.expected = bounds_text();
    verdict_.shown_unit = shown_.unit;
    verdict_.shown_scale = shown_.scale;
  }

  void watch(const JudgeScene& scene) override {
    if (!window_.holds(scene.now, scene.marks)) return;
    const double value = of_.value();
    metric_.add(value);
    if (metric_.count() == 1) first_ = scene.now;
    last_ = scene.now;
    if (!failed() && is_beyond_for_good(value)) fail(scene.now, bounds_text(), shown(value));
  }

  void conclude(const JudgeScene& scene, bool complete) override {
    if (!complete && !failed()) {
      skip("the run was broken off before");
      return;
    }
    StepResponse response{
        .target = std::nullopt, .band = spec_.band, .band_is_relative = spec_.band_is_relative};
    if (target_) response.target = target_->value();
    std::string why;
    verdict_.value = metric_.value(response, why);
    verdict_.at = to_seconds(metric_.count() > 0 ? last_ : scene.now);
    if (const auto sample = metric_.decided_by()) {
      verdict_.at = to_seconds(first_) + static_cast<double>(*sample) * metric_.dt();
    }
    if (!verdict_.value) {
      const bool judged = spec_.least || spec_.most;
      if (judged || metric_.count() == 0) {
        fail(to_ns(verdict_.at), bounds_text(), why);
      } else {
        verdict_.got = why;
      }
      return;
    }
    judge(*verdict_.value);
  }

 private:
  // A peak, max or min beyond its bound stays beyond it: it has failed in this cycle.
  [[nodiscard]] bool is_beyond_for_good(double value) const noexcept {
    switch (spec_.statistic) {
      case Statistic::kPeak:
        return spec_.most && std::abs(value) > *spec_.most;
      case Statistic::kMax:
        return spec_.most && value > *spec_.most;
      case Statistic::kMin:
        return spec_.least && value < *spec_.least;
      default:
        return false;
    }
  }

  void judge(double value) {
    verdict_.got = shown(value);
    // In this form a bound of NaN fails.
    const bool high = spec_.most && !(value <= *spec_.most);
    const bool low = spec_.least && !(value >= *spec_.least);
    if (high || low) {
      fail(to_ns(verdict_.at), bounds_text(), shown(value));
      return;
    }
    double margin = std::numeric_limits<double>::infinity();
    if (spec_.most) margin = std::min(margin, *spec_.most - value);
    if (spec_.least) margin = std::min(margin, value - *spec_.least);
    if (std::isfinite(margin)) verdict_.margin = margin;
    const bool beyond = spec_.warn && (spec_.most ? value > *spec_.warn : value < *spec_.warn);
    if (beyond) {
      verdict_.status = VerdictStatus::kWarned;
      verdict_.expected =
          (spec_.most ? "at most " : "at least ") + shown_.text(*spec_.warn) + " (warning)";
    }
  }

  // With as many digits as distinguish it from the bounds.
  [[nodiscard]] std::string shown(double value) const {
    if (spec_.most && value > *spec_.most) return shown_.text(value, *spec_.most);
    if (spec_.least && value < *spec_.least) return shown_.text(value, *spec_.least);
    return shown_.text(value);
  }
  [[nodiscard]] std::string bounds_text() const {
    const std::string name(to_string(spec_.statistic));
    std::string text;
    if (spec_.least) text = "at least " + shown_.text(*spec_.least);
    if (spec_.most) {
      text += (text.empty() ? "" : ", ") + std::string("at most ") + shown_.text(*spec_.most);
    }
    return name + " of " + of_.said() + (text.empty() ? "" : " " + text);
  }

  MetricSpec spec_;
  Expression of_;
  ShownUnit shown_;
  Window window_;
  std::optional<BoundValue> target_;
  Metric metric_;
  TimeNs first_ = 0;
  TimeNs last_ = 0;
};

// Refuses a bound, band or target with another dimension than its statistic.
void check_dimensions(const MetricSpec& spec, const Expression& of) {
  const auto check = [](const Measure& wanted, const Text& text) {
    const Measure given = measure_of_unit(unit_of_quantity(text.text));
    if (fits(wanted, given)) return;
    throw FileError(text.spot, "expected " + to_string(wanted.dimension) + ", got " + text.text +
                                   ", " + to_string(given.dimension));
  };
  const Measure measure = measure_of(spec, of);
  for (const char* key : kBounds) {
    if (const auto written = spec.keys.find(key); written != spec.keys.end()) {
      check(measure, written->second);
    }
  }
  const auto band = spec.keys.find("band");
  if (band != spec.keys.end() && !spec.band_is_relative) check(of.measure(), band->second);
}

// Draws bounds of a single signal's value; bounds of a time, a ratio or a spread are no lines in
// its plot.
void draw_bounds(const MetricSpec& metric, const Expression& of, const Binder& binder) {
  constexpr std::array kOfTheValue{Statistic::kPeak, Statistic::kMean, Statistic::kMin,
                                   Statistic::kMax, Statistic::kFinal};
  const bool is_value =
      std::find(kOfTheValue.begin(), kOfTheValue.end(), metric.statistic) != kOfTheValue.end();
  const bool is_lone =
      of.signals().size() == 1 && of.text().find_first_of("+*/(") == of.text().npos;
  if (!is_value || !is_lone) return;
  const Signal* signal = of.signals().front();
  if (metric.least) binder.draw({signal, *metric.least, false});
  if (metric.most) binder.draw({signal, *metric.most, true});
  if (metric.most && metric.statistic == Statistic::kPeak) {
    binder.draw({signal, -*metric.most, false});
  }
}

}  // namespace

std::vector<std::unique_ptr<Judge>> make_metrics(const MetricSpec& metric, const Binder& binder,
                                                 std::size_t cycles) {
  std::vector<JointIndex> joints = binder.each_of(metric.of, metric.joints);
  const bool has_each = !joints.empty();
  if (!has_each) joints.push_back(kNoJoint);
  std::vector<std::unique_ptr<Judge>> judges;
  for (const JointIndex joint : joints) {
    const std::string suffix = has_each ? "[" + binder.config().joints[joint].name + "]" : "";
    Expression of = binder.expression(metric.of, joint);
    check_dimensions(metric, of);
    draw_bounds(metric, of, binder);
    std::optional<BoundValue> target;
    if (metric.target) {
      Expression wanted = binder.expression(*metric.target, joint);
      if (!fits(of.measure(), wanted.measure())) {
        throw FileError(metric.target->spot, "expected " + to_string(of.measure().dimension) +
                                                 ", got " + to_string(wanted.measure().dimension));
      }
      target = BoundValue(std::move(wanted));
    }
    judges.push_back(std::make_unique<MetricJudge>(
        verdict_about(VerdictKind::kMetric, metric.name + suffix, metric.spot), metric,
        std::move(of), window_of(metric.from, metric.to, binder), std::move(target),
        binder.signals().period(), cycles));
  }
  return judges;
}

}  // namespace jointrig::harness
