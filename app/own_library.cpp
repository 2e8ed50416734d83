#include "app/own_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace jointrig::app {
namespace {

namespace fs = std::filesystem;

fs::path path_of(const OwnLibrary& library) {
  const fs::path here = fs::canonical("/proc/self/exe").parent_path();
  for (const fs::path& folder : {here, here.parent_path() / "lib" / "jointrig"}) {
    if (fs::exists(folder / library.name)) return folder / library.name;
  }
  throw std::runtime_error(library.absent);
}

}  // namespace

void* own_symbol(const OwnLibrary& library, const char* symbol) {
  void* const handle = dlopen(path_of(library).c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const found = handle == nullptr ? nullptr : dlsym(handle, symbol);
  if (found == nullptr) {
    std::string sentence = library.to_load;
    throw std::runtime_error(sentence.replace(sentence.find("{}"), 2, dlerror()));
  }
  return found;
}

}  // namespace jointrig::app
