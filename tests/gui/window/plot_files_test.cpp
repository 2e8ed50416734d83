/// Files of the plots, written and read back.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/gui/plot_export.h"
#include "app/gui/plot_set_file.h"
#include "gui/window/png.h"
#include "harness/config/file_error.h"
#include "harness/log/mcap/cdr.h"
#include "harness/log/mcap/mcap_reader.h"
#include "tests/support/ideal_robot.h"

namespace jointrig::gui {
namespace {

namespace fs = std::filesystem;
using testing::ideal_config;

struct PlotFilesTest : ::testing::Test {
  PlotFilesTest() {
    folder = fs::temp_directory_path() / ("jointrig_plots_" + std::to_string(::getpid()));
    fs::create_directories(folder);
  }
  ~PlotFilesTest() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  std::string sentence_of(const std::string& yaml) {
    try {
      app::parse_plot_sets(yaml, "sets.yaml");
    } catch (const harness::FileError& error) {
      return error.what();
    }
    return {};
  }
  fs::path folder;
};

TEST_F(PlotFilesTest, EveryShippedSetFitsAnyRobot) {
  const History history(ideal_config(2), 1.0);
  const std::vector<PlotLayout> sets = app::shipped_plot_sets();
  ASSERT_GE(sets.size(), 4U);
  for (const PlotLayout& set : sets) {
    PlotSet plots;
    EXPECT_TRUE(show_layout(set, history, 1, plots).empty()) << set.name;
    EXPECT_FALSE(plots.plots.empty()) << set.name;
  }
}

TEST_F(PlotFilesTest, SetsComeBackAsTheyWereWritten) {
  const std::vector<PlotLayout> sets{{"elbow: \"fast\"", 0.75, {{"r_elbow.q"}, {}}},
                                     {"yes", 60.0, {}}};
  EXPECT_EQ(app::parse_plot_sets(app::plot_sets_yaml(sets), "sets.yaml"), sets);
  EXPECT_EQ(app::parse_plot_sets(app::plot_sets_yaml({}), "sets.yaml"), std::vector<PlotLayout>{});
}

TEST_F(PlotFilesTest, OwnSetsAreKeptAndReplaceShippedOnesOfTheirName) {
  const fs::path path = folder / "config" / "plot-sets.yaml";
  EXPECT_EQ(app::load_plot_sets(path), app::shipped_plot_sets()) << "no file yet";
  std::vector<PlotLayout> sets = app::shipped_plot_sets();
  sets.front().span = 3.25;
  sets.push_back({"mine", 1.0, {{"selected.q"}}});
  app::save_plot_sets(sets, path);
  const std::vector<PlotLayout> loaded = app::load_plot_sets(path);
  EXPECT_EQ(loaded.size(), sets.size());
  for (const PlotLayout& set : sets) {
    EXPECT_NE(std::find(loaded.begin(), loaded.end(), set), loaded.end()) << set.name;
  }
  std::ostringstream written;
  written << std::ifstream(path).rdbuf();
  const std::string text = written.str();
  EXPECT_EQ(text.find("loop timing"), std::string::npos) << "what is shipped isn't copied";
}

TEST_F(PlotFilesTest, WhatIsWrongIsToldWithItsPlace) {
  EXPECT_NE(sentence_of("plot_sets:\n  - name: a\n    plot: []\n")
                .find("sets.yaml:3:5: unknown key \"plot\""),
            std::string::npos);
  EXPECT_NE(sentence_of("plot_sets:\n  - name: a\n    span: -1\n    plots: []\n").find(":3:"),
            std::string::npos);
  EXPECT_NE(sentence_of("plot_sets:\n  - name: a\n    plots: []\n  - name: a\n    plots: []\n")
                .find("a second plot set called \"a\""),
            std::string::npos);
  EXPECT_NE(sentence_of("plot_sets:\n  - name: a\n").find("key \"plots\" is missing"),
            std::string::npos);
}

TEST_F(PlotFilesTest, AnUnwritablePlaceIsASentence) {
  EXPECT_THROW(app::save_plot_sets({}, {}), std::runtime_error);
  EXPECT_THROW(app::save_plot_sets({}, "/proc/nowhere/plot-sets.yaml"), std::runtime_error);
}

TEST_F(PlotFilesTest, AnMcapHasWhatIsSeenInSiUnits) {
  RobotConfig config = ideal_config(2);
  config.joints[1].slide = true;
  History history(config, 2.0);
  Snapshot snapshot;
  snapshot.joints.resize(2);
  for (int i = 0; i < 1000; ++i) {
    snapshot.cycle = static_cast<std::uint64_t>(i);
    snapshot.time_ns = 5'000'000'000 + i * 1'000'000;
    snapshot.joints[0].state.q = 0.001 * i;
    snapshot.joints[1].state.q = -0.002 * i;
    snapshot.joints[1].state.tau = 3.0;
    history.push(snapshot);
  }
  const std::string path = (folder / "seen.mcap").string();
  const std::uint64_t written = app::write_plots_mcap(
      history,
      {history.signal(1, JointTrace::kTorque), history.signal(0, JointTrace::kPosition),
       history.signal(1, JointTrace::kPosition), history.signal(0, JointTrace::kPosition)},
      0.1, 0.2, path);
  EXPECT_EQ(written, 2U * 101U) << "both ends included, a topic for each joint";

  const harness::McapReader reader(path);
  const auto* slide = reader.find("/j/joint2");
  ASSERT_NE(slide, nullptr);
  const harness::SchemaPtr schema = reader.schema_of(*slide);
  ASSERT_EQ(schema->fields().size(), 2U);
  EXPECT_EQ(schema->fields()[0].name, "tau");
  EXPECT_EQ(schema->fields()[1].name, "q");
  EXPECT_EQ(schema->fields()[1].unit, "m");
  int seen = 0;
  reader.for_each({.channels = {slide->id}}, [&](const harness::mcap::StoredMessage& message) {
    harness::CdrReader in(message.data);
    EXPECT_EQ(in.get<double>(), 3.0);
    EXPECT_NEAR(in.get<double>(), -0.002 * (100 + seen), 1e-7);
    EXPECT_EQ(static_cast<std::int64_t>(message.log_time_ns), 5'100'000'000 + seen * 1'000'000);
    ++seen;
    return true;
  });
  EXPECT_EQ(seen, 101);
  const auto* hinge = reader.find("/j/joint1");
  ASSERT_NE(hinge, nullptr);
  EXPECT_EQ(reader.schema_of(*hinge)->fields().size(), 1U) << "plotted twice, written once";
  EXPECT_EQ(reader.schema_of(*hinge)->fields()[0].unit, "rad");
}

TEST_F(PlotFilesTest, APartOfAPictureIsThatPart) {
  Picture picture{4, 3, {}};
  for (std::uint8_t i = 0; i < 4 * 3; ++i) picture.rgb.insert(picture.rgb.end(), 3, i);
  const Picture part = part_of(picture, 1, 1, 2, 9);
  EXPECT_EQ(part.width, 2);
  EXPECT_EQ(part.height, 2);
  const std::vector<std::uint8_t> expected{5, 5, 5, 6, 6, 6, 9, 9, 9, 10, 10, 10};
  EXPECT_EQ(part.rgb, expected);
  EXPECT_TRUE(part_of(picture, 9, 9, 2, 2).rgb.empty());
}

}  // namespace
}  // namespace jointrig::gui
