#!/bin/sh
# Runs exported programs on the GPUs of this machine: sh measure-exports.sh FOLDER OUT [REPETITIONS]
# Each .cu in FOLDER is compiled where there is no binary of its name yet (nvcc -arch=native, or $ARCH); each binary writes
# OUT/NAME.json.gz, a file of measured cases. Programs for more devices than there are leave themselves out. SECONDS_EACH bounds a file.
set -u
folder=${1:?a folder of exported programs}
out=${2:?a folder for the measured cases}
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
for binary in "$folder"/*; do
  name=$(basename "$binary")
  case $name in *.*) continue ;; esac
  [ -f "$binary" ] && [ -x "$binary" ] || continue
  timeout "${SECONDS_EACH:-90}" "$binary" -n "$repetitions" -o "$out/$name.json" 2>"$out/$name.log" || status=1
  sed "s/^/$name: /" "$out/$name.log"
  [ -s "$out/$name.json" ] && gzip -9 -f "$out/$name.json"
  rm -f "$out/$name.log"
done
exit $status
