#pragma once
/// The managers of a robot on feet: they take messages, and say by the commands of the whole-body
/// controller what is wanted; they reach the robot by nothing else.
///
///     chest, head, pelvis   TurningManager: orientation
///     height                of the pelvis; in place of the height of the centre of mass
///     place                 of the pelvis from above; the centre of mass goes with it, and stays
///                           inside the soles by lift_margin
///     hands                 HandManager: taskspace, jointspace, accelerations; HandBearing:
///                           pressing on the scene
///     neck                  HandManager, in place of the head's orientation: jointspace,
///                           accelerations
///     fingers               HandManager: jointspace
///     feet                  FootManager: bearing, or in the air and moved as a hand
///
/// A joint that a message moves otherwise is no longer pulled to its posture, only damped: those
/// from the base to the chest, from the chest to head or hand, of the legs for the pelvis and
/// for a foot in the air.

#include <span>
#include <string>
#include <vector>

#include "control/core/robot_config.h"
#include "control/core/whole_body_config.h"
#include "control/wholebody/commands.h"
#include "control/wholebody/core.h"
#include "control/wholebody/given_frame.h"
#include "control/wholebody/hand_manager.h"
#include "control/wholebody/load_bearing.h"
#include "control/wholebody/message_rules.h"
#include "control/wholebody/turning_manager.h"
#include "control/wholebody/value_writer.h"

namespace jointrig {

class BodyManagers {
 public:
  /// Limits of a joint for messages.
  struct JointRoom {
    double low = 0.0;
    double high = 0.0;
    double speed = 0.0;
  };

  /// State that is saved and restored by assignment.
  struct State {
    Stance stance;
    TurningManager chest, head, pelvis;
    MessageQueue height, place;  ///< of the pelvis
    HandManager neck;
    std::vector<HandManager> hands, fingers;
    std::vector<HandBearing> bearing;  ///< of the hands
    std::vector<FootManager> feet;
    std::array<double, kMaxContacts> force{};  ///< normal forces of the last solution, by contact
    /// Orientations at the start, in the world, by PointFrame.
    std::array<Eigen::Matrix3d, kAllPointFrame.size()> started{};
    bool stands = false;
  };

  /// For start-up. Throws ModelError: a frame that the model doesn't have, an arm with more joints
  /// than a message has room for.
  /// @param feet  the soles, which are the first contacts; hands come after them, as far as there
  ///              is room
  /// @param first_task  place of the first spatial task that is its own
  BodyManagers(FloatingModel& model, const WholeBodyConfig& config, std::vector<ContactSetup> feet,
               std::vector<JointRoom> room, std::size_t first_task);

  /// Spatial tasks that a configuration takes.
  static std::size_t tasks_of(const WholeBodyConfig& config) noexcept;
  /// Names and units of its signals, in their order.
  static std::vector<BodySignalWords> signals_of(const WholeBodyConfig& config);
  /// Likewise of its inner values: what is wanted of each task, how far it is off, its weight.
  /// @param joints  of the robot
  static std::vector<BodySignalWords> values_of(const WholeBodyConfig& config,
                                                std::span<const JointConfig> joints);

  // For the cycle.

  void begin(FloatingModel& model, const Stance& stance, MessageNotices& notices) noexcept;
  /// The controller has gone off: all messages are dropped.
  void leave(MessageNotices& notices) noexcept;

