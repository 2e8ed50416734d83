#include "tests/harness/report/made_up_result.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace jointrig::testing {
namespace {

constexpr double kPeriod = 0.001;
constexpr double kLag = 0.02;  // [s]
constexpr double kFreeze = 3.2;
constexpr double kDegree = 3.14159265358979323846 / 180.0;

// 10 s³ - 15 s⁴ + 6 s⁵ (Flash and Hogan 1985).
double minimum_jerk(double time, double begin, double length) {
  const double s = std::clamp((time - begin) / length, 0.0, 1.0);
  return s * s * s * (10.0 - 15.0 * s + 6.0 * s * s);
}

double reference_of(int joint, double time) {
  if (joint == 0) {
    return (30.0 + 30.0 * minimum_jerk(time, 0.5, 1.2) - 30.0 * minimum_jerk(time, 2.6, 1.2)) *
           kDegree;
  }
  if (joint == 1) return 0.2 * std::sin(2.0 * 3.14159265 * 0.5 * time);
  return 0.1 * joint;
}

// The same numbers on every machine.
class Noise {
 public:
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 40U) / static_cast<double>(1U << 24U) - 0.5;
  }

 private:
  std::uint64_t state_ = 7;
};

struct Series {
  std::string suffix;
  std::string unit;
  std::vector<double> samples;
};

// Least and most of the spans, and the samples around the failure.
harness::Trace trace_of(const std::string& joint, const Series& series, std::size_t stride,
                        bool fails) {
  harness::Trace trace;
  trace.name = joint + "." + series.suffix;
  trace.unit = series.unit;
  trace.joint = joint;
  const std::vector<double>& x = series.samples;
  for (std::size_t i = 0; i < x.size(); i += stride) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = x.begin() + static_cast<std::ptrdiff_t>(std::min(i + stride, x.size()));
    trace.least.push_back(static_cast<float>(*std::min_element(begin, end)));
    trace.most.push_back(static_cast<float>(*std::max_element(begin, end)));
  }
  if (fails) {
    for (std::size_t i = 2950; i <= 3450; ++i) trace.near_failure.push_back(x[i]);
  }
  return trace;
}

std::vector<Series> series_of(int joint, const MadeUp& wish) {
  Series q{"q", "rad", {}};
  Series q_ref{"q_ref", "rad", {}};
  Series q_err{"q_err", "rad", {}};
  Series tau{"tau", "N·m", {}};
  Series tau_cmd{"tau_cmd", "N·m", {}};
  Noise noise;
  const auto cycles = static_cast<std::size_t>(std::llround(wish.length / kPeriod));
  for (std::size_t i = 0; i < cycles; ++i) {
    const double time = static_cast<double>(i) * kPeriod;
    const bool frozen = wish.fails && joint == 0 && time >= kFreeze;
    const double at = frozen ? kFreeze : time;
    const double position = joint == 0 ? made_up_position(at) : reference_of(joint, at - kLag);
    const double reference = reference_of(joint, time);
    const bool off = frozen && time > kFreeze + 0.06;
    const double command = off ? 0.0 : 4.0 * std::sin(position) + 30.0 * (reference - position);
    q.samples.push_back(position);
    q_ref.samples.push_back(reference);
    q_err.samples.push_back(reference - position);
    tau.samples.push_back(command + 0.1 * noise.next());
    tau_cmd.samples.push_back(command);
  }
  return {q, q_ref, q_err, tau, tau_cmd};
}

void add_bounds(harness::Trace& trace, int joint) {
  if (trace.name.ends_with(".q") || trace.name.ends_with(".q_ref")) {
    trace.bounds = {{-10.0 * kDegree, true},
                    {75.0 * kDegree, true},
                    {-5.0 * kDegree, true, true},
                    {70.0 * kDegree, true, true}};
  }
  if (trace.name.ends_with(".tau") || trace.name.ends_with(".tau_cmd")) {
    trace.bounds = {{-12.0, true}, {12.0, true}};
  }
  if (joint == 0 && trace.name.ends_with(".q_err")) {
    trace.bounds = {{-2.5 * kDegree, false}, {2.5 * kDegree, false}};
  }
}

