#!/bin/sh
# What the trial of a table that plays sees from inside after each start, a line each. Then the host's people may act.
say() { echo "TOLD $1 ${2:-none}"; }
as_sabot() { setpriv --reuid=sabot --regid=sabot --clear-groups "$@"; }

until [ -S /run/sabot/control.sock ]; do sleep 0.2; done
say journal "$(as_sabot sabot journal verify /var/lib/sabot/journal 2>&1 | head -1)"
say table "$(sabot status --json 2>&1 | tr -d '\n')"
say failed "$(systemctl --failed --no-legend --plain | cut -d' ' -f1 | tr '\n' ' ')"
systemd-run --quiet --unit=people --socket-property=ListenStream=10.0.2.15:9021 /usr/lib/systemd/systemd-socket-proxyd /run/sabot/control.sock
say people "$(systemctl is-active people.socket)"
