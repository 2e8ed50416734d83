#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/panel/body_form.h"
#include "gui/panel/panel.h"

namespace jointrig::gui {

/// The whole-body controller of a robot on feet: its state, tasks and contact forces; messages to
/// the body and their answers. Each call sends what its comment says, and no call sends anything
/// else. A message is judged by the robot: the desk refuses it only for want of ARMED.
class BodyDesk {
 public:
  static constexpr double kHeightStep = 0.02;  ///< of the pelvis by a click [m]: a choice
  /// Between two messages while one is held, unless a frame takes longer [s]: a choice.
  static constexpr double kStreamEvery = 0.03;

  explicit BodyDesk(MotorPanel& panel);

  /// False: the robot has no such controller, and no function below may be called.
  [[nodiscard]] bool is_there() const noexcept { return law_ != kNoLaw; }
  [[nodiscard]] LawIndex law() const noexcept { return law_; }
  [[nodiscard]] const WholeBodyConfig& config() const { return *panel_->config().whole_body; }

  /// Where its parts are; the owner of a model of the robot writes it each frame.
  BodyPlaces places;

  // State.

  [[nodiscard]] LawState state() const;
  /// True while it stands with its capture point outside the soles.
  [[nodiscard]] bool is_falling() const;
  /// "stands, 62 mm inside its soles", "waits: l_elbow is not in mode torque", "holds until its
  /// base is known", "damped: ...".
  [[nodiscard]] std::string state_text() const;
  /// The constraint that gives way, or last did, and how long ago; empty: nothing has.
  [[nodiscard]] std::string gave_way_text() const;
  /// A signal of the law; NaN: it has no such signal.
  [[nodiscard]] double signal(std::string_view name) const;

  struct Task {
    std::string name;
    std::string error;      ///< "–" while nothing is wanted of it
    double weight = 0.0;    ///< in the program: in this cycle while it stands, else robot.yaml's
    std::string weight_of;  ///< key of `whole_body` in robot.yaml
  };
  [[nodiscard]] std::vector<Task> tasks() const;

  /// A signal of the controller's law.
  struct Value {
    std::string name;
    std::string text;  ///< with its unit
    std::string meaning;
  };
  std::string values_like;  ///< as typed: part of the names that are shown
  /// All signals whose names have values_like in them.
  [[nodiscard]] std::vector<Value> values() const;

  struct FootForce {
    std::string name;
    double force = 0.0;  ///< [N]
    double share = 0.0;  ///< of all feet
  };
  [[nodiscard]] std::vector<FootForce> feet() const;

  /// Why the robot can't be asked to stand now; empty: it can.
  [[nodiscard]] std::string why_not_stand() const;
  /// Switches the controller on, if it is off or failed, and takes all joints to mode torque.
  void stand();

  // Messages.

  BodyForm form;
  std::string typing_error;  ///< in the field that is being typed in; empty: none
  /// Begins a message of this kind, where the part is now.
  void begin(CommandKind kind, std::uint8_t hand) { form.fill(kind, hand, places); }

  /// Why a message of this kind can't be sent now; empty: it can.
  [[nodiscard]] std::string why_not(CommandKind kind) const;
  /// Sends the form as a message.
  void send() { post(form); }
  /// Sends the form again and again while it is called in each frame; the point of a stream goes on
  /// by its velocities meanwhile. When the calls end, the robot brakes for want of a message.
  /// @param now  [s, of any steady clock]
  void hold(double now);
  /// Call in a frame in which nothing is held.
  void release() noexcept { held_since_.reset(); }
  /// Sends a part home. @param hand  of the arm
  void go_home(HomePart part, std::uint8_t hand = 0);
  /// Sends every arm, the chest and the pelvis home: a message each.
  void go_home_all();
  /// Raises the pelvis from where it is, in BodyForm::kTakes.
  void change_height(double by);
  void stop_all();
  /// Id that the next message gets: one that nobody has used.
  [[nodiscard]] MessageId next_id() const;

  [[nodiscard]] const std::deque<BodyAnswer>& answers() const { return panel_->body.list(); }
  /// "go_home 3: completed", "hand_trajectory 4: refused: ...".
  [[nodiscard]] static std::string answer_text(const BodyAnswer& answer);

 private:
  [[nodiscard]] std::string failure_text() const;
  [[nodiscard]] double weight_now(const std::string& name, double otherwise) const;
  [[nodiscard]] std::string who_is_not_in_torque() const;
  [[nodiscard]] JointSet all_joints() const;
  void post(const BodyForm& message, double gone = 0.0);

  MotorPanel* panel_;
  LawIndex law_ = kNoLaw;
  MessageId last_sent_ = 0;
  std::optional<double> held_since_;
  double said_at_ = 0.0;  ///< while held
};

}  // namespace jointrig::gui
