import { formatTime, type KubeObject, type LabelSelector } from "@kubeloop/controller/types";
import { deleteObject } from "./delete_handler.ts";
import { type DeleteOptions, readDeleteOptions } from "../http/mod.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import {
  badRequest,
  conflict,
  encodeJson,
  internalError,
  isObject,
  type Json,
  type JsonObject,
  notFound,
  tooManyRequests,
} from "../../values/mod.ts";
import { checkNamespaceMatches, matchesSelector, topologyLabels } from "../kinds/mod.ts";
import { findObject } from "./read_handlers.ts";
import { objectKey, type StoredObject } from "../storage/mod.ts";
import { admitBody, type AdmittedBody } from "./subresource_body.ts";
import { BINDING, EVICTION } from "./subresource_kinds.ts";
import { readObject, readWriteOptions, type WriteOptions } from "./write_context.ts";
import { preconditionFailed } from "./write_preconditions.ts";
import type { KindInfo } from "../schema/mod.ts";

/** The seconds after which a client may retry a refused eviction. */
const EVICTION_RETRY_SECONDS = 10;

type PodObject = KubeObject & {
  spec?: { nodeName?: string; schedulingGates?: readonly Json[] };
  status?: { phase?: string; conditions?: JsonObject[]; nominatedNodeName?: string };
};

