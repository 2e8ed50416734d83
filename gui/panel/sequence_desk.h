#pragma once

#include <string>
#include <vector>

#include "gui/panel/panel.h"
#include "gui/panel/sequence.h"

namespace jointrig::gui {

/// What a click on a file button asks for; the program does it, and says what came of it.
#define JOINTRIG_FILE_WISHES(X) X(kNone, "none") X(kSave, "save") X(kOpen, "open")
JOINTRIG_ENUM(FileWish, JOINTRIG_FILE_WISHES)

/// Records, edits and plays a sequence.
///
/// Played is a copy of what the table says when Run or Step is pressed: a pose is sent, waited for
/// until every reference has arrived, held, and so on. Holds are counted in the robot's time. No
/// joint is faster than the panel's speed override. It ends where a joint faults, leaves POSITION
/// and MIXED, is refused the move, or is sent elsewhere by somebody else.
///
/// One thread: the window's.
class SequenceDesk final : public Autopilot {
 public:
  static constexpr double kAtGoal = 1e-6;  ///< rad or m: a reference that has arrived

  explicit SequenceDesk(MotorPanel& panel) : panel_(&panel) { panel.add(*this); }

  // The table.

  Sequence sequence;
  std::size_t selected = 0;
  bool loop = false;

  /// Where the joints of the part shown are now, after the selected pose.
  void record();
  /// The same, in place of the selected pose.
  void record_again();
  void remove();
  void duplicate();
  /// Moves the selected pose up (-1) or down (+1).
  void shift(int by);
  /// Enter in a field: "2 s" makes it timed, "40 %" not. Returns why it was refused; empty: taken.
  std::string type_time(std::size_t row, const std::string& text);
  std::string type_speed(std::size_t row, const std::string& text);
  std::string type_hold(std::size_t row, const std::string& text);
  std::string type_position(std::size_t row, JointIndex joint, const std::string& text);

  /// Of each pose, from where the robot is now.
  [[nodiscard]] std::vector<PoseCheck> checks() const;

  // Playing.

  /// Why it can't be played now; empty: it can.
  [[nodiscard]] std::string why_not(bool only_selected) const;
  /// From the first pose to the last; with `loop` again and again.
  void run();
  /// To the selected pose alone; the next is selected once it is reached.
  void step();
  /// Its joints brake and hold.
  void stop();
  void end(const std::string& why) override;
  [[nodiscard]] bool playing() const noexcept { return playing_; }
  [[nodiscard]] std::size_t row() const noexcept { return row_; }  ///< that is played
  [[nodiscard]] bool holding() const noexcept { return holding_; }

  /// Each frame, after the panel's.
  void begin_frame();

  // Its file.

  std::string file = "sequence.yaml";
  std::string own_file;  ///< that it was opened from, or saved to
  FileWish wish = FileWish::kNone;
  /// The program has opened one, or failed to open or save it.
  void opened(Sequence read);
  void told(std::string what) { panel_->tell(std::move(what)); }

 private:
  [[nodiscard]] SequencePose current_pose() const;
  [[nodiscard]] SequencePose* at(std::size_t row);
  [[nodiscard]] std::string why_not_joints(const JointSet& joints) const;
  void play(bool only_selected);
  void send_row();
  void follow_row();
  void next_row();
  [[nodiscard]] bool arrived() const;
  [[nodiscard]] std::string what_broke_it() const;

  MotorPanel* panel_;
  Sequence played_;
  std::size_t row_ = 0;
  std::uint64_t number_ = 0;  ///< of the command for this row
  TimeNs hold_until_ = 0;
  bool playing_ = false;
  bool only_one_ = false;
  bool holding_ = false;
};

}  // namespace jointrig::gui
