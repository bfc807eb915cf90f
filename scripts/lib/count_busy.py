#!/usr/bin/env python3
# Runs a command, and writes its CPU seconds, including those of all processes that it started, to
# file descriptor 3: count_busy.py COMMAND…; exits with the status of the command.
#
# A shell's `times` misses processes that nobody waited for. The processes in which Chromium renders
# and measures are of this kind, two thirds of a browser test's work. On Linux, they become children
# of this process when their parents have ended, and this process waits for them.
import ctypes
import os
import resource
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
PATIENCE_S = 3  # for processes that outlive the command

if sys.platform == "linux":
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
command = os.fork()
if command == 0:
    os.close(3)
    try:
        os.execvp(sys.argv[1], sys.argv[1:])
    except OSError as error:
        print(f"count_busy: {sys.argv[1]}: {error.strerror}", file=sys.stderr)
        os._exit(127)

code = 1
until = None
try:
    while until is None or time.monotonic() < until:
        process, status = os.waitpid(-1, 0 if until is None else os.WNOHANG)
        if process == command:
            code = os.waitstatus_to_exitcode(status)
            until = time.monotonic() + PATIENCE_S
        elif process == 0:
            time.sleep(0.02)
except ChildProcessError:
    pass  # no child is left
used = resource.getrusage(resource.RUSAGE_CHILDREN)
os.write(3, f"{used.ru_utime + used.ru_stime:.2f}\n".encode())
sys.exit(code if code >= 0 else 128 - code)
