#include "hw/cia402/power_machine.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/hw/cia402/power_states.h"

namespace jointrig::cia402 {
namespace {

/// End state of each numbered transition of CiA 402-2, figure 4.
const std::map<int, PowerState> kEnds{
    {2, kReady},     {3, kOn},        {4, kEnabled},  {5, kOn},        {6, kReady},
    {7, kDisabled},  {8, kReady},     {9, kDisabled}, {10, kDisabled}, {11, kStopping},
    {12, kDisabled}, {15, kDisabled}, {16, kEnabled}};

TEST(PowerMachine, EveryCommandInEveryStateIsTheTransitionOfTheStandard) {
  // Columns: shutdown, switch on, enable operation, disable voltage, quick stop, fault reset.
  const std::map<PowerState, std::array<int, 6>> table{
      {kNotReady, {0, 0, 0, 0, 0, 0}}, {kDisabled, {2, 0, 0, 0, 0, 0}},
      {kReady, {0, 3, 3, 7, 7, 0}},    {kOn, {6, 0, 4, 10, 10, 0}},
      {kEnabled, {8, 5, 0, 9, 11, 0}}, {kStopping, {0, 0, 16, 12, 0, 0}},
      {kReaction, {0, 0, 0, 0, 0, 0}}, {kFault, {0, 0, 0, 0, 0, 15}}};
  for (const auto& [state, row] : table) {
    for (std::size_t i = 0; i < kAllCommands.size(); ++i) {
      SCOPED_TRACE(std::string(to_string(state)) + ", " + std::string(to_string(kAllCommands[i])));
      const auto found = transition(state, kAllCommands[i]);
      ASSERT_EQ(found.has_value(), row[i] != 0);
      if (!found) continue;
      EXPECT_EQ(found->number, row[i]);
      EXPECT_EQ(found->to, kEnds.at(row[i]));
    }
  }
}

TEST(PowerMachine, StatuswordsShowTheirState) {
  const std::map<std::uint16_t, PowerState> words{
      {0x0250, kDisabled}, {0x0270, kDisabled}, {0x0231, kReady},    {0x0233, kOn},
      {0x1237, kEnabled},  {0x0217, kStopping}, {0x021F, kReaction}, {0x023F, kReaction},
      {0x0218, kFault},    {0x0238, kFault},    {0x0000, kNotReady}, {0xFFB7, kEnabled}};
  for (const auto& [word, state] : words) EXPECT_EQ(state_of(word), state) << std::hex << word;
  // 0001 with bit 5 cleared, 0002, 0003, 000C..: no state has these bits.
  for (const std::uint16_t word : {0x0001, 0x0002, 0x0003, 0x000C, 0x0063, 0x0047}) {
    EXPECT_EQ(state_of(word), std::nullopt) << std::hex << word;
  }
}

TEST(PowerMachine, EveryStateIsReadFromItsOwnBits) {
  for (const PowerState state : kAllPowerStates) EXPECT_EQ(state_of(status_bits(state)), state);
}

TEST(PowerMachine, ControlwordsGiveTheirCommand) {
  const std::map<std::uint16_t, Command> words{
      {0x0000, Command::kDisableVoltage},  {0x000D, Command::kDisableVoltage},
      {0x0002, Command::kQuickStop},       {0x000B, Command::kQuickStop},
      {0x0006, Command::kShutdown},        {0x000E, Command::kShutdown},
      {0x0007, Command::kSwitchOn},        {0x000F, Command::kEnableOperation},
      {0x010F, Command::kEnableOperation}, {0x0080, Command::kFaultReset},
      {0x008F, Command::kFaultReset}};
  for (const auto& [word, command] : words)
    EXPECT_EQ(command_of(word), command) << std::hex << word;
}

TEST(PowerMachine, TheOtherBitsOfAControlwordAreKept) {
  EXPECT_EQ(controlword_for(Command::kShutdown, 0xFFFF), 0xFF76);
  EXPECT_EQ(controlword_for(Command::kEnableOperation, 0x0110), 0x011F);
  EXPECT_EQ(controlword_for(Command::kFaultReset, 0x013F), 0x01B0);
  for (const Command command : kAllCommands) {
    for (unsigned before = 0; before <= 0xFFFF; ++before) {
      const std::uint16_t word = controlword_for(command, static_cast<std::uint16_t>(before));
      ASSERT_EQ(command_of(word), command);
      ASSERT_EQ(word & 0xFF70, before & 0xFF70U);
    }
  }
}

/// A drive that follows the table, with the automatic transitions.
PowerState drive_after(PowerState state, Command command) {
  if (state == kNotReady) return kDisabled;
  if (state == kReaction) return kFault;
  const auto next = transition(state, command);
  return next ? next->to : state;
}

TEST(PowerMachine, TheMastersTableLeadsThereFromEverywhereButAFault) {
  for (const PowerState wanted : {kDisabled, kReady, kOn, kEnabled}) {
    for (const PowerState start : kAllPowerStates) {
      SCOPED_TRACE(std::string(to_string(start)) + " to " + std::string(to_string(wanted)));
      PowerState state = start;
      bool passed_through_enabled = false;
      int steps = 0;
      for (; steps < 6; ++steps) {
        const Step step = step_towards(wanted, state);
        if (step.kind == Step::Kind::kThere || step.kind == Step::Kind::kStuck) break;
        state = drive_after(
            state, step.kind == Step::Kind::kSend ? step.command : Command::kDisableVoltage);
        passed_through_enabled = passed_through_enabled || state == kEnabled;
      }
      const bool faulted = start == kFault || start == kReaction;
      EXPECT_EQ(state, faulted ? kFault : wanted);
      EXPECT_EQ(passed_through_enabled, wanted == kEnabled && start != kEnabled && !faulted);
    }
  }
}

TEST(PowerMachine, TheMastersTableNeverResetsAFault) {
  for (const PowerState wanted : kAllPowerStates) {
    for (const PowerState seen : kAllPowerStates) {
      const Step step = step_towards(wanted, seen);
      EXPECT_FALSE(step.kind == Step::Kind::kSend && step.command == Command::kFaultReset);
    }
    if (wanted != kFault) {
      EXPECT_EQ(step_towards(wanted, kFault).kind, Step::Kind::kStuck);
    }
  }
}

TEST(PowerMachine, AQuickStopIsEnteredOnlyFromOperation) {
  for (const PowerState seen : {kDisabled, kReady, kOn, kFault}) {
    EXPECT_EQ(step_towards(kStopping, seen).kind, Step::Kind::kStuck);
  }
  EXPECT_EQ(step_towards(kStopping, kEnabled), (Step{Step::Kind::kSend, Command::kQuickStop}));
}

}  // namespace
}  // namespace jointrig::cia402
