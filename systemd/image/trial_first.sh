#!/bin/sh
# What the trial of a first start sees from inside, a line each. First a port opens, by which the host's people see the pages.
say() { echo "TOLD $1 ${2:-none}"; }
one() { tr '\n' ' ' | sed 's/ *$//'; }
as_sabot() { setpriv --reuid=sabot --regid=sabot --clear-groups "$@"; }

page='
import time, urllib.request
while True:
    try:
        urllib.request.urlopen("http://127.0.0.1:8021/")
        break
    except OSError:
        time.sleep(0.5)
'
python3 -c "$page"
say page "$(cut -d' ' -f1 /proc/uptime) s"
systemd-run --quiet --unit=people --socket-property=ListenStream=10.0.2.15:9022 /usr/lib/systemd/systemd-socket-proxyd 127.0.0.1:8021
say people "$(systemctl is-active people.socket)"

until [ -e /etc/sabot/commissioned ] && ! [ -e /run/sabot-commission/commission.sock ]; do sleep 1; done
until sabot status --json 2>/dev/null | grep -q '"session": *"closed"'; do sleep 1; done
say table "$(sabot status --json | grep -o '"session": *"[a-z-]*"')"
say journal "$(as_sabot sabot journal verify /var/lib/sabot/journal 2>&1 | head -1)"
say files "$(ls /etc/sabot /var/lib/sabot | one)"
say commission "$(systemctl is-active sabot-commission.service)"
say stick "$(findmnt -no OPTIONS /run/answers)"
say kiosk "$(systemctl is-active sabot-kiosk.service)"
say cycles "$(journalctl --boot --no-pager --output=cat _PID=1 | grep 'ordering cycle' | one)"
say failed "$(systemctl --failed --no-legend --plain | cut -d' ' -f1 | one)"
say memory "$(awk '/^MemTotal/ {t=$2} /^MemAvailable/ {a=$2} END {print int((t-a)/1024) " MiB of " int(t/1024)}' /proc/meminfo)"
say over "$(cut -d' ' -f1 /proc/uptime) s"
