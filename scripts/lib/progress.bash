# Shows the progress of long commands; sourced by the scripts that run them.
#   step NAME COMMAND…
# runs COMMAND with its output in build/logs/NAME.log (spaces become hyphens). After half a second
# it reports on stderr that the command runs, for how long and, if the log tells, how much is done:
# on a terminal as one line that is redrawn, otherwise as a new line every few seconds. Shorter
# commands are not reported. If COMMAND fails, step prints the end of its log and returns its
# status. COMMAND runs in this shell, but as part of a condition, so `set -e` has no effect: it must
# be one command, or commands joined by &&. With APT::Status-Fd=3, apt writes its progress to file
# descriptor 3.

steps_done=0 steps_in_all=${steps_in_all:-}

# Formats seconds as "0:07".
clock() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# Reads "12 of 340" from a log of Ninja, percents of apt, or the number of packages that npm has
# fetched; prints nothing for other logs.
how_far() {
  local log=$1 found
  if found=$(tail -n1 "$log.apt" 2> /dev/null | sed -nE 's/^[dp][lm]status:[^:]*:([0-9]+)[0-9.]*:(.*)$/\1 of 100, \2/p') &&
    [ -n "$found" ]; then printf '%s' "$found"
  elif found=$(tail -c 20000 "$log" | tr '\r' '\n' | sed -nE 's/^\[([0-9]+)\/([0-9]+)\].*/\1 of \2/p' | tail -n1) &&
    [ -n "$found" ]; then printf '%s' "$found"
  elif found=$(grep -c 'npm http fetch' "$log") && [ "$found" -gt 0 ]; then printf '%s answers' "$found"
  fi
}

# Prints "[#####.....] " for "12 of 340", and nothing for other texts.
bar() {
  local done_ all filled
  [[ $1 =~ ^([0-9]+)\ of\ ([0-9]+) ]] || return 0
  done_=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
  [ "$all" -gt 0 ] || return 0
  filled=$((20 * done_ / all))
  printf '[%s%s] ' "$(printf '%*s' "$filled" '' | tr ' ' '#')" "$(printf '%*s' $((20 - filled)) '' | tr ' ' .)"
}

# Until the step or the script ends.
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
