#pragma once
/// Messages with one list of their fields. A list is a function that passes each field of a message
/// to `field`:
///
///     template <typename Field>
///     void for_each_field_of_sample(Field&& field) {
///       field("q", &Message::q, &Source::q, "rad", "measured position");
///       field("on", &Message::on, [](const Source& from) { return from.flags.bits(); });
///     }
///
///     name, member of the message, its source (a member of the source, or a function of
///     it), unit, comment
///
/// The list gives the schema, the message of a source, and the inverse where sources are members.

#include <functional>
#include <type_traits>

#include "harness/log/mcap/struct_schema.h"

namespace jointrig::harness {

/// Value of a member or a function for a source. A source that contains another source specialises
/// this for the inner one's members.
template <typename Source, typename Place>
struct ReadFrom {
  static decltype(auto) read(const Source& source, const Place& place) noexcept {
    return std::invoke(place, source);
  }
};

/// Adds the stamp and the fields of a list.
template <typename Message, typename List>
void add_fields(StructSchema<Message>& schema, const List& list) {
  schema.field("stamp", &Message::stamp, "", "robot time of the cycle");
  list([&schema](const char* name, auto member, const auto& /*place*/, const char* unit = "",
                 const char* comment = "") { schema.field(name, member, unit, comment); });
}

/// Sets all fields of the message. Enumerations are stored as the numbers of the message.
template <typename Message, typename Source, typename List>
void fill(Message& message, TimeStamp stamp, const Source& source, const List& list) noexcept {
  message.stamp = stamp;
  list([&](const char* /*name*/, auto member, const auto& place, const char* /*unit*/ = "",
           const char* /*comment*/ = "") {
    auto& field = message.*member;
    field = static_cast<std::remove_reference_t<decltype(field)>>(
        ReadFrom<Source, std::remove_cvref_t<decltype(place)>>::read(source, place));
  });
}

template <typename Message, typename Source, typename List>
Message message_of(TimeStamp stamp, const Source& source, const List& list) noexcept {
  Message message;
  fill(message, stamp, source, list);
  return message;
}

/// The inverse: fills in the members of `Source` from the message.
template <typename Source, typename Message, typename List>
void read_back(Source& source, const Message& message, const List& list) noexcept {
  list([&]<typename Member, typename Place>(const char* /*name*/, Member member, Place place,
                                            const char* /*unit*/ = "",
                                            const char* /*comment*/ = "") {
    if constexpr (std::is_invocable_v<Place, Source&> && std::is_member_object_pointer_v<Place>) {
      auto& value = source.*place;
      value = static_cast<std::remove_reference_t<decltype(value)>>(message.*member);
    }
  });
}

}  // namespace jointrig::harness
