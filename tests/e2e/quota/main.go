// The resourcequota controller of kube-controller-manager by itself, which is built in a fraction of the time.
package main

import (
	"context"
	"flag"
	"log"
	"time"

	"k8s.io/apiserver/pkg/quota/v1/generic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/kubernetes/pkg/controller/resourcequota"
	"k8s.io/kubernetes/pkg/quota/v1/install"
)

const (
	resync  = 5 * time.Minute
	workers = 5
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the API server and its credentials")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	config.UserAgent = "kube-controller-manager"
	client := kubernetes.NewForConfigOrDie(config)
	typed := informers.NewSharedInformerFactory(client, 0)
	untyped := metadatainformer.NewSharedInformerFactory(metadata.NewForConfigOrDie(config), 0)
	all := informerfactory.NewInformerFactory(typed, untyped)
	period := func() time.Duration { return resync }
	served := client.Discovery().ServerPreferredNamespacedResources
	quotas, err := install.NewQuotaConfigurationForControllers(generic.ListerFuncForResourceFunc(all.ForResource), typed)
	if err != nil {
		log.Fatal(err)
	}
	started := make(chan struct{})
	ctx := context.Background()
	controller, err := resourcequota.NewController(ctx, &resourcequota.ControllerOptions{
		QuotaClient:               client.CoreV1(),
		ResourceQuotaInformer:     typed.Core().V1().ResourceQuotas(),
		ResyncPeriod:              period,
		InformerFactory:           all,
		ReplenishmentResyncPeriod: period,
		DiscoveryFunc:             served,
		IgnoredResourcesFunc:      quotas.IgnoredResources,
		InformersStarted:          started,
		Registry:                  generic.NewRegistry(quotas.Evaluators()),
		UpdateFilter:              install.DefaultUpdateFilter(),
	})
	if err != nil {
		log.Fatal(err)
	}
	go controller.Sync(ctx, served, 30*time.Second)
	all.Start(ctx.Done())
	close(started)
	controller.Run(ctx, workers)
}
