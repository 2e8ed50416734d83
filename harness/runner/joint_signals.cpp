#include "harness/runner/joint_signals.h"

#include <array>

#include "harness/runner/words.h"

namespace jointrig::harness {
namespace {

using J = JointSnapshot;
constexpr SignalKind kNumber = SignalKind::kNumber;
constexpr SignalKind kWord = SignalKind::kWord;
constexpr SignalKind kTruth = SignalKind::kTruth;

// The numbers of the words are looked up once; `all` has every member of its enumeration in order.
template <const auto& all, typename Enumeration>
double code(Enumeration value) {
  static const std::vector<double> codes = codes_of(all);
  return codes[static_cast<std::size_t>(value)];
}

template <Limit limit>
double limit_cycles(const J& j) {
  return j.limit_cycles[static_cast<std::size_t>(limit)];
}

template <Limit limit>
double limited(const J& j) {
  return j.limits.has(limit) ? 1.0 : 0.0;
}

constexpr auto kSignals = std::to_array<JointSignal>({
    {"q", "rad", "m", kNumber, [](const J& j) { return j.state.q; }},
    {"v", "rad/s", "m/s", kNumber, [](const J& j) { return j.state.v; }},
    {"tau", "N·m", "N", kNumber, [](const J& j) { return j.state.tau; }},
    {"q_ref", "rad", "m", kNumber, [](const J& j) { return j.reference.q; }},
    {"v_ref", "rad/s", "m/s", kNumber, [](const J& j) { return j.reference.v; }},
    {"a_ref", "rad/s²", "m/s²", kNumber, [](const J& j) { return j.reference.a; }},
    {"tau_ref", "N·m", "N", kNumber, [](const J& j) { return j.reference.tau; }},
    {"duty_ref", "", "", kNumber, [](const J& j) { return j.reference.duty; }},
    {"q_err", "rad", "m", kNumber, [](const J& j) { return j.reference.q - j.state.q; }},
    {"v_err", "rad/s", "m/s", kNumber, [](const J& j) { return j.reference.v - j.state.v; }},
    {"q_cmd", "rad", "m", kNumber, [](const J& j) { return j.setpoint.q; }},
    {"v_cmd", "rad/s", "m/s", kNumber, [](const J& j) { return j.setpoint.v; }},
    {"tau_cmd", "N·m", "N", kNumber, [](const J& j) { return j.setpoint.tau; }},
    {"duty", "", "", kNumber, [](const J& j) { return j.setpoint.duty; }},
    {"tau_gravity_only", "N·m", "N", kNumber, [](const J& j) { return j.effort.gravity; }},
    {"tau_model", "N·m", "N", kNumber, [](const J& j) { return j.effort.model; }},
    {"tau_interaction", "N·m", "N", kNumber, [](const J& j) { return j.effort.interaction; }},
    {"tau_laws", "N·m", "N", kNumber, [](const J& j) { return j.effort.laws; }},
    {"tau_external", "N·m", "N", kNumber, [](const J& j) { return j.effort.external; }},
    {"tau_hysteresis", "N·m", "N", kNumber, [](const J& j) { return j.state.tau_hysteresis; }},
    {"hysteresis_state", "", "", kNumber, [](const J& j) { return j.state.hysteresis_state; }},
    {"tau_crosstalk", "N·m", "N", kNumber, [](const J& j) { return j.state.tau_crosstalk; }},
    {"stiffness", "N·m/rad", "N/m", kNumber, [](const J& j) { return j.stiffness; }},
    {"damping", "N·m·s/rad", "N·s/m", kNumber, [](const J& j) { return j.damping; }},
    {"temperature", "°C", "°C", kNumber, [](const J& j) { return j.state.temperature_C; }},
    {"current", "A", "A", kNumber, [](const J& j) { return j.state.current_A; }},
    {"supply", "V", "V", kNumber, [](const J& j) { return j.state.supply_V; }},
    {"progress", "", "", kNumber, [](const J& j) { return j.state.progress; }},
    {"tau_repulsion", "N·m", "N", kNumber, [](const J& j) { return j.repulsion; }},
    {"tau_contact", "N·m", "N", kNumber, [](const J& j) { return j.contact_torque; }},
    {"timeout_left", "s", "s", kNumber, [](const J& j) { return j.timeout_left; }},
    {"missed", "", "", kNumber, [](const J& j) { return static_cast<double>(j.state.missed); }},
    {"mode", "", "", kWord, [](const J& j) { return code<kAllJointMode>(j.mode); }},
    {"fault", "", "", kWord, [](const J& j) { return code<kAllFaultCode>(j.fault.code); }},
    {"status", "", "", kWord, [](const J& j) { return code<kAllBoardStatus>(j.state.status); }},
    {"interaction", "", "", kWord,
     [](const J& j) { return code<kAllInteractionMode>(j.interaction); }},
    {"drive", "", "", kWord, [](const J& j) { return code<kAllDriveMode>(j.setpoint.drive); }},
    {"moving", "", "", kTruth, [](const J& j) { return j.moving ? 1.0 : 0.0; }},
    {"timed_out", "", "", kTruth, [](const J& j) { return j.timed_out ? 1.0 : 0.0; }},
    {"limited", "", "", kTruth, [](const J& j) { return j.limits.any() ? 1.0 : 0.0; }},
    {"limited.position", "", "", kTruth, limited<Limit::kPosition>},
    {"limited.velocity", "", "", kTruth, limited<Limit::kVelocity>},
    {"limited.acceleration", "", "", kTruth, limited<Limit::kAcceleration>},
    {"limited.step", "", "", kTruth, limited<Limit::kStep>},
    {"limited.torque", "", "", kTruth, limited<Limit::kTorque>},
    {"limited.torque_rate", "", "", kTruth, limited<Limit::kTorqueRate>},
    {"limited.duty", "", "", kTruth, limited<Limit::kDuty>},
    {"limited.not_finite", "", "", kTruth, limited<Limit::kNotFinite>},
    {"limit_cycles.position", "", "", kNumber, limit_cycles<Limit::kPosition>},
    {"limit_cycles.velocity", "", "", kNumber, limit_cycles<Limit::kVelocity>},
    {"limit_cycles.acceleration", "", "", kNumber, limit_cycles<Limit::kAcceleration>},
    {"limit_cycles.step", "", "", kNumber, limit_cycles<Limit::kStep>},
    {"limit_cycles.torque", "", "", kNumber, limit_cycles<Limit::kTorque>},
    {"limit_cycles.torque_rate", "", "", kNumber, limit_cycles<Limit::kTorqueRate>},
    {"limit_cycles.duty", "", "", kNumber, limit_cycles<Limit::kDuty>},
    {"limit_cycles.not_finite", "", "", kNumber, limit_cycles<Limit::kNotFinite>},
    {"knows_external", "", "", kTruth, [](const J& j) { return j.has_external ? 1.0 : 0.0; }},
});

using P = PlanSnapshot;
constexpr auto kPlanSignals = std::to_array<PlanSignal>({
    {"plan_time", "s", [](const P& p) { return p.time; }},
    {"plan_duration", "s", [](const P& p) { return p.duration; }},
    {"plan_pace", "", [](const P& p) { return p.pace; }},
    {"plan_number", "", [](const P& p) { return static_cast<double>(p.number); }},
    {"plan_waypoint", "", [](const P& p) { return static_cast<double>(p.waypoint); }},
    {"plan_waypoints", "", [](const P& p) { return static_cast<double>(p.waypoints); }},
});

using C = JointConfig;
constexpr auto kConstants = std::to_array<JointConstant>({
    {"q_min", "rad", "m", [](const C& c) { return c.limits.q_min; }},
    {"q_max", "rad", "m", [](const C& c) { return c.limits.q_max; }},
    {"v_max", "rad/s", "m/s", [](const C& c) { return c.limits.v_max; }},
    {"a_max", "rad/s²", "m/s²", [](const C& c) { return c.limits.a_max; }},
    {"tau_max", "N·m", "N", [](const C& c) { return c.limits.tau_max; }},
    {"tau_rate", "N·m/s", "N/s", [](const C& c) { return c.limits.tau_rate_max; }},
    {"step_max", "rad", "m", [](const C& c) { return c.limits.step_max; }},
});

}  // namespace

std::span<const JointSignal> joint_signals() noexcept {
  // Reads every signal once before the first cycle, so that the numbers of the words are looked up.
  static const bool kAllRead = [] {
    for (const JointSignal& signal : kSignals) signal.read(JointSnapshot{});
    return true;
  }();
  static_cast<void>(kAllRead);
  return kSignals;
}
std::span<const PlanSignal> plan_signals() noexcept { return kPlanSignals; }
std::span<const JointConstant> joint_constants() noexcept { return kConstants; }

}  // namespace jointrig::harness
