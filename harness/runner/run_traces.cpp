#include "harness/runner/run_traces.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace jointrig::harness {
namespace {

constexpr std::size_t kMostTraces = 600;        // a choice: 14 MB of traces
constexpr std::size_t kMostPlottedJoints = 32;  // joints plotted because they are commanded

void find_plots(const Scenario& scenario, SignalTable& signals) {
  Problems problems;
  for (const Text& plot : scenario.plots) {
    try {
      signals.find(plot.text);
    } catch (const NoTruth&) {
      continue;
    } catch (const UnknownSignal& error) {
      problems.add(plot.spot, error.what());
    }
  }
  problems.throw_if_any();
}

void add_bound(Trace& trace, double value, bool is_limit, bool is_soft = false) {
  const PlotBound bound{value, is_limit, is_soft};
  const bool known =
      std::find(trace.bounds.begin(), trace.bounds.end(), bound) != trace.bounds.end();
  if (std::isfinite(value) && !known) trace.bounds.push_back(bound);
}

void add_limits(Trace& trace, std::string_view quantity, const JointLimits& limits) {
  const auto add_both = [&trace](double most) {
    add_bound(trace, -most, true);
    add_bound(trace, most, true);
  };
  if (quantity == "q" || quantity == "q_ref") {
    add_bound(trace, limits.q_min, true);
    add_bound(trace, limits.q_max, true);
    if (limits.soft_margin > 0.0) {
      add_bound(trace, limits.q_min + limits.soft_margin, true, true);
      add_bound(trace, limits.q_max - limits.soft_margin, true, true);
    }
  } else if (quantity == "v" || quantity == "v_ref") {
    add_both(limits.v_max);
  } else if (quantity == "tau" || quantity == "tau_cmd") {
    add_both(limits.tau_max);
  }
}

}  // namespace

void RunTraces::choose(const Scenario& scenario, const StepNeeds& needs, SignalTable& signals) {
  find_plots(scenario, signals);
  std::size_t joints = 0;
  for (std::size_t i = 0; i < signals.config().joints.size(); ++i) {
    if (!needs.commanded.test(i) || joints++ >= kMostPlottedJoints) continue;
    for (const std::string_view what : {"q", "q_ref", "v", "tau", "tau_cmd"}) {
      signals.find("each." + std::string(what), static_cast<JointIndex>(i));
    }
  }
  for (const Signal& signal : signals.signals()) {
    const bool is_plotted = !signal.is_fixed && signal.kind != SignalKind::kWord &&
                            signal.name != "time" && signal.name != "cycle";
    if (is_plotted && signals_.size() < kMostTraces) signals_.push_back(&signal);
  }
  recorder_ = std::make_unique<TraceRecorder>(signals_, signals.period());
}

void RunTraces::finish(std::span<const SignalBound> bounds, const RobotConfig& config,
                       Result& result) const {
  result.traces = recorder_->traces();
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    const Signal& signal = *signals_[i];
    Trace& trace = result.traces.signals[i];
    for (const SignalBound& bound : bounds) {
      if (bound.signal == &signal) add_bound(trace, bound.value, false);
    }
    if (signal.joint == kNoJoint) continue;
    const JointConfig& joint = config.joints[signal.joint];
    trace.joint = joint.name;
    add_limits(trace, std::string_view(signal.name).substr(joint.name.size() + 1), joint.limits);
  }
}

}  // namespace jointrig::harness
