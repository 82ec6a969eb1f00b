// A minimal controller with an API server in this process: without a socket, or with one if the argument is `served`.
import process from "node:process";
import { Client, Controller, loadConfig, Pods, SharedInformerFactory } from "@kubeloop/controller";
import { ApiServer } from "@kubeloop/testing";

const server = new ApiServer();
const served = process.argv[2] === "served" ? await server.serve() : undefined;
const client = served === undefined
  ? new Client(server.clientOptions)
  : new Client(await loadConfig({ server: served.url }));

const stop = new AbortController();
const informers = new SharedInformerFactory(client);
const pods = informers.informer(Pods, { namespace: "default" });
const controller = new Controller({
  informer: pods,
  reconcile(key) {
    console.log(`reconciled ${key} ${pods.indexer.getByKey(key)?.spec?.containers[0]?.image}`);
    stop.abort();
  },
});
const running = controller.run({ workers: 2, signal: stop.signal });

const pod = { metadata: { name: "web" }, spec: { containers: [{ name: "main", image: "nginx" }] } };
await client.create(Pods, pod, { namespace: "default" });
await running;
await client.close();
await server.close();
