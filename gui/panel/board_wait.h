#pragma once
/// State of the boards that a window waits for, as it shows it: by bus and board, what was
/// heard, since when, and what to try.

#include <string>
#include <vector>

#include "control/core/robot_config.h"

namespace jointrig::gui {

enum class Heard : std::uint8_t {
  kNotAsked,  ///< its bus could not be asked yet
  kReady,     ///< it is there, as it must be
  kNothing,   ///< silence
  kProblem,   ///< it answers, and is not as it must be
};

struct WaitedBoard {
  std::string joint;
  std::string address;  ///< "node 9", "servo 4"
  Heard heard = Heard::kNotAsked;
  std::string text;    ///< the driver's sentence without bus and joint; or why it wasn't asked
  double since = 0.0;  ///< for how long it is so: time of the change [s]
};

struct WaitedBus {
  std::string name;
  std::string address;
  std::string problem;  ///< of the bus itself: no such adapter, bus-off, a stranger on it
  double since = 0.0;
  std::vector<WaitedBoard> boards;
};

class BoardWait {
 public:
  /// @param now  any clock that goes on evenly [s]; the same one in all calls
  BoardWait(const RobotConfig& robot, double now);

  /// A try failed with the sentences of the driver, one a line: "bus can: elbow (node 2) ...".
  /// @param asked  the buses were open, so a board that no sentence names was heard
  void failed(const std::string& sentences, bool asked, double now);

  [[nodiscard]] const std::vector<WaitedBus>& buses() const noexcept { return buses_; }
  /// Sentences that name no bus of this robot.
  [[nodiscard]] const std::vector<std::string>& others() const noexcept { return others_; }
  [[nodiscard]] std::size_t tries() const noexcept { return tries_; }
  [[nodiscard]] std::size_t boards() const noexcept;
  [[nodiscard]] std::size_t ready() const noexcept;
  /// Remedies to try, by what was heard: the likeliest first.
  [[nodiscard]] std::vector<std::string> advice() const;

 private:
  std::string robot_;  ///< name
  std::string virtual_boards_;
  std::vector<WaitedBus> buses_;
  std::vector<std::string> others_;
  std::size_t tries_ = 0;
};

[[nodiscard]] std::string heard_text(const WaitedBoard& board);

}  // namespace jointrig::gui
