import { type Clock, isRecord, parseJson } from "@kubeloop/controller/internal/base";
import { maskedValue } from "@kubeloop/controller/internal/fields";
import {
  type Attention,
  type ControllerView,
  exportedStories,
  type ExportForm,
  type KeyQuery,
  type KeyView,
  Listeners,
  Rates,
  type SeeSource,
  type SeeState,
} from "@kubeloop/controller/internal/see";
import { storiesText, type Story } from "@kubeloop/controller/operator";
import type { KubeObject, ResourceDescriptor } from "@kubeloop/controller/types";
import type { ApiServer, ServerRequest, ServerWrite, StoreView } from "../api_server/mod.ts";
import { type ClientCounts, clientName, Clients, isWrite } from "./clients.ts";
import { storyOf } from "./stories_of.ts";
import { troublesOfClient, troublesOfWrites } from "./troubles.ts";
import { Unsettled } from "./unsettled.ts";
import { WatchViews } from "./watch_views.ts";
import { idOf, type Recorded, WriteLog } from "./write_log.ts";

const MAX_ATTENTION = 100;
const MAX_WATCHES = 12;
/** A client without a watch counts as running for this time after its last request, in milliseconds. */
const RUNNING_MS = 60_000;
/** A client that has sent nothing for this time, and has no watch, is not shown, in milliseconds. */
const GONE_MS = 300_000;
/** The maximum number of resources that are named for one client. */
const MAX_NAMED = 3;
/** The limits of the recorded writes. */
const LIMITS = { objects: 2_000, writes: 20, characters: 8 * 1024 * 1024 } as const;
/** The name of an object that a refused request would have created. */
const NEW_OBJECT = "(new)";

/** The part of an {@linkcode ApiServer} that a page shows. */
export type SeenServer = Pick<
  ApiServer,
  "clientOptions" | "onRequest" | "onWrite" | "stores" | "watches"
>;

/** Options of a {@linkcode ClusterSource}. */
export interface ClusterSourceOptions {
  /** The title of the page. Default `cluster`. */
  readonly title?: string | undefined;
  /** The address of the server. Default: that it is in this process. */
  readonly address?: string | undefined;
}

interface ObjectName {
  /** The full name of the resource, as in `deployments.apps`. */
  readonly controller: string;
  readonly key: string;
}

/**
 * An API server as the source of a page. Its controllers are the clients of the server. The controller of a key is the resource
 * of an object, and each of its stories is a write.
 *
 * While no page is open, it keeps the last writes and counts requests; it compares and searches nothing.
 */
export class ClusterSource implements SeeSource, Disposable {
  /** The address of the server, as a page shows it. */
  address: string;
  readonly #server: SeenServer;
  readonly #title: string;
  readonly #clock: Clock;
  readonly #log = new WriteLog(LIMITS);
  readonly #clients = new Clients();
  readonly #rates = new Rates();
  readonly #watches = new WatchViews();
  readonly #unsettled: Unsettled;
  readonly #listeners: Listeners;
  readonly #remove: readonly (() => void)[];

