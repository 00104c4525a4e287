#!/bin/sh
# Connects this machine to a Talpa panel. A download that breaks off does nothing: all is in functions until the last line, which
# the panel's command adds:  talpa_enrol KEY [PORT…]  or  talpa_remove [NUMBER]; the egg adds  talpa_egg KEY ADDRESS PORT
# It needs root, and curl or wget. Run again it repairs and updates.
set -eu

panel='@panel@'
language='@language@'
# Where connectors dial, and the edge's certificate authority; both empty: Cloudflare's own edge.
edge='@edge@'
authority='@authority@'
authority_hash='@authorityHash@'
# Of cloudflared: where its files are, and one line for each: file, SHA-256.
mirror='@mirror@'
files='@files@'
# Known panels, one line for each: name, port, protocol, what is in its page.
panels='@panels@'

program=/opt/talpa/cloudflared
state=/etc/talpa
tries=12

say() { printf '%s\n' "$*"; }
fail() {
  printf '✗ %s\n' "$*" >&2
  exit 1
}
# The texts have at most two gaps, %s.
# shellcheck disable=SC2059
text() { printf "$@"; }

# Asks on the terminal: this script itself comes by standard input. Without a terminal there is no answer.
ask() {
  answer=
  asked=
  if [ -r /dev/tty ] && (: </dev/tty) 2>/dev/null; then
    printf '%s ' "$1" >/dev/tty
    if read -r answer </dev/tty; then asked=yes; fi
  fi
}

choose_downloader() {
  if command -v curl >/dev/null; then
    downloader=curl
  elif command -v wget >/dev/null; then
    downloader=wget
    # What BusyBox's may lack: a limit in seconds, and the response where it is an error.
    wget_options=
    if wget --help 2>&1 | grep -q -e '-T'; then wget_options='-T 40'; fi
    if wget --help 2>&1 | grep -q -e --content-on-error; then wget_options="$wget_options --content-on-error"; fi
  else
    fail '@text.noDownloader@'
  fi
}

# URL FILE
download() {
  if [ "$downloader" = curl ]; then
    curl -fsSL --connect-timeout 15 --retry 2 -o "$2" "$1" </dev/null
  else
    # shellcheck disable=SC2086
    wget -q $wget_options -O "$2" "$1" </dev/null
  fi
}

# URL: what a local panel shows, whatever its certificate.
page_of() {
  if [ "$downloader" = curl ]; then
    curl -skL --max-time 3 "$1" </dev/null || true
  else
    # shellcheck disable=SC2086
    wget -q $wget_options --no-check-certificate -O - "$1" </dev/null 2>/dev/null || true
  fi
}

# URL: the head of a response, whatever its status.
head_of() {
  if [ "$downloader" = curl ]; then
    curl -s --max-time 10 -o /dev/null -D - "$1" </dev/null || true
  else
    # shellcheck disable=SC2086
    wget -q -S $wget_options -O /dev/null "$1" </dev/null 2>&1 || true
  fi
}

# Sends $work/request as the panel's own page would; the response goes to $work/response.
post() {
  : >"$work/response"
  if [ "$downloader" = curl ]; then
    curl -sS --max-time 40 -o "$work/response" -H 'Content-Type: application/json' -H "Accept-Language: $language" \
      -H "Origin: $panel" --data-binary "@$work/request" "$1" </dev/null || true
  else
    # shellcheck disable=SC2086
    wget -q $wget_options -O "$work/response" --header 'Content-Type: application/json' --header "Accept-Language: $language" \
      --header "Origin: $panel" --post-file "$work/request" "$1" </dev/null 2>"$work/error" || true
    # BusyBox's shows the status alone.
    if [ ! -s "$work/response" ]; then
      status=$(sed -nE 's/.*HTTP\/[0-9.]+ ([0-9]{3}[ A-Za-z]*).*/\1/p' "$work/error" | tail -n 1)
      printf '{"code":"http_%s","message":"HTTP %s"}' "${status%% *}" "$status" >"$work/response"
    fi
  fi
}

