package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// measureStartup measures this program like cases/startup.ts measures scripts. It has no caches.
func measureStartup(client string, asked run) (map[string]float64, error) {
	asked.Size.Pods = 1
	text, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	var walls, cpus []float64
	for range 5 {
		startedAt := time.Now()
		output, err := exec.Command(os.Args[0], "first-event", client, string(text)).Output()
		if err != nil {
			return nil, err
		}
		walls = append(walls, milliseconds(time.Since(startedAt)))
		used, err := strconv.ParseFloat(strings.TrimSpace(string(output)), 64)
		if err != nil {
			return nil, err
		}
		cpus = append(cpus, used)
	}
	slices.Sort(walls)
	slices.Sort(cpus)
	return map[string]float64{"warmMs": walls[2], "warmCpuMs": cpus[2]}, nil
}

// firstEvent ends with the first event of an informer, and prints the CPU time since the process started.
func firstEvent(client string, asked run) error {
	f, err := follow(client, asked)
	if err != nil {
		return err
	}
	<-f.added
	fmt.Println(milliseconds(cpu()))
	return nil
}
