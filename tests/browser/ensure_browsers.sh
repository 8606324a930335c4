#!/bin/sh
# Finds Chromium or Chrome, and Firefox, for the tests; as root on Debian, installs what is missing.
# Chromium without a window is faster, and Chromium stands in for it where it cannot be had.
installed() {
  for name in "$@"; do command -v "$name" >/dev/null && return 0; done
  return 1
}

install() {
  if ! command -v apt-get >/dev/null || [ "$(id -u)" != 0 ]; then
    echo "The tests need $1: install it, for example with: sudo apt-get install $1" >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  # A half-installed package of an earlier run is mended once before it counts as a failure.
  apt-get install -y -qq --no-install-recommends "$1" >/dev/null && return
  dpkg --configure -a
  apt-get -f install -y -qq
  apt-get install -y -qq --no-install-recommends "$1" >/dev/null
}

installed chromium chromium-browser google-chrome google-chrome-stable || install chromium
installed firefox-esr firefox || install firefox-esr
installed chromium-headless-shell || (install chromium-headless-shell) 2>/dev/null || true