  /// Whether a message would be taken. take() executes one that was accepted.
  [[nodiscard]] MessageFault check(FloatingModel& model, const PathMessage& message) const noexcept;
  [[nodiscard]] MessageFault check(FloatingModel& model, const GoHome& message) const noexcept;
  [[nodiscard]] MessageFault check(FloatingModel& model,
                                   const PelvisTrajectory& message) const noexcept;
  [[nodiscard]] MessageFault check(FloatingModel& model,
                                   const HandConfiguration& message) const noexcept;
  [[nodiscard]] MessageFault check(const FloatingModel& model,
                                   const FootLoadBearing& message) const noexcept;
  [[nodiscard]] MessageFault check(const HandLoadBearing& message) const noexcept;
  template <BodyTopic kTopic>
  [[nodiscard]] MessageFault check(const DesiredAccelerations<kTopic>& message) const noexcept {
    return check(acceleration_message(message));
  }
  [[nodiscard]] MessageFault check(const AccelerationMessage& message) const noexcept;
  [[nodiscard]] MessageFault check(FloatingModel& model,
                                   const WholeBodyTrajectory& message) const noexcept;
  [[nodiscard]] MessageFault check(const StopAllTrajectories& message) const noexcept;
  template <std::size_t kMost>
  [[nodiscard]] MessageFault check(const Footsteps<kMost>& message) const noexcept {
    return check(step_message(message));
  }
  [[nodiscard]] MessageFault check(const StepMessage& message) const noexcept;
  [[nodiscard]] MessageFault check(const PauseWalking& message) const noexcept;
  void take(FloatingModel& model, const PathMessage& message, MessageNotices& notices) noexcept;
  void take(FloatingModel& model, const GoHome& message, MessageNotices& notices) noexcept;
  void take(FloatingModel& model, const PelvisTrajectory& message,
            MessageNotices& notices) noexcept;
  void take(FloatingModel& model, const HandConfiguration& message,
            MessageNotices& notices) noexcept;
  void take(const FloatingModel& model, const FootLoadBearing& message,
            MessageNotices& notices) noexcept;
  void take(const HandLoadBearing& message, MessageNotices& notices) noexcept;
  template <BodyTopic kTopic>
  void take(const DesiredAccelerations<kTopic>& message, MessageNotices& notices) noexcept {
    take(acceleration_message(message), notices);
  }
  void take(const AccelerationMessage& message, MessageNotices& notices) noexcept;
  void take(FloatingModel& model, const WholeBodyTrajectory& message,
            MessageNotices& notices) noexcept;
  void take(const FloatingModel& model, const StopAllTrajectories& message,
            MessageNotices& notices) noexcept;

  /// @param solution  of the last cycle
  void advance(FloatingModel& model, const WholeBodySolution& solution, double dt,
               MessageNotices& notices) noexcept;
  /// Whether a foot is on the ground, or is to be.
  [[nodiscard]] bool is_on_ground(std::size_t foot) const noexcept {
    return state_.feet[foot].is_on_ground();
  }
  /// Whether a foot is on its way to the ground, or comes to bear there.
  [[nodiscard]] bool settles(std::size_t foot) const noexcept {
    return state_.feet[foot].pull_left() > 0.0;
  }
  /// While messages lead the pelvis from above: where the centre of mass is wanted, in the world.
  /// @param goal  of the centre of mass; its height stays
  void lead(const FloatingModel& model, Eigen::Vector3d& goal) const noexcept;
  /// Adds what is wanted to the tasks of this cycle.
  void want(FloatingModel& model, WholeBodyCommand& command) const noexcept;
  /// @param signals  in the order of signals_of()
  void show(const FloatingModel& model, std::span<double> signals) const noexcept;

  /// The program of this cycle, for show_values().
  struct Shown {
    const WholeBodyCommand& command;
    const WholeBodySolution& solution;
    const ByJoint& posture;                ///< wanted positions, by joint of the model
    std::span<const JointIndex> joint_of;  ///< of each joint of the model its number in the robot
  };
  /// @param values  in the order of values_of(); written while it stands, else 0
  void show_values(const FloatingModel& model, const Shown& shown,
                   std::span<double> values) const noexcept;

  [[nodiscard]] const State& state() const noexcept { return state_; }
  void restore(const State& state);

