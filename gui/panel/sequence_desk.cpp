#include "gui/panel/sequence_desk.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gui/panel/typed_seconds.h"

namespace jointrig::gui {
namespace {

bool takes_moves(JointMode mode) noexcept {
  return mode == JointMode::kPosition || mode == JointMode::kMixed;
}

}  // namespace

SequencePose* SequenceDesk::at(std::size_t row) {
  return row < sequence.poses.size() ? &sequence.poses[row] : nullptr;
}

SequencePose SequenceDesk::current_pose() const {
  const RobotConfig& config = panel_->config();
  const JointSet group = panel_->group();
  SequencePose pose;
  pose.name = fmt::format("pose {}", sequence.poses.size() + 1);
  pose.q.resize(config.joints.size());
  for (std::size_t i = 0; i < config.joints.size(); ++i) {
    const JointSnapshot& joint = panel_->snapshot().joints[i];
    if (!group.test(i) || joint.mode == JointMode::kNotConfigured) continue;
    if (std::isfinite(joint.state.q)) pose.q[i] = tidy(joint.state.q, config.joints[i]);
  }
  return pose;
}

void SequenceDesk::record() {
  const std::size_t row =
      sequence.poses.empty() ? 0 : std::min(selected + 1, sequence.poses.size());
  sequence.poses.insert(sequence.poses.begin() + static_cast<std::ptrdiff_t>(row), current_pose());
  selected = row;
}

void SequenceDesk::record_again() {
  if (SequencePose* pose = at(selected)) pose->q = current_pose().q;
}

void SequenceDesk::remove() {
  if (at(selected) == nullptr) return;
  sequence.poses.erase(sequence.poses.begin() + static_cast<std::ptrdiff_t>(selected));
  if (selected > 0 && selected == sequence.poses.size()) --selected;
}

void SequenceDesk::duplicate() {
  if (at(selected) == nullptr) return;
  SequencePose copy = sequence.poses[selected];
  copy.name += " again";
  sequence.poses.insert(sequence.poses.begin() + static_cast<std::ptrdiff_t>(selected) + 1,
                        std::move(copy));
  ++selected;
}

void SequenceDesk::shift(int by) {
  // Below 0 it wraps beyond the end.
  const std::size_t other = selected + static_cast<std::size_t>(by);
  if (at(selected) == nullptr || at(other) == nullptr) return;
  std::swap(sequence.poses[selected], sequence.poses[other]);
  selected = other;
}

std::string SequenceDesk::type_time(std::size_t row, const std::string& text) {
  SequencePose* pose = at(row);
  if (pose == nullptr) return {};
  std::string wrong = take_seconds(text, pose->time, 0.001);
  if (wrong.empty()) pose->timed = true;
  if (!wrong.empty()) panel_->tell(wrong);
  return wrong;
}

std::string SequenceDesk::type_speed(std::size_t row, const std::string& text) {
  SequencePose* pose = at(row);
  if (pose == nullptr) return {};
  const TypedNumber number = number_in(text);
  if (!number.is_one || (!number.unit.empty() && number.unit != "%") || number.value < 1.0 ||
      number.value > 100.0) {
    std::string wrong = "\"" + text + "\" is no speed: 1 to 100 % of each joint's highest";
    panel_->tell(wrong);
    return wrong;
  }
  pose->speed = number.value / 100.0;
  pose->timed = false;
  return {};
}

std::string SequenceDesk::type_hold(std::size_t row, const std::string& text) {
  SequencePose* pose = at(row);
  if (pose == nullptr) return {};
  std::string wrong = take_seconds(text, pose->hold, 0.0);
  if (!wrong.empty()) panel_->tell(wrong);
  return wrong;
}

std::string SequenceDesk::type_position(std::size_t row, JointIndex joint,
                                        const std::string& text) {
  SequencePose* pose = at(row);
  if (pose == nullptr || joint >= pose->q.size()) return {};
  const Typed typed =
      read_typed(text, JointQuantity::kPosition, panel_->config().joints[joint].slide);
  if (!typed.error.empty()) {
    panel_->tell(typed.error);
    return typed.error;
  }
  pose->q[joint] = typed.value;  // beyond a limit: the table shows it, and it doesn't run
  return {};
}

std::vector<PoseCheck> SequenceDesk::checks() const {
  std::vector<double> from;
  for (const JointSnapshot& joint : panel_->snapshot().joints) {
    // A held joint continues from its reference, wherever a load has pushed it.
    from.push_back(takes_moves(joint.mode) ? joint.reference.q : joint.state.q);
  }
  std::vector<PoseCheck> all = check_sequence(sequence, panel_->config(), from, 1.0);
  // The loop follows the same paths at that pace.
  for (PoseCheck& check : all) {
    check.seconds /= panel_->watch.speed_override();
    check.share *= panel_->watch.speed_override();
  }
  return all;
}

std::string SequenceDesk::why_not_joints(const JointSet& joints) const {
  for (std::size_t i = 0; i < panel_->config().joints.size(); ++i) {
    const JointMode mode = panel_->snapshot().joints[i].mode;
    if (joints.test(i) && !takes_moves(mode)) {
      return panel_->config().joints[i].name + " is in " + std::string(to_string(mode)) +
             ": Run it first";
    }
  }
  return {};
}

std::string SequenceDesk::why_not(bool only_selected) const {
  if (playing_) return "it is being played";
  if (sequence.poses.empty()) return "record a pose first";
  if (only_selected && selected >= sequence.poses.size()) return "choose a pose first";
  if (panel_->access() != Access::kArmed) return "not ARMED: nothing that moves a joint is sent";
  if (panel_->watch.is_stale()) return "the loop is silent";
  Sequence part = sequence;
  if (only_selected) part.poses = {sequence.poses[selected]};
  if (std::string why = why_not_joints(joints_of(part)); !why.empty()) return why;
  std::vector<double> from;
  for (const JointSnapshot& joint : panel_->snapshot().joints) from.push_back(joint.reference.q);
  const auto all = check_sequence(part, panel_->config(), from, 1.0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].problem.empty()) return part.poses[i].name + ": " + all[i].problem;
  }
  return {};
}

