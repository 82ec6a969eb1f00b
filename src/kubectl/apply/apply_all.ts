import type { Client } from "@kubeloop/controller/client";
import {
  abortable,
  isFlag,
  isFunction,
  jsonEqual,
  type OptionChecks,
  realClock,
  requireMethods,
  requireOptions,
  withTimeLimit,
} from "@kubeloop/controller/internal/base";
import { isNotFound } from "@kubeloop/controller/types";
import { type ApplyProgress, ApplyRun, inventoryOf } from "./apply_run.ts";
import {
  type ApplySet,
  type ApplySetParent,
  type Inventory,
  openApplySet,
  PART_OF,
} from "./apply_set.ts";
import { definedResources } from "./defined_resources.ts";
import { isNamespace } from "./kind_order.ts";
import { type Manifest, type Manifests, readManifests } from "./manifests.ts";
import { CHANGE_CHECKS } from "./option_checks.ts";
import { type ApplyResult, nameOf, succeeded } from "./results.ts";

/** The default field manager. */
export const FIELD_MANAGER = "kubeloop";
/** The default `concurrency`. */
export const DEFAULT_CONCURRENCY = 8;

/** Options of {@linkcode applyAll}. */
export interface ApplyAllOptions {
  /** The namespace of objects without one. Default: the namespace of the client's configuration, or `default`. */
  readonly namespace?: string | undefined;
  /** The field manager, which owns the applied fields. Default `kubeloop`. */
  readonly fieldManager?: string | undefined;
  /** Whether to take over fields of other field managers. Default false: the object fails. */
  readonly force?: boolean | undefined;
  /**
   * The apply set of the objects (KEP 3659): an object that records the kinds and namespaces of its members. It is created if
   * it does not exist. The members get the label `applyset.kubernetes.io/part-of`. Default: none.
   */
  readonly applySet?: ApplySetParent | undefined;
  /**
   * Whether to delete former members of the apply set that are not applied this time. Needs `applySet`. Nothing is deleted if
   * an object fails. Default false.
   */
  readonly prune?: boolean | undefined;
  /** Whether to send all requests as dry runs. See {@linkcode ApplyResult.unchecked}. Default false. */
  readonly dryRun?: boolean | undefined;
  /**
   * Whether to wait until the objects are ready: rolled out, complete, established, or with a true condition `Ready`. Default
   * false.
   */
  readonly wait?: boolean | undefined;
  /**
   * The time limit of the whole call, in milliseconds. Objects that are not done by then fail with a `TimeoutError`. Default
   * `Infinity`: no limit.
   */
  readonly timeoutMs?: number | undefined;
  /** The maximum number of objects that are applied, waited for or deleted at the same time. Default 8. */
  readonly concurrency?: number | undefined;
  /** Stops the call, which rejects with `signal.reason`. `onProgress` was called for all objects that were applied. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each result, in the order in which they become known. */
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}

const CHECKS: OptionChecks<ApplyAllOptions> = {
  ...CHANGE_CHECKS,
  dryRun: isFlag,
  wait: isFlag,
  onProgress: isFunction,
};

/**
 * Applies any number of objects of any kinds by server-side apply, as `kubectl apply --server-side` does.
 *
 * The whole input is read first: if a part of it is invalid, nothing is applied. The objects are then applied in the order of
 * their dependencies: Namespaces, CustomResourceDefinitions (until the server serves them), built-in kinds in the order of
 * Helm, custom resources, and webhook configurations last. Kinds are looked up by discovery. The failure of an object does
 * not stop the others.
 *
 * @param client The client that makes the requests.
 * @param input YAML or JSON text, objects, or an iterable of them.
 * @param options The namespace, the field manager, the apply set, and further options.
 * @returns The results of all objects, in the order in which they were applied.
 * @throws {SyntaxError} If a text is neither YAML nor JSON. The message names the line and the column.
 * @throws {TypeError} If a part of the input is not an object with an apiVersion, a kind and a name, if the input has two
 * different objects with the same name, or if an option is invalid.
 * @throws {ApplyError} If objects failed. Its `results` has the results of all objects.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { applyAll } from "@kubeloop/kubectl";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const manifests = `
 * apiVersion: v1
 * kind: ConfigMap
 * metadata: { name: colors, namespace: art }
 * data: { sky: blue }
 * ---
 * apiVersion: v1
 * kind: Namespace
 * metadata: { name: art }
 * `;
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const first = await applyAll(client, manifests);
 * assertEquals(first.map(({ kind, status }) => `${kind} ${status}`), [
 *   "Namespace created",
 *   "ConfigMap created",
 * ]);
 * const second = await applyAll(client, manifests);
 * assertEquals(second.map(({ status }) => status), ["unchanged", "unchanged"]);
 * ```
 */