# A field of the response: none of those that are asked for has a quotation mark in it, but the message may.
field() { sed -nE "s/.*\"$1\":\"?([^\",}]*).*/\1/p" "$work/response"; }
message() { sed -nE 's/.*"message":"(([^"\\]|\\.)*)".*/\1/p' "$work/response"; }

hash_of() { sha256sum "$1" | cut -d ' ' -f 1; }
# FILE SHA-256
verify() { [ "$(hash_of "$1")" = "$2" ] || fail "$(text '@text.wrongHash@' "$(basename "$1")" "$panel")"; }

random_hex() { od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n'; }

prepare() {
  [ "$(id -u)" = 0 ] || fail '@text.needsRoot@'
  [ "$(uname -s)" = Linux ] || fail '@text.needsLinux@'
  choose_downloader
  umask 077
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' INT TERM HUP
  if [ -d /run/systemd/system ]; then
    init=systemd
  elif command -v rc-service >/dev/null && [ -d /run/openrc ]; then
    init=openrc
  else
    init=none
  fi
}

install_program() {
  case $(uname -m) in
    x86_64 | amd64) file=cloudflared-linux-amd64 ;;
    aarch64 | arm64) file=cloudflared-linux-arm64 ;;
    armv7* | armv8l) file=cloudflared-linux-armhf ;;
    armv*) file=cloudflared-linux-arm ;;
    i?86) file=cloudflared-linux-386 ;;
    *) file=$(uname -m) ;;
  esac
  wanted=$(printf '%s\n' "$files" | sed -n "s/^$file //p")
  [ -n "$wanted" ] || fail "$(text '@text.noProgram@' "$file")"
  if [ -x "$program" ] && [ "$(hash_of "$program")" = "$wanted" ]; then return; fi
  say "$(text '@text.downloading@' "$mirror/$file")"
  download "$mirror/$file" "$work/$file" || fail "$(text '@text.downloadFailed@' "$mirror/$file")"
  verify "$work/$file" "$wanted"
  (umask 022 && mkdir -p "$(dirname "$program")")
  chmod 755 "$work/$file"
  # A running connector keeps the file that it was started from.
  mv -f "$work/$file" "$program"
}

# [PORT…]: prints NAME:PORT of the panels that respond and are not connected; with ports only of those.
find_panels() {
  last=
  printf '%s\n' "$panels" | while read -r name number protocol mark; do
    if [ $# -gt 0 ]; then case " $* " in *" $number "*) ;; *) continue ;; esac fi
    case " $taken $last " in *" $number "*) continue ;; esac
    if page_of "$protocol://127.0.0.1:$number/" | grep -qi -e "$mark"; then
      say "$name:$number"
      last=$number
    fi
  done
}

# PORT: the panel that was found there, or one of which nobody knows more.
named() {
  for one in $candidates; do
    if [ "${one##*:}" = "$1" ]; then
      printf %s "$one"
      return
    fi
  done
  printf %s "own:$1"
}

# ANSWER: sets $wanted to the panels that it names by their numbers or ports; fails where it does not.
pick() {
  wanted=
  if [ -z "$1" ]; then wanted=$candidates; fi
  if [ "$1" = 0 ]; then return; fi
  case $1 in *[!0-9,\ ]*) return 1 ;; esac
  for word in $(printf %s "$1" | tr , ' '); do
    case $word in 0* | ??????*) return 1 ;; esac
    at=0
    for one in $candidates; do
      at=$((at + 1))
      if [ "$word" = "$at" ]; then word=${one##*:}; fi
    done
    # No panel is behind so low a port: it was to be a number of the list.
    if [ "$word" -lt 20 ] || [ "$word" -gt 65535 ]; then return 1; fi
    case " $wanted " in *":$word "*) ;; *) wanted="$wanted $(named "$word")" ;; esac
  done
}

