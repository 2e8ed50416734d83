/// The panel on a full disk: whatever is to be written, it says why not, and goes on holding the
/// robot.

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "harness/log/mcap/mcap_reader.h"
#include "tests/gui/window/robot_hand.h"
#include "tests/support/full_disk.h"

namespace jointrig::gui {
namespace {

struct FullDiskWindow : ::testing::Test {
  FullDiskWindow()
      : folder(std::filesystem::current_path() / "full-disk"),
        session((std::filesystem::remove_all(folder), std::filesystem::create_directories(folder),
                 setenv("XDG_CONFIG_HOME", (folder / "config").c_str(), 1),
                 app::robot_called("franka")),
                1280, 720),
        hand(session) {
    std::filesystem::current_path(folder);
    session.panel().set_access(Access::kArmed);
    session.panel().acts.act(PanelAct::kRun, session.panel().group());
    EXPECT_TRUE(hand.wait_for(2.0, [&] { return holds(); }));
  }
  ~FullDiskWindow() override { std::filesystem::current_path(folder.parent_path()); }

  [[nodiscard]] bool holds() {
    const Snapshot& now = session.panel().snapshot();
    return std::all_of(now.joints.begin(), now.joints.end(), [](const JointSnapshot& joint) {
      return joint.mode == JointMode::kPosition;
    });
  }
  [[nodiscard]] std::size_t files() const {
    const auto all = std::filesystem::directory_iterator(folder);
    return static_cast<std::size_t>(std::count_if(
        begin(all), end(all), [](const auto& entry) { return entry.is_regular_file(); }));
  }
  [[nodiscard]] bool is_among_events(const std::string& words) {
    const auto& lines = session.panel().watch.events.lines();
    return std::any_of(lines.begin(), lines.end(), [&](const EventLine& line) {
      return line.text.find(words) != std::string::npos;
    });
  }

  std::filesystem::path folder;
  app::GuiSession session;
  testing::RobotHand hand;
};

TEST_F(FullDiskWindow, NothingThatIsWrittenEndsThePanelOrLetsGoOfAMotor) {
  RecordingDesk& recording = session.desks().recording;
  SequenceDesk& sequence = session.desks().sequence;
  recording.toggle_session();
  session.panel().acts.act(PanelAct::kHome, session.panel().group());
  hand.look(0.3);
  recording.toggle_session();
  recording.wants_session_file = false;  // asked for below
  sequence.record();
  sequence.file = "sequence.yaml";
  MotionDesk& motion = session.desks().motion;
  motion.table.record();
  struct Wish {
    const char* name;
    std::function<void()> ask;
  };
  const std::vector<Wish> wishes{
      {"F12", [&] { session.state().wants_screenshot = true; }},
      {"CSV", [&] { session.state().wants_csv = true; }},
      {"MCAP", [&] { session.state().wants_mcap = true; }},
      {"PNG", [&] { session.state().wants_plot_picture = true; }},
      {"plot sets", [&] { session.state().plot_sets_changed = true; }},
      {"session", [&] { recording.wants_session_file = true; }},
      {"sequence", [&] { sequence.wish = FileWish::kSave; }},
      {"motion", [&] { motion.wish = FileWish::kSave; }},
      {"log", [&] { recording.wants_log = true; }},
  };
  for (const Wish& wish : wishes) {
    SCOPED_TRACE(wish.name);
    const std::uint64_t cycle = session.panel().snapshot().cycle;
    const std::size_t before = files();
    {
      const testing::FullDisk full;
      session.panel().tell("");
      wish.ask();
      EXPECT_TRUE(hand.wait_for(2.0, [&] {
        return session.panel().notice().find("File too large") != std::string::npos;
      })) << session.panel().notice();
    }
    EXPECT_TRUE(is_among_events(session.panel().notice()));
    EXPECT_TRUE(hand.wait_for(1.0, [&] { return session.panel().snapshot().cycle > cycle; }));
    EXPECT_TRUE(holds());
    EXPECT_LE(files(), before) << "half a file";
    session.panel().tell("");
    wish.ask();
    EXPECT_TRUE(hand.wait_for(
        2.0, [&] { return wish.name == std::string("plot sets") || files() > before; }))
        << "once there is room: " << session.panel().notice();
    hand.look(1.1);  // names have a second's resolution
  }
  EXPECT_FALSE(recording.unsaved);
  EXPECT_TRUE(std::filesystem::exists(folder / "config/jointrig/plot-sets.yaml"));
  EXPECT_TRUE(holds());
}

TEST_F(FullDiskWindow, ALogThatTheDiskEndsSaysSoKeepsWhatItHasAndBeginsAnew) {
  RecordingDesk& recording = session.desks().recording;
  std::string first;
  {
    const testing::FullDisk full(3'000'000);
    recording.wants_log = true;
    hand.look(0.1);
    ASSERT_TRUE(recording.logging) << session.panel().notice();
    first = recording.log_file;
    EXPECT_TRUE(hand.wait_for(10.0, [&] { return !recording.logging; }));
  }
  EXPECT_NE(session.panel().notice().find("the log has ended: writing the log " + first),
            std::string::npos)
      << session.panel().notice();
  EXPECT_TRUE(holds());
  hand.look(1.1);
  std::size_t messages = 0;
  harness::McapReader(first).for_each({}, [&](const auto&) { return ++messages > 0; });
  EXPECT_GT(messages, 1000U);
  recording.wants_log = true;
  hand.look(0.5);
  EXPECT_TRUE(recording.logging);
  EXPECT_NE(recording.log_file, first);
  recording.wants_log = true;
  hand.look(0.3);
  EXPECT_EQ(session.panel().notice().rfind("logged ", 0), 0U) << session.panel().notice();
}

}  // namespace
}  // namespace jointrig::gui
