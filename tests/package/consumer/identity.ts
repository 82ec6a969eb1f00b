// Checks that entry points share the same classes.
import * as root from "@kubeloop/controller";
import * as cache from "@kubeloop/controller/cache";
import * as client from "@kubeloop/controller/client";
import * as controller from "@kubeloop/controller/controller";
import * as types from "@kubeloop/controller/types";
import * as workqueue from "@kubeloop/controller/workqueue";
import { ApiServer } from "@kubeloop/testing";

const same = {
  StatusError: root.StatusError === types.StatusError,
  DeletedFinalStateUnknown: root.DeletedFinalStateUnknown === cache.DeletedFinalStateUnknown,
  Client: root.Client === client.Client,
  Controller: root.Controller === controller.Controller,
  RateLimitingQueue: root.RateLimitingQueue === workqueue.RateLimitingQueue,
};
const server = new ApiServer();
const caller = new root.Client({ fetch: server.fetch });
const error = await caller.get(types.Pods, "none", { namespace: "default" }).catch((e) => e);
console.log(JSON.stringify({ ...same, thrown: error instanceof types.StatusError }));
await caller.close();
await server.close();
