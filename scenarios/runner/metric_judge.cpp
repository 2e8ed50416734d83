// Metrics.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "scenarios/runner/judges.h"

namespace jointrig {
namespace {

std::string number_text(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value);
  return text.data();
}

class MetricJudge final : public Judge {
 public:
  MetricJudge(Verdict verdict, const MetricSpec& spec, Expression of, Window window,
              std::optional<BoundValue> target, double dt, std::size_t cycles)
      : Judge(std::move(verdict)),
        spec_(spec),
        of_(std::move(of)),
        window_(window),
        target_(std::move(target)),
        metric_(spec.statistic, dt, cycles) {
    verdict_.least = spec.least;
    verdict_.most = spec.most;
    verdict_.unit = unit();
    verdict_.expected = bounds_text();
  }

  void watch(const JudgeScene& scene) override {
    if (!window_.holds(scene.now, scene.marks)) return;
    metric_.add(of_.value());
    last_ = scene.now;
  }

  void conclude(const JudgeScene& scene, bool complete) override {
    if (!complete) {
      skip("the run was broken off before");
      return;
    }
    StepResponse response{
        .target = std::nullopt, .band = spec_.band, .band_is_relative = spec_.band_is_relative};
    if (target_) response.target = target_->value();
    std::string why;
    verdict_.value = metric_.value(response, why);
    verdict_.at = to_seconds(metric_.count() > 0 ? last_ : scene.now);
    if (!verdict_.value) {
      const bool judged = spec_.least || spec_.most;
      if (judged || metric_.count() == 0) {
        fail(scene.now, bounds_text(), why);
      } else {
        verdict_.got = why;
      }
      return;
    }
    judge(scene.now, *verdict_.value);
  }

 private:
  void judge(TimeNs now, double value) {
    const std::string shown = number_text(value) + tail();
    verdict_.got = shown;
    // Written so that a bound that is not a number fails.
    const bool high = spec_.most && !(value <= *spec_.most);
    const bool low = spec_.least && !(value >= *spec_.least);
    if (high || low) {
      fail(now, bounds_text(), shown);
      return;
    }
    double margin = std::numeric_limits<double>::infinity();
    if (spec_.most) margin = std::min(margin, *spec_.most - value);
    if (spec_.least) margin = std::min(margin, value - *spec_.least);
    if (std::isfinite(margin)) verdict_.margin = margin;
    const bool beyond = spec_.warn && (spec_.most ? value > *spec_.warn : value < *spec_.warn);
    if (beyond) {
      verdict_.status = VerdictStatus::kWarned;
      verdict_.expected = (spec_.most ? "at most " : "at least ") + number_text(*spec_.warn) +
                          tail() + " (warning)";
    }
  }

  [[nodiscard]] std::string unit() const {
    switch (spec_.statistic) {
      case Statistic::kOvershoot:
        return "";
      case Statistic::kRiseTime:
      case Statistic::kSettlingTime:
        return "s";
      default:
        return of_.signals().size() == 1 ? of_.signals().front()->unit : "";
    }
  }
  [[nodiscard]] std::string tail() const {
    return verdict_.unit.empty() ? "" : " " + verdict_.unit;
  }
  [[nodiscard]] std::string bounds_text() const {
    const std::string name(to_string(spec_.statistic));
    std::string text;
    if (spec_.least) text = "at least " + number_text(*spec_.least) + tail();
    if (spec_.most) {
      text +=
          (text.empty() ? "" : ", ") + std::string("at most ") + number_text(*spec_.most) + tail();
    }
    return name + " of " + of_.text() + (text.empty() ? "" : " " + text);
  }

  MetricSpec spec_;
  Expression of_;
  Window window_;
  std::optional<BoundValue> target_;
  Metric metric_;
  TimeNs last_ = 0;
};

// Bounds of a lone signal's value; those of a time, a ratio or a spread are no lines in its plot.
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
    draw_bounds(metric, of, binder);
    std::optional<BoundValue> target;
    if (metric.target) {
      // Its dimension is that of the signal, which only the signal's author knows.
      Expression wanted = binder.expression(*metric.target, joint);
      target = BoundValue(std::move(wanted));
    }
    judges.push_back(std::make_unique<MetricJudge>(
        verdict_about(VerdictKind::kMetric, metric.name + suffix, metric.spot), metric,
        std::move(of), window_of(metric.from, metric.to, binder), std::move(target),
        binder.signals().period(), cycles));
  }
  return judges;
}

}  // namespace jointrig
