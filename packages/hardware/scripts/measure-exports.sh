#!/bin/sh
# Runs exported programs on the GPUs of this machine: sh measure-exports.sh [FOLDER [OUT [REPETITIONS]]]
# FOLDER is that of this script and OUT is FOLDER/cases if left out. Each .cu in FOLDER is compiled where there is no binary
# of its name yet (nvcc -arch=native, or $ARCH); each binary writes OUT/NAME.json.gz, a file of measured cases. Programs for
# more devices than there are leave themselves out. SECONDS_EACH (600) bounds a binary. Where one fails the others still run.
set -u
folder=${1:-$(dirname "$0")}
out=${2:-$folder/cases}
repetitions=${3:-15}
mkdir -p "$out"
for source in "$folder"/*.cu; do
  [ -e "$source" ] || continue
  binary=${source%.cu}
  [ -x "$binary" ] && continue
  nvcc -O1 -std=c++17 -arch="${ARCH:-native}" -o "$binary" "$source" &
done
wait
status=0
for source in "$folder"/*.cu; do
  [ -e "$source" ] || continue
  [ -x "${source%.cu}" ] || status=1
done
for binary in "$folder"/*; do
  name=$(basename "$binary")
  case $name in *.*) continue ;; esac
  [ -f "$binary" ] && [ -x "$binary" ] || continue
  timeout "${SECONDS_EACH:-600}" "$binary" -n "$repetitions" -o "$out/$name.json" 2>"$out/$name.log" || status=1
  sed "s/^/$name: /" "$out/$name.log"
  [ -s "$out/$name.json" ] && gzip -9 -f "$out/$name.json"
  rm -f "$out/$name.log"
done
exit $status
