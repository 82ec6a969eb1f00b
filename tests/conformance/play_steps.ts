import type { ReachableWebhooks, ServerUnderTest } from "./server_under_test.ts";
import { bodyText } from "./body_text.ts";
import { comparable } from "./comparable.ts";
import type { Caller, CloseStep, OpenStep, RequestStep, StepScenario } from "./step.ts";

/** The answer to a step. After {@linkcode comparable}, it has no parts that must differ between two servers. */
export interface StepResult {
  /** The step. */
  readonly step: string;
  readonly status: number;
  /** The headers that are compared. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body, line by line. */
  readonly body: readonly string[];
}

const CREDENTIALS: Readonly<Record<Caller, string | undefined>> = {
  admin: "Bearer demo-admin-token",
  nobody: "Bearer demo-nobody-token",
  stranger: "Bearer no-such-token",
  anonymous: undefined,
};

const COMPARED_HEADERS = [
  "content-type",
  "warning",
  "retry-after",
  "x-content-type-options",
  "allow",
];

const WATCH_END_MS = 15_000;

interface OpenWatch {
  readonly step: string;
  readonly response: Response;
  readonly abort: AbortController;
  readonly reading: Promise<void>;
  text: string;
  ended: boolean;
}

/** Sends the steps of `scenario` to `server`. The reviews that its webhooks receive become results. */
export async function playSteps(
  server: ServerUnderTest,
  scenario: StepScenario,
): Promise<StepResult[]> {
  const player = new Player(server);
  for (const step of scenario.steps) {
    if ("restart" in step) await server.restart();
    else if ("compact" in step) await server.compact();
    else if ("whileBusy" in step) await server.whileBusy(() => player.request(step.whileBusy));
    else if ("close" in step) await player.close(step);
    else if ("open" in step) await player.open(step);
    else await player.request(step);
  }
  return comparable(player.results, new URL(server.origin).host);
}

class Player {
  readonly results: StepResult[] = [];
  readonly #server: ServerUnderTest;
  readonly #saved = new Map<string, unknown>();
  readonly #watches = new Map<string, OpenWatch>();

  readonly #hooks: ReachableWebhooks | undefined;

  constructor(server: ServerUnderTest) {
    const { hooks } = server;
    this.#server = server;
    this.#hooks = hooks;
    if (hooks !== undefined) this.#saved.set("hooks", { url: hooks.url, ca: hooks.caBundle });
  }

