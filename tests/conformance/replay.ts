import { withoutGoTexts } from "./go_texts.ts";
import type { ServerFactory, ServerSetting, ServerUnderTest } from "./server_under_test.ts";
import { Substitutions } from "./substitutions.ts";
import type { End, Transcript } from "./transcript.ts";

/** A recorded sequence of requests, including those without a transcript. */
export interface Scenario {
  /** The settings of the server. */
  readonly setting: ServerSetting;
  /** Sends all requests to the server of `replay`. */
  play(replay: Replay): Promise<void>;
}

/** The result of a replayed exchange. */
export interface Outcome {
  /** The number of the exchange. */
  readonly id: string;
  /** The differences; empty if there are none. */
  readonly differences: readonly string[];
}

/** The headers whose values are compared. */
const COMPARED_HEADERS = [
  "content-type",
  "warning",
  "retry-after",
  "x-content-type-options",
  "vary",
  "content-encoding",
];

/** The request headers that a transport sets. */
const TRANSPORT_HEADERS = /^(host|content-length|expect|accept-encoding)$/i;

/** An action that runs while a watch is open. */
export type During = () => Promise<unknown>;

/** Replays recorded exchanges against one server. */
export class Replay {
  /** The server. */
  readonly server: ServerUnderTest;
  /** The results so far. */
  readonly outcomes: Outcome[] = [];
  /** The exchanges that would take too long with this server, with the reason. */
  readonly notRun: Map<string, string> = new Map();
  readonly #transcripts: ReadonlyMap<string, Transcript>;
  readonly #skipped: ReadonlyMap<string, string>;
  readonly #same: Substitutions;
  #padding = 0;
  #endWithinMs = 0;

  /** Creates a replay on `server`, without the exchanges of `skipped`. */
  constructor(
    transcripts: ReadonlyMap<string, Transcript>,
    server: ServerUnderTest,
    skipped: ReadonlyMap<string, string>,
  ) {
    this.#transcripts = transcripts;
    this.#skipped = skipped;
    this.server = server;
    this.#same = new Substitutions({ exactTimesAndRevisions: server.followsRecording });
  }

  /** Advances the clock to a wall time of the recording. */
  async at(time: string): Promise<void> {
    await this.server.at(Date.parse(time));
  }

  /** Sends a request that was not recorded. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    type = "application/json",
  ): Promise<unknown> {
    const request = new Request(this.server.origin + path, {
      method,
      headers: {
        "authorization": "Bearer demo-admin-token",
        "user-agent": "wire-recorder",
        "content-type": type,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await this.server.run(this.server.fetch(request));
    const text = await response.text();
    if (!response.ok) throw new Error(`Setting up: ${method} ${path} answered ${text}`);
    return JSON.parse(text);
  }

  /**
   * Writes to an otherwise unused resource until the resource version is `revision`. On a server with other writers,
   * binds `revision` to the present resource version instead.
   */
  async pad(revision: number): Promise<void> {
    const path = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    const { server } = this;
    if (server.nextRevision === undefined) {
      // deno-lint-ignore no-explicit-any
      const list = await this.send("GET", path) as any;
      this.#same.bindRevision(revision, list.metadata.resourceVersion);
    } else {
      while (server.nextRevision! <= revision) {
        await this.send("POST", path, { metadata: { name: `pad-${this.#padding++}` } });
      }
    }
  }

  /** Waits up to `ms` longer than the recording for the end of the open watch. */
  endWithin(ms: number): Promise<void> {
    this.#endWithinMs = ms;
    return Promise.resolve();
  }

  /** Runs `action`, which replays `id`; a real server skips it, for `reason`. */
  async orElse(id: string, reason: string, action: () => Promise<unknown>): Promise<void> {
    if (this.server.name === "real") this.notRun.set(id, reason);
    else await action();
  }

  /** Replays the exchanges from `first` to `last`. */
  async run(first: string, last: string = first): Promise<void> {
    for (const id of this.#transcripts.keys()) {
      if (id >= first && id <= last) await this.exchange(id);
    }
  }

  /** Replays one exchange, and runs `during` while it is open. */
  async exchange(id: string, during?: During): Promise<void> {
    const transcript = this.#transcripts.get(id)!;
    // A write that is out of scope would change the state differently from the recording, so it is not sent.
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
    const send = () =>
      this.server.run(this.server.fetch(this.#requestOf(transcript, abort.signal)));
    let response = await send();
    while (response.status === 429 && transcript.status !== 429) {
      // The definition has just changed, so the request is retried.
      await response.body?.cancel();
      await this.server.pass(1000);
      response = await send();
    }
    let text: string;
    let endedBy: End = "server";
    if (transcript.end !== undefined && response.ok) {
      ({ text, endedBy } = await this.#watch(response, transcript, abort, during));
    } else {
      await during?.();
      text = await this.server.run(response.text());
    }
    text = text.replaceAll(new URL(this.server.origin).host, "127.0.0.1:16443");
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
    const difference = this.#same.difference(
      withoutGoTexts(text),
      withoutGoTexts(transcript.body),
      transcript.cutLength,
    );
    if (!transcript.binary && difference !== undefined) differences.push(difference);
    return differences;
  }

  #requestOf(transcript: Transcript, signal: AbortSignal): Request {
    const headers = new Headers();
    for (const [name, value] of transcript.requestHeaders) {
      if (!TRANSPORT_HEADERS.test(name)) headers.append(name, value);
    }
    const { method, requestBody } = transcript;
    return new Request(this.server.origin + this.#same.inUrl(transcript.target), {
      method,
      headers,
      signal,
      ...(requestBody === undefined
        ? {}
        : { body: new TextEncoder().encode(this.#same.inText(requestBody)) }),
    });
  }

  async #watch(
    response: Response,
    transcript: Transcript,
    abort: AbortController,
    during: During | undefined,
  ): Promise<{ text: string; endedBy: End }> {
    const { atMs } = transcript.end!;
    const wantedLines = transcript.body.split("\n").length - 1;
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
    const startMs = this.server.now();
    await this.server.settle();
    this.#endWithinMs = 0;
    await during?.();
    const enough = () =>
      endedBy !== undefined ||
      (transcript.end!.by === "client" && text.split("\n").length > wantedLines);
    await this.server.pass(startMs + atMs + this.#endWithinMs - this.server.now(), enough);
    if (endedBy === undefined) {
      endedBy = "client";
      abort.abort();
    }
    await reading;
    return { text, endedBy };
  }
}

/** Plays scenarios, each on a new server. */
export async function playScenarios(
  scenarios: readonly Scenario[],
  transcripts: ReadonlyMap<string, Transcript>,
  skipped: ReadonlyMap<string, string>,
  create: ServerFactory,
): Promise<{ outcomes: Outcome[]; notRun: Map<string, string> }> {
  const outcomes: Outcome[] = [];
  const notRun = new Map<string, string>();
  for (const scenario of scenarios) {
    await using server = await create(scenario.setting);
    const replay = new Replay(transcripts, server, skipped);
    await scenario.play(replay);
    outcomes.push(...replay.outcomes);
    for (const [id, reason] of replay.notRun) notRun.set(id, reason);
  }
  return { outcomes, notRun };
}
