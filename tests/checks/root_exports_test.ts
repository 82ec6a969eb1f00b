/**
 * Pins what the root entry point exports, so that an export that comes or goes is a decision: change the list together
 * with its reason.
 */

import { assert, assertEquals } from "@std/assert";
import * as root from "../../mod.ts";

/** The exports, by the reason why the author of a controller needs them. */
const EXPORTS: Readonly<Record<string, string>> = {
  "the whole of most controllers":
    "Client Controller SharedInformerFactory loadConfig Reconcile ReconcileContext ReconcileResult",
  "to write down the options of a program": "ClientOptions Config ControllerOptions " +
    "SharedInformerFactoryOptions SharedInformerOptions",
  "what a program passes in: time, randomness, log lines, metrics":
    "Clock Logger MetricsProvider Random silentLogger",
  "a reconcile throws it if no retry can help": "TerminalError",
  "kinds that controllers own, read or report to":
    "ConfigMap ConfigMaps CustomResourceDefinition CustomResourceDefinitions Deployment Deployments " +
    "Event Events Job Jobs Lease Leases Namespace Namespaces Node Nodes Pod Pods ReplicaSet " +
    "ReplicaSets Secret Secrets Service ServiceAccount ServiceAccounts Services",
  "parts of a Pod that controllers write": "Container PodSpec",
  "to describe a kind of one's own, or metadata only":
    "Resource defineResource PartialObjectMetadata metadataOf",
  "what every object has": "KubeList KubeObject ObjectMeta OwnerReference LabelSelector Condition",
  "the forms of an object: from the server, from a cache, to be applied, to be merged":
    "Stored Cached ApplyConfiguration MergePatch deepCopy",
  "an informer can be fed by functions of one's own": "ListerWatcher WatchEvent",
  "owners and what they own": "controllerOf controllerReference isControlledBy",
  "conditions in a status":
    "setStatusCondition findStatusCondition isStatusConditionTrue formatTime formatMicroTime",
  "errors of the API server, told apart and explained":
    "Status StatusError explainError isAlreadyExists isConflict isExpired isForbidden isInvalid " +
    "isNotFound isTimeout isTooManyRequests isUnauthorized",
  "to write to an object that others write to": "retryOnConflict",
  "to narrow a list or a watch": "labelSelector fieldSelector",
  "informers by themselves":
    "SharedInformer newInformer ReadonlyIndexer GenericLister waitForCacheSync " +
    "WatchErrorHandler transformStripManagedFields",
  "handlers": "ResourceEventHandler FilteringResourceEventHandler HandlerRegistration " +
    "DeletedFinalStateUnknown ObjectChange",
  "keys and indices":
    "metaNamespaceKeyFunc deletionHandlingMetaNamespaceKeyFunc splitMetaNamespaceKey " +
    "joinMetaNamespaceKey IndexFunc NAMESPACE_INDEX metaNamespaceIndexFunc pathIndexFunc",
  "to retry in another way, or without a Controller":
    "RateLimitingQueue RateLimiter defaultControllerRateLimiter ItemExponentialFailureRateLimiter",
  "an operator: its manager, and what a declaration of a controller is made of":
    "Manager ManagerOptions NotOwnedError ControllerBuilderOptions ControllerHandle Reconciliation CacheReader Part",
  "which changes matter, and why a reconcile happened":
    "Change Predicate changed generationChanged labelsChanged annotationsChanged anyChange allOf anyOf " +
    "not Cause Story",
  "a custom resource of one's own: its definition, its validation, its webhooks":
    "ObjectOf JsonSchema crd validate installDefinitions admission conversion",
  "to wait for an object": "rolledOut complete deleted condition established",
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
  for (const name of Object.keys(root)) assert(pinned.includes(name), name);
});