# Sets $wanted to NAME:PORT of the panels that are to be connected: on a new machine a single one at once, else those that somebody chooses.
choose_panels() {
  say '@text.detecting@'
  candidates=$(find_panels)
  wanted=
  question='@text.askWhich@'
  # shellcheck disable=SC2086
  set -- $candidates
  if [ $# = 0 ] && [ -n "$taken" ]; then
    say '@text.noMore@'
    return
  fi
  if [ $# = 0 ]; then question='@text.askPort@'; fi
  if [ $# = 1 ] && [ -z "$taken" ]; then
    wanted=$1
    return
  fi
  at=0
  for one in "$@"; do
    at=$((at + 1))
    say "  $at  $one"
  done
  while :; do
    ask "$question"
    if [ -z "$asked" ]; then
      if [ $# -gt 0 ]; then say "$(text '@text.portsByCommand@' "$(printf '%s\n' "$candidates" | sed 's/.*://' | tr '\n' ' ')")"; fi
      return
    fi
    if pick "$answer"; then return; fi
    say '@text.badChoice@'
  done
}

# [NAME:PORT]: asks the panel to connect this one; without it, for what the machine has. Sets what the panel gives, or $code and $problem.
request() {
  more=
  if [ -n "${1:-}" ]; then more=",\"panel\":\"${1%:*}\",\"port\":${1##*:}"; fi
  if [ -n "$address" ]; then more="$more,\"address\":\"$address\""; fi
  name=${TALPA_NAME:-$(hostname 2>/dev/null || cat /etc/hostname 2>/dev/null || true)}
  name=$(printf '%s' "$name" | cut -c 1-60 | tr -cd 'A-Za-z0-9._-')
  printf '{"key":"%s","machine":"%s","name":"%s"%s}' "$key" "$(cat "$state/machine")" "${name:-Server}" "$more" >"$work/request"
  left=$tries
  while :; do
    post "$panel/api/enrol"
    token=$(field token)
    if [ -n "$token" ]; then break; fi
    code=$(field code)
    problem=$(message)
    left=$((left - 1))
    case $code in
      http_409)
        if [ -z "${1:-}" ]; then code=enrolment_panel_missing; fi
        if [ -z "${1:-}" ] || [ "$left" = 0 ]; then return 1; fi
        ;;
      '' | http_ | http_429 | http_5* | proxy_pending | provider_unavailable | service_unavailable | deadline_exceeded | too_many_requests) ;;
      *) return 1 ;;
    esac
    [ "$left" -gt 0 ] || fail "$(text '@text.noResponse@' "$panel")" "$problem"
    sleep 3
  done
  number=$(field serverId)
  url=$(field url)
  target=$(field target)
  taken=$(sed -nE 's/.*"takenPorts":\[([0-9,]*)\].*/\1/p' "$work/response" | tr , ' ')
  # A key of a proxy adds none.
  adds=$(sed -nE 's/.*"takenPorts":\[.*/yes/p' "$work/response")
  case $number in '' | *[!0-9]*) fail "$(text '@text.noResponse@' "$panel")" ;; esac
  rm -f "$work/response"
}

make_user() {
  if id talpa >/dev/null 2>&1; then return; fi
  if command -v useradd >/dev/null; then
    useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin talpa
  else
    addgroup -S talpa
    adduser -S -D -H -h /nonexistent -s /sbin/nologin -G talpa talpa
  fi
}

# FOLDER, and what the connector calls it
write_state() {
  folder=$1
  mkdir -p "$folder"
  printf '%s' "$token" >"$folder/token.new"
  mv -f "$folder/token.new" "$folder/token"
  {
    say TUNNEL_RETRIES=0
    say "TUNNEL_TOKEN_FILE=$2/token"
    if [ -n "$edge" ]; then
      download "$authority" "$work/edge-ca.pem" || fail "$(text '@text.downloadFailed@' "$authority")"
      verify "$work/edge-ca.pem" "$authority_hash"
      cp "$work/edge-ca.pem" "$folder/edge-ca.pem"
      # As many connections as there are addresses.
      say "TUNNEL_EDGE=$edge,$edge,$edge,$edge"
      say "TUNNEL_CACERT=$2/edge-ca.pem"
      say TUNNEL_TRANSPORT_PROTOCOL=http2
      say TUNNEL_NO_PRECHECKS=true
    fi
  } >"$work/environment"
  cp "$work/environment" "$folder/environment"
}

