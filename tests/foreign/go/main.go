// Follows the Pods of a server with client-go's shared informer and prints what it has seen: a line after the sync,
// and a line when a Pod named "end" arrives.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

func main() {
	server := flag.String("server", "", "the URL of the API server")
	timeout := flag.Duration("timeout", time.Minute, "how long all may take")
	flag.Parse()
	if err := follow(*server, *timeout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func follow(server string, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	client, err := kubernetes.NewForConfig(&rest.Config{Host: server, QPS: -1})
	if err != nil {
		return err
	}
	var adds, updates, deletes atomic.Int64
	ended := make(chan struct{})
	factory := informers.NewSharedInformerFactory(client, 0)
	informer := factory.Core().V1().Pods().Informer()
	if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) {
			adds.Add(1)
			if pod, ok := obj.(*corev1.Pod); ok && pod.Name == "end" {
				close(ended)
			}
		},
		UpdateFunc: func(_, _ any) { updates.Add(1) },
		DeleteFunc: func(any) { deletes.Add(1) },
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		return fmt.Errorf("the informer has not synced within %s", timeout)
	}
	fmt.Printf("synced objects=%d\n", len(informer.GetStore().ListKeys()))
	select {
	case <-ended:
	case <-ctx.Done():
		return fmt.Errorf("no Pod named end within %s: adds=%d updates=%d deletes=%d",
			timeout, adds.Load(), updates.Load(), deletes.Load())
	}
	fmt.Printf("ended objects=%d adds=%d updates=%d deletes=%d resourceVersion=%s\n",
		len(informer.GetStore().ListKeys()), adds.Load(), updates.Load(), deletes.Load(),
		informer.LastSyncResourceVersion())
	return nil
}
