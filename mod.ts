/**
 * kubeloop: the machinery for Kubernetes controllers in TypeScript.
 *
 * Start with {@linkcode Manager}: it runs controllers, with everything that an operator needs besides its `reconcile`
 * functions. {@linkcode Client} talks to the API server. Below are the parts of client-go, with its names:
 * {@linkcode SharedInformerFactory} makes informers, which keep caches and notify handlers, and {@linkcode Controller} takes an
 * informer and a `reconcile` function.
 *
 * This entry point has what the author of a controller types in the first week. Everything else has an entry point of its
 * own: `./operator` (the parts of a manager, predicates such as `changed()`), `./crd`, `./election`, `./events`, `./metrics`,
 * `./rights` and `./webhooks` (the rooms that a manager runs), `./client` (conditions to wait for such as `rolledOut`,
 * selectors), `./cache` (stores, queues, reflectors), `./logs`, `./workqueue`, `./controller`, `./types` (and
 * `./types/apps/v1` …: all kinds), `./base` (clock, randomness, backoff), `./serving` (fetch handlers over sockets), and
 * `./extras` (parts of client-go that kubeloop itself does not use). `@kubeloop/kubectl` has what kubectl does, and
 * `@kubeloop/testing` an API server to test controllers with.
 *
 * @module
 */

// Running: time and log lines, which a program passes in, and the error after which no retry can help.
export { type Clock, type Logger, TerminalError } from "./src/base/mod.ts";

// Kinds that controllers own and watch most often, and functions that describe other kinds.
export {
  type ConfigMap,
  ConfigMaps,
  type Container,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  defineResource,
  type Deployment,
  Deployments,
  type Event,
  Events,
  fieldsOf,
  type Job,
  Jobs,
  type Lease,
  Leases,
  metadataOf,
  type Namespace,
  Namespaces,
  type Node,
  Nodes,
  type ObjectOf,
  type Pod,
  Pods,
  type PodSpec,
  type ReplicaSet,
  ReplicaSets,
  type Resource,
  type Secret,
  Secrets,
  type Service,
  type ServiceAccount,
  ServiceAccounts,
  Services,
} from "./src/types/mod.ts";

// Objects: what every object has, and the forms in which objects are read and written.
export {
  type ApplyConfiguration,
  type Cached,
  type Condition,
  deepCopy,
  type KubeObject,
  type LabelSelector,
  type ObjectMeta,
  type OwnerReference,
  type Stored,
} from "./src/types/mod.ts";

// Helpers that every controller needs: owners, conditions, times.
export {
  controllerOf,
  controllerReference,
  findStatusCondition,
  formatTime,
  isControlledBy,
  isStatusConditionTrue,
  setStatusCondition,
} from "./src/types/mod.ts";

// Errors of the API server: predicates that distinguish them, and an explanation for people.
export {
  explainError,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  StatusError,
} from "./src/types/mod.ts";

// The client, and where it connects.
export { Client, type ClientOptions, loadConfig, retryOnConflict } from "./src/client/mod.ts";

// Caches: informers, and the keys of objects.
export {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  joinMetaNamespaceKey,
  metaNamespaceKeyFunc,
  SharedInformer,
  SharedInformerFactory,
  splitMetaNamespaceKey,
  waitForCacheSync,
} from "./src/cache/mod.ts";

// Queues: to retry in another way, or to hold keys without a Controller.
export { defaultControllerRateLimiter, RateLimitingQueue } from "./src/workqueue/mod.ts";

// The controller.
export {
  Controller,
  type ControllerOptions,
  type Reconcile,
  type ReconcileResult,
} from "./src/controller/mod.ts";

// Operators: what controller-runtime adds to client-go.
export {
  type ControllerHandle,
  crd,
  installDefinitions,
  Manager,
  type ManagerOptions,
  NotOwnedError,
  type Reconciliation,
} from "./src/operator/mod.ts";
