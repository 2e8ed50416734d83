#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "control/core/law_config.h"
#include "control/core/robot_config.h"

namespace jointrig {

/// A law's object with what it declared.
struct DeclaredLaw {
  std::shared_ptr<UserLaw> law;
  std::vector<LawParameter> parameters;  ///< with the values that the configuration gives
  std::vector<LawSignal> signals;
  std::vector<std::string> frames;
  std::size_t memory = 0;
};

/// Makes a law and asks it what it has. Throws ConfigError with file, line and law: no maker, an
/// exception from declare(), a name twice, a range without its value, a value for a parameter that
/// isn't there.
DeclaredLaw declare_law(const LawConfig& law, const RobotConfig& robot);

/// Checks all laws and writes their parameters and signals into the configuration, so that all that
/// reads one knows their names. Parameters that are there already keep their values. Throws
/// ConfigError.
void declare_laws(RobotConfig& robot);

/// For a program that links its law: a maker of a class.
template <typename Law>
std::shared_ptr<const UserLawMaker> maker_of() {
  return std::make_shared<const UserLawMaker>([] { return std::make_shared<Law>(); });
}

}  // namespace jointrig
