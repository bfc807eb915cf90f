# The part of scripts/try_package that runs in the root: package_trial.bash bare|node|shells PRIMER.
# Prints each step, and fails at the first one with an unexpected result.
set -euo pipefail
primer=$2
cd /root

step() { echo "  $*"; }
holds() { grep -q -- "$1" "$2" || { echo "there is no '$1' in $2" >&2; exit 1; }; }
is_there() { [ -s "$1" ] || { echo "there is no $1" >&2; exit 1; }; }
# fails_with WORDS COMMAND…
fails_with() {
  local words=$1; shift
  ! "$@" > said 2>&1 || { echo "$* does not fail" >&2; exit 1; }
  holds "$words" said
}

# get PORT PATH: prints the server's answer.
get() {
  exec 3<> "/dev/tcp/127.0.0.1/$1"
  printf 'GET %s HTTP/1.0\r\nHost: 127.0.0.1:%s\r\n\r\n' "$2" "$1" >&3
  cat <&3
  exec 3>&-
}

serve_and_get() {
  local address='' port
  "$primer" serve --book notes --search notes/build/search > served 2>&1 &
  for _ in $(seq 100); do
    address=$(grep -m1 '^http:' served || true)
    [ -z "$address" ] || break
    sleep 0.1
  done
  [ -n "$address" ] || { cat served >&2; exit 1; }
  port=${address##*:}; port=${port%/}
  get "$port" /memory/ > answer
  kill $!
  holds '200 OK' answer
  holds '<title>Memory · Notes</title>' answer
}

bare() {
  for tool in node emcc g++ git; do ! command -v "$tool" > /dev/null || { echo "$tool is here" >&2; exit 1; }; done
  step "$("$primer" --version), manual, completions"
  "$primer" manual > page && holds 'primer new book' page
  bash -c "eval \"\$($primer completion bash)\"; COMP_WORDS=(primer bu) COMP_CWORD=1; _primer; [ \"\${COMPREPLY[*]}\" = build ]"
  step "a new book, checked and built"
  "$primer" new book notes --title Notes > said
  "$primer" check --book notes > said && holds 'no errors' said
  "$primer" build --book notes > said
  holds '<primer-bench' notes/build/site/memory/index.html
  step "searched"
  "$primer" index --book notes > said && holds ' sections' said
  "$primer" build --book notes --search notes/build/search > said
  is_there notes/build/site/search/pagefind.js
  ls notes/build/site/search/index/en_*.pf_index > said
  step "printed"
  "$primer" build --book notes --out print --base-url https://book.example/ --renditions > said
  holds '<title>' print/print/index.html
  step "served"
  serve_and_get
  step "published as a preview; what needs Node says so"
  "$primer" publish --book notes - preview > said
  is_there preview/search/pagefind.js
  fails_with 'measuring needs Node' "$primer" measure --book notes
  fails_with 'needs Node' "$primer" publish --book notes https://book.example/ published
  "$primer" new book formula > said
  printf '\nHere $x^2$ is one.\n' >> formula/chapters/en/00-memory.md
  fails_with 'node, which converts formulas, does not start' "$primer" build --book formula
}

with_node() {
  step "with Node $(node --version): a formula, and published at an address"
  "$primer" build --book formula > said
  holds '<math' formula/build/site/memory/index.html
  "$primer" publish --book formula https://book.example/ published > said
  for file in offline.json kept.json search/pagefind.js; do is_there "published/$file"; done
  fails_with 'No chromium' "$primer" measure --book notes
  if "$primer" publish --book formula --kept other https://book.example/ again --renditions > said 2>&1; then
    echo "a PDF without Chromium?" >&2; exit 1
  fi
  holds 'No chromium' said
}

# The completions that zsh offers after "primer bu" and Tab, in a pseudo-terminal.
zsh_offers() {
  cat > ask.zsh << 'EOT'
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D; echo read''y"
repeat 200; do zpty -r -t shell line && [[ $line == *ready* ]] && break; sleep 0.1; done
zpty -w -n shell $'primer bu\t'
sleep 2
said=
while zpty -r -t shell line; do said+=$line; done
print -r -- "$said"
EOT
  zsh -f ask.zsh "$1"
}

with_shells() {
  local share
  share=$(dirname "$(dirname "$primer")")/share
  PATH=$(dirname "$primer"):$PATH
  step "bash, zsh and fish complete commands"
  bash -c ". $share/bash-completion/completions/primer; COMP_WORDS=(primer bu) COMP_CWORD=1; _primer; printf '%s' \"\${COMPREPLY[*]}\"" > said
  [ "$(cat said)" = build ] || { cat said >&2; exit 1; }
  fish -c "source $share/fish/vendor_completions.d/primer.fish; complete -C 'primer bu'; complete -C 'primer check --format j'" > said
  holds '^build' said; holds '^json' said
  zsh_offers "$(dirname "$(find "$share/zsh" -name _primer)")" > said
  holds 'primer build' said
}

case $1 in bare) bare ;; node) with_node ;; shells) with_shells ;; esac