 private:
  /// A frame that is turned, and what goes with it.
  struct Part {
    bool there = false;
    BodyFrame frame;
    std::vector<int> freed;  ///< joints that aren't pulled to the posture while it is moved
    std::size_t task = 0;    ///< its place among the spatial tasks
  };
  struct Hand : HandSetup {
    std::size_t task = 0;
    HandSetup fingers;
    ByJoint open, closed;  ///< of each joint of the fingers
  };
  /// Where go_home leads: what the model's start pose has. Orientations and place in its stance.
  struct Home {
    ByJoint q;
    Eigen::Matrix3d chest = Eigen::Matrix3d::Identity();
    Eigen::Matrix3d pelvis = Eigen::Matrix3d::Identity();
    Eigen::Vector3d place = Eigen::Vector3d::Zero();  ///< of the pelvis [m]
  };
  /// Where messages lead the pelvis from above, along the stance's axes.
  struct Lead {
    Eigen::Vector2d pelvis, com;  ///< wanted places [m]
    Eigen::Vector2d v, a;         ///< of both [m/s, m/s²]
  };
  struct Foot {
    ContactSetup sole;
    HandSetup leg;  ///< its frame and joints
    std::size_t task = 0;
  };
  /// Where a message would go, and from where.
  struct Target {
    MessageId last_id = 0;
    bool full = false;
    bool other_axes = false;  ///< than those of the message that it is queued behind
    BodyPoint start;
    PathRules rules;
  };

  /// Rows of one part in a whole-body message.
  struct PartRows {
    MessageFault fault;     ///< if it has one, nothing else counts
    PathMessage message;    ///< its rows are those of `numbers`
    WaypointRows numbers;   ///< without the numbers of the part
    std::size_t begin = 0;  ///< number of the message at which its places begin
    std::size_t first = 0;  ///< their row
    std::size_t end = 0;    ///< number behind its last row
  };

