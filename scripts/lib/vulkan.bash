# Runs Node with our own C library and Vulkan loader, independent of the system. Sourced by
# scripts/webgpu, both here and in an unpacked archive. Dawn's Vulkan needs a newer driver than
# Debian 12 has, and a driver built for Debian 13 needs Debian 13's C library, which only its own
# dynamic loader can start.

system_root= # the root of the machine's directories; tests use another one

# The driver files (ICDs) of this machine, one per line: those named by the environment, otherwise
# NVIDIA's, otherwise all.
machine_drivers() {
  local named=${VK_DRIVER_FILES:-${VK_ICD_FILENAMES:-}} files
  if [ -n "$named" ]; then tr ':' '\n' <<< "$named"; return; fi
  files=$(ls "$system_root"/{etc,usr/share,usr/local/share,usr/local/nvidia/share}/vulkan/icd.d/*.json 2> /dev/null) || :
  grep nvidia <<< "$files" || nvidia_without_file || grep . <<< "$files" || :
}

# Containers often have NVIDIA's libraries without an ICD, so write the usual one into the directory
# $scratch.
nvidia_without_file() {
  local library
  library=$(ls "$system_root"/usr/{lib/*-linux-gnu,lib64,lib,local/nvidia/lib64,local/nvidia/lib}/libGLX_nvidia.so.0 2> /dev/null |
    head -n1) || :
  [ -n "$library" ] || return 1
  mkdir -p "$scratch/share/vulkan/icd.d"
  ln -sfn "$(dirname "$library")" "$scratch/lib"
  printf '{"file_format_version": "1.0.0", "ICD": {"library_path": "%s", "api_version": "1.3.0"}}\n' "$library" \
    > "$scratch/share/vulkan/icd.d/nvidia_icd.json"
  echo "$scratch/share/vulkan/icd.d/nvidia_icd.json"
}

# The directories that may hold the drivers' libraries, each followed by a colon: for
# …/share/vulkan/icd.d/NAME.json the directory …/lib and similar ones, then those of the environment
# and the system.
libraries_of() {
  local file prefix directory all=
  for file in "$@" "$system_root"/usr{,/local/nvidia}/share/vulkan/icd.d/none; do
    prefix=$(dirname "$file")
    prefix=${prefix%/share/vulkan/icd.d}
    for directory in "$prefix"/lib64 "$prefix/lib/$(uname -m)-linux-gnu" "$prefix/lib"; do
      case "$all:" in *":$directory:"*) ;; *) [ ! -d "$directory" ] || all=$all:$directory ;; esac
    done
  done
  printf '%s' "$all${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}

# through_loader LIBRARIES DRIVERS PROGRAM ARGUMENT…: runs the program with the C library in the
# directory LIBRARIES and with DRIVERS, a list with one driver per line.
through_loader() {
  local libraries=$1 drivers=$2 loader; shift 2
  loader=$(ls "$libraries"/ld-linux-*.so.* | head -n1)
  # shellcheck disable=SC2086
  VK_DRIVER_FILES=$(tr '\n' ':' <<< "$drivers" | sed 's/:*$//') LD_LIBRARY_PATH='' \
    "$loader" --library-path "$libraries$(libraries_of $drivers)" "$@"
}

# webgpu LIBRARIES DRIVER NODE SCRIPT ARGUMENT…: runs the script with these arguments, except for
# --driver, which replaces DRIVER: a file (an ICD in JSON), or "machine".
webgpu() {
  local libraries=$1 driver=$2 node=$3 script=$4 arguments=(); shift 4
  while [ $# -gt 0 ]; do
    if [ "$1" = --driver ]; then driver=${2:?--driver takes a file, or machine}; shift; else arguments+=("$1"); fi
    shift
  done
  [ "$driver" != machine ] || driver=$(machine_drivers)
  if [ -z "$driver" ]; then
    echo 'webgpu: no Vulkan driver was found on this machine; --driver FILE names one (often called nvidia_icd.json)' >&2
    return 1
  fi
  through_loader "$libraries" "$driver" "$node" "$script" "${arguments[@]}"
}
