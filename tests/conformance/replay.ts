import { silentLogger } from "../../src/base/mod.ts";
import { ApiServer, SeededRandom, type TokenUser, VirtualClock } from "../../src/testing/mod.ts";
import { Substitutions } from "./substitutions.ts";
import type { End, Transcript } from "./transcript.ts";

/** How a replayed exchange compares. */
export interface Outcome {
  /** The digits that name the exchange. */
  readonly id: string;
  /** What differs; empty when nothing does. */
  readonly differences: readonly string[];
}

const TOKENS: Record<string, TokenUser> = {
  "demo-admin-token": { user: "demo-admin", uid: "uid-admin", groups: ["system:masters"] },
  "demo-nobody-token": { user: "demo-nobody", uid: "uid-nobody", groups: ["demo-none"] },
};

/** Headers whose values are compared. */
const COMPARED_HEADERS = [
  "content-type",
  "warning",
  "retry-after",
  "x-content-type-options",
  "vary",
  "content-encoding",
];

/** Request headers that a transport sets. */
const TRANSPORT_HEADERS = /^(host|content-length|expect|accept-encoding)$/i;

/** Something that is done while a watch is open. */
export type During = () => Promise<void>;

/** Replays recorded exchanges against one server of ours, whose clock and revisions follow the recording. */
export class Replay {
  /** The server. */
  readonly server: ApiServer;
  /** Its clock. */
  readonly clock: VirtualClock;
  /** What has been replayed. */
  readonly outcomes: Outcome[] = [];
  readonly #transcripts: ReadonlyMap<string, Transcript>;
  readonly #skipped: ReadonlySet<string>;
  readonly #same = new Substitutions();
  readonly #origin: string;
  #padding = 0;

  /** A fresh server that starts when the recording did. */
  constructor(
    transcripts: ReadonlyMap<string, Transcript>,
    options: {
      start: string;
      origin: string;
      skipped: ReadonlySet<string>;
      minRequestTimeoutMs?: number;
    },
  ) {
    this.#transcripts = transcripts;
    this.#skipped = options.skipped;
    this.#origin = options.origin;
    this.clock = new VirtualClock({ wallStartMs: Date.parse(options.start) });
    this.server = new ApiServer({
      clock: this.clock,
      random: new SeededRandom(1),
      logger: silentLogger,
      tokens: TOKENS,
      ...(options.minRequestTimeoutMs === undefined
        ? {}
        : { minRequestTimeoutMs: options.minRequestTimeoutMs }),
    });
  }

  /** Moves the clock on to a wall time of the recording. */
  async at(time: string): Promise<void> {
    const ms = Date.parse(time) - this.clock.wallNow();
    if (ms > 0) await this.clock.advance(ms);
  }

  /** Sends a request that was not recorded. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    type = "application/json",
  ): Promise<void> {
    const response = await this.server.fetch(this.#origin + path, {
      method,
      headers: {
        "authorization": "Bearer demo-admin-token",
        "user-agent": "wire-recorder",
        "content-type": type,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Setting up: ${method} ${path} answered ${text}`);
  }

  /** Writes to a resource that nobody looks at until the revision is `revision`. */
  async pad(revision: number): Promise<void> {
    const path = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    while (Number(this.server.resourceVersion) < revision) {
      await this.send("POST", path, { metadata: { name: `pad-${this.#padding++}` } });
    }
  }

  /** Replays the exchanges from `first` to `last`. */
  async run(first: string, last: string = first): Promise<void> {
    for (const id of this.#transcripts.keys()) {
      if (id >= first && id <= last) await this.exchange(id);
    }
  }

  /** Replays one exchange, with what happened while it was open. */
  async exchange(id: string, during?: During): Promise<void> {
    const transcript = this.#transcripts.get(id)!;
    // What is out of scope is not sent where it would change the state in another way than it did.
    if (this.#skipped.has(id) && transcript.method !== "GET") return;
    const date = transcript.headers.get("date");
    if (date !== undefined && transcript.end === undefined) await this.at(date);
    let differences: string[];
    try {
      differences = await this.#compare(transcript, during);
    } catch (error) {
      differences = [`failed: ${error instanceof Error ? error.stack : error}`];
    }
    if (!this.#skipped.has(id)) this.outcomes.push({ id, differences });
  }

  async #compare(transcript: Transcript, during: During | undefined): Promise<string[]> {
    const abort = new AbortController();
    const pending = this.server.fetch(this.#requestOf(transcript, abort.signal));
    const response = await this.#settle(pending);
    let text: string;
    let endedBy: End = "server";
    if (transcript.end !== undefined && response.ok) {
      ({ text, endedBy } = await this.#watch(response, transcript, abort, during));
    } else {
      await during?.();
      text = await this.clock.run(response.text());
    }
    const differences: string[] = [];
    if (response.status !== transcript.status) {
      differences.push(`status ${response.status} instead of ${transcript.status}`);
    }
    for (const name of COMPARED_HEADERS) {
      const found = response.headers.get(name) ?? undefined;
      const wanted = transcript.headers.get(name);
      if (found !== wanted) differences.push(`${name}: ${found} instead of ${wanted}`);
    }
    if (response.headers.has("content-length") !== transcript.headers.has("content-length")) {
      differences.push(`content-length ${response.headers.get("content-length")}`);
    }
    if (transcript.end !== undefined && endedBy !== transcript.end.by) {
      differences.push(`ended by the ${endedBy} instead of the ${transcript.end.by}`);
    }
    const difference = this.#same.difference(text, transcript.body, transcript.cutLength);
    if (!transcript.binary && difference !== undefined) differences.push(difference);
    return differences;
  }

  #requestOf(transcript: Transcript, signal: AbortSignal): Request {
    const headers = new Headers();
    for (const [name, value] of transcript.requestHeaders) {
      if (!TRANSPORT_HEADERS.test(name)) headers.append(name, value);
    }
    const { method, requestBody } = transcript;
    return new Request(this.#origin + this.#same.inUrl(transcript.target), {
      method,
      headers,
      signal,
      ...(requestBody === undefined
        ? {}
        : { body: new TextEncoder().encode(this.#same.inText(requestBody)) }),
    });
  }

  /** Waits for an answer, moving the clock on where the server waits. */
  async #settle(pending: Promise<Response>): Promise<Response> {
    await this.clock.settle();
    return this.clock.run(pending, 60_000);
  }

  async #watch(
    response: Response,
    transcript: Transcript,
    abort: AbortController,
    during: During | undefined,
  ): Promise<{ text: string; endedBy: End }> {
    const { atMs } = transcript.end!;
    const startMs = this.clock.now();
    const decoder = new TextDecoder();
    let text = "";
    let endedBy: End | undefined;
    const reader = response.body!.getReader();
    const reading = (async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        text += decoder.decode(next.value, { stream: true });
      }
      endedBy = "server";
    })().catch(() => {
      endedBy ??= "crash";
    });
    await this.clock.settle();
    await during?.();
    const leftMs = startMs + atMs - this.clock.now();
    if (leftMs > 0) await this.clock.advance(leftMs);
    await this.clock.settle();
    if (endedBy === undefined) {
      endedBy = "client";
      abort.abort();
    }
    await reading;
    return { text, endedBy };
  }
}
