#pragma once
/// Laws of one's own (user_law.h) as the robot's configuration has them, and their state.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "control/core/enumeration.h"
#include "control/core/fixed_vector.h"
#include "control/core/modes.h"
#include "control/core/types.h"

namespace jointrig {

class UserLaw;

inline constexpr std::size_t kMaxLaws = 4;            ///< a choice
inline constexpr std::size_t kMaxLawParameters = 64;  ///< a choice: gains and targets of two arms
inline constexpr std::size_t kMaxLawSignals = 32;     ///< of a law of one's own: a choice
/// All laws together: room for the inner values of a whole-body controller with 64 joints.
inline constexpr std::size_t kMaxSignals = 1024;
using LawIndex = std::uint8_t;
inline constexpr LawIndex kNoLaw = 0xFF;

template <typename T>
using PerLaw = FixedVector<T, kMaxLaws>;

/// State of a law in a cycle.
///
///     off      switched off
///     waits    switched on; a joint of it is in another mode, off or held
///     runs     adds its torque
///     failed   shut out, until it is switched on again
///     holds    of the whole-body controller: joints hold until its base is known, and it runs
#define JOINTRIG_LAW_STATES(X) \
  X(kOff, "off")               \
  X(kWaits, "waits")           \
  X(kRuns, "runs")             \
  X(kFailed, "failed")         \
  X(kHolds, "holds")
JOINTRIG_ENUM(LawState, JOINTRIG_LAW_STATES)

/// True if it runs, or is ready to.
constexpr bool is_switched_on(LawState state) noexcept {
  return state == LawState::kRuns || state == LawState::kWaits || state == LawState::kHolds;
}

/// Why a law was shut out.
///
///     threw        an exception left it
///     not_finite   it gave a torque that is no number; value = the torque
///     overran      it took longer than its budget; value = what it took [s], limit = budget [s]
///
/// By the whole-body controller alone, whose joints are then damped:
///
///     no_solution  its program has none; value = for so long [s], limit = hold_time [s]
///     fell         the capture point left the soles; value = by so much [m], limit [m]
///     tipped       the base has tilted; value = tilt since the start [rad], limit [rad]
///     no_base      nobody knows where the base is; value = for so long [s], limit = hold_time [s]
#define JOINTRIG_LAW_FAILURES(X) \
  X(kThrew, "threw")             \
  X(kNotFinite, "not_finite")    \
  X(kOverran, "overran")         \
  X(kNoSolution, "no_solution")  \
  X(kFell, "fell")               \
  X(kTipped, "tipped")           \
  X(kNoBase, "no_base")
JOINTRIG_ENUM(LawFailure, JOINTRIG_LAW_FAILURES)

struct LawParameter {
  std::string name;
  std::string unit;
  double value = 0.0;  ///< at the start
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool is_target = false;  ///< its change is a motion
  bool operator==(const LawParameter&) const = default;
};

struct LawSignal {
  std::string name;
  std::string unit;
  std::string meaning{};  ///< in a few words, for people; empty: its name says it
  bool operator==(const LawSignal&) const = default;
};

/// A value that robot.yaml gives to a parameter, before the law has declared it.
struct LawParameterValue {
  std::string name{};
  double value = 0.0;
  std::string place{};  ///< file and line, for messages
  bool operator==(const LawParameterValue&) const = default;
};

/// Makes the law's object. It keeps the shared library open, as do the objects that it makes.
using UserLawMaker = std::function<std::shared_ptr<UserLaw>()>;

struct LawConfig {
  std::string name;
  std::string library;  ///< path of the shared library; empty for a law that is linked
  std::string place;    ///< file and line, for messages
  std::vector<JointIndex> joints;
  ModeSet modes{ControlMode::kTorque};  ///< in which it adds torque: torque, cartesian
  bool on = true;                       ///< at the start
  double budget = 100e-6;               ///< largest time that it may take in a cycle [s]
  std::vector<LawParameterValue> given;
  // As declared by the law (control/stack/law_declaration.h):
  std::vector<LawParameter> parameters;
  std::vector<LawSignal> signals;
  std::shared_ptr<const UserLawMaker> maker;
  bool is_whole_body = false;  ///< the stack's whole-body controller: it is made with the robot
  bool operator==(const LawConfig&) const = default;
};

/// Place of a law's first signal among those of all laws (Snapshot::law_signals).
inline std::size_t first_signal(const std::vector<LawConfig>& laws, std::size_t law) noexcept {
  std::size_t first = 0;
  for (std::size_t i = 0; i < law && i < laws.size(); ++i) first += laws[i].signals.size();
  return first;
}
inline std::size_t signal_count(const std::vector<LawConfig>& laws) noexcept {
  return first_signal(laws, laws.size());
}

/// A law in this cycle; its signals are in Snapshot::law_signals.
struct LawSnapshot {
  std::array<double, kMaxLawParameters> parameters{};
  float took_us = 0;  ///< processor time of the cycle: for people, never for control
  LawState state = LawState::kOff;
  bool operator==(const LawSnapshot&) const = default;
};

}  // namespace jointrig
