#!/bin/sh
# Process 1 of its own process and mount namespaces: sh session.sh ROOT DIRECTORY TERMINAL COMMAND runs a command as the ordinary user
# of the folder ROOT. The mounts exist in this namespace alone and end with it. Exits with 97 if the command leaves processes or
# shared memory behind.
set -eu
root=$1 directory=$2 terminal=$3 command=$4

mount -t proc proc "$root/proc"
# Single devices of the machine, in a file system of its own.
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"

if [ "$terminal" = terminal ]; then
  set -- script --quiet --flush --command "$command" /dev/null
else
  set -- bash -c "$command"
fi
status=0
chroot --userspec=1000:1000 --groups=1000 "$root" env --ignore-environment --chdir="$directory" \
  HOME=/home/somebody USER=somebody LOGNAME=somebody SHELL=/bin/bash PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 TERM=xterm \
  CEMM_TEST_SUMMARY=/tmp/tests-counted CEMM_TESTS_PASSED=/tmp/tests-passed CEMM_TESTS_FAILED=/tmp/tests-failed \
  "$@" || status=$?

list_processes() {
  for process in "$root"/proc/[0-9]*; do
    # A process that ends meanwhile has no command.
    if [ "$(stat --format %u "$process" 2>/dev/null)" = 1000 ] && grep -q . "$process/cmdline" 2>/dev/null; then
      echo "still running: $(tr '\0' ' ' <"$process/cmdline")"
    fi
  done
}
for second in 1 2 3 4 5; do
  [ -z "$(list_processes)" ] && break
  sleep 1
done
left="$(list_processes)$(find "$root/dev/shm" -mindepth 1)"
if [ -n "$left" ]; then
  echo "$left"
  exit 97
fi
exit "$status"
