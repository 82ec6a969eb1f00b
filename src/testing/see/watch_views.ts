import type { Rates, WatchView } from "@kubeloop/controller/internal/see";
import { visibleText } from "@kubeloop/controller/internal/base";
import type { OpenWatch, StoreView } from "../api_server/mod.ts";
import { clientName, type Clients } from "./clients.ts";

/** Above this many objects of a resource, the objects of a namespace are not counted. */
const MAX_COUNTED = 10_000;

interface Progress {
  readonly sent: number;
  /** The time at which it last grew. */
  readonly grownMs: number;
  /** The time from which lines have waited; undefined if none waits. */
  readonly behindMs: number | undefined;
}

/** Options of {@linkcode WatchViews.look}. */
export interface Look {
  readonly watches: readonly OpenWatch[];
  readonly stores: readonly StoreView[];
  readonly clients: Clients;
  readonly rates: Rates;
  readonly nowMs: number;
}

interface Group {
  readonly name: string;
  readonly client: string;
  readonly resource: string;
  readonly namespace: string;
  count: number;
  sent: number;
  backlog: number;
}

/** The open watches as a page shows them. The watches of one client and one resource are one entry. */
export class WatchViews {
  #progress = new Map<string, Progress>();

  /** Returns the views: longest queue first, then most events sent. */
  look({ clients, nowMs, rates, stores, watches }: Look): WatchView[] {
    const progress = new Map<string, Progress>();
    const objects = new Map(stores.map((store) => [store.resource, store]));
    const groups = groupsOf(watches).sort((a, b) =>
      b.backlog - a.backlog || b.sent - a.sent || (a.name < b.name ? -1 : 1)
    );
    const views = groups.map((group) => {
      const { backlog, client, name, namespace, resource, sent } = group;
      const before = this.#progress.get(name);
      const grownMs = before === undefined || before.sent !== sent ? nowMs : before.grownMs;
      const behindMs = backlog === 0 ? undefined : before?.behindMs ?? nowMs;
      progress.set(name, { sent, grownMs, behindMs });
      const opened = clients.get(client)?.resources.get(resource)?.watches ?? 0;
      const view: WatchView = {
        name,
        phase: "watching",
        silentMs: nowMs - grownMs,
        ...(behindMs !== undefined && { lagMs: nowMs - behindMs }),
        eventsPerSecond: rates.sample(`watch ${name}`, sent, nowMs),
        reconnects: Math.max(0, opened - group.count),
        queued: backlog,
        objects: countOf(objects.get(resource), namespace),
        controllers: [client],
      };
      return view;
    });
    this.#progress = progress;
    return views;
  }
}

function groupsOf(watches: readonly OpenWatch[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { author, namespace, progress, resource } of watches) {
    const client = clientName(author);
    const scope = namespace === "" ? client : `${client}, ${visibleText(namespace, 80)}`;
    const name = `${visibleText(resource, 200)} (${scope})`;
    const group = groups.get(name) ??
      { name, client, resource, namespace, count: 0, sent: 0, backlog: 0 };
    groups.set(name, group);
    group.count++;
    group.sent += progress.sent;
    group.backlog += progress.backlog;
  }
  return [...groups.values()];
}

function countOf(store: StoreView | undefined, namespace: string): number {
  if (store === undefined) return 0;
  const isCounted = namespace !== "" && store.size <= MAX_COUNTED;
  return isCounted ? store.list(namespace).length : store.size;
}
