import { type Clock, delay } from "../../../src/base/mod.ts";
import type { ApiServer } from "../../../src/testing/api_server/mod.ts";
import { type Life, livingBody } from "../../../src/testing/simulation/world/mod.ts";
import type { Draw } from "./draw.ts";
import type { ServerPlan } from "./plan.ts";
import { joinChunks, splitChunks } from "./rechunk.ts";

/** A request of a process. */
export interface SentRequest {
  readonly atMs: number;
  /** The selection that is listed or watched. */
  readonly what: string;
  /** Whether it is for a later page of a list. */
  readonly isPage: boolean;
}

/** The network of a process: it ends with the life of the process, and shows the server that the plan describes. */
export class ProcessWire {
  readonly requests: SentRequest[] = [];
  readonly #server: ApiServer;
  readonly #clock: Clock;
  readonly #draw: Draw;
  readonly #life: Life;
  readonly #plan: ServerPlan;
  readonly #tell: (text: string) => void;

  constructor(
    parts: {
      readonly server: ApiServer;
      /** The clock of the network. */
      readonly clock: Clock;
      readonly draw: Draw;
      readonly life: Life;
      readonly plan: ServerPlan;
      readonly tell: (text: string) => void;
    },
  ) {
    this.#server = parts.server;
    this.#clock = parts.clock;
    this.#draw = parts.draw;
    this.#life = parts.life;
    this.#plan = parts.plan;
    this.#tell = parts.tell;
  }

  readonly fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const life = this.#life;
    if (life.isDead) return await life.deliver(undefined) as never;
    const original = new Request(input, init);
    const url = new URL(original.url);
    const query = url.searchParams;
    const selector = query.get("labelSelector") ?? "";
    const isPage = query.has("continue");
    const what = `${url.pathname} ${selector}`;
    this.requests.push({ atMs: life.clock.now(), what, isPage });
    this.#tell(`${original.method} ${url.pathname.slice(8)}${url.search}`);
    const request = this.#adapt(url) ? new Request(url, original) : original;
    let response: Response;
    try {
      const { pageMs } = this.#plan;
      if (isPage && pageMs > 0) {
        await delay(pageMs, { clock: this.#clock, signal: original.signal });
      }
      response = await this.#server.fetch(request);
    } catch (error) {
      return await life.fail(error);
    }
    // The connection of a process that dies ends, even if it never sees the answer.
    if (life.isDead) await response.body?.cancel();
    const body = response.body && livingBody(this.#carry(response.body), life, {
      seen: () => {},
      onCut: () => () => {},
    });
    await life.deliver(undefined);
    if (!response.ok) this.#tell(`answer ${response.status} to ${what}`);
    const { headers, status } = response;
    return new Response(body, { status, headers });
  };

  /** Makes other chunks of a body. */
  #carry(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const { joinMs, splits } = this.#plan;
    const joined = joinMs > 0 ? joinChunks(body, this.#clock, joinMs) : body;
    return splits ? splitChunks(joined, this.#draw) : joined;
  }

  /** Makes a request what an older server, or one with its own mind, would take it for. Returns whether it changed. */
  #adapt(url: URL): boolean {
    const { knowsStreamingLists, pageSize, sendsBookmarks } = this.#plan;
    const query = url.searchParams;
    const before = url.search;
    if (!knowsStreamingLists && query.has("sendInitialEvents")) {
      query.delete("sendInitialEvents");
      query.delete("resourceVersionMatch");
    }
    if (query.has("watch")) {
      if (!sendsBookmarks && !query.has("sendInitialEvents")) query.delete("allowWatchBookmarks");
    } else if (pageSize > 0 && query.get("resourceVersion") !== "0") {
      query.set("limit", String(pageSize));
      // Without it, a list in pages shows exactly the version, although the request does not ask for that.
      if (query.get("resourceVersion")) query.set("resourceVersionMatch", "NotOlderThan");
    }
    return url.search !== before;
  }
}
