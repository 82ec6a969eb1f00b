package main

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// measureQueue measures client-go's work queue like cases/queue.ts measures ours.
func measureQueue(asked run) map[string]float64 {
	count := asked.Size.Count
	keys := make([]string, count)
	for i := range keys {
		keys[i] = fmt.Sprintf("namespace-%d/pod-%d", i%50, i)
	}
	oneWorkerNs := perItem(count, func() { work(workqueue.NewTyped[string](), keys[:10_000], count) })
	return map[string]float64{
		"oneWorkerNs":  oneWorkerNs,
		"callsM":       3 * 1000 / oneWorkerNs,
		"tenWorkersNs": perItem(count, func() { tenWorkers(keys, count) }),
		"fillDrainNs":  perItem(count, func() { fillAndDrain(keys) }),
	}
}

func perItem(count int, work func()) float64 {
	startedAt := time.Now()
	work()
	return float64(time.Since(startedAt)) / float64(count)
}

func work(queue workqueue.TypedInterface[string], keys []string, count int) {
	for i := range count {
		queue.Add(keys[i%len(keys)])
		key, _ := queue.Get()
		queue.Done(key)
	}
}

func tenWorkers(keys []string, count int) {
	queue := workqueue.NewTyped[string]()
	share := count / 10
	var workers sync.WaitGroup
	for i := range 10 {
		// Each key is added once: a second Add of a queued key has no effect, so a worker would wait forever.
		workers.Go(func() { work(queue, keys[i*share:(i+1)*share], share) })
	}
	workers.Wait()
}

func fillAndDrain(keys []string) {
	queue := workqueue.NewTyped[string]()
	for _, key := range keys {
		queue.Add(key)
	}
	for range keys {
		key, _ := queue.Get()
		queue.Done(key)
	}
}