std::string joint_name(int joint) {
  if (joint == 0) return "r_elbow";
  if (joint == 1) return "r_wrist";
  return "joint_" + std::to_string(joint);
}

harness::Verdict verdict(harness::VerdictKind kind, std::string name, std::string place) {
  harness::Verdict verdict;
  verdict.kind = kind;
  verdict.status = harness::VerdictStatus::kPassed;
  verdict.name = std::move(name);
  verdict.place = "elbow.yaml:" + std::move(place);
  return verdict;
}

harness::Verdict step(std::string name, std::string place, std::string phase, double since,
                      double at) {
  harness::Verdict made = verdict(harness::VerdictKind::kStep, std::move(name), std::move(place));
  made.phase = std::move(phase);
  made.since = since;
  made.at = at;
  return made;
}

std::vector<harness::Verdict> verdicts_of(const MadeUp& wish) {
  std::vector<harness::Verdict> all{
      step("set_mode r_elbow, r_wrist position", "12:5", "setup", 0.0, 0.031),
      step("r_elbow compliant, 20 Nm/rad", "14:5", "steps", 0.031, 0.5),
      step("move r_elbow 60 deg", "16:5", "steps", 0.5, 1.72),
      step("wait 880 ms", "17:5", "steps", 1.72, 2.6),
      step("move r_elbow 30 deg", "18:5", "steps", 2.6, 3.9),
      step("settled", "20:5", "steps", 3.9, 5.4),
      step("idle all", "24:5", "teardown", 5.4, 6.0)};
  harness::Verdict always = verdict(harness::VerdictKind::kAlways, "follows", "27:5");
  always.expected = "abs(r_elbow.q_err) < 2.5 deg";
  always.got = "at most abs(r_elbow.q_err) = 1.03 deg";
  always.margin = 1.47 * kDegree;
  always.margin_at = 1.1;
  always.unit = "rad";
  harness::Verdict metric = verdict(harness::VerdictKind::kMetric, "rms_err", "31:5");
  metric.value = 0.00561;
  metric.most = 0.00873;
  metric.unit = "rad";
  metric.at = wish.length;
  harness::Verdict torque =
      verdict(harness::VerdictKind::kAlways, "torque stays below 80 %", "28:5");
  torque.status = harness::VerdictStatus::kWarned;
  torque.expected = "abs(r_elbow.tau) <= 0.8 * r_elbow.tau_max";
  torque.got = "abs(r_elbow.tau) = 9.31 N·m";
  torque.margin = 0.29;
  torque.margin_at = 2.61;
  torque.unit = "N·m";
  harness::Verdict faults = verdict(harness::VerdictKind::kFaults, "no fault", "26:3");
  if (wish.fails) {
    all[4].status = harness::VerdictStatus::kFailed;
    all[4].at = 3.26;
    all[4].expected = "r_elbow reaches 30 deg within 4 s";
    all[4].got = "r_elbow in hw_fault at 44.8 deg after 0.66 s";
    all[5] = step("settled", "20:5", "steps", harness::kNoTime, harness::kNoTime);
    all[5].status = harness::VerdictStatus::kSkipped;
    all[6].since = 3.26;
    all[6].at = 3.6;
    always.status = harness::VerdictStatus::kFailed;
    always.got = "abs(r_elbow.q_err) = 2.51 deg";
    always.at = 3.25;
    always.margin.reset();
    metric.status = harness::VerdictStatus::kSkipped;
    metric.value.reset();
    metric.got = "never looked at: the mark \"settled\" was not set";
    faults.status = harness::VerdictStatus::kFailed;
    faults.expected = "no fault";
    faults.got = "r_elbow: encoder_frozen";
    faults.at = 3.26;
  }
  all.insert(all.end(), {metric, torque, always, faults});
  return all;
}

