/** A manager whose custom resource has several versions: no object ever loses a field, whatever the start meets. */

import { assert, assertEquals } from "@std/assert";
import { conversion, type WebhookServer } from "@kubeloop/controller/operator";
import { Client, defineResource, Manager } from "@kubeloop/controller";
import { installDefinitions } from "@kubeloop/controller/operator";
import { CustomResourceDefinitions } from "@kubeloop/controller/types";
import { ApiServer, VirtualClock } from "@kubeloop/testing";
import { silentLogger } from "@kubeloop/controller/base";
import { RecordingLogger } from "../../support/recording_logger.ts";
import { namespace } from "../_world.ts";

const names = { group: "acme.io", kind: "Widget" } as const;
const OLD = { type: "object", properties: { length: { type: "integer" } } } as const;
const Old = defineResource({ ...names, version: "v1alpha1", spec: OLD });
const Widgets = defineResource({
  ...names,
  version: "v1",
  spec: { type: "object", properties: { size: { type: "integer" } } },
  versions: [{ name: "v1alpha1", spec: OLD }],
});

/** A program with only the old version, and its successor with both versions. */
class World implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly logger = new RecordingLogger();
  readonly server: ApiServer;
  readonly client: Client;
  readonly manager: Manager;
  readonly stop = new AbortController();
  /** The sizes that the controller has seen, by name. */
  readonly seen = new Map<string, unknown>();
  /** The served versions and the strategies, in order. */
  readonly states: string[] = [];
  failSecrets = false;
  running: Promise<void> = Promise.resolve();

  constructor() {
    // The server calls the webhooks as a cluster does: only while they are served.
    const call = async (request: Request) => {
      const { webhooks } = this.manager;
      if (!webhooks.isReady) throw new TypeError("Connection refused");
      return await webhooks.handler(request);
    };
    this.server = new ApiServer({ clock: this.clock, logger: silentLogger, webhooks: call });
    this.client = new Client({
      ...this.server.clientOptions,
      logger: this.logger,
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        if (this.failSecrets && pathname.includes("/secrets")) {
          return new Response("no", { status: 500 });
        }
        const response = await this.server.fetch(request);
        if (request.method === "PATCH" && pathname.endsWith("/widgets.acme.io")) {
          const { spec } = await response.clone().json();
          const versions = spec.versions.map(({ name }: { name: string }) => name);
          this.states.push(`${versions.join("+")} ${spec.conversion?.strategy}`);
        }
        return response;
      },
    });
    this.manager = new Manager(this.client, {
      name: "widgets",
      definitions: [Widgets],
      webhooks: { service: { namespace, name: "widgets" }, port: 0, hostname: "127.0.0.1" },
    });
    this.manager.webhooks.add(conversion(Widgets, {
      v1alpha1: {
        toHub: ({ spec, ...rest }) => ({ ...rest, spec: { size: spec.length ?? 0 } }),
        fromHub: ({ spec, ...rest }) => ({ ...rest, spec: { length: spec.size ?? 0 } }),
      },
    }));
    this.manager.controller(Widgets).reconcile(({ object }) => {
      this.seen.set(object.metadata.name, object.spec.size);
      return Promise.resolve();
    });
  }

  get webhooks(): WebhookServer {
    return this.manager.webhooks;
  }

  async startBefore(): Promise<void> {
    await this.do(installDefinitions(this.client, [Old], { fieldManager: "widgets" }));
    const metadata = { name: "before", namespace };
    await this.do(this.client.create(Old, { metadata, spec: { length: 3 } }));
    this.states.length = 0;
  }

  start(): void {
    this.running = this.manager.run({ signal: this.stop.signal });
    this.running.catch(() => {});
  }

  do<R>(promise: Promise<R>): Promise<R> {
    return this.clock.run(promise);
  }

  /** Lets time pass until something holds. Sockets and keys need turns of the real event loop. */
  async until(what: string, holds: () => boolean): Promise<void> {
    for (let i = 0; i < 2_000 && !holds(); i++) {
      await this.clock.advance(10);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    assert(holds(), `${what}\n${this.logger.lines.join("\n")}`);
  }

  async ready(): Promise<boolean> {
    const response = await this.manager.handler(new Request("http://manager/readyz"));
    await response.body?.cancel();
    return response.ok;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop.abort();
    let isOver = false;
    this.running.catch(() => {}).finally(() => isOver = true);
    await this.until("the manager has stopped", () => isOver);
    await this.client.close();
    await this.server.close();
    assertEquals(this.clock.pendingTimers, 0);
  }
}

Deno.test("a manager installs a new version with its conversion, and its controllers see old objects", async () => {
  await using world = new World();
  await world.startBefore();
  world.start();
  await world.until("the object is reconciled", () => world.seen.size > 0);
  assertEquals(world.seen.get("before"), 3);
  // At no time were both versions served without the conversion.
  assertEquals(world.states.filter((state) => state !== "v1alpha1 Webhook"), [
    "v1+v1alpha1 Webhook",
  ]);
  const metadata = { name: "after", namespace };
  await world.do(world.client.create(Old, { metadata, spec: { length: 5 } }));
  await world.until("the new object is reconciled", () => world.seen.has("after"));
  assertEquals(world.seen.get("after"), 5);
  const old = await world.do(world.client.get(Old, "before", { namespace }));
  assertEquals(old.spec, { length: 3 });
  assertEquals(world.logger.of("warn"), []);
});

Deno.test("a manager serves no new version while its certificates cannot be stored, and says so", async () => {
  await using world = new World();
  await world.startBefore();
  world.failSecrets = true;
  world.start();
  await world.until(
    "it is logged",
    () => world.logger.lines.some((line) => line.includes("it waits for its conversion webhook")),
  );
  const definition = await world.do(world.client.get(CustomResourceDefinitions, "widgets.acme.io"));
  assertEquals(definition.spec.versions.map(({ name }) => name), ["v1alpha1"]);
  assertEquals([await world.ready(), world.seen.size], [false, 0]);
  // An object that is written meanwhile keeps its fields.
  await world.do(
    world.client.create(Old, { metadata: { name: "meanwhile", namespace }, spec: { length: 4 } }),
  );
  world.failSecrets = false;
  await world.until("the objects are reconciled", () => world.seen.size === 2);
  assertEquals([world.seen.get("before"), world.seen.get("meanwhile")], [3, 4]);
  assertEquals(await world.ready(), true);
});

Deno.test("a manager that converts is ready before its caches, since only then API servers call it", async () => {
  await using world = new World();
  await world.startBefore();
  world.start();
  await world.until("the webhooks are served", () => world.webhooks.isReady);
  assertEquals(await world.ready(), true);
});
