/**
 * kubeloop: the machinery for Kubernetes controllers in TypeScript.
 *
 * Start with {@linkcode Manager}: it runs controllers, with everything that an operator needs besides its `reconcile`
 * functions. {@linkcode Client} talks to the API server. Below are the parts of client-go, with its names:
 * {@linkcode SharedInformerFactory} makes informers, which keep caches and notify handlers, and {@linkcode Controller} takes an
 * informer and a `reconcile` function.
 *
 * This entry point has what the author of a controller needs. Everything else has an entry point of its own: `./operator`
 * (`Manager` and all that it runs; `./crd`, `./election`, `./events`, `./metrics`, `./rights` and `./webhooks` alone), `./client`, `./cache` (stores, queues, reflectors), `./logs`, `./workqueue`, `./controller`, `./types`,
 * `./base` (clock, randomness, backoff), `./serving` (fetch handlers over sockets), `./kubectl` (what kubectl does), and
 * `./extras` (parts of client-go that kubeloop itself does not use). The package `@kubeloop/testing` has an API server to test controllers with.
 *
 * @module
 */

// Running: what a program passes in, and how a reconcile says that no retry can help.
export {
  type Clock,
  type Logger,
  type MetricsProvider,
  type Random,
  silentLogger,
  TerminalError,
} from "./src/base/mod.ts";

// Kinds: those that controllers own and watch most often, and how to describe others.
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
  type Job,
  Jobs,
  type Lease,
  Leases,
  metadataOf,
  type Namespace,
  Namespaces,
  type Node,
  Nodes,
  type PartialObjectMetadata,
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

// Objects: what every object has, and the forms in which it is read and written.
export {
  type ApplyConfiguration,
  type Cached,
  type Condition,
  deepCopy,
  type JsonSchema,
  type KubeList,
  type KubeObject,
  type LabelSelector,
  type ListerWatcher,
  type MergePatch,
  type ObjectMeta,
  type ObjectOf,
  type OwnerReference,
  type Stored,
  type WatchEvent,
} from "./src/types/mod.ts";

// Helpers that every controller needs: owners, conditions, times.
export {
  controllerOf,
  controllerReference,
  findStatusCondition,
  formatMicroTime,
  formatTime,
  isControlledBy,
  isStatusConditionTrue,
  setStatusCondition,
} from "./src/types/mod.ts";

// Errors of the API server, to be told apart and explained.
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
  type Status,
  StatusError,
} from "./src/types/mod.ts";

// The client, and where it connects.
export {
  Client,
  type ClientOptions,
  complete,
  condition,
  type Config,
  deleted,
  established,
  fieldSelector,
  labelSelector,
  loadConfig,
  retryOnConflict,
  rolledOut,
} from "./src/client/mod.ts";

// Caches: informers, their handlers and indices, and the keys of objects.
export {
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  FilteringResourceEventHandler,
  type GenericLister,
  type HandlerRegistration,
  type IndexFunc,
  joinMetaNamespaceKey,
  metaNamespaceIndexFunc,
  metaNamespaceKeyFunc,
  NAMESPACE_INDEX,
  newInformer,
  type ObjectChange,
  pathIndexFunc,
  type ReadonlyIndexer,
  type ResourceEventHandler,
  SharedInformer,
  SharedInformerFactory,
  type SharedInformerFactoryOptions,
  type SharedInformerOptions,
  splitMetaNamespaceKey,
  transformStripManagedFields,
  waitForCacheSync,
  type WatchErrorHandler,
} from "./src/cache/mod.ts";

// Queues: to retry in another way, or to hold keys without a Controller.
export {
  defaultControllerRateLimiter,
  ItemExponentialFailureRateLimiter,
  type RateLimiter,
  RateLimitingQueue,
} from "./src/workqueue/mod.ts";

// The controller.
export {
  Controller,
  type ControllerOptions,
  type Reconcile,
  type ReconcileContext,
  type ReconcileResult,
} from "./src/controller/mod.ts";

// Operators: what controller-runtime adds to client-go.
export {
  admission,
  allOf,
  annotationsChanged,
  anyChange,
  anyOf,
  type CacheReader,
  type Cause,
  type Change,
  changed,
  type ControllerBuilderOptions,
  type ControllerHandle,
  conversion,
  crd,
  generationChanged,
  installDefinitions,
  labelsChanged,
  Manager,
  type ManagerOptions,
  not,
  NotOwnedError,
  type Part,
  type Predicate,
  type Reconciliation,
  type Story,
  validate,
} from "./src/operator/mod.ts";
