# Debian 13's archive on any Debian or Ubuntu. Sourced by scripts/emscripten, scripts/debian_source,
# scripts/webgpu, scripts/torch and debian_root.bash. apt fetches packages and checks Debian's
# signature, with separate sources and state, so that the system's do not change.

# The cache of downloads, shared by all clones.
kept=${XDG_CACHE_HOME:-$HOME/.cache}/under-the-roofline

say() { echo "$(basename "$0"): $*" >&2; }
fail() { say "$*"; exit 1; }

# Runs apt with our sources and state, below $apt. Other settings (proxies) are the system's.
private_apt() {
  local tool=$1; shift
  # apt writes its progress to file descriptor 3 if a reader has opened it (progress.bash).
  local status=()
  if { : >&3; } 2> /dev/null; then status=(-o APT::Status-Fd=3); fi
  "$tool" -q=2 "${status[@]}" -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/nonexistent \
    -o Dir::State="$apt/state" -o Dir::State::Status=/dev/null -o Dir::Cache="$apt/cache" \
    -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none "$@"
}

# The system's Debian mirror; on other systems (Ubuntu) the default mirror of debootstrap.
debian_mirror() {
  apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' | grep -m1 -E '/debian/?$' ||
    sed -n 's/^DEF_MIRROR="\(.*\)"/\1/p' /usr/sbin/debootstrap
}

# Reads Debian 13's list of packages (deb) or sources (deb-src) into a new directory, $apt, which is
# deleted when the script ends.
open_debian_13() {
  local kind=$1 what=packages mirror keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -r $keyring ] || fail "$keyring is missing; install the package debian-archive-keyring"
  mirror=$(debian_mirror)
  [ -n "$mirror" ] || fail "no Debian mirror is known here; run scripts/setup first (package debootstrap)"
  mkdir -p "$kept"
  apt=$(mktemp -d "$kept/fetch.XXXXXX")
  trap 'rm -rf "$apt"' EXIT
  mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial"
  echo "$kind [signed-by=$keyring] $mirror trixie main" > "$apt/sources.list"
  [ "$kind" = deb ] || what=sources
  say "reading Debian 13's list of $what (10 MB)"
  private_apt apt-get update >&2
}

# fetch_debian_13 WHAT PACKAGE…: fetches packages and their dependencies as archives into
# $apt/archives of a new $apt. WHAT describes them in the progress line.
fetch_debian_13() {
  local what=$1 names size; shift
  command -v apt-get > /dev/null || fail "apt-get is missing: Debian 13's packages can be fetched on Debian and Ubuntu alone"
  open_debian_13 deb
  mapfile -t names < <(private_apt apt-get -s -o APT::Install-Recommends=false install "$@" | sed -n 's/^Inst \([^ ]*\).*/\1/p')
  [ ${#names[@]} -gt 10 ] || fail "Debian 13's package list has not all of $*"
  size=$(private_apt apt-cache --no-all-versions show "${names[@]}" | awk '/^Size:/ {all += $2} END {print int(all / 1000000)}')
  say "fetching $what: ${#names[@]} packages, $size MB, unpacked under $kept"
  mkdir "$apt/archives"
  (cd "$apt/archives" && private_apt apt-get download "${names[@]}" >&2)
}

# version_of PACKAGE: the version of its archive in $apt/archives.
version_of() { basename "$apt/archives/$1"_*.deb | sed 's/^[^_]*_//; s/_.*//'; }
