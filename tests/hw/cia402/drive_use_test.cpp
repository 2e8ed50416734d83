#include "hw/cia402/drive_use.h"

#include <gtest/gtest.h>

namespace jointrig::cia402 {
namespace {

TEST(DriveUse, EveryUseHasItsStateAndMode) {
  constexpr auto kEnabled = PowerState::kOperationEnabled;
  EXPECT_EQ(wish_for(DriveUse::kIdle), (DriveWish{PowerState::kSwitchedOn, 0}));
  EXPECT_EQ(wish_for(DriveUse::kPosition), (DriveWish{kEnabled, 8}));
  EXPECT_EQ(wish_for(DriveUse::kVelocity), (DriveWish{kEnabled, 9}));
  EXPECT_EQ(wish_for(DriveUse::kTorque), (DriveWish{kEnabled, 10}));
  EXPECT_EQ(wish_for(DriveUse::kPwm), (DriveWish{kEnabled, -1}));
  EXPECT_EQ(wish_for(DriveUse::kHoming), (DriveWish{kEnabled, 6}));
}

TEST(DriveUse, IsPossibleOnlyWhereTheDriveOffersTheMode) {
  constexpr std::uint32_t kPositionOnly = 1U << 7;
  EXPECT_TRUE(is_possible(DriveUse::kIdle, 0, false));
  EXPECT_TRUE(is_possible(DriveUse::kPosition, kPositionOnly, false));
  EXPECT_FALSE(is_possible(DriveUse::kTorque, kPositionOnly, false));
  EXPECT_FALSE(is_possible(DriveUse::kPwm, 0xFFFFFFFF, false));
  EXPECT_TRUE(is_possible(DriveUse::kPwm, 0, true));
}

DriveFacts a_drive(std::uint16_t statusword, std::int8_t mode = 8) {
  DriveFacts facts;
  facts.configured = true;
  facts.statusword = statusword;
  facts.mode = mode;
  return facts;
}

TEST(DriveStatus, IsReadFromTheDrivesWords) {
  struct Row {
    const char* what;
    std::uint16_t word;
    std::int8_t mode;
    bool was_enabled;
    DriveStatus status;
  };
  for (const Row& row : {
           Row{"starting", 0x0000, 0, false, DriveStatus::kNotConfigured},
           Row{"fresh, disabled", 0x0250, 0, false, DriveStatus::kConfigured},
           Row{"fresh, switched on", 0x0233, 0, false, DriveStatus::kConfigured},
           Row{"switched on after use", 0x0233, 8, true, DriveStatus::kIdle},
           Row{"disabled after use", 0x0250, 8, true, DriveStatus::kIdle},
           Row{"enabled", 0x1237, 8, true, DriveStatus::kActive},
           Row{"quick stop", 0x0217, 8, true, DriveStatus::kQuickStop},
           Row{"fault reaction", 0x021F, 8, true, DriveStatus::kFault},
           Row{"fault", 0x0218, 8, true, DriveStatus::kFault},
           Row{"homing not started", 0x0637, 6, true, DriveStatus::kActive},
           Row{"homing", 0x0237, 6, true, DriveStatus::kCalibrating},
           Row{"homing, attained", 0x1237, 6, true, DriveStatus::kCalibrating},
           Row{"homed", 0x1637, 6, true, DriveStatus::kCalibrated},
           Row{"homing failed", 0x2637, 6, true, DriveStatus::kActive},
           Row{"bits of no state", 0x0003, 8, true, DriveStatus::kNotConfigured},
       }) {
    DriveFacts facts = a_drive(row.word, row.mode);
    facts.was_enabled = row.was_enabled;
    EXPECT_EQ(status_of(facts), row.status) << row.what;
  }
}

TEST(DriveStatus, ALatchedFaultOutranksWhatTheDriveShows) {
  DriveFacts facts = a_drive(0x0250);
  facts.latched = true;
  EXPECT_EQ(status_of(facts), DriveStatus::kFault) << "somebody else has reset the drive";
  facts.configured = false;
  EXPECT_EQ(status_of(facts), DriveStatus::kFault) << "or it is gone";
}

TEST(DriveStatus, ADriveNotVerifiedIsNotBelieved) {
  DriveFacts facts = a_drive(0x1237);
  facts.configured = false;
  EXPECT_EQ(status_of(facts), DriveStatus::kNotConfigured);
}

}  // namespace
}  // namespace jointrig::cia402
