#!/usr/bin/env python3
# Runs a command and writes to descriptor 3 how many seconds of a processor it took, with all that it started:
# count_busy.py COMMAND…; exits as the command does. A shell's `times` lacks what nobody waited for, and the processes in
# which Chromium draws pages and measures are such: two thirds of a browser test's work. On Linux they become children of
# this one when their parents have ended, and are waited for here.
import ctypes
import os
import resource
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
PATIENCE_S = 3  # for what still ends once the command has

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
    pass  # nothing is left to wait for
used = resource.getrusage(resource.RUSAGE_CHILDREN)
os.write(3, f"{used.ru_utime + used.ru_stime:.2f}\n".encode())
sys.exit(code if code >= 0 else 128 - code)