  [[nodiscard]] bool has_neck() const noexcept { return !neck_.joints.empty(); }
  /// Manager that moves joints by a trajectory of arm, neck or fingers, or the hand of a hand.
  [[nodiscard]] HandManager& limb_of(BodyTopic topic, std::size_t hand) noexcept {
    if (topic == BodyTopic::kNeck) return state_.neck;
    return topic == BodyTopic::kFingers ? state_.fingers[hand] : state_.hands[hand];
  }
  [[nodiscard]] const HandManager& limb_of(BodyTopic topic, std::size_t hand) const noexcept {
    if (topic == BodyTopic::kNeck) return state_.neck;
    return topic == BodyTopic::kFingers ? state_.fingers[hand] : state_.hands[hand];
  }
  [[nodiscard]] const HandSetup& setup_of(BodyTopic topic, std::size_t hand) const noexcept {
    if (topic == BodyTopic::kNeck) return neck_;
    return topic == BodyTopic::kFingers ? hands_[hand].fingers : hands_[hand];
  }
  [[nodiscard]] MessageFault no_such_part(BodyTopic topic, std::size_t hand) const noexcept;
  [[nodiscard]] bool has_frame(TaskFrame frame) const noexcept;
  // Frames in which messages are given (managers_frames.cpp).
  [[nodiscard]] const BodyFrame* frame_called(PointFrame frame) const noexcept;
  [[nodiscard]] MessageFault no_such_frame(PointFrame frame, std::uint8_t place) const noexcept;
  [[nodiscard]] GivenFrame given_pose(const FloatingModel& model, PointFrame frame) const noexcept;
  [[nodiscard]] GivenFrame given_turn(const FloatingModel& model, PointFrame frame) const noexcept;
  // The pelvis (managers_pelvis.cpp).
  template <typename Visit>
  [[nodiscard]] MessageFault each_part(const FloatingModel& model, const PelvisTrajectory& message,
                                       Visit&& visit) const noexcept;
  [[nodiscard]] Lead lead_of(const FloatingModel& model) const noexcept;
  [[nodiscard]] BodyPoint place_now(const FloatingModel& model) const noexcept;
  [[nodiscard]] MessageFault would_tip(const FloatingModel& model, const PathMessage& message,
                                       const BodyPath& path) const noexcept;
  void want_place(FloatingModel& model, WholeBodyCommand& command) const noexcept;
  template <typename Visit>
  void each_way_home(const GoHome& message, Visit&& visit) const noexcept;
  [[nodiscard]] PartRows next_part(const WholeBodyTrajectory& message, std::size_t from,
                                   std::size_t row) const noexcept;
  [[nodiscard]] MessageFault read_choice(const WholeBodyTrajectory& message, std::size_t from,
                                         std::size_t row, PathMessage& part,
                                         std::size_t& end) const noexcept;
  void take_turned(FloatingModel& model, BodyTopic topic, const MessageOrder& order,
                   MessageNotices& notices) noexcept;
  [[nodiscard]] Eigen::Matrix3d axes_of(const FloatingModel& model, TaskFrame frame,
                                        const BodyFrame& own) const noexcept;
  void choose(const FloatingModel& model, const TaskChoice& choice, double weight,
              SpatialTask& task) const noexcept;
  void want_joints(const FloatingModel& model, const HandManager& manager, const HandSetup& limb,
                   WholeBodyCommand& command) const noexcept;
  [[nodiscard]] const Part& part_of(BodyTopic topic) const noexcept;
  [[nodiscard]] const TurningManager& turning(BodyTopic topic) const noexcept;
  [[nodiscard]] bool has(BodyTopic topic, std::size_t hand) const noexcept;
  [[nodiscard]] Target target_of(FloatingModel& model, const PathMessage& message) const noexcept;
  [[nodiscard]] PathRules rules_of(const PathMessage& message) const noexcept;
  [[nodiscard]] MessageFault read(FloatingModel& model, const PathMessage& message,
                                  BodyPath& path) const noexcept;
  [[nodiscard]] BodyPoint height_now(const FloatingModel& model) const noexcept;
  void want_turned(FloatingModel& model, const Part& part, const TurningManager& manager,
                   WholeBodyCommand& command) const noexcept;
  void want_hand(FloatingModel& model, std::size_t hand, WholeBodyCommand& command) const noexcept;
  void want_bearing(FloatingModel& model, std::size_t hand,
                    WholeBodyCommand& command) const noexcept;
  void want_foot(FloatingModel& model, std::size_t foot, WholeBodyCommand& command) const noexcept;
  [[nodiscard]] MessageFault refused_by_load(BodyTopic topic, std::size_t hand) const noexcept;
  /// Corners from above of the soles that bear, without those of one foot.
  struct Corners {
    std::array<Eigen::Vector2d, kMaxContacts * kMaxContactPoints> at;
    std::size_t count = 0;
    double ground = 0.0;  ///< height of the last one [m]
  };
  [[nodiscard]] Corners corners_without(const FloatingModel& model,
                                        std::size_t foot) const noexcept;
  [[nodiscard]] double capture_inside_without(const FloatingModel& model,
                                              std::size_t foot) const noexcept;
  [[nodiscard]] double height_above_others(const FloatingModel& model,
                                           std::size_t foot) const noexcept;
  [[nodiscard]] bool has_contact(std::size_t hand) const noexcept {
    return feet_.size() + hand < kMaxContacts;
  }
  // Inner values (managers_values.cpp).
  void show_pelvis(const FloatingModel& model, const WholeBodyCommand& command,
                   ValueWriter& out) const noexcept;
  void show_hand(const FloatingModel& model, std::size_t hand, const WholeBodyCommand& command,
                 ValueWriter& out) const noexcept;
  void show_joints(const FloatingModel& model, const Shown& shown,
                   std::span<double> values) const noexcept;
  void leave_to(const FloatingModel& model, std::span<const int> joints,
                WholeBodyCommand& command) const noexcept;

  WholeBodyConfig config_;
  std::vector<JointRoom> room_;
  std::vector<Foot> feet_;
  Part chest_, head_, pelvis_;
  HandSetup neck_;  ///< frame of the head; without joints: the neck isn't moved by messages
  std::vector<Hand> hands_;
  Home home_;
  State state_;
};

}  // namespace jointrig
