#!/bin/sh
# What the trial of an update sees from inside, a line each; then the words say what is done: `refuses`, `lets-in`, `off`.
say() { echo "TOLD $1 ${2:-none}"; }
one() { tr '\n' ' ' | sed 's/ *$//'; }
as_sabot() { setpriv --reuid=sabot --regid=sabot --clear-groups "$@"; }
export LANG=en_GB.UTF-8
lets_in() { printf '739166\n739165\n' | sabot update "$1" --technician 31 --chief 21 --pin-fd 0; }

closed() {
    for _ in $(seq 300); do
        sabot status --json | grep -q '"session": *"closed"' && return
        sleep 2
    done
}

refuses() {
    for file in foreign cut older; do
        said=$(lets_in "/run/stick/$file.raucb" 2>&1)
        say "$file" "exit $?: $(echo "$said" | one)"
    done
    say still "$(grep -v '^#' /boot/firmware/slots | one) $(sabot status --json | grep -o '"session": *"[a-z-]*"')"
}

# The part of the other root that is written: the kernel says it of each partition, in sectors of 512 bytes.
writes() {
    until [ "$(awk '$3 ~ /^vda[2356]$/ {n += $10} END {print int(n / 2048)}' /proc/diskstats)" -ge 100 ]; do sleep 0.5; done
    say writes "$(awk '$3 ~ /^vda[2356]$/ {n += $10} END {print int(n / 2048)}' /proc/diskstats) MiB"
}

closed
say slot "$(grep -o 'rauc.slot=.' /proc/cmdline)"
say state "$(grep -v '^#' /boot/firmware/slots | one)"
say table "$(sabot status --json | grep -o '"session": *"[a-z-]*"')"
say journal "$(as_sabot sabot journal verify /var/lib/sabot/journal | head -1)"
say release "$(as_sabot sabot journal show /var/lib/sabot/journal | grep 'release' | tail -1)"

mkdir -p /run/stick
mount -o ro /dev/vdb /run/stick
for word in "$@"; do
    case $word in
    refuses) refuses ;;
    off) systemctl poweroff ;;
    lets-in)
        say begins now
        writes &
        lets_in /run/stick/update.raucb
        say ended "$?"
        ;;
    esac
done