void SequenceDesk::run() { play(false); }
void SequenceDesk::step() { play(true); }

void SequenceDesk::play(bool only_selected) {
  if (std::string why = why_not(only_selected); !why.empty()) return panel_->tell(std::move(why));
  played_ = sequence;
  row_ = only_selected ? selected : 0;
  only_one_ = only_selected;
  playing_ = true;
  send_row();
}

void SequenceDesk::send_row() {
  const SequencePose& pose = played_.poses[row_];
  std::vector<double> from;
  for (const JointSnapshot& joint : panel_->snapshot().joints) from.push_back(joint.reference.q);
  Sequence alone;
  alone.poses = {pose};
  const double seconds = check_sequence(alone, panel_->config(), from, 1.0).front().seconds;
  RobotClient::Each<Move::Value> values;
  for (std::size_t i = 0; i < pose.q.size(); ++i) {
    if (!pose.q[i]) continue;
    const double v_max = panel_->config().joints[i].limits.v_max;
    const double speed = pose.speed * v_max;
    values.push_back({static_cast<JointIndex>(i),
                      {*pose.q[i], pose.timed ? std::max(seconds, pose.time) : speed}});
  }
  holding_ = false;
  number_ = panel_->acts.pilot(values, pose.timed);
  if (number_ == 0) playing_ = false;
}

void SequenceDesk::begin_frame() {
  if (!playing_) return;
  panel_->client.note_motion();
  if (panel_->watch.is_stale()) return end("the loop is silent");
  if (panel_->client.refused().number == number_) return end("the loop has refused it");
  follow_row();
}

std::string SequenceDesk::what_broke_it() const {
  const SequencePose& pose = played_.poses[row_];
  std::string why = why_not_joints(joints_of(pose));
  for (std::size_t i = 0; why.empty() && i < pose.q.size(); ++i) {
    const JointSnapshot& joint = panel_->snapshot().joints[i];
    if (pose.q[i] && !joint.moving && std::abs(joint.reference.q - *pose.q[i]) > kAtGoal) {
      why = panel_->config().joints[i].name + " was sent elsewhere";
    }
  }
  return why;
}

bool SequenceDesk::arrived() const {
  const SequencePose& pose = played_.poses[row_];
  for (std::size_t i = 0; i < pose.q.size(); ++i) {
    if (pose.q[i] && panel_->snapshot().joints[i].moving) return false;
  }
  return true;
}

void SequenceDesk::follow_row() {
  const TimeNs now = panel_->snapshot().time_ns;
  // Answers may be newer than the snapshot: the snapshot counts from the next cycle on.
  if (panel_->client.taken().number < number_ || now <= panel_->client.taken().time_ns) return;
  if (std::string why = what_broke_it(); !why.empty()) return end(why);
  if (!arrived()) return;
  if (!holding_) {
    holding_ = true;
    hold_until_ = now + to_ns(played_.poses[row_].hold);
  }
  if (now >= hold_until_) next_row();
}

void SequenceDesk::next_row() {
  if (only_one_) {
    playing_ = false;
    if (selected == row_ && row_ + 1 < sequence.poses.size()) ++selected;
    return;
  }
  if (++row_ == played_.poses.size()) {
    row_ = 0;
    if (!loop) {
      playing_ = false;
      return;
    }
  }
  send_row();
}

void SequenceDesk::stop() { end("stopped"); }

void SequenceDesk::end(const std::string& why) {
  if (!playing_) return;
  playing_ = holding_ = false;
  panel_->client.brake(joints_of(played_));
  panel_->tell("sequence ended: " + why);
}

void SequenceDesk::opened(Sequence read) {
  end("another was opened");
  sequence = std::move(read);
  own_file = file;
  selected = 0;
}

}  // namespace jointrig::gui
