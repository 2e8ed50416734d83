#pragma once

#include "gui/panel/arm_desk.h"
#include "gui/panel/body_desk.h"
#include "gui/panel/gripper_desk.h"
#include "gui/panel/guide_desk.h"
#include "gui/panel/law_desk.h"
#include "gui/panel/motion_desk.h"
#include "gui/panel/parameter_desk.h"
#include "gui/panel/recording_desk.h"
#include "gui/panel/reset_desk.h"
#include "gui/panel/scenario_desk.h"
#include "gui/panel/sequence_desk.h"
#include "gui/panel/suppress_desk.h"

namespace jointrig::gui {

/// The desks beside the joints, one for each kind of work, all on one panel.
struct Desks {
  explicit Desks(MotorPanel& panel)
      : sequence(panel),
        motion(panel),
        scenario(panel),
        parameters(panel),
        laws(panel),
        grippers(panel),
        body(panel),
        arms(panel),
        guide(panel, arms),
        suppress(panel, arms),
        recording(panel),
        reset(panel, recording) {}

  /// Call each frame, after the panel's own begin_frame.
  void begin_frame() {
    sequence.begin_frame();
    motion.begin_frame();
    scenario.begin_frame();
    parameters.begin_frame();
    guide.begin_frame();
    suppress.begin_frame();
  }

  SequenceDesk sequence;
  MotionDesk motion;
  ScenarioDesk scenario;
  ParameterDesk parameters;
  LawDesk laws;
  GripperDesk grippers;
  BodyDesk body;
  ArmDesk arms;
  GuideDesk guide;
  SuppressDesk suppress;
  RecordingDesk recording;
  ResetDesk reset;
};

}  // namespace jointrig::gui
