/**
 * Pins what the root entry point exports, so that an export that comes or goes is a decision: change the list together
 * with its reason.
 */

import { assert, assertEquals } from "@std/assert";
import * as root from "../../mod.ts";

/** The exports, by the reason why the author of a controller needs them. */
const EXPORTS: Readonly<Record<string, string>> = {
  "the whole of most controllers":
    "Client Controller SharedInformerFactory loadConfig Reconcile ReconcileResult",
  "the options of a program": "ClientOptions ControllerOptions",
  "time and log lines, which a program passes in": "Clock Logger",
  "a reconcile throws it if no retry can help": "TerminalError",
  "kinds that controllers own, read or report to":
    "ConfigMap ConfigMaps CustomResourceDefinition CustomResourceDefinitions Deployment Deployments " +
    "Event Events Job Jobs Lease Leases Namespace Namespaces Node Nodes Pod Pods ReplicaSet " +
    "ReplicaSets Secret Secrets Service ServiceAccount ServiceAccounts Services",
  "parts of a Pod that controllers write": "Container PodSpec",
  "to describe a custom resource, or to read only metadata or some fields":
    "Resource ObjectOf defineResource metadataOf fieldsOf",
  "what every object has": "KubeObject ObjectMeta OwnerReference LabelSelector Condition",
  "the forms of an object: from the server, from a cache, to be applied":
    "Stored Cached ApplyConfiguration deepCopy",
  "owners and the objects that they own": "controllerOf controllerReference isControlledBy",
  "conditions in a status":
    "setStatusCondition findStatusCondition isStatusConditionTrue formatTime",
  "errors of the API server, distinguished and explained":
    "StatusError explainError isAlreadyExists isConflict isExpired isForbidden isInvalid isNotFound " +
    "isTimeout isTooManyRequests isUnauthorized",
  "to write to an object that others write to": "retryOnConflict",
  "informers and their handlers": "SharedInformer waitForCacheSync DeletedFinalStateUnknown",
  "keys of objects":
    "metaNamespaceKeyFunc deletionHandlingMetaNamespaceKeyFunc splitMetaNamespaceKey joinMetaNamespaceKey",
  "to retry in another way, or without a Controller":
    "RateLimitingQueue defaultControllerRateLimiter",
  "an operator: its manager, and the parts of a controller's declaration":
    "Manager ManagerOptions NotOwnedError ControllerHandle Reconciliation",
  "a custom resource: its definition, and the installation of the definition":
    "crd installDefinitions",
};

Deno.test("The root exports what the author of a controller needs, and nothing else", async () => {
  const source = await Deno.readTextFile(new URL("../../mod.ts", import.meta.url));
  assert(!source.includes("export *"), "exports are named one by one");
  const exported = [...source.matchAll(/export \{(.*?)\}/gs)]
    .flatMap(([, names = ""]) => names.split(","))
    .map((name) => name.replace("type ", "").trim())
    .filter((name) => name !== "");
  const pinned = Object.values(EXPORTS).flatMap((names) => names.split(" "));
  assertEquals(exported.toSorted(), pinned.toSorted());
  assertEquals(new Set(pinned).size, pinned.length);
  assert(
    pinned.length <= 90,
    `the root exports ${pinned.length} names: give some of them another home`,
  );
  for (const name of Object.keys(root)) assert(pinned.includes(name), name);
});
