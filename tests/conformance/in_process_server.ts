import { silentLogger } from "../../src/base/mod.ts";
import { ApiServer, SeededRandom, VirtualClock } from "../../src/testing/mod.ts";
import { type ServerSetting, type ServerUnderTest, TOKENS } from "./server_under_test.ts";

const STEP_MS = 250;

/** Our server, on a clock that moves when it is told to. */
export class InProcessServer implements ServerUnderTest {
  readonly name = "ours";
  readonly origin = "http://127.0.0.1:16443";
  readonly followsRecording = true;
  readonly #clock: VirtualClock;
  readonly #server: ApiServer;

  /** A fresh server. */
  constructor({ start, minRequestTimeoutMs }: ServerSetting) {
    this.#clock = new VirtualClock({
      ...(start === undefined ? {} : { wallStartMs: Date.parse(start) }),
    });
    this.#server = new ApiServer({
      clock: this.#clock,
      random: new SeededRandom(1),
      logger: silentLogger,
      tokens: TOKENS,
      ...(minRequestTimeoutMs === undefined ? {} : { minRequestTimeoutMs }),
    });
  }

  /** A fresh server, as a {@linkcode ServerFactory} makes it. */
  static create(setting: ServerSetting): Promise<ServerUnderTest> {
    return Promise.resolve(new InProcessServer(setting));
  }

  get nextRevision(): number {
    return Number(this.#server.resourceVersion) + 1;
  }

  fetch(request: Request): Promise<Response> {
    return this.#server.fetch(request);
  }

  /** Moves the clock on where the server waits. */
  async run<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const done = () => {
      settled = true;
    };
    promise.then(done, done);
    for (let waitedMs = 0; waitedMs < 60_000; waitedMs += STEP_MS) {
      // Bodies of requests are streams, which take a few turns of the event loop.
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

  /** Ends open watches in good order, as a server that is told to stop does after a minute. */
  async stopGracefully(): Promise<void> {
    await this.#clock.advance(60_000);
    this.#server.closeWatches();
  }

  /** Does `action` while the storage does not answer. */
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
