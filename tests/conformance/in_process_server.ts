import { silentLogger } from "../../src/base/mod.ts";
import { ApiServer, SeededRandom, VirtualClock } from "../../src/testing/mod.ts";
import { type ServerSetting, type ServerUnderTest, TOKENS } from "./server_under_test.ts";

const STEP_MS = 250;

/** Our server, with a virtual clock. */
export class InProcessServer implements ServerUnderTest {
  readonly name = "ours";
  readonly origin = "http://127.0.0.1:16443";
  readonly followsRecording = true;
  readonly #clock: VirtualClock;
  readonly #server: ApiServer;

  /** Creates a server without history. */
  constructor({ start, minRequestTimeoutMs, kubernetes }: ServerSetting) {
    this.#clock = new VirtualClock({
      ...(start === undefined ? {} : { wallStartMs: Date.parse(start) }),
    });
    this.#server = new ApiServer({
      clock: this.#clock,
      random: new SeededRandom(1),
      logger: silentLogger,
      tokens: TOKENS,
      ...(kubernetes === undefined ? {} : { kubernetes }),
      ...(minRequestTimeoutMs === undefined ? {} : { minRequestTimeoutMs }),
    });
  }

  /** Creates a server; a {@linkcode ServerFactory}. */
  static create(setting: ServerSetting): Promise<ServerUnderTest> {
    return Promise.resolve(new InProcessServer(setting));
  }

  get nextRevision(): number {
    return Number(this.#server.resourceVersion) + 1;
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

  now(): number {
    return this.#clock.now();
  }

  settle(): Promise<void> {
    return this.#clock.settle();
  }

  async pass(ms: number): Promise<void> {
    if (ms > 0) await this.#clock.advance(ms);
    await this.#clock.settle();
  }

  async at(wallMs: number): Promise<void> {
    const ms = wallMs - this.#clock.wallNow();
    if (ms > 0) await this.#clock.advance(ms);
  }

  compact(): Promise<void> {
    this.#server.compact({ watches: false });
    return Promise.resolve();
  }

  restart(): Promise<void> {
    this.#server.restart();
    return Promise.resolve();
  }

  async whileBusy(action: () => Promise<void>): Promise<void> {
    this.#server.faults.throttle(1, { plain: true });
    await action();
    this.#server.faults.clear();
  }

  /** Ends open watches cleanly, as a server does a minute after the signal to stop. */
  async stopGracefully(): Promise<void> {
    await this.#clock.advance(60_000);
    this.#server.closeWatches();
  }

  /** Runs `action` while requests fail as they do when the storage does not answer. */
  async whileStorageIsDown(action: () => Promise<void>): Promise<void> {
    this.#server.faults.fail({
      metadata: {},
      status: "Failure",
      message:
        "Timeout: request did not complete within requested timeout - context deadline exceeded",
      reason: "Timeout",
      details: {},
      code: 504,
    });
    await action();
    this.#server.faults.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.close();
  }
}
