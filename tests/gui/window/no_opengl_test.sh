#!/usr/bin/env bash
# On a machine without OpenGL, X11 and GLFW the program runs, and the panel tells what to install.
#
#   bash no_opengl_test.sh JOINTRIG
set -uo pipefail

# Files that the loader meets before the system's, and can't load.
broken="$(mktemp -d)"
trap 'rm -rf "$broken"' EXIT
touch "$broken"/lib{GL,GLX,OpenGL}.so.{0,1} "$broken"/libX{11,ext}.so.6 "$broken"/lib{glfw.so.3,png16.so.16,stb.so.0}
export LD_LIBRARY_PATH="$broken"

"$1" gui --help >/dev/null || exit 1
"$1" run retarget --out - || exit 1
said="$("$1" gui franka 2>&1)"
code=$?
echo "exit code $code: $said"
[ "$code" -eq 2 ] && [ "$(wc -l <<<"$said")" -eq 1 ] && [[ "$said" == "jointrig gui: can't load the panel ("*libGL.so.1* ]] &&
  [[ "$said" == *"install OpenGL and X11, libgl1"* ]]
