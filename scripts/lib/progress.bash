# Shows where long work is: sourced by the scripts that do it.
#   step NAME COMMAND…
# runs COMMAND with its output in build/logs/NAME.log (spaces are hyphens there), and says on stderr after half a second
# that it runs, for how long, and, as far as the log tells it, how much is done: a line that is drawn again where there is
# a terminal, and a new one every few seconds where there is none. What ends sooner is not mentioned. If it fails, the end
# of its log follows, and the step has its status. COMMAND runs in this shell, but as part of a condition: what it does
# must be one command, or joined by &&.
# apt writes how far it is to file descriptor 3 when it is asked to (APT::Status-Fd=3).

steps_done=0 steps_in_all=${steps_in_all:-}

# "0:07" of seconds.
clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# "12 of 340" of a log in which Ninja counts, the per cent of apt, the packages that npm has fetched; else nothing.
how_far() {
  local log=$1 found
  if found=$(tail -n1 "$log.apt" 2> /dev/null | sed -nE 's/^[dp][lm]status:[^:]*:([0-9]+)[0-9.]*:(.*)$/\1 of 100, \2/p') &&
    [ -n "$found" ]; then printf '%s' "$found"
  elif found=$(tail -c 20000 "$log" | tr '\r' '\n' | sed -nE 's/^\[([0-9]+)\/([0-9]+)\].*/\1 of \2/p' | tail -n1) &&
    [ -n "$found" ]; then printf '%s' "$found"
  elif found=$(grep -c 'npm http fetch' "$log") && [ "$found" -gt 0 ]; then printf '%s answers' "$found"
  fi
}

# "[#####.....] " of "12 of 340"; nothing of anything else.
bar() {
  local done_ all filled
  [[ $1 =~ ^([0-9]+)\ of\ ([0-9]+) ]] || return 0
  done_=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
  [ "$all" -gt 0 ] || return 0
  filled=$((20 * done_ / all))
  printf '[%s%s] ' "$(printf '%*s' "$filled" '' | tr ' ' '#')" "$(printf '%*s' $((20 - filled)) '' | tr ' ' .)"
}

# Until the step is over, or the script gone.
watch_step() {
  local title=$1 log=$2 began=$3 every=5 last='' far
  sleep 0.5 > /dev/null 2>&1
  while kill -0 $$ 2> /dev/null; do
    far=$(how_far "$log")
    if [ -t 2 ]; then
      printf '\r\033[K%s' "$(printf '%s  %s%s%s' "$title" "$(bar "$far")" "${far:+$far, }" "$(clock $((SECONDS - began)))" | cut -c1-"${COLUMNS:-79}")" >&2
      sleep 0.5 > /dev/null 2>&1
    else
      if [ -z "$last" ]; then printf '%s\n' "$title" >&2
      else printf '%s: %s%s\n' "$title" "${far:+$far, }" "$(clock $((SECONDS - began)))" >&2; fi
      last=$SECONDS
      sleep $every > /dev/null 2>&1
    fi
  done
}

step() {
  local name=$1 log title began=$SECONDS watcher status=0; shift
  steps_done=$((steps_done + 1))
  title="$(basename "$0"): $steps_done${steps_in_all:+ of $steps_in_all}, $name"
  log=build/logs/${name// /-}.log
  mkdir -p build/logs
  : > "$log"
  rm -f "$log.apt"
  watch_step "$title" "$log" "$began" &
  watcher=$!
  "$@" > "$log" 2>&1 3> "$log.apt" < /dev/null || status=$?
  kill "$watcher" 2> /dev/null || true
  wait "$watcher" 2> /dev/null || true
  rm -f "$log.apt"
  [ ! -t 2 ] || printf '\r\033[K' >&2
  if [ $status != 0 ]; then
    printf '%s: failed after %s\n' "$title" "$(clock $((SECONDS - began)))" >&2
    tail -n 60 "$log" >&2
    [ "$(wc -l < "$log")" -le 60 ] || printf '(all of it: %s)\n' "$log" >&2
  elif [ $((SECONDS - began)) -ge 2 ]; then
    printf '%s: done, %s\n' "$title" "$(clock $((SECONDS - began)))" >&2
  fi
  return $status
}
