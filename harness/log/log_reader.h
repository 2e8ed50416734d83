#pragma once
/// Reads a robot's log back: a quantity over time, and the states that entered the loop. A log that
/// was cut off is read as far as it goes. Not for the loop's thread.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "control/core/robot_io.h"
#include "harness/log/mcap/mcap_reader.h"

namespace jointrig::harness {

/// A field over time.
struct Series {
  std::vector<TimeNs> time_ns;
  std::vector<double> value;
  std::string unit;
};

/// A numeric field of a topic: {"/j/elbow", "q"}, {"/base", "position[2]"}.
struct SeriesName {
  std::string topic;
  std::string field;
};

/// A sentence of `/events`.
struct LoggedSentence {
  TimeNs time_ns = 0;
  std::string sentence;
};

class LogReader {
 public:
  /// Throws LogFileError.
  explicit LogReader(const std::string& path);

  /// Names of the joints, in the order of the robot's configuration.
  [[nodiscard]] const std::vector<std::string>& joints() const { return joints_; }
  [[nodiscard]] const McapReader& file() const { return file_; }

  /// A field over time, in the order of the file. Throws LogFileError with the existing topics or
  /// fields.
  [[nodiscard]] Series series(std::string_view topic, std::string_view field) const;

  /// Several of them, in one pass over the file.
  [[nodiscard]] std::vector<Series> series(const std::vector<SeriesName>& names) const;

  /// `series("/j/<joint>", field)` of all joints, in one pass over the file.
  [[nodiscard]] std::vector<Series> joint_series(std::string_view field) const;

  /// Fields of all topics that series() reads, topic by topic.
  [[nodiscard]] std::vector<SeriesName> names() const;

  /// The event in words.
  [[nodiscard]] std::vector<LoggedSentence> sentences() const;

  /// Each RobotState that entered the loop, to the bit, in order.
  /// @param visit  returns true to continue, false to stop
  void for_each_state(const std::function<bool(const RobotState&)>& visit) const;

 private:
  McapReader file_;
  std::vector<std::string> joints_;
};

/// `series("/j/<joint>", field)` of one log.
Series load_series(const std::string& path, const std::string& joint, const std::string& field);

}  // namespace jointrig::harness
