"""The scripts of the boot loaders, and the settings of the update engine. They decide which root file system starts,
and over which one an update is written.

Both scripts follow the rule of `controller/update/slots.py` (tests/deb/test_boot_loader.py runs them): the good slot
starts; a slot on trial starts once, after its number was noted in `tried`.
"""

import struct
import zlib
from typing import Final

DISK: Final = 0x5AB0_CA2D
"""The number of every card, by which a root of any build finds its partitions."""

BOOT, KERNELS, ROOTS, DATA = 1, {"a": 2, "b": 3}, {"a": 5, "b": 6}, 7
"""The numbers of the partitions; number 4 holds those from 5 on."""

LINE: Final = (
    "rootfstype=squashfs ro rootwait net.ifnames=0 panic=10 systemd.swap=no quiet loglevel=3 "
    "systemd.show_status=no vt.global_cursor_default=0"
)

COMMAND_LINE: Final = f"console=tty0 root=PARTUUID={DISK:08x}-0{ROOTS['a']} rauc.slot=a {LINE}"
"""The kernel's command line of the first root, for an emulator that starts the kernel itself."""

GRUB: Final = f"""\
# Which root starts: made by `make image`; the state is in the files slots, slots.2 and tried.
set boot=(hd0,msdos{BOOT})
set found=
for file in slots slots.2; do
  if [ -z "$found" ]; then
    set whole=
    set number=x
    load_env --file $boot/$file good trial number whole
    if [ "$whole" = "$number" ]; then set found=1; fi
  fi
done
if [ -z "$found" ]; then
  set good=a
  set trial=
fi
set slot=$good
set extra=
set tried=
load_env --file $boot/tried tried
if [ -n "$trial" -a -n "$tried" -a "$tried" != "$number" ]; then
  set tried=$number
  if save_env --file $boot/tried tried; then
    set slot=$trial
    set extra=sabot.trial
  fi
fi
if [ "$slot" = b ]; then
  set kernel={KERNELS["b"]}
  set partition={ROOTS["b"]}
else
  set kernel={KERNELS["a"]}
  set partition={ROOTS["a"]}
fi
linux (hd0,msdos$kernel)/vmlinuz console=tty0 root=PARTUUID={DISK:08x}-0$partition rauc.slot=$slot $extra {LINE}
initrd (hd0,msdos$kernel)/initrd.img
boot
reboot
"""

U_BOOT: Final = f"""\
# Which root starts: made by `make image`; the state is in the files slots, slots.2 and tried.
setenv block ${{pxefile_addr_r}}
setenv kernel_at 0x01000000
setenv initrd_at 0x08000000
setenv found
for file in slots slots.2; do
  if test -z "${{found}}"; then
    setenv whole
    setenv number x
    if load ${{devtype}} ${{devnum}}:{BOOT} ${{block}} ${{file}}; then
      env import -t ${{block}} ${{filesize}} good trial number whole
    fi
    if test "${{whole}}" = "${{number}}"; then setenv found 1; fi
  fi
done
if test -z "${{found}}"; then
  setenv good a
  setenv trial
fi
setenv slot ${{good}}
setenv extra
setenv tried
if load ${{devtype}} ${{devnum}}:{BOOT} ${{block}} tried; then
  env import -t ${{block}} ${{filesize}} tried
fi
if test -n "${{trial}}" && test -n "${{tried}}" && test "${{tried}}" != "${{number}}"; then
  setenv tried ${{number}}
  env export -t ${{block}} tried
  if fatwrite ${{devtype}} ${{devnum}}:{BOOT} ${{block}} tried ${{filesize}}; then
    setenv slot ${{trial}}
    setenv extra sabot.trial
  fi
fi
if test "${{slot}}" = b; then
  setenv kernel {KERNELS["b"]}
  setenv partition {ROOTS["b"]}
else
  setenv kernel {KERNELS["a"]}
  setenv partition {ROOTS["a"]}
fi
setenv bootargs "console=tty0 root=PARTUUID={DISK:08x}-0${{partition}} rauc.slot=${{slot}} ${{extra}} {LINE}"
load ${{devtype}} ${{devnum}}:${{kernel}} ${{kernel_at}} vmlinuz
load ${{devtype}} ${{devnum}}:${{kernel}} ${{initrd_at}} initrd.img
booti ${{kernel_at}} ${{initrd_at}}:${{filesize}} ${{fdt_addr}}
reset
"""

ENGINE: Final = """\
# Made by `make image`: where a new root is written, and who may sign it.
[system]
compatible={machine}
bootloader=custom
bundle-formats=verity
data-directory=/data/rauc

[keyring]
path=/etc/rauc/keyring.pem
use-bundle-signing-time=true

[handlers]
bootloader-custom-backend=/usr/lib/sabot-image/slots
"""

SLOT: Final = """
[slot.rootfs.{number}]
device=/dev/disk/by-partuuid/{disk:08x}-0{root}
type=raw
bootname={name}

[slot.kernel.{number}]
device=/dev/disk/by-partuuid/{disk:08x}-0{kernel}
type=raw
parent=rootfs.{number}
"""

MANIFEST: Final = """\
[update]
compatible={machine}
version={release}
description={says}

[bundle]
format=verity

[image.kernel]
filename=kernel.img

[image.rootfs]
filename=root.img
"""


def machine(arch: str) -> str:
    """Returns the name of the kind of machine for which an update of the architecture `arch` is made."""
    return f"sabot-table-{arch}"


def engine(arch: str) -> str:
    """Returns the settings of the update engine (`rauc`)."""
    slots = (
        SLOT.format(number=number, disk=DISK, root=ROOTS[name], kernel=KERNELS[name], name=name)
        for number, name in enumerate(ROOTS)
    )
    return ENGINE.format(machine=machine(arch)) + "".join(slots)


def u_boot_script(text: str = U_BOOT) -> bytes:
    """Returns the script `text` in the form that U-Boot runs: a legacy image (type 6, uncompressed) of one file."""
    data = text.encode()
    body = struct.pack(">II", len(data), 0) + data
    fields = (0x2705_1956, 0, 0, len(body), 0, 0, zlib.crc32(body), 5, 22, 6, 0, b"sabot")
    header = struct.pack(">7I4B32s", *fields)
    checked = zlib.crc32(header)
    return header[:4] + struct.pack(">I", checked) + header[8:] + body