  /** Starts to record the writes and the requests of a server. */
  constructor(server: SeenServer, options: ClusterSourceOptions = {}) {
    const { address = "in this process", title = "cluster" } = options;
    this.address = address;
    this.#title = title;
    this.#server = server;
    this.#clock = server.clientOptions.clock;
    this.#unsettled = new Unsettled({
      stores: () => server.stores(),
      now: () => this.#clock.wallNow(),
    });
    this.#listeners = new Listeners({
      clock: this.#clock,
      opened: () => this.#unsettled.start(),
      closed: () => this.#unsettled.stop(),
    });
    this.#remove = [
      server.onWrite((write) => this.#wrote(write)),
      server.onRequest((request) => this.#answered(request)),
    ];
  }

  state(): SeeState {
    const nowMs = this.#clock.now();
    const wallMs = this.#clock.wallNow();
    const watches = this.#server.watches();
    const views = this.#watches.look({
      watches,
      stores: this.#server.stores(),
      clients: this.#clients,
      rates: this.#rates,
      nowMs,
    });
    const watching = new Set(watches.map(({ author }) => clientName(author)));
    const present = this.#clients.all().filter(({ lastMs, name }) =>
      watching.has(name) || nowMs - lastMs <= GONE_MS
    );
    const attention: Attention[] = [];
    const failing = this.#failing();
    const controllers = present.map((client) => {
      const requestsPerSecond = this.#rates.sample(
        `requests ${client.name}`,
        client.requests,
        nowMs,
      );
      attention.push(...troublesOfClient(client, { nowMs, wallMs, requestsPerSecond }));
      return this.#viewOf(client, { nowMs, failing, isWatching: watching.has(client.name) });
    });
    this.#rates.endRound();
    attention.unshift(...this.#objectsWithTrouble(wallMs));
    const notes = notesOf([
      [this.#log.dropped, "older writes were dropped"],
      [views.length - MAX_WATCHES, "more watches are not shown"],
      [attention.length - MAX_ATTENTION, "more things need attention"],
    ]);
    return {
      title: this.#title,
      kind: "cluster",
      phase: "running",
      at: new Date(wallMs).toISOString(),
      server: this.address,
      watches: views.slice(0, MAX_WATCHES),
      controllers: controllers.sort((a, b) => a.name < b.name ? -1 : 1),
      attention: attention.slice(0, MAX_ATTENTION),
      actions: [],
      ...(notes.length > 0 && { notes }),
    };
  }

  keys({ controller, limit, text = "" }: KeyQuery): { keys: KeyView[]; total: number } {
    const found = new Map<string, KeyView>();
    const matches = (resource: string, key: string) =>
      key.includes(text) || resource.includes(text);
    const add = (resource: string, key: string, writes: readonly Recorded[]) => {
      const id = idOf(resource, key);
      // The object whose key is the whole text is found among any number of longer names.
      if ((found.size >= limit && key !== text) || found.has(id)) return;
      found.set(id, keyViewOf(resource, key, writes));
    };
    const isWanted = (resource: string, writes: readonly Recorded[]) =>
      controller === undefined || resource === controller || isBy(writes, controller);
    for (const { controller: resource, key } of this.#objectsWithTrouble(this.#clock.wallNow())) {
      if (resource === undefined || key === undefined || !matches(resource, key)) continue;
      const writes = this.#log.of(resource, key);
      if (isWanted(resource, writes)) add(resource, key, writes);
    }
    const recorded = new Set<string>();
    for (const writes of this.#log.newest()) {
      const { key, resource } = writes[0]!;
      if (!matches(resource, key) || !isWanted(resource, writes)) continue;
      recorded.add(idOf(resource, key));
      add(resource, key, writes);
    }
    const others = controller === undefined || this.#clients.get(controller) === undefined
      ? this.#others({ controller, limit, text }, recorded, (resource, key) => {
        add(resource, key, []);
      })
      : 0;
    return { keys: [...found.values()], total: recorded.size + others };
  }

  stories({ controller, key }: ObjectName): readonly Story[] {
    return this.#log.of(controller, key).map((one) => storyOf(one));
  }

  versions({ controller, key }: ObjectName): { before?: unknown; after: unknown } | undefined {
    const writes = this.#log.of(controller, key).filter(({ write }) => write !== undefined);
    const last = writes.at(-1)?.write;
    if (last !== undefined) {
      const before = last.previous();
      return {
        ...(before !== undefined && { before: maskedValue(before, controller) }),
        after: maskedValue(last.object(), controller),
      };
    }
    const stored = this.#storeOf(controller)?.get(key);
    return stored === undefined
      ? undefined
      : { after: maskedValue(parseJson(stored.text), controller) };
  }

  act(): Promise<string> {
    return Promise.reject(new Error("The page of a cluster has no actions: use kubectl"));
  }

  export({ controller, form, key }: ObjectName & { readonly form: ExportForm }): string {
    const patches = form === "workload";
    const stories = this.#log.of(controller, key).map((one) => storyOf(one, { patches }));
    const resource = descriptorOf(controller, key, this.versions({ controller, key })?.after);
    return exportedStories(
      { controller, key, resource, stories, text: () => storiesText(stories) },
      form,
    );
  }

  subscribe(changed: () => void): () => void {
    return this.#listeners.add(changed);
  }

  /** Stops to record. */
  [Symbol.dispose](): void {
    for (const remove of this.#remove) remove();
    this.#listeners.clear();
  }

  #wrote(write: ServerWrite): void {
    const { author, name, namespace, resource } = write;
    const key = namespace === "" ? name : `${namespace}/${name}`;
    this.#log.add({
      atMs: this.#clock.wallNow(),
      resource,
      key,
      author,
      write,
      request: undefined,
    });
    if (this.#listeners.isOpen) this.#unsettled.wrote(write);
  }

  #answered(request: ServerRequest): void {
    this.#clients.count(request, this.#clock.now());
    if (!isWrite(request)) return;
    if (request.code < 400) return this.#log.answer(request);
    const { author, name, namespace, resource } = request;
    const last = name === "" ? NEW_OBJECT : name;
    this.#log.add({
      atMs: this.#clock.wallNow(),
      resource,
      key: namespace === "" ? last : `${namespace}/${last}`,
      author,
      write: undefined,
      request,
    });
  }

  #objectsWithTrouble(wallMs: number): Attention[] {
    return [...troublesOfWrites(this.#log.newest(), wallMs), ...this.#unsettled.attention()];
  }

  /** Adds matching objects without a recorded write. Returns their number. */
  #others(
    { controller, limit, text = "" }: KeyQuery,
    recorded: ReadonlySet<string>,
    add: (resource: string, key: string) => void,
  ): number {
    let count = 0;
    for (const store of this.#server.stores()) {
      const { resource, size } = store;
      if (controller !== undefined && resource !== controller) continue;
      if (text === "" && count >= limit) {
        count += size;
        continue;
      }
      const isWhole = resource.includes(text);
      for (const { key } of store.list("")) {
        if ((!isWhole && !key.includes(text)) || recorded.has(idOf(resource, key))) continue;
        count++;
        add(resource, key);
      }
    }
    return count;
  }

  /** Returns the number of objects of each client whose last write was refused. */
  #failing(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const writes of this.#log.newest()) {
      const last = writes.at(-1);
      // An object that is gone cannot be written any more.
      if (last?.author === undefined || (last.request?.code ?? 0) < 400) continue;
      if (last.request?.code === 404) continue;
      const name = clientName(last.author);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  #viewOf(
    { lastMs, name, refused, resources, writes }: ClientCounts,
    { failing, isWatching, nowMs }: {
      readonly nowMs: number;
      readonly failing: ReadonlyMap<string, number>;
      readonly isWatching: boolean;
    },
  ): ControllerView {
    const written = [...resources].filter(([, counts]) => counts.writes > 0)
      .sort(([, a], [, b]) => b.writes - a.writes).map(([resource]) => resource);
    return {
      name,
      resource: written.slice(0, MAX_NAMED).join(", "),
      queued: 0,
      delayed: 0,
      failing: failing.get(name) ?? 0,
      busy: 0,
      workers: 0,
      reconcilesPerSecond: this.#rates.sample(`writes ${name}`, writes, nowMs),
      errorsPerSecond: this.#rates.sample(`refused ${name}`, refused, nowMs),
      isRunning: isWatching || nowMs - lastMs <= RUNNING_MS,
    };
  }

  #storeOf(resource: string): StoreView | undefined {
    return this.#server.stores().find((store) => store.resource === resource);
  }
}

