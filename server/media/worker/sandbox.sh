# Runs a program that sees system libraries, the paths it may read, one input file and one folder for results, and nothing else; it has no network.
# Usage: sandbox.sh MOUNT_POINT OUTPUTS INPUT READABLE_PATHS WRITABLE_PATH PROGRAM ARGUMENTS...
# READABLE_PATHS has one path per line. Must run in user, mount and network namespaces of its own, and best in a
# process namespace too. The program has no capabilities and cannot regain any.
set -e
umask 022
root=$1 outputs=$2 input=$3 readable=$4 writable=$5
shift 5
mount -t tmpfs -o size=64m,mode=0755 tmpfs "$root"

mount_at() {
  if [ -d "$1" ]; then
    mkdir -p "$root$2"
  else
    mkdir -p "$(dirname "$root$2")"
    : > "$root$2"
  fi
  mount --rbind "$1" "$root$2"
}
share() {
  if [ -L "$1" ]; then
    mkdir -p "$(dirname "$root$1")"
    cp -P "$1" "$root$1"
  elif [ -e "$1" ]; then
    mount_at "$1" "$1"
    mount -o remount,bind,ro "$root$1"
  fi
}

# No /proc and no /sys: writing there could reach other processes.
for path in /usr /lib /lib32 /lib64 /bin /sbin /nix /gnu /etc/ld.so.cache /dev/null /dev/zero /dev/random /dev/urandom; do share "$path"; done
newline='
'
IFS=$newline
for path in $readable; do share "$path"; done
[ -z "$writable" ] || mount_at "$writable" "$writable"
mkdir -p "$root/tmp" "$root/job"
mount_at "$outputs" /job/outputs
mount_at "$input" /job/input
mount -o remount,bind,ro "$root/job/input"

# Gives the service priority over media work, where that is permitted.
renice -n 10 -p $$ >/dev/null 2>&1 || true
cd "$root"
umask 077
exec chroot "$root" setpriv --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
