#pragma once
/// Cases and their ends as lines of JSON, one each: between a sweep, its engine and the processes
/// that work on other machines.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/sweep/case_work.h"

namespace jointrig::app {

/// A case that another process is asked for.
struct CaseOrder {
  std::string hash;                   ///< that it has to have there, too
  std::vector<std::string> settings;  ///< path=value, all of them
  std::optional<std::uint64_t> seed;  ///< of the noise
  std::filesystem::path part;         ///< folder for it to be written into
  std::filesystem::path home;         ///< where that folder will lie
};

std::string to_line(const CaseOrder& order);
/// Throws std::runtime_error.
CaseOrder order_of(const std::string& line);

std::string to_line(const CaseEnd& end);

/// Message of an engine's process.
struct EngineWord {
  enum class Kind {
    kEnd,     ///< of a case
    kNote,    ///< a line for people, such as of a node that was lost
    kStatus,  ///< what it works with, for the line of progress
    kBroken   ///< it can do no more: a sentence
  };
  Kind kind = Kind::kNote;
  std::string text;
  CaseEnd end;
};
/// Throws std::runtime_error.
EngineWord word_of(const std::string& line);

}  // namespace jointrig::app
