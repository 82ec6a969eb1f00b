import { silentLogger } from "../../src/base/mod.ts";
import { ApiServer, SeededRandom, VirtualClock } from "../../src/testing/mod.ts";
import { DEFAULT_MINOR, type KubernetesMinor } from "../../src/testing/api_server/release/mod.ts";
import { ScriptedWebhooks } from "./scripted_webhooks.ts";
import {
  gatesOf,
  type ReachableWebhooks,
  type ServerSetting,
  type ServerUnderTest,
  TOKENS,
} from "./server_under_test.ts";

const STEP_MS = 250;

/** The time at which the virtual clock starts. */
const START_MS = Date.parse("2026-11-21T00:00:00Z");

/** The URL of webhooks, which are called without a network. */
const HOOKS_URL = "https://hooks.example:9443";

/** Our server, with a virtual clock. */
export class InProcessServer implements ServerUnderTest {
  readonly name = "ours";
  readonly origin = "http://127.0.0.1:16443";
  readonly hooks: ReachableWebhooks | undefined;
  readonly #clock: VirtualClock;
  readonly #server: ApiServer;

  /** Creates a server without history. */
  constructor(setting: ServerSetting, minor: KubernetesMinor = DEFAULT_MINOR) {
    const { minRequestTimeoutMs, webhooks } = setting;
    this.#clock = new VirtualClock({ wallStartMs: START_MS });
    const hooks = webhooks && new ScriptedWebhooks(webhooks);
    this.hooks = hooks && { webhooks: hooks, url: HOOKS_URL, caBundle: btoa("authority") };
    this.#server = new ApiServer({
      clock: this.#clock,
      random: new SeededRandom(1),
      logger: silentLogger,
      tokens: TOKENS,
      kubernetes: minor,
      featureGates: Object.fromEntries(gatesOf(setting, minor).map((gate) => [gate, true])),
      ...(minRequestTimeoutMs === undefined ? {} : { minRequestTimeoutMs }),
      ...(hooks === undefined ? {} : { webhooks: (request) => hooks.handle(request) }),
    });
  }

  fetch(request: Request): Promise<Response> {
    return this.#server.fetch(request);
  }

  /** Advances the clock while the server waits. */
  async run<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const done = () => {
      settled = true;
    };
    promise.then(done, done);
    for (let waitedMs = 0; waitedMs < 60_000; waitedMs += STEP_MS) {
      // Request bodies are streams, which need a few turns of the event loop.
      for (let turn = 0; turn < 20 && !settled; turn++) await this.#clock.settle();
      if (settled) return promise;
      await this.#clock.advance(STEP_MS);
    }
    throw new Error("No answer within a minute");
  }

  settle(): Promise<void> {
    return this.#clock.settle();
  }

  async pass(ms: number): Promise<void> {
    if (ms > 0) await this.#clock.advance(ms);
    await this.#clock.settle();
  }

  restart(): Promise<void> {
    this.#server.restart();
    return Promise.resolve();
  }

  compact(): Promise<void> {
    this.#server.compact({ watches: false });
    return Promise.resolve();
  }

  async whileBusy(action: () => Promise<void>): Promise<void> {
    this.#server.faults.throttle(1, { plain: true });
    await action();
    this.#server.faults.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.close();
  }
}
