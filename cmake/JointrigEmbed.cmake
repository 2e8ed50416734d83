# jointrig_embed_text(OUTPUT FILE SYMBOL): writes a .cpp that defines, in the namespace of the calling
# folder, `extern const std::string_view SYMBOL` with the text of FILE, and puts its name into OUTPUT.
# So the program needs no source tree at run time.
set(JOINTRIG_EMBED_TEMPLATE "${CMAKE_CURRENT_LIST_DIR}/embedded_text.cpp.in")

function(jointrig_embed_text output file symbol)
  set(path "${CMAKE_CURRENT_SOURCE_DIR}/${file}")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp")
  file(READ "${path}" JOINTRIG_EMBED_TEXT)
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  string(REGEX REPLACE "/.*" "" JOINTRIG_EMBED_FOLDER "${folder}")  # harness of harness/config
  set(JOINTRIG_EMBED_FILE "${file}")
  set(JOINTRIG_EMBED_SYMBOL "${symbol}")
  configure_file("${JOINTRIG_EMBED_TEMPLATE}" "${source}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  set(${output} "${source}" PARENT_SCOPE)
endfunction()
