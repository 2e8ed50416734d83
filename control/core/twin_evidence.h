#pragma once
/// How it was found that two drives answer under one number. It travels as the limit of the fault
/// and the notice, whose value is the number.

#include <array>
#include <string_view>

#include "control/core/enumeration.h"

namespace jointrig {

/// Member, word, sentence.
#define JOINTRIG_TWIN_EVIDENCE(X)                                              \
  X(kUnknown, "unknown", "")                                                   \
  X(kBootUps, "boot_ups", "two boot-up messages came after one reset, twice")  \
  X(kSerials, "serials", "its serial number was answered with two values")     \
  X(kEchoes, "echoes", "two different states came with the echo of one order") \
  X(kStates, "states", "more different states came than one drive sends after SYNC")
JOINTRIG_ENUM(TwinEvidence, JOINTRIG_TWIN_EVIDENCE)

#define JOINTRIG_TWIN_SENTENCE(member, word, sentence) std::string_view{sentence},
constexpr std::string_view describe(TwinEvidence evidence) noexcept {
  constexpr std::array kSentences{JOINTRIG_TWIN_EVIDENCE(JOINTRIG_TWIN_SENTENCE)};
  return kSentences[static_cast<std::size_t>(evidence)];
}

/// From the limit of a fault or notice; of a number that is none kUnknown.
constexpr TwinEvidence twin_evidence_of(double limit) noexcept {
  for (const TwinEvidence evidence : kAllTwinEvidence) {
    if (limit == static_cast<double>(evidence)) return evidence;
  }
  return TwinEvidence::kUnknown;
}

}  // namespace jointrig
