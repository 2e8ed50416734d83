#include "app/doctor/doctor.h"

#include <fmt/core.h>

#include <ostream>
#include <thread>

#include "app/doctor/diagnosis.h"
#include "app/doctor/report.h"
#include "harness/config/whole_file.h"

namespace jointrig::app {
namespace {

constexpr int kHolds = 0;
constexpr int kDoesNotHold = 1;
constexpr int kCouldNotRun = 2;

/// A sentence if an option is out of range; else empty.
std::string refusal(const DoctorOptions& options) {
  if (!(options.seconds > 0.0 && options.seconds <= 3600.0)) {
    return fmt::format("seconds: {:f} is not between 0 and 3600", options.seconds);
  }
  if (options.period_ns < 10'000 || options.period_ns > 1'000'000'000) {
    return fmt::format("period: {} ns is not between 10 µs and 1 s", options.period_ns);
  }
  if (options.spin_ns < 0 || options.spin_ns > options.period_ns) {
    return fmt::format("spin: {} ns is not between 0 and a period", options.spin_ns);
  }
  return {};
}

std::string scheduling_text(int priority) {
  return priority > 0 ? fmt::format("SCHED_FIFO {}", priority) : std::string{"ordinary scheduling"};
}

/// In a thread of its own, so that the caller's scheduling stays.
void measure(const DoctorOptions& options, Diagnosis& diagnosis, std::ostream& out) {
  const RealtimeSetup setup = enter_realtime(options.realtime);
  const std::vector<Finding> granted = as_findings(setup);
  diagnosis.findings.insert(diagnosis.findings.end(), granted.begin(), granted.end());
  diagnosis.priority = setup.priority;
  print_findings(out, diagnosis.findings);

  const bool spins = options.spin_ns > 0;
  out << "\nmeasuring " << (spins ? 4 : 3) << " times " << options.seconds << " s at "
      << rate_name(options.period_ns) << ", " << scheduling_text(setup.priority) << " ...\n"
      << std::flush;
  const auto [period_ns, seconds] = std::pair{options.period_ns, options.seconds};
  diagnosis.before = measure_bare_sleep("bare clock_nanosleep, before", period_ns, seconds);
  diagnosis.paced =
      measure_paced_loop("loop, " + options.cycle_name, period_ns, seconds, 0, options.cycle);
  if (spins) {
    diagnosis.spinning =
        measure_paced_loop(fmt::format("same, spins the last {} µs", options.spin_ns / 1000),
                           period_ns, seconds, options.spin_ns, options.cycle);
  }
  diagnosis.after = measure_bare_sleep("bare clock_nanosleep, after", period_ns, seconds);
  leave_realtime(setup);
}

void print_verdict(std::ostream& out, const Diagnosis& diagnosis) {
  out << "\ncan hold " << rate_name(diagnosis.period_ns) << ": " << to_string(diagnosis.verdict)
      << " (" << diagnosis.reason << ")\n";
  if (diagnosis.verdict != HoldsRate::kNo && diagnosis.priority == 0) {
    out << "  measured without real-time scheduling: any program that starts can end that\n";
  }
  if (diagnosis.verdict == HoldsRate::kYes) return;
  const auto bare_holds = [&](const WakeUp& bare) { return holds(bare, diagnosis.period_ns).yes; };
  if (!bare_holds(diagnosis.before) || !bare_holds(diagnosis.after)) {
    out << "  a bare clock_nanosleep can't either: it is the machine, not the loop\n";
  }
  out << "  what would help, most first:\n";
  for (const FindingKind severity : {FindingKind::kFix, FindingKind::kNote}) {
    for (const Finding& finding : diagnosis.findings) {
      if (finding.severity != severity || finding.fix.empty()) continue;
      out << "    " << finding.topic << ": " << finding.fix << '\n';
    }
  }
}

}  // namespace

int run_doctor(const DoctorOptions& options, std::ostream& out) {
  if (const std::string why = refusal(options); !why.empty()) {
    out << "doctor: " << why << '\n';
    return kCouldNotRun;
  }
  const Machine machine(options.root);
  Diagnosis diagnosis;
  diagnosis.period_ns = options.period_ns;
  diagnosis.seconds = options.seconds;
  diagnosis.cpu = machine.cpu_model();
  diagnosis.findings = examine(machine);

  out << "can this machine hold " << rate_name(options.period_ns) << "?\n\n";
  std::thread([&] { measure(options, diagnosis, out); }).join();
  decide(diagnosis);
  out << '\n';
  print_table(out, diagnosis);
  out << '\n';
  print_histogram(out, diagnosis.before);
  print_histogram(out, diagnosis.paced);
  if (diagnosis.spinning.late) print_histogram(out, diagnosis.spinning);
  print_verdict(out, diagnosis);

  try {
    if (!options.json_path.empty()) {
      harness::write_whole_file(options.json_path, to_json(diagnosis));
    }
  } catch (const harness::WriteError& error) {
    out << "doctor: " << error.what() << '\n';
    return kCouldNotRun;
  }
  return diagnosis.verdict == HoldsRate::kNo ? kDoesNotHold : kHolds;
}

}  // namespace jointrig::app
