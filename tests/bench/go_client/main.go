// Measures client-go like measure.ts measures the other clients, with the same arguments and figures:
// `CASE CLIENT RUN`.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// run has the parameters of a run.
type run struct {
	Server string
	Size   struct{ Pods, Count int }
}

func main() {
	if len(os.Args) != 4 {
		fail(fmt.Errorf("expected three arguments, got %d", len(os.Args)-1))
	}
	name, client, rest := os.Args[1], os.Args[2], os.Args[3]
	var asked run
	fail(json.Unmarshal([]byte(rest), &asked))
	if name == "first-event" {
		fail(firstEvent(client, asked))
		return
	}
	measured, err := measure(name, client, asked)
	fail(err)
	text, err := json.Marshal(measured)
	fail(err)
	fmt.Println(string(text))
}

func measure(name, client string, asked run) (map[string]float64, error) {
	switch name {
	case "flood", "manager":
		return measureFlood(client, asked)
	case "sync", "sync-160k", "manager-start":
		return measureSync(client, asked)
	case "queue-retries":
		return measureQueueRetries(asked)
	case "startup":
		return measureStartup(client, asked)
	case "queue":
		return measureQueue(asked), nil
	}
	return nil, fmt.Errorf("no case %q for client-go", name)
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}
