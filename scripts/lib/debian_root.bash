# Debian roots for chroot, one directory each. Sourced by scripts/package and scripts/try_package.
# Needs root, debootstrap, and the keys of the archive, with which apt checks its lists.
# Downloads are cached in the user's cache directory.
. scripts/lib/debian_13.bash

roots=()

leave_roots() {
  local root place
  for root in "${roots[@]}"; do
    for place in dev/pts proc; do
      if mountpoint -q "$root/$place"; then umount "$root/$place"; fi
    done
    rm -rf --one-file-system "$root"
  done
}

# make_root SUITE: sets $root, which is deleted when the script ends. Contains only what apt needs.
make_root() {
  local suite=$1
  [ "$(id -u)" = 0 ] || fail "a root of Debian can only be made by root"
  command -v debootstrap > /dev/null || fail "debootstrap is missing: scripts/setup installs it"
  mkdir -p "$kept/archives/$suite"
  root=$(mktemp -d "${TMPDIR:-/tmp}/debian-$suite.XXXXXX")
  chmod 755 "$root"   # apt reads its lists as another user
  roots+=("$root")
  trap leave_roots EXIT
  say "making a root of Debian $suite"
  debootstrap --variant=minbase --cache-dir="$kept/archives/$suite" "$suite" "$root" "$(debian_mirror)" > "$root.log" ||
    { cat "$root.log" >&2; fail "debootstrap failed"; }
  rm "$root.log"
  mount -t proc proc "$root/proc"
  mount -t devpts -o ptmxmode=666 devpts "$root/dev/pts"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # Uses archives from the cache, and saves new ones there.
  rm -f "$root/etc/apt/apt.conf.d/docker-clean"
  cp -n "$kept/archives/$suite"/*.deb "$root/var/cache/apt/archives/" 2> /dev/null || true
  in_root apt-get update -qq
}

in_root() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }

# install_in_root SUITE PACKAGE…: a package is a name, or the path of a file in the root.
install_in_root() {
  local suite=$1; shift
  in_root apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "$@" > "$root/install.log" 2>&1 ||
    { cat "$root/install.log" >&2; fail "not installed: $*"; }
  cp -n "$root"/var/cache/apt/archives/*.deb "$kept/archives/$suite/" 2> /dev/null || true
}
