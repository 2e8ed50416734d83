/// Every writer of a file on a full disk: one sentence with the file and the reason, the old
/// content as it was, nothing half written beside it.

#include "tests/support/full_disk.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>

#include "app/gui/layout_file.h"
#include "app/gui/motion_file.h"
#include "app/gui/plot_export.h"
#include "app/gui/plot_set_file.h"
#include "app/gui/sequence_file.h"
#include "app/rig/rig.h"
#include "app/run/result_files.h"
#include "app/wiggle/wiggle_record.h"
#include "gui/window/png.h"
#include "harness/config/whole_file.h"
#include "harness/report/html_report.h"
#include "tests/app/gui/scratch.h"
#include "tests/gui/panel/rig_with_panel.h"

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

/// A call in the sources that makes a file, and how it is tried: here, or in the named test.
struct WriterCase {
  std::string call;
  std::string tried;
};

/// Each call that writes a file. A new call wants a line here, and a test.
const std::vector<WriterCase>& writers() {
  static const std::vector<WriterCase> all{
      {"app/gui/gui_session.cpp write_whole_file", "FullDiskWindow: F12"},
      {"app/gui/gui_session.cpp write_whole_file", "FullDiskWindow: CSV"},
      {"app/gui/gui_session.cpp write_whole_file", "FullDiskWindow: PNG"},
      {"app/gui/gui_session.cpp write_text", "FullDiskWindow: session"},
      {"app/gui/layout_file.cpp write_text", "layout"},
      {"app/gui/live_loop.cpp RobotLog", "FullDiskWindow: log"},
      {"app/gui/motion_file.cpp write_text", "motion; FullDiskWindow"},
      {"app/rig/parameter_file.cpp write_whole_file", "parameter_file_test"},
      {"app/gui/plot_export.cpp McapWriter", "plots as MCAP; FullDiskWindow"},
      {"app/gui/plot_export.cpp rename", "plots as MCAP"},
      {"app/gui/plot_set_file.cpp write_whole_file", "plot sets; FullDiskWindow"},
      {"app/gui/sequence_file.cpp write_text", "sequence; FullDiskWindow"},
      {"app/run/job_log.cpp write_text", "result; program_test.py"},
      {"app/run/job_outputs.cpp write_text", "result; program_test.py"},
      {"app/run/job_outputs.cpp write_text", "result; program_test.py"},
      {"app/run/result_files.cpp write_whole_file", "result"},
      {"app/serve/served_loop.cpp RobotLog", "remote_test.py"},
      {"app/serve/serving.cpp RobotLog", "to viewers: it makes no file"},
      {"app/wiggle/wiggle_record.cpp write_whole_file", "wiggle record"},
      {"harness/report/html_report.cpp WholeFile", "report"},
      // None of these drives a robot.
      {"app/bus/monitor_verb.cpp ofstream", "says so at its end"},
      {"app/gui/board_search.cpp write_whole_file", "--screenshot: as the program's other errors"},
      {"app/doctor/doctor.cpp write_whole_file", "doctor_test"},
      {"app/check/check_verb.cpp write_text", "program_test.py"},
      {"app/inspect/inspect_verb.cpp write_whole_file", "program_test.py"},
      {"app/lists/new_verb.cpp write_whole_file", "program_test.py"},
      {"harness/report/compare_page.cpp WholeFile", "program_test.py"},
      {"app/sweep/case_store.cpp rename", "sweep_program_test.py"},
      {"app/sweep/case_work.cpp write_text", "sweep_program_test.py"},
      {"app/sweep/case_work.cpp write_text", "sweep_program_test.py"},
      {"app/sweep/helper_process.cpp O_CREAT", "words of an engine that ends badly"},
      {"app/sweep/slurm_engine.cpp write_text", "sweep_program_test.py"},
      {"app/sweep/slurm_engine.cpp write_text", "sweep_program_test.py"},
      {"app/sweep/sweep_command.cpp write_text", "sweep_program_test.py"},
      {"harness/report/sweep_page.cpp WholeFile", "sweep_program_test.py"},
      {"app/arguments/log_arguments.cpp WholeFile", "log export: one sentence"},
      {"harness/log/mcap/csv_export.cpp ofstream", "csv_export_test"},
      {"harness/log/mcap/mcap_recover.cpp McapWriter", "mcap_recover_test"},
      // The two ways to a file themselves.
      {"harness/config/whole_file.cpp O_CREAT", "whole file"},
      {"harness/config/whole_file.cpp rename", "whole file"},
      {"harness/config/whole_file.cpp WholeFile", "whole file"},
      {"harness/log/mcap/log_file.cpp O_CREAT", "mcap_writer_test, robot_log_test"},
  };
  return all;
}

