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
  program_hash=$(printf '%s\n' "$files" | sed -n "s/^$file //p")
  [ -n "$program_hash" ] || fail "$(text '@text.noProgram@' "$file")"
  if [ -x "$program" ] && [ "$(hash_of "$program")" = "$program_hash" ]; then return; fi
  say "$(text '@text.downloading@' "$mirror/$file")"
  download "$mirror/$file" "$work/$file" || fail "$(text '@text.downloadFailed@' "$mirror/$file")"
  verify "$work/$file" "$program_hash"
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
  # The server of the key may have no panel yet.
  if [ "$url" = null ]; then url=; fi
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
  cat >"$unit" <<'EOF'
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
  chmod 644 "$unit"
  systemctl daemon-reload
}

write_openrc() {
  cat >"$unit" <<EOF
#!/sbin/openrc-run
name="Talpa connector $number"
supervisor=supervise-daemon
command=$program
command_args="--no-autoupdate tunnel run"
command_user=talpa
respawn_delay=5
respawn_max=0
output_log=$log
error_log=$log
set -a
. $folder/environment
set +a
depend() {
  use net
  after firewall
}
EOF
  chmod 755 "$unit"
}

# What a connector has been started from.
fingerprint() {
  { say "$program_hash"; cat "$folder/token" "$folder/environment" "$folder/edge-ca.pem" "$unit" 2>/dev/null || true; } |
    sha256sum | cut -d ' ' -f 1
}

# NUMBER: the processes of a connector, whatever has started them; OpenRC's supervisor has its environment, too.
processes_of() {
  for process in /proc/[0-9]*; do
    # It may have ended meanwhile.
    if { tr '\0' '\n' <"$process/environ" | grep -q "^TUNNEL_TOKEN_FILE=$state/$1/token\$" &&
      ! grep -q supervise-daemon "$process/cmdline"; } 2>/dev/null; then
      say "${process#/proc/}"
    fi
  done
}

# Whether a connector runs that this script has not told to end.
is_running() {
  for process in $(processes_of "$number"); do
    case " $old " in *" $process "*) ;; *) return 0 ;; esac
  done
  return 1
}

# Sets the connector up, and starts it, or another one in place of one that was started from something else: visitors would notice.
set_up() {
  folder=$state/$number
  log=/var/log/talpa-connector-$number.log
  show_log="tail -n 20 $log"
  unit=/dev/null
  old=
  case $init in
    systemd)
      unit=/etc/systemd/system/talpa-connector@.service
      show_log="journalctl -u talpa-connector@$number -n 20 --no-pager"
      ;;
    openrc) unit=/etc/init.d/talpa-connector.$number ;;
  esac
  before=$(fingerprint)
  make_user
  write_state "$folder" "$folder"
  case $init in
    systemd) write_unit ;;
    openrc) write_openrc ;;
  esac
  chown -R root:talpa "$folder"
  chmod 750 "$folder"
  chmod 640 "$folder"/*
  present=$(fingerprint)
  if [ "$before" = "$present" ] && [ "$(cat "$folder/started" 2>/dev/null)" = "$present" ] && is_running; then
    say '@text.unchanged@'
    return
  fi
  rm -f "$folder/started"
  start
  printf %s "$present" >"$folder/started"
}

start() {
  if [ "$init" != systemd ]; then
    # One that still ends goes on writing to the file that it has.
    rm -f "$log"
    : >"$log"
    chown talpa "$log"
  fi
  case $init in
    systemd)
      systemctl enable "talpa-connector@$number" >/dev/null 2>&1
      # It returns as soon as the connector is connected, has ended or has not managed to connect for a while.
      if ! systemctl restart "talpa-connector@$number"; then
        case $(systemctl show -p Result "talpa-connector@$number") in *=timeout) fail_unconnected ;; *) fail_ended ;; esac
      fi
      ;;
    openrc)
      rc-update add "talpa-connector.$number" default >/dev/null
      rc-service "talpa-connector.$number" restart >/dev/null
      ;;
    none)
      # It goes on with what visitors have requested of it.
      old=$(processes_of "$number" | tr '\n' ' ')
      stop_process "$number"
      su -s /bin/sh talpa -c "set -a; . $folder/environment; exec nohup $program --no-autoupdate tunnel run" \
        </dev/null >>"$log" 2>&1 &
      say '@text.noInit@'
      ;;
  esac
}

# NUMBER: ends a connector that no init system looks after.
stop_process() {
  for process in $(processes_of "$1"); do kill "$process" 2>/dev/null || true; done
}

# What the connector has said last, its errors where it names some.
last_lines() {
  if [ "$init" = systemd ]; then
    journalctl -u "talpa-connector@$number" -n 40 --no-pager -o cat >"$work/log" 2>/dev/null || true
  else
    tail -n 40 "$log" >"$work/log" 2>/dev/null || true
  fi
  grep -E ' (ERR|FTL) ' "$work/log" >"$work/errors" || cp "$work/log" "$work/errors"
  tail -n 3 "$work/errors" | sed 's/^/  /'
}

fail_ended() {
  said=$(last_lines)
  fail "$(text '@text.ended@' "$show_log")
$said"
}

fail_unconnected() {
  said=$(last_lines)
  why='@text.notConnected@'
  # It has reached the other side.
  if printf %s "$said" | grep -qiE 'certificate|unauthorized'; then why='@text.refused@'; fi
  fail "$(text "$why" "${edge:-region1.v2.argotunnel.com:7844}")
$said
$(text '@text.log@' "$show_log")"
}

# Asks the panel until it knows the connector, which uses nothing up; Cloudflare tells it late, but then the address responds.
wait_for_connection() {
  say '@text.waiting@'
  left=30
  missed=
  connected=
  while :; do
    # Its init system starts it again after some seconds.
    if is_running; then
      missed=
      post "$panel/api/enrol"
      connected=$(field connected)
      if [ "$connected" = true ]; then break; fi
      # Nothing responds where no address is, and Cloudflare tells the panel late.
      if [ -z "$edge$url" ]; then break; fi
      if [ -z "$edge" ] && head_of "$url/" | grep -qE 'HTTP/[0-9.]+ ([1-4]|502)'; then break; fi
    else
      [ -z "$missed" ] || fail_ended
      missed=yes
    fi
    left=$((left - 1))
    if [ "$left" = 0 ]; then
      [ -n "$connected" ] || fail "$(text '@text.noResponse@' "$panel")" "$(message)"
      fail_unconnected
    fi
    sleep 2
  done
  if [ -z "$url" ]; then
    say '@text.serverConnected@'
    return
  elif [ -n "$(page_of "$target/")" ]; then
    say "$(text '@text.connected@' "$target")"
  else
    say "$(text '@text.noPanelThere@' "$target")"
  fi
  say "  $url"
}

# A connector that was installed by hand for the same tunnel does the same work twice.
offer_to_replace() {
  other=/etc/systemd/system/cloudflared.service
  if [ "$init" = systemd ] && [ -f "$other" ] && grep -qsFf "$folder/token" "$other" /etc/cloudflared/token; then
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
  if [ -z "$folder" ]; then set_up; fi
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
  rm -rf "$(dirname "$program")" /etc/systemd/system/talpa-connector@.service
  if [ "$init" = systemd ]; then systemctl daemon-reload; fi
  # What the machine has made up stays: with another key it is the same server again.
  if [ -f "$state/machine" ]; then say "$(text '@text.kept@' "$state/machine")"; fi
}

