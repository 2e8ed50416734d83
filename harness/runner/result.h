#pragma once
/// Result of a scenario, for reports, JUnit and console. Plain data; except for wall-clock times,
/// two runs of one scenario give the same bits.

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "control/core/enumeration.h"
#include "control/core/event.h"

namespace jointrig::harness {

/// Outcome of a run: the worst event.
#define JOINTRIG_OUTCOMES(X)                                                    \
  X(kPassed, "passed")                      /* also: failed as expected      */ \
  X(kFailed, "failed")                      /* an expectation did not hold   */ \
  X(kCouldNotRun, "could_not_run")          /* bad file, model, argument     */ \
  X(kSafetyStop, "safety_stop")             /* an unexpected fault           */ \
  X(kTimeout, "timeout")                    /* of the sim or the wall clock  */ \
  X(kNotDeterministic, "not_deterministic") /* equal runs, different hashes  */ \
  X(kSkipped, "skipped")                    /* something it requires is missing */
JOINTRIG_ENUM(Outcome, JOINTRIG_OUTCOMES)

/// 0 passed, 1 failed, 2 could not run, 3 safety stop, 4 timeout, 5 not deterministic, 77 skipped.
int exit_code(Outcome outcome) noexcept;

/// The exit code of the worst of several runs. From bad to good: safety stop, could not run, not
/// deterministic, timeout, failed, passed. 77 only if every run was skipped, or there was none.
int exit_code(const std::vector<Outcome>& outcomes) noexcept;

#define JOINTRIG_VERDICT_KINDS(X) \
  X(kStep, "step")                \
  X(kAlways, "always")            \
  X(kNever, "never")              \
  X(kAtEnd, "at_end")             \
  X(kWithin, "within")            \
  X(kMetric, "metric")            \
  X(kFaults, "faults")
JOINTRIG_ENUM(VerdictKind, JOINTRIG_VERDICT_KINDS)

#define JOINTRIG_VERDICT_STATUSES(X)                                           \
  X(kPassed, "passed")                                                         \
  X(kWarned, "warned") /* passed, but near a bound                        */   \
  X(kFailed, "failed")                                                         \
  X(kError, "error")     /* could not be judged: set-up failed              */ \
  X(kSkipped, "skipped") /* not reached, or something it needs is missing   */
JOINTRIG_ENUM(VerdictStatus, JOINTRIG_VERDICT_STATUSES)

inline constexpr double kNoTime = std::numeric_limits<double>::quiet_NaN();

/// Result of one step, assertion or metric.
struct Verdict {
  VerdictKind kind = VerdictKind::kStep;
  VerdictStatus status = VerdictStatus::kSkipped;
  std::string phase;  ///< of a step: setup, steps or teardown
  std::string name;
  std::string place;     ///< `elbow.yaml:12:5`
  std::string expected;  ///< set if it failed or warned; else the requirement
  std::string got;
  /// More about a failure: the worst value of an `always` and its frequency; the other joints of an
  /// `at_end`.
  std::string more;
  double at = kNoTime;     ///< [s] time of the decision
  double since = kNoTime;  ///< [s] begin of a step
  /// Smallest distance to the bound, in the signal's unit, and its time; for assertions with
  /// numbers.
  std::optional<double> margin;
  double margin_at = kNoTime;
  std::optional<double> value;  ///< of a metric
  std::optional<double> least;  ///< its bounds
  std::optional<double> most;
  std::string unit;  ///< SI unit of value, bounds and margin
  /// Unit for people, as the author wrote it, and its value in SI.
  std::string shown_unit;
  double shown_scale = 1.0;

  [[nodiscard]] bool failed() const noexcept {
    return status == VerdictStatus::kFailed || status == VerdictStatus::kError;
  }
};

/// A value, bound or margin of a verdict as shown to people: `2.015 deg`.
std::string shown(const Verdict& verdict, double value);

struct MarkRecord {
  std::string name;
  double time = 0.0;
};

/// A line across a plot.
struct PlotBound {
  double value = 0.0;
  bool is_limit = false;  ///< limit of the robot; else set by the scenario
  bool is_soft = false;   ///< of limits: references stay within it
  bool operator==(const PlotBound&) const = default;
};

/// One signal over the whole run: least and most in each span of `times`.
struct Trace {
  std::string name;
  std::string unit;
  std::string joint;  ///< "" if it belongs to no joint
  std::vector<PlotBound> bounds;
  std::vector<float> least;
  std::vector<float> most;
  std::vector<double> near_failure;  ///< each sample of the failing window; empty without a failure
};

/// All traces have the same times.
struct Traces {
  std::vector<double> times;  ///< begin of each span [s]
  double span = 0.0;          ///< length of a span [s]
  std::vector<double> times_near_failure;
  std::vector<Trace> signals;
};

/// The first failure.
struct Failure {
  double time = 0.0;
  std::string name;
  std::string expected;
  std::string got;
};

/// A mode, fault or command that the loop reported, as text.
struct EventRecord {
  double time = 0.0;
  std::uint64_t cycle = 0;
  std::string kind;
  std::string joint;  ///< "" if it concerns no joint
  std::string sentence;
};

/// The mode of a joint from that time on: at the start, and at every change.
struct ModeRecord {
  double time = 0.0;
  std::string joint;
  std::string mode;
  std::string interaction;
};

/// A limit that has acted on a joint.
struct LimitRecord {
  std::string joint;
  std::string limit;
  std::uint32_t cycles = 0;  ///< cycles in which it acted
};

struct Result {
  std::string scenario;  ///< with its variation
  std::string family;
  std::map<std::string, std::string> variation;
  std::string file;
  std::string about;
  std::vector<std::string> tags;
  std::string backend;
  Outcome outcome = Outcome::kSkipped;
  std::string reason;            ///< one sentence, if it did not pass
  std::string expected_failure;  ///< reason why it may fail (xfail)
  std::vector<Verdict> verdicts;
  std::optional<Failure> first_failure;
  std::vector<MarkRecord> marks;
  std::vector<EventRecord> events;
  std::vector<ModeRecord> modes;    ///< by time
  std::vector<LimitRecord> limits;  ///< limits that acted, by joint
  std::uint64_t events_left_out = 0;
  std::vector<std::string> notes;
  Traces traces;
  std::uint64_t cycles = 0;         ///< judged
  std::uint64_t cycles_missed = 0;  ///< missed cycles of the loop, in real time
  std::uint64_t events_missed = 0;
  double sim_time = 0.0;   ///< [s]
  double wall_time = 0.0;  ///< [s]; the app fills in this and the rest
  std::string state_hash;
  std::map<std::string, std::string>
      properties;  ///< versions, seeds, host, paths to log and report
};

}  // namespace jointrig::harness
