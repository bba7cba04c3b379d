#!/bin/sh
# Packages and card for every release and machine, as root (hours): a line for each step, 1 where one is wrong.
cd "$(dirname "$0")/../.." || exit 2
logs=build/night
mkdir -p "$logs"
failed=0

step() {
    name=$1 began=$(date +%s)
    log=$logs/$(echo "$name" | tr ' ' -).log
    shift
    if SABOT_NIGHT=1 "$@" > "$log" 2>&1; then
        echo "well   $name ($(($(date +%s) - began)) s)"
    else
        echo "WRONG  $name: $log"
        failed=1
    fi
}

for release in bookworm trixie; do
    for arch in amd64 arm64; do
        step "packages $release $arch" make deb-test DEB="--release $release --arch $arch"
    done
done
for arch in amd64 arm64; do
    step "card $arch built" make image IMAGE="--arch $arch"
    step "card $arch booted" make image-test IMAGE="--arch $arch"
    step "card $arch set up" make image-first-test IMAGE="--arch $arch"
    step "card $arch with faults" make image-faults-test IMAGE="--arch $arch"
    step "card $arch played and cut" make image-play-test IMAGE="--arch $arch"
done
step "card amd64 updated" make image-update-test
step "card arm64 on the emulated Pi" make image-test IMAGE="--machine raspi3b"
exit $failed
