# What the trial of a card's faults does and sees from inside, a line each. The sentences to look for stand before this text.
say() { echo "TOLD $1 ${2:-none}"; }
look='
import sys, time, urllib.request
from html import unescape
wanted, there = sys.argv[1], sys.argv[2] == "there"
asked = urllib.request.Request("http://127.0.0.1:8021/", headers={"Accept-Language": "en"})
for _ in range(900):
    try:
        with urllib.request.urlopen(asked) as answer:
            text = unescape(answer.read().decode())
    except OSError:
        text = ""
    if text and (wanted in text) == there:
        print(sys.argv[2])
        break
    time.sleep(1)
'
page() { python3 -c "$look" "$1" "$2"; }
again() { systemctl restart --no-block sabot.service; }

if ! mountpoint -q /data; then
    say away "$(page "$AWAY" there)"
    say controller "$(systemctl is-active sabot.service)"
    say asks "$(systemctl is-active sabot-commission.service)"
    say shown
    exit
fi
until sabot status --json 2>/dev/null | grep -q '"session": *"closed"'; do sleep 1; done

# A data partition that becomes full in play. The fault ends by itself once there is room.
act() { echo "$PIN" | timeout 60 sabot act --person 11 --pin-fd 0 "$@" > /dev/null 2>&1; }
fill() { cat /dev/zero >> /data/filled-too 2>/dev/null; true; }
fallocate -l "$(df --output=avail -B1 /data | tail -n 1)" /data/filled
while fill && act sign-in --value operation=table && act sign-out; do :; done
say full "$(page "$FULL" there)"
rm /data/filled /data/filled-too
until sabot status --json 2>/dev/null | grep -q '"condition": *"writing"'; do sleep 1; done
say roomy there

# A clock that was never set.
was=$(date +%s) began=$(cut -d. -f1 /proc/uptime)
systemctl stop systemd-timesyncd.service
date --set 1970-01-02 > /dev/null
again
say unset "$(page "$UNSET" there)"
date --set "@$((was + $(cut -d. -f1 /proc/uptime) - began))" > /dev/null
again
say set "$(page "$UNSET" gone)"

# A card that turns read-only in play: the kernel's own way there, then an act that cannot be written.
until sabot status --json 2>/dev/null | grep -q '"session": *"closed"'; do sleep 1; done
device=$(findmnt -no SOURCE /data)
echo 1 > "/sys/fs/ext4/${device##*/}/trigger_fs_error"
say mounted "$(findmnt -no OPTIONS /data)"
act sign-in --value operation=table
say hold "$(page "$HELD" there)"
say shown
