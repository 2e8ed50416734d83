#pragma once

#include <string>

#include "control/core/event.h"

namespace jointrig::harness {

/// Why a plan was refused.
/// @param slide  of the joint that the event names
std::string why_no_plan(const Event& event, bool slide);

/// What became of a plan: events `plan` and `plan_broken`.
std::string plan_text(const Event& event, bool slide);

}  // namespace jointrig::harness
