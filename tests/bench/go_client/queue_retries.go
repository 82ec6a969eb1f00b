package main

import (
	"errors"
	"fmt"
	"runtime"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// until delays every key until the same moment.
type until struct{ due time.Time }

func (u until) When(string) time.Duration { return max(0, time.Until(u.due)) }
func (u until) Forget(string)             {}
func (u until) NumRequeues(string) int    { return 0 }

// measureQueueRetries measures client-go's rate-limiting queue like cases/queue_retries.ts measures ours.
func measureQueueRetries(asked run) (map[string]float64, error) {
	count := asked.Size.Count
	keys := make([]string, count)
	for i := range keys {
		keys[i] = fmt.Sprintf("namespace-%d/pod-%d", i%50, i)
	}
	before := heapAfterGC()
	due := time.Now().Add(2*time.Second + time.Duration(count)*20*time.Microsecond)
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.NewTypedMaxOfRateLimiter(
		workqueue.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 1000*time.Second),
		until{due},
	))
	cpuAtStart := cpu()
	for _, key := range keys {
		queue.AddRateLimited(key)
	}
	cpuToAdd := cpu() - cpuAtStart
	waiting := heapAfterGC() - before
	if time.Now().After(due) {
		return nil, errors.New("keys were due before all were added")
	}
	cpuBeforeDue := cpu()
	for range keys {
		key, _ := queue.Get()
		queue.Forget(key)
		queue.Done(key)
	}
	cpuUs := float64((cpuToAdd + cpu() - cpuBeforeDue).Microseconds()) / float64(count)
	queue.ShutDown()
	runtime.KeepAlive(keys)
	return map[string]float64{"waitingBytes": waiting / float64(count), "cpuUs": cpuUs}, nil
}

func heapAfterGC() float64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}
