import { Client, type ClientOptions, type Pod } from "@kubeloop/controller";
import { silentLogger } from "@kubeloop/controller/base";
import {
  type Actors,
  ApiServer,
  type ApiServerOptions,
  SeededRandom,
  startActors,
  type StartActorsOptions,
  VirtualClock,
} from "@kubeloop/testing";
import { RecordingLogger } from "./recording_logger.ts";

/** Options of a {@linkcode World}. */
export interface WorldOptions {
  /** The seed of every random number. Default 1. */
  readonly seed?: number;
  /** Options of the API server. Default: a silent logger. */
  readonly server?: Omit<ApiServerOptions, "clock" | "random">;
  /** Options of the client. Default: `server.clientOptions`, with the logger of the world. */
  readonly client?: Omit<ClientOptions, "fetch" | "clock" | "random">;
  /** Options of the actors. Default: no actors. */
  readonly actors?: StartActorsOptions;
}

/** A cluster on a virtual clock: an API server, a client whose requests are recorded, and perhaps actors. */
export class World implements AsyncDisposable {
  readonly clock: VirtualClock = new VirtualClock();
  readonly random: SeededRandom;
  readonly server: ApiServer;
  readonly client: Client;
  /** The actors; undefined if the options have none. */
  readonly actors: Actors | undefined;
  /** The log of the client and of the actors. */
  readonly logger: RecordingLogger = new RecordingLogger();
  /** The requests of the client, such as `PATCH /api/v1/…`. */
  readonly requests: string[] = [];
  /** Answers a request of the client in place of the server; undefined leaves it to the server. */
  answer: (line: string, request: Request) => Response | Promise<Response> | undefined = () =>
    undefined;

  constructor({ actors, client, seed = 1, server }: WorldOptions = {}) {
    const { clock, logger } = this;
    const random = this.random = new SeededRandom(seed);
    this.server = new ApiServer({ logger: silentLogger, ...server, clock, random });
    const { clientOptions } = this.server;
    const fetch = (request: Request) => this.fetch(request);
    this.client = new Client({ ...clientOptions, logger, ...client, fetch });
    if (actors !== undefined) this.actors = startActors(this.server, { logger, ...actors });
  }

  /** The requests that change something. */
  get writes(): string[] {
    return this.requests.filter((line) => !line.startsWith("GET "));
  }

  /** Returns the requests since the last call. */
  takeRequests(): string[] {
    return this.requests.splice(0);
  }

  /** Sends a request as the client does. */
  async fetch(request: Request): Promise<Response> {
    const line = `${request.method} ${new URL(request.url).pathname}`;
    this.requests.push(line);
    return await (this.answer(line, request) ?? this.server.fetch(request));
  }

  /** Moves the clock until a promise has settled, and returns its result. */
  until<R>(promise: Promise<R>): Promise<R>;
  /** Moves the clock until a condition holds, for an hour at most. */
  until(holds: () => boolean): Promise<void>;
  async until<R>(what: Promise<R> | (() => boolean)): Promise<R | void> {
    if (typeof what !== "function") return await this.clock.run(what);
    const deadlineMs = this.clock.now() + 3_600_000;
    while (!what()) {
      if (this.clock.now() >= deadlineMs) {
        throw new Error(`It does not hold after an hour: ${what}`);
      }
      await this.clock.advance(100);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.actors !== undefined) await this.clock.run(this.actors.stop());
    await this.client.close();
    await this.server.close();
  }
}

/** Returns a Pod in the namespace `default` with one container, and with fields of `rest` besides. */
export function pod(
  name: string,
  { metadata, spec, status }: {
    readonly metadata?: Pod["metadata"];
    readonly spec?: object;
    readonly status?: object;
  } = {},
): Pod {
  return {
    metadata: { name, namespace: "default", ...metadata },
    spec: { containers: [{ name: "main", image: "nginx" }], ...spec },
    ...(status && { status }),
  };
}