/// Number of calls by place; `app/run/scenario_job.cpp` has its log as a member.
std::map<std::string, int> writers_of_sources() {
  const std::regex call(
      R"re(\b(ofstream|fopen|O_CREAT|png_image_write_to_file|write_whole_file|write_text)\b *[({|&a-z]|(WholeFile|McapWriter) \w+\(|(::rename|filesystem::rename|std::rename)\(|make_unique<harness::(RobotLog)>|fs::(copy_file|create_symlink))re");
  std::map<std::string, int> found;
  for (const char* folder : {"app", "control", "gui", "harness", "hw", "sim"}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".cpp") continue;
      const std::string place = entry.path().generic_string();
      if (place.rfind("hw/can/", 0) == 0) continue;  // write_text is a text onto a wire there
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        if (line.rfind("void ", 0) == 0) continue;  // the function itself
        const std::size_t words = line.find("//");
        if (words != std::string::npos) line.resize(words);
        for (std::sregex_iterator it(line.begin(), line.end(), call), end; it != end; ++it) {
          std::string what;
          for (std::size_t group = 1; group < it->size(); ++group) what += (*it)[group].str();
          what = what.substr(what.rfind(':') == std::string::npos ? 0 : what.rfind(':') + 1);
          ++found[place + " " + what];
        }
      }
    }
  }
  return found;
}

TEST(FullDisk, EveryWriterOfTheSourcesIsKnown) {
  std::map<std::string, int> known;
  for (const WriterCase& writer : writers()) ++known[writer.call];
  EXPECT_EQ(writers_of_sources(), known);
}

gui::Picture grey() { return {64, 64, std::vector<std::uint8_t>(64 * 64 * 3, 127)}; }

std::uint64_t export_plots(const std::string& path) {
  testing::RigWithPanel t;
  gui::History history(t.panel.config(), 5.0);
  for (int i = 0; i < 100; ++i) {
    t.cycle();
    history.push(t.rig.stack.snapshot());
  }
  return write_plots_mcap(history, {history.signal(0, gui::JointTrace::kPosition)}, -1.0, 1.0,
                          path);
}

void save_a_sequence(const std::string& path) {
  testing::RigWithPanel t;
  t.desks.sequence.file = path;
  t.desks.sequence.own_file = path;
  t.desks.sequence.record();
  save_sequence(t.desks.sequence, t.panel.config(), "franka");
}

void save_a_motion(const std::string& path) {
  testing::RigWithPanel t;
  t.desks.motion.file = path;
  t.desks.motion.own_file = path;
  t.desks.motion.table.record();
  save_motion(t.desks.motion, t.panel.config(), "franka");
}

struct Writer {
  std::string name;
  std::string file;
  std::function<void(const std::string&)> write;
  std::string old = "old";  ///< what is there
};

/// A motion's own file keeps all but its trajectory.
constexpr const char* kOldMotion =
    "schema: 1\nscenario: a\nrobot: franka\nsteps:\n  - trajectory: {waypoints: [{joints: {joint1: "
    "0.5}}]}\n";

const std::vector<Writer>& functions() {
  static const std::vector<Writer> all{
      {"whole file", "a.txt", [](auto& path) { harness::write_whole_file(path, "new"); }},
      {"a durable one", "a.txt",
       [](auto& path) {
         harness::write_whole_file(path, "new", harness::WholeFile::Keep::kDurable);
       }},
      {"more than a buffer", "a.txt",
       [](auto& path) { harness::write_whole_file(path, std::string(1'000'000, 'x')); }},
      {"result", "result.json", [](auto& path) { write_text(path, "{}"); }},
      {"layout", "panel.yaml",
       [](auto& path) {
         if (const std::string why = write_layout({}, path); !why.empty()) {
           throw std::runtime_error(why);
         }
       }},
      {"plot sets", "plot-sets.yaml",
       [](auto& path) {
         save_plot_sets({{"mine", 5.0, {}}}, path);
       }},
      {"picture", "a.png",
       [](auto& path) { harness::write_whole_file(path, gui::png_of(grey())); }},
      {"plots as MCAP", "a.mcap", [](auto& path) { export_plots(path); }},
      {"sequence", "a.yaml", save_a_sequence},
      {"motion", "a.yaml", save_a_motion, kOldMotion},
      {"report", "report.html", [](auto& path) { harness::write_html_report(path, {}, {}); }},
  };
  return all;
}

