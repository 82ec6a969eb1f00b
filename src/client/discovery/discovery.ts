import {
  abortable,
  type Clock,
  describeValue,
  isRecord,
  type Redact,
  TokenBucket,
} from "../../base/mod.ts";
import type { DiscoveredResource, GroupVersionKind } from "./discovered_resource.ts";
import { type ReadPath, readResources } from "./read_resources.ts";
import { ResourceIndex } from "./resource_index.ts";

/**
 * How often the server is asked again for a kind that it does not have: some times in a row, for programs that install
 * definitions one after the other, and then every ten seconds.
 */
const REFRESHES = { qps: 0.1, burst: 10 };

/** The resources of a server, read when they are first needed, and again when one is missing. */
export class Discovery {
  readonly #read: ReadPath;
  /** Hides credentials in the names of a server. */
  readonly #redact: Redact;
  readonly #refreshes: TokenBucket;
  #index: ResourceIndex | undefined;
  #reading: Promise<ResourceIndex> | undefined;

  constructor(
    read: ReadPath,
    { clock, redact }: { readonly clock: Clock; readonly redact: Redact },
  ) {
    this.#read = read;
    this.#redact = redact;
    this.#refreshes = new TokenBucket({ ...REFRESHES, clock });
  }

  /**
   * Returns the resource of a kind or a name.
   *
   * @throws {TypeError} If `what` is neither.
   * @throws {NoMatchError} If the server has no such resource.
   */
  async resourceFor(
    what: GroupVersionKind | string,
    signal: AbortSignal,
  ): Promise<DiscoveredResource> {
    if (typeof what === "string") {
      const name = requireText("name of a resource", what);
      return await this.#find(
        (index) => index.ofName(name),
        (index) => index.noName(name),
        signal,
      );
    }
    if (!isRecord(what)) {
      throw new TypeError(
        'resourceFor() needs { apiVersion, kind } or a name such as "pods": received ' +
          describeValue(what),
      );
    }
    const kind = {
      apiVersion: requireText("apiVersion of the kind", what.apiVersion),
      kind: requireText("kind", what.kind),
    };
    return await this.#find((index) => index.ofKind(kind), (index) => index.noKind(kind), signal);
  }

  /**
   * Returns the resources of names, separated by commas. Each name may be a category.
   *
   * @throws {TypeError} If `names` is not a text.
   * @throws {NoMatchError} If the server has neither a resource nor a category of a name.
   */
  async resourcesFor(names: string, signal: AbortSignal): Promise<DiscoveredResource[]> {
    const found = new Set<DiscoveredResource>();
    const given = requireText("name of resources", names).split(",");
    for (const name of given.map((one) => requireText("name of resources", one))) {
      const resources = await this.#find(
        (index) => {
          const one = index.ofName(name);
          const all = one === undefined ? index.inCategory(name) : [one];
          return all.length === 0 ? undefined : all;
        },
        (index) => index.noName(name),
        signal,
      );
      for (const resource of resources) found.add(resource);
    }
    return [...found];
  }

  /** Returns all resources, as they were last read. */
  async resources(signal: AbortSignal): Promise<readonly DiscoveredResource[]> {
    const index = this.#index ?? await abortable(this.#refresh(), signal);
    return index.resources;
  }

  async #find<R>(
    lookUp: (index: ResourceIndex) => R | undefined,
    missed: (index: ResourceIndex) => Error,
    signal: AbortSignal,
  ): Promise<R> {
    let index = this.#index;
    // A reading that is under way may have begun before the kind came into being: then one more is needed.
    for (let tries = 0; tries < 2; tries++) {
      const found = index && lookUp(index);
      if (found !== undefined) return found;
      const isUnderWay = this.#reading !== undefined;
      if (!isUnderWay && !this.#refreshes.tryAccept() && index !== undefined) break;
      index = await abortable(this.#refresh(), signal);
      if (!isUnderWay) break;
    }
    const found = index && lookUp(index);
    if (found !== undefined) return found;
    throw missed(index!);
  }

  /** Reads the resources, for all who wait for them: it does not end with the signal of one of them. */
  #refresh(): Promise<ResourceIndex> {
    this.#reading ??= this.#readIndex().finally(() => this.#reading = undefined);
    // The callers may have stopped waiting.
    this.#reading.catch(() => {});
    return this.#reading;
  }

  async #readIndex(): Promise<ResourceIndex> {
    this.#index = new ResourceIndex(await readResources(this.#read), this.#redact);
    return this.#index;
  }
}

function requireText(what: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw new TypeError(
    `Missing ${what}: expected a non-empty string, received ${describeValue(value)}`,
  );
}
