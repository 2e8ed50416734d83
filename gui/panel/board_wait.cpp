#include "gui/panel/board_wait.h"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace jointrig::gui {
namespace {

std::string board_address(const BusConfig& bus, int node) {
  const bool is_servo = bus.protocol != BusProtocol::kCanopen;
  return fmt::format("{} {}", is_servo ? "servo" : "node", node);
}

/// "elbow (node 2) does not answer" without what its row says already.
std::string without_its_name(std::string_view sentence, const WaitedBoard& board) {
  sentence.remove_prefix(board.joint.size());
  for (const std::string& said : {" (" + board.address + ")", ": " + board.address,
                                  std::string(":"), std::string(","), std::string(" ")}) {
    if (sentence.starts_with(said)) sentence.remove_prefix(said.size());
  }
  return std::string(sentence);
}

bool sentence_names(std::string_view sentence, std::string_view joint) {
  if (!sentence.starts_with(joint)) return false;
  sentence.remove_prefix(joint.size());
  return sentence.empty() || sentence.starts_with(' ') || sentence.starts_with(':');
}

Heard heard_in(const std::string& text) {
  return text.starts_with("does not answer") ? Heard::kNothing : Heard::kProblem;
}

bool any_board(const std::vector<WaitedBus>& buses, Heard heard) {
  return std::any_of(buses.begin(), buses.end(), [heard](const WaitedBus& bus) {
    return std::any_of(bus.boards.begin(), bus.boards.end(),
                       [heard](const WaitedBoard& board) { return board.heard == heard; });
  });
}

/// After a try that ended before any board could be asked: `not asked yet` would promise that
/// waiting alone helps.
void tell_why_not_asked(std::vector<WaitedBus>& buses) {
  const auto broken = std::find_if(buses.begin(), buses.end(),
                                   [](const WaitedBus& bus) { return !bus.problem.empty(); });
  for (WaitedBus& bus : buses) {
    const std::string why = !bus.problem.empty() ? "its bus can't be used"
                            : broken != buses.end()
                                ? "not asked, since bus " + broken->name + " can't be used"
                                : "not asked, for the reason below";
    for (WaitedBoard& board : bus.boards) {
      if (board.heard == Heard::kNotAsked) board.text = why;
    }
  }
}

/// Result of a try, before it is compared with what is known.
struct Findings {
  std::vector<WaitedBus> buses;
  std::vector<std::string> others;

  void take(const std::string& line) {
    for (WaitedBus& bus : buses) {
      const std::string prefix = "bus " + bus.name + ": ";
      if (line.starts_with(prefix)) return take(bus, line.substr(prefix.size()));
    }
    // advice() says it.
    if (!line.starts_with("the boards count as real ones")) others.push_back(line);
  }

  static void take(WaitedBus& bus, const std::string& sentence) {
    for (WaitedBoard& board : bus.boards) {
      if (!sentence_names(sentence, board.joint)) continue;
      board.text = without_its_name(sentence, board);
      board.heard = heard_in(board.text);
      return;
    }
    bus.problem += (bus.problem.empty() ? "" : "; ") + sentence;
  }
};

}  // namespace

BoardWait::BoardWait(const RobotConfig& robot, double now)
    : robot_(robot.name), virtual_boards_(robot.virtual_boards) {
  for (const BusConfig& config : robot.buses) {
    WaitedBus bus{
        .name = config.name, .address = config.address, .problem = {}, .since = now, .boards = {}};
    for (const JointConfig& joint : robot.joints) {
      if (joint.drive.bus != config.name) continue;
      bus.boards.push_back({.joint = joint.name,
                            .address = board_address(config, joint.drive.node),
                            .heard = Heard::kNotAsked,
                            .text = {},
                            .since = now});
    }
    if (!bus.boards.empty()) buses_.push_back(std::move(bus));
  }
}

void BoardWait::failed(const std::string& sentences, bool asked, double now) {
  ++tries_;
  Findings found{buses_, {}};
  for (WaitedBus& bus : found.buses) {
    bus.problem.clear();
    for (WaitedBoard& board : bus.boards) {
      board.text.clear();
      board.heard = asked ? Heard::kReady : Heard::kNotAsked;
    }
  }
  std::istringstream lines(sentences);
  for (std::string line; std::getline(lines, line);) found.take(line);
  if (!asked) tell_why_not_asked(found.buses);
  for (std::size_t i = 0; i < buses_.size(); ++i) {
    WaitedBus& bus = found.buses[i];
    if (bus.problem != buses_[i].problem) bus.since = now;
    for (std::size_t j = 0; j < bus.boards.size(); ++j) {
      WaitedBoard& board = bus.boards[j];
      const Heard before = buses_[i].boards[j].heard;
      // Nothing was heard before it was asked, either.
      const bool is_still_silent = before == Heard::kNotAsked && board.heard == Heard::kNothing;
      if (board.heard != before && !is_still_silent) board.since = now;
    }
  }
  buses_ = std::move(found.buses);
  others_ = std::move(found.others);
}

std::size_t BoardWait::boards() const noexcept {
  std::size_t count = 0;
  for (const WaitedBus& bus : buses_) count += bus.boards.size();
  return count;
}

std::size_t BoardWait::ready() const noexcept {
  std::size_t count = 0;
  for (const WaitedBus& bus : buses_) {
    count += static_cast<std::size_t>(
        std::count_if(bus.boards.begin(), bus.boards.end(),
                      [](const WaitedBoard& board) { return board.heard == Heard::kReady; }));
  }
  return count;
}

std::vector<std::string> BoardWait::advice() const {
  std::vector<std::string> advice;
  if (tries_ == 0) return advice;
  const bool bus_fails = std::any_of(buses_.begin(), buses_.end(),
                                     [](const WaitedBus& bus) { return !bus.problem.empty(); });
  if (!virtual_boards_.empty()) {
    advice.push_back("Virtual boards: start `jointrig board " + robot_ +
                     "`; nobody needs to listen at " + virtual_boards_ + " for real ones.");
  }
  if (bus_fails) {
    advice.emplace_back(
        "A bus can't be used: is its adapter plugged in, may you open it (group dialout), is its "
        "address in `buses` of robot.yaml right?");
  }
  if (any_board(buses_, Heard::kNothing)) {
    advice.emplace_back(
        "A board is silent: supply of its electronics, wire and terminators, its number, the bit "
        "rate.");
    advice.push_back("List the drives that answer: `jointrig bus scan " + robot_ + "` (CANopen).");
  }
  if (any_board(buses_, Heard::kProblem)) {
    advice.emplace_back(
        "A board answers and isn't as robot.yaml says: its sentence names the key.");
  }
  return advice;
}

std::string heard_text(const WaitedBoard& board) {
  switch (board.heard) {
    case Heard::kNotAsked:
      return board.text.empty() ? "not asked yet" : board.text;
    case Heard::kReady:
      return "answers, as it must be";
    case Heard::kNothing:
    case Heard::kProblem:
      break;
  }
  return board.text;
}

}  // namespace jointrig::gui
