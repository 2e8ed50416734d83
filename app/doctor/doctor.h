#pragma once
/// `jointrig doctor`: can this machine hold 1 kHz, and what would help?

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>

#include "app/realtime/realtime.h"
#include "control/core/types.h"

namespace jointrig::app {

struct DoctorOptions {
  double seconds = 10.0;         ///< of each of the measurements
  TimeNs period_ns = 1'000'000;  ///< of the loop that is to be held
  TimeNs spin_ns = 200'000;      ///< how early the spinning loop wakes; 0: not measured
  RealtimeOptions realtime{};
  std::string json_path{};  ///< also write everything there; empty: don't
  /// What the paced loop does each cycle, and its name in the table. None: the loop is empty.
  std::function<void()> cycle{};
  std::string cycle_name = "empty cycle";
  std::filesystem::path root = "/";  ///< where /proc and /sys are looked for
};

/// Looks at kernel, scheduling, memory, frequency, idle states, isolation, clock, then measures for
/// `seconds` each, in a thread set up as the loop's would be: bare clock_nanosleep, the paced loop,
/// the paced loop that spins, bare clock_nanosleep again. So the machine's own share is seen beside
/// the loop's, and whether it changed meanwhile.
///
/// Every finding comes with the command that changes it. Bounds of the verdict: diagnosis.h.
///
/// @returns exit code: 0 the rate can be held (asleep or spinning), 1 it can't, 2 could not run
int run_doctor(const DoctorOptions& options, std::ostream& out);

}  // namespace jointrig::app
