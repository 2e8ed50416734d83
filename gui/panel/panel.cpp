#include "gui/panel/panel.h"

#include <utility>

#include "gui/panel/panel_units.h"

namespace jointrig::gui {

MotorPanel::MotorPanel(PanelRobot robot, RobotClient& client_of_robot, Describe describe)
    : watch(std::move(robot)),
      client(client_of_robot, watch),
      stop_latch(watch, client),
      acts(watch, client),
      sliders(watch, client, acts),
      jog(watch, client, acts),
      parameters(watch, client, acts),
      describe_(std::move(describe)) {}

void MotorPanel::see(const Event& event) {
  const bool is_own_refusal = event.kind == EventKind::kRejected && client.is_own(event);
  const std::string text =
      is_own_refusal || is_news(event) ? in_panel_units(describe_(event)) : std::string();
  client.see(event, text);
  stop_latch.see(event, text);
  parameters.see(event);
  body.see(event, text);
  if (client.is_own(event)) plans.see(event, text);
  watch.see(event, text);
}

void MotorPanel::begin_frame(const FrameInput& input) {
  watch.begin_frame(input);
  client.begin_frame();
  const std::string lost = client.lease.begin_frame(access() != Access::kObserve);
  if (!lost.empty()) observe(lost);
  stop_latch.begin_frame();
  acts.begin_frame();
  if (!client.armed()) end_autopilots("ARMED has ended");
  jog.begin_frame();
  sliders.begin_frame(part);
}

void MotorPanel::end_autopilots(const std::string& why) {
  for (Autopilot* autopilot : autopilots_) autopilot->end(why);
}

JointSet MotorPanel::group() const {
  JointSet joints;
  if (part >= 0 && static_cast<std::size_t>(part) < config().parts.size()) {
    for (const JointIndex j : config().parts[static_cast<std::size_t>(part)].joints) joints.set(j);
  } else {
    for (std::size_t i = 0; i < config().joints.size(); ++i) joints.set(i);
  }
  return joints;
}

void MotorPanel::set_access(Access access) {
  if (access != Access::kObserve) {
    const std::string why = client.lease.take(false);
    if (!why.empty()) return observe(why);
  }
  lower_access(access);
  if (access == Access::kObserve) client.lease.release();
}

void MotorPanel::take_over() {
  const std::string why = client.lease.take(true);
  if (!why.empty()) return observe(why);
  lower_access(Access::kControl);
}

/// Without the lease: the robot is another's, and nothing more is sent to end a motion here.
void MotorPanel::observe(const std::string& why) {
  jog.forget();
  sliders.drop();
  lower_access(Access::kObserve);
  tell(why);
}

void MotorPanel::lower_access(Access access) {
  if (access != Access::kArmed) jog.end();  // while it may still brake its stream
  client.set_access(access);
  if (access == Access::kArmed) return;
  sliders.end_live();
  end_autopilots("ARMED has ended");
}

void MotorPanel::stop_all() {
  jog.forget();
  sliders.drop();
  acts.answer(false);
  end_autopilots("STOP");
  stop_latch.stop();
  client.lease.stopped();  // a stream of its holder would move the robot again in the next cycle
}

void MotorPanel::off_all() {
  end_autopilots("OFF");
  acts.answer(false);
  jog.forget();
  sliders.drop();
  lower_access(access() == Access::kObserve ? Access::kObserve : Access::kControl);
  const std::string why = client.lease.take_for_off();
  if (!why.empty()) return observe("OFF was not sent: " + why);
  // One by one: with a joint that faults meanwhile the stack would refuse the whole command.
  for (std::size_t i = 0; i < config().joints.size(); ++i) {
    if (snapshot().joints[i].mode == JointMode::kHwFault) continue;
    client.sent(client.robot().set_mode(JointSet{}.set(i), ModeRequest::kIdle));
  }
  client.lease.stopped();
  set_access(Access::kControl);
}

std::string MotorPanel::lasting_notice() const {
  const std::string& lost = client.lease.now().lost;
  if (!lost.empty() || !snapshot().protection.squished) return lost;
  return "a part holds softly after a contact that lasted: Run leads on, and Events names the "
         "joint";
}

}  // namespace jointrig::gui
