// Messages of laws of one's own for the log.

#include "harness/log/log_messages.h"

namespace jointrig::harness {

SchemaPtr law_message_schema(const LawConfig& law) {
  std::vector<MessageField> fields{
      {.name = "stamp", .type = FieldType::kMessage, .message = time_schema()},
      {.name = "state", .type = FieldType::kUint8, .comment = "LAW_*"},
      {.name = "took_us",
       .type = FieldType::kFloat32,
       .unit = "us",
       .comment = "of this cycle, by the processor's or the loop's clock"}};
  for (const LawSignal& signal : law.signals) {
    const bool is_plain = signal.meaning.empty();
    fields.push_back({.name = signal.name,
                      .unit = signal.unit,
                      .comment = is_plain ? std::string("signal") : signal.meaning});
  }
  for (const LawParameter& parameter : law.parameters) {
    fields.push_back({.name = parameter.name, .unit = parameter.unit, .comment = "parameter"});
  }
  // Each law has a type of its own: its fields differ.
  std::string type;
  bool is_first = true;
  for (const char c : law.name) {
    if (c != '_') type += is_first && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    is_first = c == '_';
  }
  return std::make_shared<const MessageSchema>("jointrig_msgs/msg/Law" + type, fields,
                                               constants_of("LAW", kAllLawState));
}

bool encode(TimeStamp stamp, const LawConfig& law, const LawSnapshot& now,
            std::span<const double> signals, SchemaEncoder& out) noexcept {
  out.put(stamp.sec);
  out.put(stamp.nanosec);
  out.put(static_cast<std::uint8_t>(now.state));
  out.put(now.took_us);
  for (const double signal : signals) out.put(signal);
  for (std::size_t i = 0; i < law.parameters.size(); ++i) out.put(now.parameters[i]);
  return out.complete();
}

}  // namespace jointrig::harness