TEST(FullDisk, EachSaysItInASentenceAndLeavesTheOldFile) {
  for (const Writer& writer : functions()) {
    SCOPED_TRACE(writer.name);
    const testing::Scratch scratch;
    const std::string path = scratch.write(writer.file, writer.old);
    std::string said;
    {
      const testing::FullDisk full;
      try {
        writer.write(path);
      } catch (const std::exception& error) {
        said = error.what();
      }
    }
    EXPECT_NE(said.find(writer.file), std::string::npos) << said;
    EXPECT_NE(said.find("File too large"), std::string::npos) << said;
    EXPECT_EQ(scratch.read(writer.file), writer.old);
    const auto files = fs::directory_iterator(fs::path(path).parent_path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "something is left beside it";
    // With room it is written: the disk was the reason.
    EXPECT_NO_THROW(writer.write(path));
    EXPECT_NE(scratch.read(writer.file), writer.old);
  }
}

TEST(FullDisk, AFolderThatIsAFileIsASentenceToo) {
  for (const Writer& writer : functions()) {
    SCOPED_TRACE(writer.name);
    const testing::Scratch scratch;
    const std::string file = scratch.write("file", "");
    EXPECT_THROW(writer.write(file + "/" + writer.file), std::runtime_error);
  }
}

TEST(FullDisk, ADeviceIsWrittenInPlaceAndItsReasonTold) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const testing::Scratch scratch;
  fs::create_symlink("/dev/full", scratch.path("link"));
  try {
    harness::write_whole_file(scratch.path("link"), "text");
    FAIL() << "a full disk takes nothing";
  } catch (const harness::WriteError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("link: No space left on device; make room"), std::string::npos) << said;
  }
  EXPECT_TRUE(fs::is_symlink(scratch.path("link")));
  harness::write_whole_file("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(WholeFile, KeepsALinkAndTheModeOfTheFile) {
  const testing::Scratch scratch;
  const std::string path = scratch.write("robot.yaml", "old");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink(path, scratch.path("link.yaml"));
  harness::write_whole_file(scratch.path("link.yaml"), "new");
  EXPECT_TRUE(fs::is_symlink(scratch.path("link.yaml")));
  EXPECT_EQ(scratch.read("robot.yaml"), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(WholeFile, WithoutCommitNothingHasHappened) {
  const testing::Scratch scratch;
  const std::string path = scratch.write("a", "old");
  {
    harness::WholeFile file(path);
    file.out() << "half";
  }
  EXPECT_EQ(scratch.read("a"), "old");
  EXPECT_FALSE(fs::exists(path + ".new"));
}

TEST(FullDisk, TheWiggleRecordKeepsWhatItHad) {
  const testing::Scratch scratch;
  const char* before = std::getenv("XDG_STATE_HOME");
  const std::string kept = before != nullptr ? before : "";
  setenv("XDG_STATE_HOME", scratch.path("").c_str(), 1);
  const RobotConfig robot = load_robot(harness::find_robot("franka")).config;
  WiggleVerdict passed;
  passed.joint = 0;
  passed.finding = WiggleFinding::kPassed;
  remember_wiggles(robot, std::span(&passed, 1));
  const auto left = not_wiggled(robot);
  EXPECT_LT(left.size(), robot.joints.size());
  {
    const testing::FullDisk full;
    EXPECT_THROW(remember_wiggles(robot, std::span(&passed, 1)), std::runtime_error);
  }
  EXPECT_EQ(not_wiggled(robot), left) << "the record is whole";
  before != nullptr ? setenv("XDG_STATE_HOME", kept.c_str(), 1) : unsetenv("XDG_STATE_HOME");
}

}  // namespace
}  // namespace jointrig::app
