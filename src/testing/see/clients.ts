import { LruMap, visibleText } from "@kubeloop/controller/internal/base";
import { type RequestAuthor, type ServerRequest, WRITE_VERBS } from "../api_server/mod.ts";

/** The maximum numbers of clients, and of resources that are counted for each. */
const MAX_CLIENTS = 200;
const MAX_RESOURCES = 50;
const MAX_NAME_LENGTH = 80;
const MAX_MESSAGE_LENGTH = 1_000;
/** Matches the names of nearly all clients, which need no escapes. */
const PLAIN_NAME = /^[\w.:@-]{1,80}$/;
/** The number of lists of one resource whose times are kept. */
const KEPT_LISTS = 5;

/** The counts of one client and one resource. */
export interface ResourceCounts {
  requests: number;
  writes: number;
  watches: number;
  /** The times of the last lists of the whole resource, in milliseconds of the clock. */
  readonly lists: number[];
}

/** The requests of one client. */
export interface ClientCounts {
  readonly name: string;
  requests: number;
  writes: number;
  /** The number of refused writes, and of reads that lack a right. */
  refused: number;
  /** The time of the last request, in milliseconds of the clock. */
  lastMs: number;
  /** The last refusal for a missing right. */
  forbidden: { readonly message: string; readonly atMs: number } | undefined;
  readonly resources: LruMap<string, ResourceCounts>;
}

/** Counts the requests of the clients that have sent requests most recently. */
export class Clients {
  readonly #clients = new LruMap<string, ClientCounts>(MAX_CLIENTS);
  #last: ClientCounts | undefined;

  /** Counts a request. */
  count(request: ServerRequest, nowMs: number): void {
    const { author, code, resource, verb } = request;
    const client = this.#clientOf(clientName(author));
    client.requests++;
    client.lastMs = nowMs;
    const isWriting = isWrite(request);
    const isRefused = code >= 400;
    const isForbidden = code === 401 || code === 403;
    if (isForbidden) client.forbidden = { message: shownMessage(request), atMs: nowMs };
    if (isRefused && (isWriting || isForbidden)) client.refused++;
    else if (isWriting) client.writes++;
    if (resource === "") return;
    const counts = countsOf(client.resources, resource);
    counts.requests++;
    if (isWriting) counts.writes++;
    else if (isRefused) return;
    else if (verb === "watch") counts.watches++;
    else if (verb === "list" && isWholeList(request)) {
      counts.lists.push(nowMs);
      if (counts.lists.length > KEPT_LISTS) counts.lists.shift();
    }
  }

  #clientOf(name: string): ClientCounts {
    // A client often sends several requests in a row.
    if (this.#last?.name === name) return this.#last;
    const client = this.#clients.get(name) ?? newClient(name);
    this.#clients.set(name, client);
    return this.#last = client;
  }

  /** Returns the client with a name. */
  get(name: string): ClientCounts | undefined {
    return this.#clients.get(name);
  }

  /** Returns the clients. */
  all(): ClientCounts[] {
    return [...this.#clients.values()];
  }
}

/** Returns the name of a client: that of its field manager, or the first part of its User-Agent. */
export function clientName({ fieldManager, user, userAgent }: RequestAuthor): string {
  const product = userAgent.split("/", 1)[0]!.trim();
  const name = fieldManager || product || user || "unknown";
  return PLAIN_NAME.test(name) ? name : visibleText(name, MAX_NAME_LENGTH);
}

/** Reports whether a request writes an object. */
export function isWrite({ resource, verb }: Pick<ServerRequest, "resource" | "verb">): boolean {
  return resource !== "" && WRITE_VERBS.has(verb);
}

/**
 * Returns the message of a refusal. That of a write of a Secret may be of an admission webhook, and hold a value of it.
 */
export function shownMessage({ code, message, resource, ...request }: ServerRequest): string {
  const isShown = message !== undefined &&
    !(resource === "secrets" && isWrite({ resource, ...request }));
  return isShown ? visibleText(message, MAX_MESSAGE_LENGTH) : `refused with ${code}`;
}

/** Reports whether a list begins one of a whole resource: a further page and one object do not. */
function isWholeList({ query }: ServerRequest): boolean {
  return !query.has("continue") && !query.has("fieldSelector");
}

function countsOf(resources: LruMap<string, ResourceCounts>, name: string): ResourceCounts {
  let counts = resources.get(name);
  if (counts === undefined) resources.set(name, counts = newCounts());
  return counts;
}

function newClient(name: string): ClientCounts {
  return {
    name,
    requests: 0,
    writes: 0,
    refused: 0,
    lastMs: 0,
    forbidden: undefined,
    resources: new LruMap(MAX_RESOURCES),
  };
}

function newCounts(): ResourceCounts {
  return { requests: 0, writes: 0, watches: 0, lists: [] };
}