write_unit() {
  cat >/etc/systemd/system/talpa-connector@.service <<'EOF'
[Unit]
Description=Talpa connector %i
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
Type=notify
User=talpa
EnvironmentFile=/etc/talpa/%i/environment
ExecStart=/opt/talpa/cloudflared --no-autoupdate tunnel run
Restart=always
RestartSec=5s
TimeoutStartSec=30s
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes

[Install]
WantedBy=multi-user.target
EOF
  chmod 644 /etc/systemd/system/talpa-connector@.service
}

write_openrc() {
  cat >"/etc/init.d/talpa-connector.$number" <<EOF
#!/sbin/openrc-run
name="Talpa connector $number"
supervisor=supervise-daemon
command=$program
command_args="--no-autoupdate tunnel run"
command_user=talpa
respawn_delay=5
respawn_max=0
set -a
. $folder/environment
set +a
depend() {
  use net
  after firewall
}
EOF
  chmod 755 "/etc/init.d/talpa-connector.$number"
}

# Starts the connector, or another one in place of one that runs.
start() {
  case $init in
    systemd)
      write_unit
      systemctl daemon-reload
      systemctl enable "talpa-connector@$number" >/dev/null 2>&1
      if ! systemctl restart "talpa-connector@$number"; then
        journalctl -u "talpa-connector@$number" -n 5 --no-pager -o cat >&2 || true
        fail "$(text '@text.notConnected@' "${edge:-region1.v2.argotunnel.com:7844}")"
      fi
      ;;
    openrc)
      write_openrc
      rc-update add "talpa-connector.$number" default >/dev/null
      rc-service "talpa-connector.$number" restart >/dev/null
      ;;
    none)
      stop_process "$number"
      log=/var/log/talpa-connector-$number.log
      : >"$log"
      chown talpa "$log"
      su -s /bin/sh talpa -c "set -a; . $folder/environment; exec nohup $program --no-autoupdate tunnel run" \
        </dev/null >>"$log" 2>&1 &
      say '@text.noInit@'
      ;;
  esac
}

# NUMBER: ends a connector that no init system looks after, whatever shell it began in.
stop_process() {
  for process in /proc/[0-9]*; do
    # It may have ended meanwhile.
    if { tr '\0' '\n' <"$process/environ" | grep -q "^TUNNEL_TOKEN_FILE=$state/$1/token\$"; } 2>/dev/null; then
      kill "${process#/proc/}" 2>/dev/null || true
    fi
  done
}

# Asks the panel until it knows the connector, which uses nothing up; Cloudflare tells it late, but then the address responds.
wait_for_connection() {
  say '@text.waiting@'
  left=30
  while :; do
    post "$panel/api/enrol"
    if [ "$(field connected)" = true ]; then break; fi
    if [ -z "$edge" ] && head_of "$url/" | grep -qE 'HTTP/[0-9.]+ ([1-4]|502)'; then break; fi
    left=$((left - 1))
    [ "$left" -gt 0 ] || fail "$(text '@text.notConnected@' "${edge:-region1.v2.argotunnel.com:7844}")"
    sleep 2
  done
  if [ -n "$(page_of "$target/")" ]; then
    say "$(text '@text.connected@' "$target")"
  else
    say "$(text '@text.noPanelThere@' "$target")"
  fi
  say "  $url"
}

# A connector that was installed by hand for the same tunnel does the same work twice.
offer_to_replace() {
  unit=/etc/systemd/system/cloudflared.service
  if [ "$init" = systemd ] && [ -f "$unit" ] && grep -qsFf "$folder/token" "$unit" /etc/cloudflared/token; then
    ask '@text.askReplace@'
    case $answer in
      [jJyY]*)
        systemctl disable --now cloudflared
        say '@text.replaced@'
        ;;
    esac
  fi
}

