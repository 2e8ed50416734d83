#pragma once

#include <string>
#include <vector>

#include "gui/panel/panel.h"
#include "gui/panel/sequence.h"

namespace jointrig::gui {

/// Requests of the file buttons; the program carries them out and reports the result.
#define JOINTRIG_FILE_WISHES(X) X(kNone, "none") X(kSave, "save") X(kOpen, "open")
JOINTRIG_ENUM(FileWish, JOINTRIG_FILE_WISHES)

/// Records, edits and plays a sequence.
///
/// Run or Step plays a copy of the table: it sends a pose, waits until every reference has arrived,
/// holds, and so on. Holds are counted in the robot's time. No joint is faster than the panel's
/// speed override. The sequence ends if a joint faults, leaves POSITION and MIXED, refuses the
/// move, or gets a goal from another client.
///
/// One thread: the window's.
class SequenceDesk final : public Autopilot {
 public:
  static constexpr double kAtGoal = 1e-6;  ///< rad or m: distance at which a reference has arrived

  explicit SequenceDesk(MotorPanel& panel) : panel_(&panel) { panel.add(*this); }

  // The table.

  Sequence sequence;
  std::size_t selected = 0;
  bool loop = false;

  /// Adds the present positions of the shown part's joints, after the selected pose.
  void record();
  /// Replaces the selected pose by the present positions.
  void record_again();
  void remove();
  void duplicate();
  /// Moves the selected pose up (-1) or down (+1).
  void shift(int by);
  /// Handles Enter in a field: "2 s" makes it timed, "40 %" not. Returns the reason of a refusal;
  /// empty: accepted.
  std::string type_time(std::size_t row, const std::string& text);
  std::string type_speed(std::size_t row, const std::string& text);
  std::string type_hold(std::size_t row, const std::string& text);
  std::string type_position(std::size_t row, JointIndex joint, const std::string& text);

  /// Checks of each pose, from the robot's present positions.
  [[nodiscard]] std::vector<PoseCheck> checks() const;

  // Playing.

  /// Reason why it can't be played now; empty: it can.
  [[nodiscard]] std::string why_not(bool only_selected) const;
  /// Plays from the first pose to the last; with `loop` repeatedly.
  void run();
  /// Plays the selected pose alone; on arrival selects the next one.
  void step();
  /// Stops: its joints brake and hold.
  void stop();
  void end(const std::string& why) override;
  [[nodiscard]] bool playing() const noexcept { return playing_; }
  [[nodiscard]] std::size_t row() const noexcept { return row_; }  ///< the row that is played
  [[nodiscard]] bool holding() const noexcept { return holding_; }

  /// Call each frame, after the panel's.
  void begin_frame();

  // Its file.

  std::string file = "sequence.yaml";
  std::string own_file;  ///< file that it was opened from, or saved to
  FileWish wish = FileWish::kNone;
  /// Called when the program has opened a file, or failed to open or save one.
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
