import {
  Backoff,
  type BackoffOptions,
  delay,
  describeError,
  isRecord,
  jsonEqual,
  LinkedAbort,
  realClock,
  realRandom,
  requireTimeLimit,
  TerminalError,
} from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";
import {
  type Cached,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  explainError,
  findStatusCondition,
  isForbidden,
  isNotFound,
  isStatusConditionTrue,
  type Resource,
} from "../../types/mod.ts";
import { crd } from "./crd.ts";
import { isObject, type Json, plainJson } from "./json.ts";

/** Options of {@linkcode installDefinitions}. */
export interface InstallOptions {
  /** The name under which the fields are owned. Default: `kubeloop`. */
  readonly fieldManager?: string | undefined;
  /** The time until all definitions must be established, in milliseconds. Default: one minute. */
  readonly timeoutMs?: number | undefined;
  /** Stops the wait; the promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** The default time limit: a server that is well needs a few seconds at most. */
const TIMEOUT_MS = 60_000;

/** The delays between two looks at a definition that is not established yet. */
const POLL: BackoffOptions = { durationMs: 50, factor: 2, steps: Infinity, capMs: 1000 };

/**
 * Installs the CustomResourceDefinitions of resources, and waits until the server serves these resources.
 *
 * A definition that is already as it should be is not written. Others are written by server-side apply, which takes the
 * fields over from other field managers: so the last program to start wins. Fields that the definition does not have,
 * such as `spec.conversion` and annotations, stay as they are.
 *
 * The program needs the rights to get, create and patch `customresourcedefinitions.apiextensions.k8s.io`.
 *
 * @param client The client.
 * @param definitions The resources, with their definitions, or whole CustomResourceDefinitions.
 * @param options The field manager, the time limit and the signal.
 * @returns The definitions as stored, in the given order.
 * @throws {TypeError} If a definition cannot be expressed; then none is written.
 * @throws {Error} That names the definition, if the server refuses it, a name is taken, or a right is missing.
 * @throws {DOMException} `TimeoutError`, if a definition is not established in time.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { installDefinitions } from "@kubeloop/controller/operator";
 * import { defineResource } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const Widgets = defineResource({
 *   group: "acme.io",
 *   version: "v1",
 *   kind: "Widget",
 *   spec: { type: "object", properties: { size: { type: "integer", default: 1 } } },
 * });
 * await using server = new ApiServer();
 * await using client = new Client({ fetch: server.fetch });
 * await installDefinitions(client, [Widgets]);
 *
 * const metadata = { name: "a", namespace: "default" };
 * const { spec } = await client.create(Widgets, { metadata, spec: {} });
 * assertEquals(spec.size, 1);
 * ```
 */
export async function installDefinitions(
  client: Client,
  definitions: readonly (Resource | CustomResourceDefinition)[],
  options: InstallOptions = {},
): Promise<Cached<CustomResourceDefinition>[]> {
  const { fieldManager = "kubeloop", timeoutMs = TIMEOUT_MS, signal } = options;
  const { clock = realClock } = client.environment;
  requireTimeLimit("timeoutMs", timeoutMs);
  const wanted = definitions.map((one) => isDefinition(one) ? one : crd(one));
  const link = new LinkedAbort(signal);
  const timer = timeoutMs === Infinity ? undefined : clock.setTimer(() => {
    link.abort(new DOMException(`not established within ${timeoutMs} ms`, "TimeoutError"));
  }, timeoutMs);
  try {
    link.signal.throwIfAborted();
    const installed: [Installation, Cached<CustomResourceDefinition>][] = [];
    for (const one of wanted) {
      const installation = new Installation(client, one, fieldManager, link.signal);
      installed.push([installation, await installation.write()]);
    }
    const established: Cached<CustomResourceDefinition>[] = [];
    for (const [installation, written] of installed) {
      established.push(await installation.established(written));
    }
    return established;
  } finally {
    timer?.cancel();
    link.release();
  }
}

function isDefinition(
  given: Resource | CustomResourceDefinition,
): given is CustomResourceDefinition {
  return isRecord(given) && isRecord(given["metadata"]) && isRecord(given["spec"]);
}

/** The installation of one definition. */
class Installation {
  readonly #client: Client;
  readonly #wanted: CustomResourceDefinition;
  readonly #fieldManager: string;
  readonly #signal: AbortSignal;
  readonly #name: string;
  /** What the last look found, for the error after the time limit. */
  #state = "it could not be read yet";