void add_story(harness::Result& result, const MadeUp& wish) {
  for (int joint = 0; joint < wish.joints; ++joint) {
    const std::string name = joint_name(joint);
    result.modes.push_back({0.0, name, "idle", "stiff"});
    result.events.push_back({0.004, 4, "mode", name, name + ": idle to position"});
    result.modes.push_back({0.004, name, "position", "stiff"});
  }
  result.events.push_back({0.032, 32, "interaction", "r_elbow", "r_elbow: compliant"});
  result.modes.push_back({0.032, "r_elbow", "position", "compliant"});
  result.events.push_back({1.72, 1720, "goal_reached", "r_elbow", "r_elbow: goal 1.0472 reached"});
  result.marks.push_back({"turn", 2.6});
  if (!wish.fails) {
    result.modes.push_back({5.41, "r_elbow", "idle", "compliant"});
    return;
  }
  result.events.push_back({3.26, 3260, "fault", "r_elbow",
                           "r_elbow: encoder_frozen, the encoder stands still while the motor "
                           "drives, 0.06 s against 0.05 s"});
  result.events.push_back({3.26, 3260, "mode", "r_elbow", "r_elbow: position to hw_fault"});
  result.modes.push_back({3.26, "r_elbow", "hw_fault", "compliant"});
  result.events.push_back(
      {3.5, 3500, "fault_cleared", "r_elbow", "r_elbow: fault_cleared encoder_frozen"});
  result.modes.push_back({3.5, "r_elbow", "idle", "compliant"});
  result.first_failure = harness::Failure{3.25, "follows", "abs(r_elbow.q_err) < 2.5 deg",
                                          "abs(r_elbow.q_err) = 2.51 deg"};
}

void add_traces(harness::Result& result, const MadeUp& wish) {
  const auto cycles = static_cast<std::size_t>(std::llround(wish.length / kPeriod));
  std::size_t stride = 1;
  while (cycles / stride > 2000) stride *= 2;
  for (std::size_t i = 0; i < cycles; i += stride) {
    result.traces.times.push_back(static_cast<double>(i) * kPeriod);
  }
  result.traces.span = static_cast<double>(stride) * kPeriod;
  if (wish.fails) {
    for (int i = 2950; i <= 3450; ++i) result.traces.times_near_failure.push_back(i * kPeriod);
  }
  for (int joint = 0; joint < wish.joints; ++joint) {
    for (const Series& series : series_of(joint, wish)) {
      harness::Trace trace = trace_of(joint_name(joint), series, stride, wish.fails);
      add_bounds(trace, joint);
      result.traces.signals.push_back(std::move(trace));
    }
  }
  result.cycles = cycles;
  result.sim_time = wish.length;
}

}  // namespace

double made_up_position(double time) { return reference_of(0, time - kLag); }

harness::Result made_up_result(const MadeUp& wish) {
  harness::Result result;
  result.scenario = wish.fails ? "elbow[encoder=frozen]" : "elbow";
  result.family = "elbow";
  result.file = "scenarios/joints/elbow.yaml";
  result.about = "The elbow goes compliant to 60 deg and stiff to 30 deg.";
  result.tags = {"modes", "smoke"};
  result.backend = "sim";
  result.outcome = wish.fails ? harness::Outcome::kFailed : harness::Outcome::kPassed;
  if (wish.fails) {
    result.variation = {{"encoder", "frozen"}};
    result.reason = "follows: expected abs(r_elbow.q_err) < 2.5 deg, got 2.51 deg at 3.25 s";
  }
  result.wall_time = wish.length / 84.3;
  result.state_hash = wish.fails ? "9a41c2d07be4f3aa" : "5f0c13b2a6d7e810";
  result.properties = {{"compiler", "GCC 12.2"}, {"MuJoCo", "3.17.0"}, {"seed", "7"}};
  result.verdicts = verdicts_of(wish);
  add_story(result, wish);
  add_traces(result, wish);
  return result;
}

}  // namespace jointrig::testing
