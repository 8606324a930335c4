#!/bin/sh
# Finds a Chromium or Chrome for the browser tests; as root on Debian, installs one.
for name in chromium chromium-browser google-chrome google-chrome-stable; do
  command -v "$name" >/dev/null && exit 0
done
if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
  echo "The browser tests need Chromium: install it, for example with: sudo apt-get install chromium" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
# A half-installed package of an earlier run is mended once before it counts as a failure.
apt-get install -y -qq --no-install-recommends chromium >/dev/null && exit 0
dpkg --configure -a
apt-get -f install -y -qq
apt-get install -y -qq --no-install-recommends chromium >/dev/null