  async request(step: RequestStep): Promise<void> {
    const { until = "", whileStatus = [] } = step;
    let response: Response;
    let text: string;
    for (let tries = 0;; tries++) {
      response = await this.#send(step, new AbortController());
      const bytes = await this.#server.run(response.bytes());
      text = bodyText(response.headers.get("content-type"), bytes);
      const answer = `${response.headers.get("warning")}\n${text}`;
      if (tries === 100 || !whileStatus.includes(response.status) && answer.includes(until)) break;
      await this.#server.pass(100);
      this.#hooks?.webhooks.take();
    }
    const reviews = this.#hooks?.webhooks.take() ?? [];
    if (step.unseen && !response.ok && step.until === undefined) {
      throw new Error(`${nameOf(step)} is answered ${text}`);
    }
    if (step.save !== undefined) this.#saved.set(step.save, JSON.parse(text));
    if (step.settleMs !== undefined) await this.#server.pass(step.settleMs);
    // An update that begins from an old state in the watch cache of a real server calls its webhooks twice.
    if (this.#hooks !== undefined && step.method !== "GET") await this.#server.pass(50);
    if (step.unseen) return;
    this.#result(nameOf(step), response, [text, ...reviews].join("\n"));
  }

  async open(step: OpenStep): Promise<void> {
    const { whileStatus = [] } = step;
    const abort = new AbortController();
    let response = await this.#send(step, abort);
    while (whileStatus.includes(response.status)) {
      await response.body?.cancel();
      await this.#server.pass(100);
      response = await this.#send(step, abort);
    }
    const watch: OpenWatch = {
      step: nameOf(step),
      response,
      abort,
      text: "",
      ended: false,
      reading: Promise.resolve().then(() => read(response, watch)),
    };
    this.#watches.set(step.open, watch);
    await this.#server.settle();
  }

  async close({ close, events }: CloseStep): Promise<void> {
    const watch = this.#watches.get(close)!;
    const enough = () => watch.ended || watch.text.split("\n").length - 1 >= (events ?? Infinity);
    await this.#server.settle();
    if (!enough() || events !== undefined) {
      await this.#server.pass(events === undefined ? WATCH_END_MS : 0, enough);
    }
    const end = watch.ended ? "the server ends it" : "it goes on";
    watch.abort.abort();
    await watch.reading;
    const text = events === undefined ? watch.text : withoutLaterBookmarks(watch.text, events);
    this.#result(`${watch.step} (${end})`, watch.response, text);
  }

  #send(step: RequestStep, abort: AbortController): Promise<Response> {
    const { method, path, body, as = "admin" } = step;
    const headers = new Headers({ "user-agent": "suite/1", accept: "application/json" });
    if (body !== undefined) headers.set("content-type", "application/json");
    for (const [name, value] of Object.entries(step.headers ?? {})) {
      if (value === "") headers.delete(name);
      else headers.set(name, this.#fill(value));
    }
    const credentials = CREDENTIALS[as];
    if (credentials !== undefined && !headers.has("authorization")) {
      headers.set("authorization", credentials);
    }
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const request = new Request(this.#server.origin + this.#fill(path), {
      method,
      headers,
      signal: abort.signal,
      ...(body === undefined ? {} : { body: new TextEncoder().encode(this.#fill(text)) }),
    });
    return this.#server.run(this.#server.fetch(request));
  }

  /** Returns a text without the place and the certificate of the webhooks. */
  #neutral(text: string): string {
    if (this.#hooks === undefined) return text;
    const { url, caBundle } = this.#hooks;
    return text.replaceAll(new URL(url).host, "HOOKS").replaceAll(caBundle, "CA");
  }

  #fill(text: string): string {
    return text.replace(/\{\{([\w-]+)\.?([\w.-]*)\}\}/g, (_, name: string, path: string) => {
      // deno-lint-ignore no-explicit-any
      let value: any = this.#saved.get(name);
      for (const key of path.split(".").filter((part) => part !== "")) value = value?.[key];
      return typeof value === "string" ? value : JSON.stringify(value);
    });
  }

  #result(step: string, response: Response, text: string): void {
    const headers: Record<string, string> = {};
    for (const name of COMPARED_HEADERS) {
      const value = response.headers.get(name);
      if (value !== null) headers[name] = this.#neutral(value);
    }
    const body = this.#neutral(text).split("\n");
    this.results.push({ step, status: response.status, headers, body });
  }
}

async function read(response: Response, watch: OpenWatch): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) {
      watch.text += decoder.decode(chunk, { stream: true });
    }
  } catch {
    // The step closed the watch, or the connection broke.
  }
  watch.ended = true;
}

/** Removes the bookmarks after the events for which a step waits: whether one comes before it closes the watch is chance. */
function withoutLaterBookmarks(text: string, events: number): string {
  return text.split("\n")
    .filter((line, index) => index < events || !line.startsWith('{"type":"BOOKMARK"'))
    .join("\n");
}

function nameOf({ method, path, headers = {}, as }: RequestStep): string {
  const type = headers["content-type"];
  const parts = [method, path];
  if (type !== undefined) parts.push(`[${type}]`);
  if (headers.accept !== undefined) parts.push(`accepting ${headers.accept}`);
  if (as !== undefined) parts.push(`as ${as}`);
  return parts.join(" ");
}
