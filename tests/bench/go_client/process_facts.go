package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// cpu returns the CPU time of all threads so far.
func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// statusMiB returns a memory field of the process's status, in MiB.
func statusMiB(field string) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(status), "\n") {
		var kib float64
		if rest, found := strings.CutPrefix(line, field+":"); found {
			if _, err := fmt.Sscan(rest, &kib); err == nil {
				return kib / 1024
			}
		}
	}
	return 0
}

func milliseconds(d time.Duration) float64 {
	return float64(d) / float64(time.Millisecond)
}