  constructor(
    client: Client,
    wanted: CustomResourceDefinition,
    fieldManager: string,
    signal: AbortSignal,
  ) {
    this.#client = client;
    this.#wanted = wanted;
    this.#fieldManager = fieldManager;
    this.#signal = signal;
    this.#name = wanted.metadata.name ?? "";
  }

  /** Writes the definition, unless it is as it should be. */
  async write(): Promise<Cached<CustomResourceDefinition>> {
    const found = await this.#attempt("get", () => this.#get());
    if (found !== undefined && this.#isAsWanted(found)) return found;
    return await this.#attempt("create and patch", () => this.#apply());
  }

  /** Waits until the server serves the resource. */
  established(
    written: Cached<CustomResourceDefinition>,
  ): Promise<Cached<CustomResourceDefinition>> {
    return this.#attempt("get", () => this.#wait(written));
  }

  async #get(): Promise<Cached<CustomResourceDefinition> | undefined> {
    try {
      return await this.#client.get(CustomResourceDefinitions, this.#name, {
        signal: this.#signal,
      }) as Cached<CustomResourceDefinition>;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #apply(): Promise<Cached<CustomResourceDefinition>> {
    const { metadata: { name: _, ...metadata }, spec } = this.#wanted;
    return await this.#client.apply(CustomResourceDefinitions, {
      metadata: { ...metadata, name: this.#name },
      spec,
    }, {
      fieldManager: this.#fieldManager,
      force: true,
      signal: this.#signal,
    }) as Cached<CustomResourceDefinition>;
  }

  /** Reports whether the spec is equal, and labels and annotations are there. */
  #isAsWanted(found: Cached<CustomResourceDefinition>): boolean {
    const wanted = plainJson(this.#wanted, this.#name);
    const stored = plainJson(found, this.#name);
    if (!isObject(wanted) || !isObject(stored)) return false;
    return jsonEqual(wanted["spec"], comparable(stored["spec"], wanted["spec"])) &&
      includes(stored["metadata"], wanted["metadata"]);
  }

  async #wait(
    first: Cached<CustomResourceDefinition>,
  ): Promise<Cached<CustomResourceDefinition>> {
    const { clock = realClock, random = realRandom } = this.#client.environment;
    const delays = new Backoff(POLL, random);
    let current: Cached<CustomResourceDefinition> | undefined = first;
    for (;;) {
      if (current === undefined) throw new Error("it was deleted meanwhile");
      const { conditions } = current.status ?? {};
      const names = findStatusCondition(conditions, "NamesAccepted");
      if (names?.status === "False") {
        throw new Error(
          `its names are taken (${names.reason}): ${names.message}: delete the other CustomResourceDefinition, or choose other names`,
        );
      }
      if (isStatusConditionTrue(conditions, "Established")) return current;
      this.#state = conditions === undefined
        ? "it has no conditions yet"
        : "its condition Established is not True yet";
      await delay(delays.step(), { clock, signal: this.#signal });
      current = await this.#get();
    }
  }

  async #attempt<R>(verb: string, run: () => Promise<R>): Promise<R> {
    try {
      return await run();
    } catch (error) {
      if (this.#signal.aborted && error === this.#signal.reason) throw this.#stopped(error);
      const what = isForbidden(error)
        ? `the right to ${verb} customresourcedefinitions.apiextensions.k8s.io is missing: ${
          describeError(error)
        }`
        : explainError(error);
      // No retry can help if none can help the request.
      const ErrorClass = TerminalError.is(error) ? TerminalError : Error;
      throw new ErrorClass(`Cannot install the CustomResourceDefinition ${this.#name}: ${what}`, {
        cause: error,
      });
    }
  }

  /** Says after the time limit which definition it was; any other reason is the caller's. */
  #stopped(reason: unknown): unknown {
    if (!(reason instanceof DOMException) || reason.name !== "TimeoutError") return reason;
    return new DOMException(
      `The CustomResourceDefinition ${this.#name} is ${reason.message}: ${this.#state}`,
      "TimeoutError",
    );
  }
}

/** Returns the stored spec without the conversion, which the server sets, if the wanted one does not have it. */
function comparable(stored: Json | undefined, wanted: Json | undefined): Json | undefined {
  if (!isObject(stored) || !isObject(wanted) || wanted["conversion"] !== undefined) return stored;
  const { conversion: _, ...rest } = stored;
  return rest;
}

/** Reports whether every field of `part` is in `whole`, with the same value. */
function includes(whole: Json | undefined, part: Json | undefined): boolean {
  if (isObject(whole) && isObject(part)) {
    return Object.entries(part).every(([key, value]) => includes(whole[key], value));
  }
  return jsonEqual(whole, part);
}
