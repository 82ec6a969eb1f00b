// Follows the Pods of a server with client-go's shared informer and prints what it has seen: a line after the sync,
// and a line when a Pod named "end" arrives. At the end, its Pods must be those of a list in JSON.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"reflect"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

func main() {
	server := flag.String("server", "", "the URL of the API server")
	contentType := flag.String("content-type", runtime.ContentTypeJSON, "the encoding of the Pods")
	timeout := flag.Duration("timeout", time.Minute, "how long all may take")
	flag.Parse()
	if err := follow(*server, *contentType, *timeout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func clientOf(server, contentType string) (*kubernetes.Clientset, error) {
	content := rest.ContentConfig{ContentType: contentType, AcceptContentTypes: contentType}
	return kubernetes.NewForConfig(&rest.Config{Host: server, QPS: -1, ContentConfig: content})
}

func follow(server, contentType string, timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	client, err := clientOf(server, contentType)
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
	if err := compare(ctx, server, informer.GetStore()); err != nil {
		return err
	}
	fmt.Printf("ended objects=%d adds=%d updates=%d deletes=%d resourceVersion=%s\n",
		len(informer.GetStore().ListKeys()), adds.Load(), updates.Load(), deletes.Load(),
		informer.LastSyncResourceVersion())
	return nil
}

func compare(ctx context.Context, server string, store cache.Store) error {
	client, err := clientOf(server, runtime.ContentTypeJSON)
	if err != nil {
		return err
	}
	list, err := client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for i := range list.Items {
		pod := &list.Items[i]
		found, _, err := store.Get(pod)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(found, pod) {
			return fmt.Errorf("Pod %s differs from that in JSON:\n%#v\n%#v", pod.Name, found, pod)
		}
	}
	return nil
}
