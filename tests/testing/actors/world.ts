import {
  Client,
  type CustomResourceDefinition,
  type KubeObject,
  type OwnerReference,
  type Resource,
} from "../../../mod.ts";
import type { Actor, ActorOptions, StartActorsOptions } from "../../../src/testing/mod.ts";
import { World as PlainWorld } from "../../support/world.ts";

/** The namespace that tests work in. */
export const NAMESPACE = { namespace: "default" };

/** A world with single actors, and a record of their requests. */
export class World extends PlainWorld {
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[] = [];
  readonly #watching: Promise<void>[] = [];
  readonly #urls: URL[] = [];

  constructor(seed = 1, actors?: StartActorsOptions) {
    super({ seed, ...(actors && { actors }) });
  }

  /** The options for a new actor. */
  get options(): Required<Pick<ActorOptions, "client" | "clock" | "random" | "logger">> {
    const { clock, logger, random } = this;
    const fetch = (request: Request) => {
      this.#urls.push(new URL(request.url));
      return this.server.fetch(request);
    };
    return { client: new Client({ fetch, clock }), clock, random, logger };
  }

  /** The warnings and errors that the actors logged. */
  get warnings(): string[] {
    return [...this.logger.of("warn"), ...this.logger.of("error")];
  }

  /** The number of requests of the actors, without watches. */
  get actorRequests(): number {
    return this.#urls.filter(({ searchParams }) => !searchParams.has("watch")).length;
  }

  /** Returns the number of requests of the actors for a resource, with watches. */
  requestsFor(plural: string): number {
    return this.#urls.filter(({ pathname }) => pathname.split("/").includes(plural)).length;
  }

  /** Starts an actor. */
  async start<A extends Actor>(actor: A): Promise<A> {
    this.#running.push(actor.run({ signal: this.#stop.signal }));
    await this.clock.advance(0);
    return actor;
  }

  /** Stops the actors without advancing the clock. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#running);
  }

  /** Creates a ConfigMap, with metadata such as owner references. */
  async configMap(name: string, metadata: KubeObject["metadata"] = {}): Promise<KubeObject> {
    const resource = CONFIG_MAPS;
    return await this.create(resource, { metadata: { namespace: "default", ...metadata, name } });
  }

  /** Creates an object and lets pending work settle. */
  async create<T extends KubeObject>(resource: Resource<T>, object: T): Promise<T> {
    const created = await this.clock.run(this.client.create(resource, object));
    await this.clock.settle();
    return created;
  }

  /** Returns the names of the objects of a resource, such as `a b`, except the objects of a new cluster. */
  names<T extends KubeObject>(resource: Resource<T>, namespace = ""): string {
    return this.server.objects(resource, namespace)
      .filter(({ metadata }) => metadata.namespace !== "kube-system")
      .map(({ metadata }) => metadata.name).join(" ");
  }

  /** Records every event of a resource from now on: the seconds since the start, the type, and the result of `show`. */
  async watch<T extends KubeObject>(
    resource: Resource<T>,
    show: (object: T) => string = ({ metadata }) => metadata.name ?? "",
  ): Promise<string[]> {
    const seen: string[] = [];
    const { resourceVersion } = this.server;
    const { signal } = this.#stop;
    const startMs = this.clock.now();
    const stream = await this.clock.run(this.client.watch(resource, { resourceVersion, signal }));
    const read = async () => {
      for await (const { type, object } of stream) {
        const line = `${type} ${show(object as T)}`;
        seen.push(`${((this.clock.now() - startMs) / 1000).toFixed(1)} ${line}`);
      }
    };
    this.#watching.push(read().catch(() => {}));
    return seen;
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await super[Symbol.asyncDispose]();
    await Promise.all(this.#watching);
  }
}

const CONFIG_MAPS: Resource = {
  group: "",
  version: "v1",
  plural: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};

/** Returns metadata with a reference to `owner`. */
export function ownedBy(
  { apiVersion = "v1", kind = "ConfigMap", metadata }: KubeObject,
  rest: Partial<OwnerReference> = {},
): { ownerReferences: OwnerReference[] } {
  const { name = "", uid = "" } = metadata;
  return { ownerReferences: [{ apiVersion, kind, name, uid, ...rest }] };
}

/** A CustomResourceDefinition of `widgets.demo.example.com`, namespaced. */
export const WIDGET_DEFINITION: CustomResourceDefinition = {
  metadata: { name: "widgets.demo.example.com" },
  spec: {
    group: "demo.example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [{
      name: "v1",
      served: true,
      storage: true,
      schema: {
        openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    }],
  },
};

/** The resource `widgets.demo.example.com`. */
export const WIDGETS: Resource = {
  group: "demo.example.com",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
};
