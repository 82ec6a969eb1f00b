package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// follower is an informer on Pods whose handlers read the name of each Pod.
type follower struct {
	informer   cache.SharedIndexInformer
	stop       context.CancelFunc
	adds       atomic.Int64
	updates    atomic.Int64
	characters atomic.Int64
	// added and updated receive whenever the wanted number of events has arrived once more.
	added   chan struct{}
	updated chan struct{}
}

// follow starts an informer; client determines the format.
func follow(client string, asked run) (*follower, error) {
	config := &rest.Config{Host: asked.Server, QPS: -1}
	config.ContentType = "application/json"
	if client == "client-go-protobuf" {
		config.ContentType = "application/vnd.kubernetes.protobuf"
	}
	config.AcceptContentTypes = config.ContentType
	set, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	factory := informers.NewSharedInformerFactory(set, 0)
	f := &follower{
		informer: factory.Core().V1().Pods().Informer(),
		added:    make(chan struct{}, 1),
		updated:  make(chan struct{}, 1),
	}
	count := func(obj any, counter *atomic.Int64, wanted int, reached chan struct{}) {
		f.characters.Add(int64(len(obj.(*corev1.Pod).Name)))
		if counter.Add(1)%int64(wanted) == 0 {
			reached <- struct{}{}
		}
	}
	_, err = f.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(obj any) { count(obj, &f.adds, asked.Size.Pods, f.added) },
		UpdateFunc: func(_, obj any) { count(obj, &f.updates, asked.Size.Count, f.updated) },
	})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.stop = cancel
	factory.Start(ctx.Done())
	return f, nil
}

func measureSync(client string, asked run) (map[string]float64, error) {
	before := heapMiB()
	cpuBefore, startedAt := cpu(), time.Now()
	f, err := follow(client, asked)
	if err != nil {
		return nil, err
	}
	<-f.added
	wall := time.Since(startedAt)
	time.Sleep(20 * time.Millisecond)
	used := cpu() - cpuBefore
	peak := statusMiB("VmHWM")
	after := heapMiB()
	if held := len(f.informer.GetStore().ListKeys()); held != asked.Size.Pods {
		return nil, fmt.Errorf("the cache holds %d Pods", held)
	}
	f.stop()
	return map[string]float64{
		"cpuMs":          milliseconds(used),
		"wallMs":         milliseconds(wall),
		"memoryMiB":      after,
		"heapMiB":        after,
		"offHeapMiB":     0,
		"bytesPerObject": (after - before) * (1 << 20) / float64(asked.Size.Pods),
		"peakMiB":        peak,
	}, nil
}

func measureFlood(client string, asked run) (map[string]float64, error) {
	f, err := follow(client, asked)
	if err != nil {
		return nil, err
	}
	<-f.added
	for _, name := range []string{"opened?count=1", "prepare"} {
		if _, err := command(asked.Server, name); err != nil {
			return nil, err
		}
	}
	time.Sleep(300 * time.Millisecond)
	serverBefore, err := command(asked.Server, "state")
	if err != nil {
		return nil, err
	}
	startedAt := time.Now()
	cold, err := f.flood(asked)
	if err != nil {
		return nil, err
	}
	wall := time.Since(startedAt)
	serverAfter, err := command(asked.Server, "state")
	if err != nil {
		return nil, err
	}
	peak := statusMiB("VmHWM")
	warm, err := f.flood(asked)
	if err != nil {
		return nil, err
	}
	memory := heapMiB()
	f.stop()
	count := float64(asked.Size.Count)
	return map[string]float64{
		"cpuUs":      cold,
		"warmUs":     warm,
		"eventsPerS": count / wall.Seconds(),
		"memoryMiB":  memory,
		"peakMiB":    peak,
		"serverUs":   (serverAfter.CPUMs - serverBefore.CPUMs) * 1000 / count,
	}, nil
}

// flood makes the server send events, and returns the CPU time of one in microseconds.
func (f *follower) flood(asked run) (float64, error) {
	before := cpu()
	if _, err := command(asked.Server, fmt.Sprintf("flood?count=%d", asked.Size.Count)); err != nil {
		return 0, err
	}
	<-f.updated
	return milliseconds(cpu()-before) * 1000 / float64(asked.Size.Count), nil
}

// state is the state that the stub server reports.
type state struct {
	CPUMs float64
}

func command(server, name string) (state, error) {
	var answer state
	response, err := http.Get(server + "/_bench/" + name)
	if err != nil {
		return answer, err
	}
	defer response.Body.Close()
	return answer, json.NewDecoder(response.Body).Decode(&answer)
}

func heapMiB() float64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc) / (1 << 20)
}