/** Answers a POST of a Binding: assigns the Pod to the node. */
export async function handleBinding(exchange: ResourceExchange): Promise<Answer> {
  const { info, resource, server, store } = exchange;
  const options = readWriteOptions(exchange, "CreateOptions");
  const { body, confirm } = await readBody(exchange, BINDING, options);
  const binding = body as JsonObject & {
    metadata?: {
      name?: string;
      uid?: string;
      resourceVersion?: string;
      annotations?: Record<string, string>;
      labels?: Record<string, string>;
    };
    target?: { name?: string };
  };
  const name = info.name === "" ? binding.metadata?.name ?? "" : info.name;
  if (name === "") throw badRequest("Name parameter required.");
  if (binding.metadata?.name !== name) {
    throw badRequest("name in URL does not match name in Binding object");
  }
  const { validate } = server.registry.find("", "v1", "bindings")!.record;
  const errors = validate!(binding, exchange.server.registry.release).map(({ field, message }) =>
    `${field}: ${message}`
  );
  if (errors.length > 0) {
    throw internalError(errors.length === 1 ? errors[0]! : `[${errors.join(", ")}]`);
  }
  await confirm(binding);
  const stored = requirePod({ ...exchange, info: { ...info, name } });
  const node = binding.target?.name ?? "";
  const { uid, resourceVersion } = binding.metadata;
  if (uid && uid !== stored.uid) {
    throw preconditionFailed(exchange, ["UID", uid, stored.uid], options.dryRun);
  }
  const version = String(stored.revision);
  if (resourceVersion && resourceVersion !== version) {
    const versions = ["ResourceVersion", resourceVersion, version] as const;
    throw preconditionFailed(exchange, versions, options.dryRun);
  }
  const pod = stored.parse() as PodObject;
  const subject = { group: "", plural: "pods/binding" };
  if (pod.metadata.deletionTimestamp !== undefined) {
    const why = `pod ${name} is being deleted, cannot be assigned to a host`;
    throw conflict(subject, name, why);
  }
  if (pod.spec?.nodeName) {
    const why = `pod ${name} is already assigned to node ${JSON.stringify(pod.spec.nodeName)}`;
    throw conflict(subject, name, why);
  }
  if ((pod.spec?.schedulingGates ?? []).length > 0) {
    throw conflict(subject, name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  if (options.dryRun) return created();
  pod.spec = { ...pod.spec, nodeName: node };
  const annotations = { ...pod.metadata.annotations, ...binding.metadata.annotations };
  if (Object.keys(annotations).length > 0) pod.metadata.annotations = annotations;
  const placed = server.storage.store("nodes").get(objectKey("", node))?.parse();
  const labels = {
    ...pod.metadata.labels,
    ...binding.metadata.labels,
    ...topologyLabels(placed as unknown as JsonObject | undefined) as Record<string, string>,
  };
  if (Object.keys(labels).length > 0) pod.metadata.labels = labels;
  const conditions = pod.status?.conditions ?? [];
  const scheduled: JsonObject = {
    type: "PodScheduled",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: formatTime(server.clock.wallNow()),
  };
  pod.status = { ...pod.status, conditions: withCondition(conditions, scheduled) ?? conditions };
  if (server.registry.release.isOn("ClearingNominatedNodeNameAfterBinding")) {
    delete pod.status.nominatedNodeName;
  }
  const written = server.storage.put(store, pod, resource.encodeStored);
  server.written(resource, written);
  return created();
}

/** Answers a POST of an Eviction: deletes the Pod, unless a PodDisruptionBudget forbids it. */
export async function handleEviction(exchange: ResourceExchange): Promise<Answer> {
  const { info } = exchange;
  const write = readWriteOptions(exchange, "CreateOptions");
  const { body, confirm } = await readBody(exchange, EVICTION, write);
  const eviction = body as JsonObject & { metadata?: { name?: string } };
  if (eviction.metadata?.name !== info.name) {
    throw badRequest("name in URL does not match name in Eviction object");
  }
  await confirm(eviction);
  const stored = requirePod(exchange);
  const given = eviction["deleteOptions"];
  const text = encodeJson(isObject(given) ? given : {});
  const asked = readDeleteOptions(text, new URLSearchParams());
  const options = { ...asked, dryRun: asked.dryRun || write.dryRun };
  spendBudget(exchange, stored, options.dryRun);
  evict(exchange, stored, options);
  return created();
}

/** Marks a Pod as disrupted, which a dry run does not, and deletes it. */
function evict(exchange: ResourceExchange, stored: StoredObject, options: DeleteOptions): void {
  const { resource, server, store } = exchange;
  const { resourceVersion } = options.preconditions ?? {};
  const isFailing = !meetsPreconditions(stored, options.preconditions);
  if (options.dryRun || isFailing) return void deleteObject(exchange, stored, options);
  const pod = stored.parse() as PodObject;
  const conditions = withCondition(pod.status?.conditions ?? [], {
    type: "DisruptionTarget",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: formatTime(server.clock.wallNow()),
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  });
  if (conditions === undefined) return void deleteObject(exchange, stored, options);
  pod.status = { ...pod.status, conditions };
  const marked = server.storage.put(store, pod, resource.encodeStored);
  server.written(resource, marked);
  const preconditions = resourceVersion === undefined
    ? options.preconditions
    : { ...options.preconditions, resourceVersion: String(marked.revision) };
  deleteObject(exchange, marked, {
    ...options,
    ...(preconditions === undefined ? {} : { preconditions }),
  });
}

function meetsPreconditions(
  { uid, revision }: StoredObject,
  preconditions: DeleteOptions["preconditions"] = {},
): boolean {
  const { resourceVersion = "", uid: wanted = "" } = preconditions;
  return (wanted === "" || wanted === uid) &&
    (resourceVersion === "" || resourceVersion === String(revision));
}

/** Returns conditions with another one of its type in place; undefined if it is there already. */
function withCondition(
  conditions: readonly JsonObject[],
  condition: JsonObject,
): JsonObject[] | undefined {
  const index = conditions.findIndex(({ type }) => type === condition["type"]);
  if (index < 0) return [...conditions, condition];
  const before = conditions[index]!;
  const isSame = ["status", "reason", "message"].every((key) => before[key] === condition[key]);
  if (isSame) return undefined;
  const { status, lastTransitionTime = null } = before;
  const since = status === condition["status"] ? { lastTransitionTime } : {};
  return conditions.with(index, { ...condition, ...since });
}

type Budget = KubeObject & {
  spec?: { selector?: LabelSelector; unhealthyPodEvictionPolicy?: string };
  status?: {
    observedGeneration?: number;
    disruptionsAllowed?: number;
    desiredHealthy?: number;
    currentHealthy?: number;
    disruptedPods?: Record<string, string>;
  };
};

/**
 * Takes one disruption from the PodDisruptionBudget that selects the Pod; in a dry run, only checks that there is one.
 *
 * @throws {ApiError} 429, if the budget allows no disruption; 500, if several budgets select the Pod.
 */
function spendBudget(
  { server }: ResourceExchange,
  stored: StoredObject,
  dryRun: boolean,
): void {
  const pod = stored.parse() as PodObject;
  // Evicting a Pod that does not run, or is being deleted already, does not count as a disruption.
  const phase = pod.status?.phase ?? "";
  const idle = phase === "Succeeded" || phase === "Failed" || phase === "Pending";
  if (idle || pod.metadata.deletionTimestamp !== undefined) return;
  const resource = server.registry.find("policy", "v1", "poddisruptionbudgets")!;
  const store = server.storage.store(resource.storageName);
  const budgets = store.list(stored.namespace).filter((budget) => {
    const { spec } = budget.parse() as Budget;
    return spec?.selector !== undefined && matchesSelector(spec.selector, stored.labels);
  });
  const [first] = budgets;
  if (first === undefined) return;
  if (budgets.length > 1) {
    throw internalError(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  const budget = first.parse() as Budget;
  const { observedGeneration = 0, disruptionsAllowed = 0 } = budget.status ?? {};
  if (!isReady(pod) && unreadyMayGo(budget)) return;
  const name = first.name;
  if (observedGeneration < (budget.metadata.generation ?? 0)) {
    const why = `The disruption budget ${name} is still being processed by the server.`;
    throw refuse(why, EVICTION_RETRY_SECONDS);
  }
  if (disruptionsAllowed <= 0) {
    const { desiredHealthy = 0, currentHealthy = 0 } = budget.status ?? {};
    throw refuse(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
      0,
    );
  }
  if (dryRun) return;
  const disruptedPods = {
    ...budget.status?.disruptedPods,
    [stored.name]: formatTime(server.clock.wallNow()),
  };
  budget.status = {
    ...budget.status,
    disruptionsAllowed: disruptionsAllowed - 1,
    disruptedPods,
  };
  const written = server.storage.put(store, budget, resource.encodeStored);
  server.written(resource, written);
}

function isReady(pod: PodObject): boolean {
  return (pod.status?.conditions ?? []).some(({ type, status }) =>
    type === "Ready" && status === "True"
  );
}

/** Reports whether a Pod that is not ready may go, although no disruption is allowed: it does not count as healthy. */
function unreadyMayGo({ spec, status }: Budget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { desiredHealthy = 0, currentHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

function refuse(message: string, retrySeconds: number): Error {
  return tooManyRequests(
    "Cannot evict pod as it would violate the pod's disruption budget.",
    retrySeconds,
    [{ reason: "DisruptionBudget", message }],
  );
}

function requirePod(exchange: ResourceExchange): StoredObject {
  const stored = findObject(exchange);
  if (stored === undefined) throw notFound(exchange.resource.definition, exchange.info.name);
  return stored;
}

/** Returns the body of a create of a subresource as mutating webhooks leave it. */
async function readBody(
  exchange: ResourceExchange,
  kind: KindInfo,
  options: WriteOptions,
): Promise<AdmittedBody> {
  const body = await readObject(exchange, options, kind);
  checkNamespaceMatches(exchange.info.namespace, body);
  return await admitBody(exchange, body as unknown as JsonObject, kind, options);
}

/** Returns the answer to a create that has no object to return. */
function created(): Answer {
  const status: Json = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    code: 201,
  };
  return { type: "final", code: 201, text: encodeJson(status) };
}
