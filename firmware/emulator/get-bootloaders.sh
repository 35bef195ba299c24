#!/bin/sh
# Puts the two boot loaders that Arduino Nanos have into a folder, for the emulated board: the old one as Debian ships it, Optiboot
# built from Debian's source (Debian's own build of it runs past the end of the chip); and Arduino's core, for compiling the sketch.
# GPL and LGPL: fetched, never committed or packaged.
set -eu
out=${1:?usage: get-bootloaders.sh FOLDER}
[ -s "$out/old.hex" ] && [ -s "$out/optiboot.hex" ] && [ -d "$out/arduino/cores" ] && exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
core=/usr/share/arduino/hardware/arduino/avr
if [ ! -d "$core" ]; then
    (cd "$work" && apt-get -qq -o APT::Sandbox::User=root download arduino-core-avr && dpkg -x arduino-core-avr_*.deb .)
    core=$work$core
fi
mkdir -p "$out"
cp "$core/bootloaders/atmega/ATmegaBOOT_168_atmega328.hex" "$work/old.hex"
cd "$core/bootloaders/optiboot"
avr-gcc -g -Wall -Os -fno-inline-small-functions -fno-split-wide-types -mshort-calls -mmcu=atmega328p -DF_CPU=16000000L \
    -DLED_START_FLASHES=0 -DBAUD_RATE=115200 -mrelax -Wl,--section-start=.text=0x7e00 -Wl,--section-start=.version=0x7ffe \
    -Wl,--relax -nostartfiles -nostdlib -o "$work/optiboot.elf" optiboot.c
avr-objcopy -j .text -j .data -j .version --set-section-flags .version=alloc,load -O ihex "$work/optiboot.elf" "$work/optiboot.hex"
avr-size "$work/optiboot.elf"
rm -rf "$out/arduino"
mkdir -p "$out/arduino"
cp -r "$core/cores" "$core/variants" "$core/libraries" "$out/arduino/"
mv "$work/old.hex" "$work/optiboot.hex" "$out/"
