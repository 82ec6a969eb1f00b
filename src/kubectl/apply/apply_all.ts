import {
  abortable,
  isFlag,
  isFunction,
  jsonEqual,
  type OptionChecks,
  realClock,
  redactOf,
  requireMethods,
  requireOptions,
  safeLogger,
  withTimeLimit,
} from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";
import { isNotFound } from "../../types/mod.ts";
import {
  type ApplySet,
  type ApplySetParent,
  type Inventory,
  openApplySet,
  PART_OF,
} from "./apply_set.ts";
import { type ApplyProgress, ApplyRun, inventoryOf } from "./apply_run.ts";
import { definedResources } from "./defined_resources.ts";
import { isNamespace } from "./kind_order.ts";
import { type Manifest, type Manifests, readManifests } from "./manifests.ts";
import { CHANGE_CHECKS } from "./option_checks.ts";
import { ApplyError, type ApplyResult, nameOf } from "./results.ts";

/** The field manager, unless the caller has one. */
export const FIELD_MANAGER = "kubeloop";
const DEFAULT_CONCURRENCY = 8;

/** Options of {@linkcode applyAll}. */
export interface ApplyAllOptions {
  /** The namespace of objects that name none. Default: the namespace of the client's configuration, or `default`. */
  readonly namespace?: string | undefined;
  /** The field manager, which owns the applied fields. Default `kubeloop`. */
  readonly fieldManager?: string | undefined;
  /** Whether to take over fields that other field managers own. Default false: such an object fails. */
  readonly force?: boolean | undefined;
  /**
   * The apply set that the objects belong to (KEP 3659): an object that remembers them, which is created if there is none.
   * The members get the label `applyset.kubernetes.io/part-of`. Default: none.
   */
  readonly applySet?: ApplySetParent | undefined;
  /**
   * Whether to delete the objects that the apply set had before and that are not applied this time. Needs `applySet`. If
   * an object fails, none is deleted. Default false.
   */
  readonly prune?: boolean | undefined;
  /** Whether the server only tries everything. See {@linkcode ApplyResult.unchecked}. Default false. */
  readonly dryRun?: boolean | undefined;
  /**
   * Whether to wait until the objects are ready: rolled out, complete, established, or with a condition `Ready` that is
   * true. Default false.
   */
  readonly wait?: boolean | undefined;
  /**
   * The time limit of the whole call, in milliseconds. The objects that are not done by then have failed with a
   * `TimeoutError`. Default `Infinity`: no limit.
   */
  readonly timeoutMs?: number | undefined;
  /** How many objects are applied, waited for or deleted at the same time. Default 8. */
  readonly concurrency?: number | undefined;
  /** Stops the call, which rejects with `signal.reason`. `onProgress` has then told what was applied. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the result of each object as soon as it is known. */
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
 * The input is read first: if a part of it is no object, nothing is applied. Then the objects are applied in an order in
 * which they find what they need: Namespaces, CustomResourceDefinitions (until the server serves them), then kind by kind
 * in the order of Helm, custom resources after the built-in kinds, and webhook configurations last. Kinds are looked up in
 * the server's discovery. An object that fails does not stop the others.
 *
 * @param client The client that makes the requests.
 * @param input YAML or JSON text, objects, or an iterable of them.
 * @param options The namespace, the field manager, the apply set, and what else to do.
 * @returns What happened to each object, in the order in which they were applied.
 * @throws {SyntaxError} If a text is neither YAML nor JSON. The message names the line and the column.
 * @throws {TypeError} If a part of the input is no object with an apiVersion, a kind and a name, if an object is there
 * twice, or if an option is invalid.
 * @throws {ApplyError} If objects failed. Its `results` are those of all objects.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { applyAll } from "@kubeloop/controller/kubectl";
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
  const { run, signal } = await applyRun(client, input, options);
  const results = run.applied.map(({ result }) => result);
  signal?.throwIfAborted();
  if (run.hasFailed) {
    throw new ApplyError("apply", results, redactOf(safeLogger(client.environment.logger)));
  }
  return results;
}

/**
 * Does what {@linkcode applyAll} does, and returns all that is known of the objects, also if some of them failed.
 *
 * @param options Options that were checked.
 */
export async function applyRun(
  client: Client,
  input: Manifests,
  options: ApplyAllOptions,
): Promise<{ readonly run: ApplyRun; readonly signal: AbortSignal | undefined }> {
  if (options.prune === true && options.applySet === undefined) {
    throw new TypeError(
      'prune needs an apply set, which tells what was applied before: give { applySet: { name: "…" } }',
    );
  }
  const { signal, timeoutMs = Infinity, dryRun = false, wait = false, prune = false } = options;
  const namespace = options.namespace ?? client.namespace ?? "default";
  const clock = client.environment.clock ?? realClock;
  const late = () => `applyAll() timed out: it took longer than ${timeoutMs} ms`;
  return await withTimeLimit({ clock, signal, limitMs: timeoutMs, late }, async (limited) => {
    // An iterable may never end.
    const read = await abortable(readManifests(input), limited);
    const manifests = withoutTwins(read, namespace);
    const call = { namespace, dryRun, signal: limited };
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
    if (limited.aborted) run.giveUpRest(manifests, limited.reason);
    if (wait && !dryRun) await run.wait();
    if (prune && set !== undefined && !run.hasFailed) {
      // What was applied must be told, whatever happens here.
      await run.prune(set, inventory).catch((error) => run.fail(set.parent, error));
    }
    return { run, signal };
  });
}

/**
 * Applies the objects after the set has recorded them. The set itself may be in a Namespace that is one of the objects.
 *
 * @throws The error of the server, if the set cannot record them. No object is applied then.
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
 * Returns the objects without those that are there twice.
 *
 * @throws {TypeError} If they differ: the order would decide which of them remains.
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
      throw new TypeError(`${what} is there twice: in ${twin.where} and in ${manifest.where}`);
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
