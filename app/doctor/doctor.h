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
  double seconds = 10.0;         ///< duration of each measurement
  TimeNs period_ns = 1'000'000;  ///< period of the loop
  TimeNs spin_ns = 200'000;      ///< lead of the spinning loop's wake-up; 0: not measured
  RealtimeOptions realtime{};
  std::string json_path{};  ///< path of a JSON file with all results; empty: none
  /// Work of the paced loop in each cycle, with its name in the table. None: the loop is empty.
  std::function<void()> cycle{};
  std::string cycle_name = "empty cycle";
  std::filesystem::path root = "/";  ///< root of /proc and /sys
};

/// Checks kernel, scheduling, memory, frequency, idle states, isolation and clock, then measures
/// for `seconds` each, in a thread with the loop's set-up: bare clock_nanosleep, the paced loop,
/// the paced loop that spins, bare clock_nanosleep again. The bare measurements show the machine's
/// own share, and its change meanwhile.
///
/// Every finding comes with the command that changes it. Bounds of the verdict: diagnosis.h.
///
/// @returns exit code: 0 the rate can be held (asleep or spinning), 1 it can't, 2 could not run
int run_doctor(const DoctorOptions& options, std::ostream& out);

}  // namespace jointrig::app
