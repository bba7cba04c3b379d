#!/bin/sh
# What the trial of an image sees from inside: a line each on the console, then the machine is turned off.
say() { echo "TRIAL $1: ${2:-none}"; }
one() { tr '\n' ' ' | sed 's/ *$//'; }

panel='
import time, urllib.request, urllib.error
for _ in range(600):
    try:
        with urllib.request.urlopen("http://127.0.0.1:8021/") as page:
            print(page.status, len(page.read()), "bytes")
            break
    except OSError:
        time.sleep(0.2)
'
say panel "$(python3 -c "$panel")"
say 'first page after' "$(cut -d' ' -f1 /proc/uptime) s"
say memory "$(awk '/^MemTotal/ {t=$2} /^MemAvailable/ {a=$2} END {print int((t-a)/1024) " MiB of " int(t/1024)}' /proc/meminfo)"
say root "$(findmnt -no OPTIONS /)"
say 'write to the root' "$(touch /usr/x 2>&1)"
say data "$(findmnt -no FSTYPE,OPTIONS /data)"
say 'data size' "$(findmnt -no SIZE /data)"
say 'root size' "$(findmnt -no FSTYPE,SIZE /)"
say machine-id "$(cat /etc/machine-id)"
say swap "$(tail -n +2 /proc/swaps)"
say radios "$(ls /sys/class/rfkill /sys/class/bluetooth 2>/dev/null | grep -v :)"
say 'logins and ssh' "$(cat /proc/[0-9]*/comm 2>/dev/null | grep -E '^(agetty|login|sshd|sulogin)$' | one)"
say 'accounts with a password' "$(awk -F: '$2 !~ /^[!*]/ {print $1}' /etc/shadow | one)"
say listening "$(ss -Hltn | awk '{print $4}' | one)"
say 'failed units' "$(systemctl --failed --no-legend --plain | cut -d' ' -f1 | one)"
say 'ordering cycles' "$(journalctl --boot --no-pager --output=cat _PID=1 | grep 'ordering cycle' | one)"
say watchdog "$(systemctl show -p RuntimeWatchdogUSec -p WatchdogDevice | one)"
for unit in sabot sabot-panel sabot-kiosk sabot-grow sabot-technician systemd-timesyncd systemd-networkd; do
    say "$unit.service" "$(systemctl is-active "$unit.service")"
done
say table "$(sabot status --json 2>&1 | grep -o '"session": *"[a-z-]*"')"
say version "$(sabot --version)"
say journal "$(setpriv --reuid=sabot --regid=sabot --clear-groups sabot journal verify /var/lib/sabot/journal 2>&1 | head -1)"
say doctor "$(sabot doctor --json 2>/dev/null | grep -o '"finding": *"[a-z-]*"' | cut -d'"' -f4 | one)"
for unit in $(systemctl --failed --no-legend --plain | cut -d' ' -f1); do journalctl --no-pager -n 5 -u "$unit"; done
systemctl poweroff