# Has the connector run, once, and waits until the panel can be reached through it.
connect() {
  if [ -z "$folder" ]; then
    make_user
    write_state "$state/$number" "$state/$number"
    chown -R root:talpa "$folder"
    chmod 750 "$folder"
    chmod 640 "$folder"/*
    start
  fi
  wait_for_connection
}

# KEY [PORT…]: without a port it looks for panels.
talpa_enrol() {
  prepare
  key=$1
  shift
  for port in "$@"; do
    case $port in '' | 0* | *[!0-9]* | ??????*) fail "$(text '@text.noPort@' "$port")" ;; esac
  done
  address=
  taken=
  folder=
  install_program
  (umask 022 && mkdir -p "$state")
  if [ ! -s "$state/machine" ]; then random_hex >"$state/machine"; fi
  wanted=
  if [ $# -gt 0 ]; then
    candidates=$(find_panels "$@")
    for port in "$@"; do wanted="$wanted $(named "$port")"; done
  elif request; then
    connect
    # What is connected stays as it is.
    if [ -n "$adds" ]; then choose_panels; fi
  elif [ "$code" = enrolment_panel_missing ]; then
    choose_panels
    if [ -z "$wanted$candidates" ]; then fail '@text.noPanel@'; fi
    if [ -z "$wanted" ]; then exit 1; fi
  else
    fail "$problem"
  fi
  refused=
  is_over=
  for one in $wanted; do
    if [ -z "$is_over" ]; then
      say "$(text '@text.detected@' "${one%:*}" "${one##*:}")"
      if request "$one"; then
        connect
        continue
      fi
    fi
    refused="$refused
  $one – $problem"
    # Neither lets any other panel be connected.
    case $code in enrolment_key_* | proxy_limit_reached | http_403) is_over=yes ;; esac
  done
  if [ -n "$folder" ]; then offer_to_replace; fi
  [ -z "$refused" ] || fail "$(text '@text.notAdded@')$refused"
}

# KEY ADDRESS PORT: in the container that installs a server of Pterodactyl or Pelican, whose panel runs in another one.
talpa_egg() {
  prepare
  program=/mnt/server/cloudflared
  state=/mnt/server
  key=$1
  address=$2
  install_program
  if [ ! -s "$state/machine" ]; then random_hex >"$state/machine"; fi
  request "own:$3" || fail "$problem"
  write_state "$state" /home/container
  printf '%s\n' 'set -a' '. ./environment' 'exec ./cloudflared --no-autoupdate tunnel run' >"$state/start"
  say "$(text '@text.connected@' "$target")"
  say "  $url"
}

# [NUMBER]: without one, all connectors of this machine.
talpa_remove() {
  prepare
  for folder in "$state"/*/; do
    number=$(basename "$folder")
    if [ ! -d "$folder" ] || { [ -n "${1:-}" ] && [ "$1" != "$number" ]; }; then continue; fi
    case $init in
      systemd) systemctl disable --now "talpa-connector@$number" >/dev/null 2>&1 || true ;;
      openrc)
        rc-service "talpa-connector.$number" stop >/dev/null 2>&1 || true
        rc-update del "talpa-connector.$number" default >/dev/null 2>&1 || true
        rm -f "/etc/init.d/talpa-connector.$number"
        ;;
      none) stop_process "$number" ;;
    esac
    rm -rf "$folder" "/var/log/talpa-connector-$number.log"
    say "$(text '@text.removed@' "$number")"
  done
  for folder in "$state"/*/; do if [ -d "$folder" ]; then return; fi; done
  rm -rf "$state" "$(dirname "$program")" /etc/systemd/system/talpa-connector@.service
  if [ "$init" = systemd ]; then systemctl daemon-reload; fi
}

