/// Files for clients: those below the folder, and no others.

#include "remote/served_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "control/core/robot_config.h"
#include "control/exchange/parameter_exchange.h"

namespace jointrig::remote {
namespace {

namespace fs = std::filesystem;

class ServedFilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "served_files.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    top_ = name;
    fs::create_directories(top_ / "served/runs/one");
    write("secret", "not yours");
    write("served/old.mcap", "old");
    write("served/runs/one/log.mcap", "0123456789");
    fs::last_write_time(top_ / "served/old.mcap",
                        fs::file_time_type::clock::now() - std::chrono::hours(1));
  }
  void TearDown() override { fs::remove_all(top_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(top_ / name) << text;
  }
  [[nodiscard]] ServedFiles served() const { return ServedFiles((top_ / "served").string()); }
  static std::string all_of(OpenFile file, std::size_t most = 4) {
    std::string whole;
    std::string part;
    for (file.next(most, part); !part.empty(); file.next(most, part)) whole += part;
    return whole;
  }
  static std::string refusal(const ServedFiles& files, const std::string& name) {
    try {
      static_cast<void>(files.open(name));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "given";
  }

  fs::path top_;
};

TEST_F(ServedFilesTest, ThoseBelowTheFolderAreListedNewestFirst) {
  const ServedFiles::List list = served().list();
  ASSERT_EQ(list.files.size(), 2U);
  EXPECT_EQ(list.files[0].name, "runs/one/log.mcap");
  EXPECT_EQ(list.files[0].size, 10U);
  EXPECT_EQ(list.files[1].name, "old.mcap");
  EXPECT_NEAR(static_cast<double>(list.files[0].time_ns - list.files[1].time_ns), 3600e9, 60e9);
  EXPECT_EQ(list.left_out, 0U);
}

TEST_F(ServedFilesTest, OneIsReadInParts) {
  for (const std::size_t most : {1U, 3U, 10U, 100U}) {
    EXPECT_EQ(all_of(served().open("runs/one/log.mcap"), most), "0123456789");
  }
}

TEST_F(ServedFilesTest, ALogThatGrowsIsReadUpToTheSizeThatItHad) {
  OpenFile file = served().open("old.mcap");
  std::ofstream(top_ / "served/old.mcap", std::ios::app) << " and more";
  EXPECT_EQ(all_of(std::move(file)), "old");
}

TEST_F(ServedFilesTest, OneThatShrinksIsToldAndNotFilledUp) {
  OpenFile file = served().open("runs/one/log.mcap");
  fs::resize_file(top_ / "served/runs/one/log.mcap", 5);
  std::string part;
  file.next(4, part);
  EXPECT_THROW(file.next(4, part), std::runtime_error);
}

TEST_F(ServedFilesTest, NoNameLeadsOutOfTheFolder) {
  for (const std::string name :
       {"../secret", "runs/../../secret", "runs/one/../../../secret", "/etc/passwd", "..", ".", "",
        "runs//one/log.mcap", "./old.mcap", "runs/one/", "old.mcap/", "..\\secret/.."}) {
    const std::string told = refusal(served(), name);
    EXPECT_NE(told.find("no place below the served folder"), std::string::npos) << name << told;
  }
  EXPECT_NE(refusal(served(), std::string("old.mcap\0.txt", 13)).find("no place"),
            std::string::npos);
  EXPECT_NE(refusal(served(), (top_ / "secret").string()).find("no place"), std::string::npos);
}

TEST_F(ServedFilesTest, LinksAreNeitherListedNorFollowed) {
  fs::create_symlink(top_ / "secret", top_ / "served/link");
  fs::create_directory_symlink(top_, top_ / "served/up");
  EXPECT_EQ(served().list().files.size(), 2U);
  EXPECT_NE(refusal(served(), "link").find("it is a link"), std::string::npos);
  // A link in the place of a folder is none (openat says ENOTDIR).
  EXPECT_NE(refusal(served(), "up/secret"), "given");
}

TEST_F(ServedFilesTest, PipesAndFoldersAreNoFiles) {
  ASSERT_EQ(mkfifo((top_ / "served/pipe").c_str(), 0600), 0);
  EXPECT_NE(refusal(served(), "pipe").find("no plain file"), std::string::npos);
  EXPECT_NE(refusal(served(), "runs").find("no plain file"), std::string::npos);
  EXPECT_NE(refusal(served(), "none.mcap").find("files() tells"), std::string::npos);
  EXPECT_EQ(served().list().files.size(), 2U);
}

TEST_F(ServedFilesTest, ASingleFileIsAllThatIsServedOfItsFolder) {
  const ServedFiles log((top_ / "served/new.mcap").string());
  EXPECT_TRUE(log.list().files.empty());  // it isn't there yet
  write("served/new.mcap", "new");
  ASSERT_EQ(log.list().files.size(), 1U);
  EXPECT_EQ(log.list().files[0].name, "new.mcap");
  EXPECT_EQ(all_of(log.open("new.mcap")), "new");
  EXPECT_NE(refusal(log, "old.mcap"), "given");
  EXPECT_NE(refusal(ServedFiles(), "old.mcap").find("--files"), std::string::npos);
  EXPECT_TRUE(ServedFiles().list().files.empty());
}

TEST_F(ServedFilesTest, NamesThatAreNoTextAreCountedAndLeftOut) {
  write("served/bad\xff.mcap", "x");
  const ServedFiles::List list = served().list();
  EXPECT_EQ(list.files.size(), 2U);
  EXPECT_EQ(list.left_out, 1U);
}

TEST_F(ServedFilesTest, TheNewestOfManyAreListedAndTheOthersCounted) {
  for (std::size_t i = 0; i < ServedFiles::kListed; ++i) {
    write("served/" + std::to_string(i), "");
  }
  const ServedFiles::List list = served().list();
  EXPECT_EQ(list.files.size(), ServedFiles::kListed);
  EXPECT_EQ(list.left_out, 2U);
  EXPECT_NE(list.files.back().name, "old.mcap");  // the oldest of all
}

TEST(ParameterExchange, AReaderSeesTheLastOfWhatWasSet) {
  RobotConfig config;
  config.joints.resize(3);
  for (std::size_t i = 0; i < 3; ++i) config.joints[i].limits.v_max = 1.0 + static_cast<double>(i);
  ParameterExchange exchange(config);
  const auto row = static_cast<std::size_t>(JointParameter::kVelocityMax);
  EXPECT_EQ(exchange.read().value()[row], (std::vector{1.0, 2.0, 3.0}));
  set_parameter(config.joints[1], JointParameter::kVelocityMax, 0.5);
  set_parameter(config.joints[2], JointParameter::kKi, 7.0);
  exchange.publish([&](std::size_t i) -> const JointConfig& { return config.joints[i]; });
  EXPECT_EQ(exchange.read().value()[row], (std::vector{1.0, 0.5, 3.0}));
  EXPECT_EQ(exchange.read().value()[static_cast<std::size_t>(JointParameter::kKi)][2], 7.0);
}

}  // namespace
}  // namespace jointrig::remote