/** Returns the resource of an object, as a client names it. */
function descriptorOf(resource: string, key: string, object: unknown): ResourceDescriptor {
  const { apiVersion, kind } = (isRecord(object) ? object : {}) as Partial<KubeObject>;
  const [plural = "", ...group] = resource.split(".");
  return {
    group: group.join("."),
    version: apiVersion?.split("/").at(-1) ?? "v1",
    plural,
    kind: kind ?? plural,
    namespaced: key.includes("/"),
  };
}

function isBy(writes: readonly Recorded[], client: string): boolean {
  return writes.some(({ author }) => author !== undefined && clientName(author) === client);
}

function keyViewOf(resource: string, key: string, writes: readonly Recorded[]): KeyView {
  const last = writes.at(-1);
  if (last === undefined) return { controller: resource, key, result: "idle", stories: 0 };
  const { error, result, startedAt } = storyOf({ ...last, changed: [] });
  return {
    controller: resource,
    key,
    result,
    at: startedAt,
    stories: writes.length,
    ...(writes.findLast(({ write }) => write !== undefined)?.write?.type === "DELETED" && {
      isGone: true,
    }),
    ...(error !== undefined && { error }),
  };
}

function notesOf(counts: readonly (readonly [count: number, what: string])[]): string[] {
  return counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
}
