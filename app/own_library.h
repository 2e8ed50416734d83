#pragma once
/// Libraries of this build that are loaded when they are wanted, so that the program starts without
/// what they need of the system: the server with gRPC, ROS 2, the panel with its window.

namespace jointrig::app {

/// One of them, and what to do where it can't be had.
struct OwnLibrary {
  const char* name;     ///< of its file
  const char* absent;   ///< where this build has none: a sentence
  const char* to_load;  ///< where the system doesn't load it: a sentence, with the reason at {}
};

/// Loads the library, which stays loaded, and returns what it has by the name `symbol`. It lies
/// beside the program, or in ../lib/jointrig where both were installed.
///
/// The library links archives that the program links, too, and each has its own copy of what is in
/// them: globals are not shared, MuJoCo's apart. So what goes in and out are plain data and objects
/// with virtual functions, and an exception is caught on the side that threw it, or as one of std.
///
/// Throws std::runtime_error with one of the two sentences.
[[nodiscard]] void* own_symbol(const OwnLibrary& library, const char* symbol);

/// Likewise, a function.
template <typename Function>
[[nodiscard]] Function own_function(const OwnLibrary& library, const char* name) {
  return reinterpret_cast<Function>(own_symbol(library, name));
}

}  // namespace jointrig::app