export async function applyAll(
  client: Client,
  input: Manifests,
  options: ApplyAllOptions = {},
): Promise<ApplyResult[]> {
  requireApplyClient(client);
  requireOptions("applyAll()", options, CHECKS);
  const { applied } = await applyRun(client, input, options);
  return succeeded("apply", client, applied.map(({ result }) => result), options.signal);
}

/**
 * Applies objects like {@linkcode applyAll}, and returns the run even if some objects failed.
 *
 * @param options Validated options.
 */
export async function applyRun(
  client: Client,
  input: Manifests,
  options: ApplyAllOptions,
): Promise<ApplyRun> {
  if (options.prune === true && options.applySet === undefined) {
    throw new TypeError(
      'prune needs an apply set, which tells what was applied before: give { applySet: { name: "…" } }',
    );
  }
  const { dryRun = false, wait = false, prune = false } = options;
  const namespace = options.namespace ?? client.namespace ?? "default";
  return await withinTime("applyAll()", client, options, async (signal) => {
    // An async iterable may never end.
    const manifests = withoutTwins(await abortable(readManifests(input), signal), namespace);
    const call = { namespace, dryRun, signal };
    const set = options.applySet && await openApplySet(client, options.applySet, call);
    const run = new ApplyRun({
      ...call,
      client,
      wait,
      labels: set === undefined ? {} : { [PART_OF]: set.id },
      defined: definedResources(manifests),
      newNamespaces: new Set(),
      fieldManager: options.fieldManager ?? FIELD_MANAGER,
      force: options.force ?? false,
      concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
      onProgress: options.onProgress,
    }, manifests.length);
    const inventory = inventoryOf(manifests, namespace);
    await applyMembers(run, manifests, set, inventory);
    if (signal.aborted) run.giveUpRest(manifests, signal.reason);
    if (wait && !dryRun) await run.wait();
    if (prune && set !== undefined && !run.hasFailed) {
      // A failure here must not hide the results of the applied objects.
      await run.prune(set, inventory).catch((error) => run.fail(set.parent, error));
    }
    return run;
  });
}

/** Calls `work` with a signal that aborts with `options.signal`, and when the time of `options` is over. */
export function withinTime<T>(
  what: string,
  client: Client,
  { signal = new AbortController().signal, timeoutMs = Infinity }: Pick<
    ApplyAllOptions,
    "signal" | "timeoutMs"
  >,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (timeoutMs === Infinity) return work(signal);
  const { clock = realClock } = client.environment;
  const late = () =>
    new DOMException(`${what} timed out: it took longer than ${timeoutMs} ms`, "TimeoutError");
  return withTimeLimit({ clock, signal, limitMs: timeoutMs, late }, work);
}

/**
 * Records the objects in the set, and then applies them. The input may contain the Namespace of the set.
 *
 * @throws The error of the server, if the set cannot record the objects. No object is applied then.
 */
async function applyMembers(
  run: ApplyRun,
  manifests: readonly Manifest[],
  set: ApplySet | undefined,
  inventory: Inventory,
): Promise<void> {
  try {
    await set?.add(inventory);
    return await run.apply(manifests);
  } catch (error) {
    const home = set?.parent.namespace;
    const isCreated = manifests.some(({ object }) =>
      isNamespace(object) && object.metadata.name === home
    );
    if (!isNotFound(error) || !isCreated) throw error;
  }
  await run.apply(manifests.filter(({ object }) => isNamespace(object)));
  try {
    await set?.add(inventory);
  } catch (error) {
    if (set !== undefined) run.fail(set.parent, error);
    return run.giveUpRest(manifests, error);
  }
  await run.apply(manifests.filter(({ object }) => !isNamespace(object)));
}

/**
 * Removes duplicate objects.
 *
 * @throws {TypeError} If two objects with the same name differ: the order would decide which one remains.
 */
function withoutTwins(manifests: readonly Manifest[], namespace: string): Manifest[] {
  const found = new Map<string, Manifest>();
  for (const manifest of manifests) {
    const { apiVersion, kind, metadata } = manifest.object;
    const group = apiVersion.includes("/") ? apiVersion.split("/")[0] : "";
    const key = JSON.stringify([group, kind, metadata.namespace ?? namespace, metadata.name]);
    const twin = found.get(key);
    if (twin === undefined) found.set(key, manifest);
    else if (!jsonEqual(twin.object, manifest.object)) {
      const what = nameOf({ kind, name: metadata.name ?? "", namespace: metadata.namespace });
      throw new TypeError(`${what} is defined twice: in ${twin.where} and in ${manifest.where}`);
    }
  }
  return [...found.values()];
}

/** @throws {TypeError} If `client` is not a client. */
export function requireApplyClient(client: Client): void {
  requireMethods(
    "a client, such as new Client(await loadConfig())",
    client,
    "apply",
    "delete",
    "resourceFor",
    "waitFor",
  );
}
