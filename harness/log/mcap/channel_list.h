#pragma once
/// The channels of a log and their fields, in words.

#include <string>

namespace jointrig::harness {

/// How long the log is, then each message type with its topics, the number of messages of each, and
/// its fields with their units: the names that a selection of export_csv() takes.
///
/// Throws LogFileError for a log that can't be read.
std::string channel_list(const std::string& log_path);

}  // namespace jointrig::harness
