import { assertEquals } from "@std/assert";
import {
  Client,
  type Condition,
  defineResource,
  installDefinitions,
  type KubeObject,
  Manager,
  type ManagerOptions,
  type Resource,
} from "@kubeloop/controller";
import { ApiServer, type ApiServerOptions, VirtualClock } from "@kubeloop/testing";

export const namespace = "default";

/** A custom resource of the tests. */
export interface Widget extends KubeObject {
  spec: { size: number; color?: string };
  status?: {
    ready?: number;
    observedGeneration?: number;
    conditions?: Condition[];
  };
}

export const Widgets: Resource<Widget> = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Widget",
  spec: {
    type: "object",
    required: ["size"],
    properties: { size: { type: "integer" }, color: { type: "string" } },
  },
  status: { type: "object", properties: { ready: { type: "integer" } } },
});

/** A cluster with Widgets, a manager that can be run, and the requests that were made. */
export class World implements AsyncDisposable {
  readonly clock: VirtualClock = new VirtualClock();
  readonly server: ApiServer;
  readonly client: Client;
  /** The lines that were logged, with their levels. */
  readonly lines: string[] = [];
  /** The requests of writes, as in `PATCH /apis/…`. */
  readonly writes: string[] = [];
  /** The number of requests. */
  requests = 0;
  /** Called before each request is sent. */
  onRequest: () => void = () => {};
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>[] = [];

  constructor(options: ApiServerOptions = {}) {
    this.server = new ApiServer({ clock: this.clock, ...options });
    const line = (level: string) => (message: string) =>
      void this.lines.push(`${level} ${message}`);
    const logger = {
      debug: () => {},
      info: line("info"),
      warn: line("warn"),
      error: line("error"),
    };
    const { fetch, ...rest } = this.server.clientOptions;
    this.client = new Client({
      ...rest,
      token: "admin",
      allowInsecureToken: true,
      logger,
      fetch: (request) => {
        const { method, url } = request;
        this.requests++;
        this.onRequest();
        if (method !== "GET") this.writes.push(`${method} ${new URL(url).pathname}`);
        return fetch(request);
      },
    });
  }

  /** Installs the definition of Widgets. */
  async install(): Promise<void> {
    await this.do(installDefinitions(this.client, [Widgets]));
  }

  /** Returns a client of the cluster for which `answer` may answer in place of the server. */
  clientWith(answer: (request: Request) => Promise<Response> | undefined): Client {
    const { fetch, ...rest } = this.server.clientOptions;
    return new Client({
      ...rest,
      ...this.client.environment,
      token: "admin",
      allowInsecureToken: true,
      fetch: (request) => answer(request) ?? fetch(request),
    });
  }

  /** Returns a manager of the client. */
  manager(options: ManagerOptions = {}): Manager {
    return new Manager(this.client, options);
  }

  /** Runs a manager until the world ends. */
  start(manager: Manager): Promise<void> {
    const running = manager.run({ signal: this.#stop.signal });
    running.catch(() => {});
    this.#running.push(running);
    return running;
  }

  /** Lets `promise` settle, and returns its result. */
  do<R>(promise: Promise<R>): Promise<R> {
    return this.clock.run(promise);
  }

  /** Lets time pass. */
  async pass(ms: number): Promise<void> {
    await this.clock.advance(ms);
  }

  /** Creates a Widget. */
  widget(name: string, size = 1): Promise<unknown> {
    return this.do(this.client.create(Widgets, { metadata: { name, namespace }, spec: { size } }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.do(Promise.allSettled(this.#running));
    await this.client.close();
    await this.server[Symbol.asyncDispose]();
    assertEquals(this.clock.pendingTimers, 0, "timers are left");
  }
}

/** Returns a world in which Widgets are installed. */
export async function widgetWorld(options: ApiServerOptions = {}): Promise<World> {
  const world = new World(options);
  await world.install();
  world.writes.length = 0;
  return world;
}
