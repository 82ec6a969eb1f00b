import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { silentLogger } from "../../src/base/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { crd, installDefinitions, migrateDefinitions } from "../../src/crd/mod.ts";
import { ApiServer, startActors, VirtualClock } from "../../src/testing/mod.ts";
import {
  ValidatingAdmissionPolicies,
  ValidatingAdmissionPolicyBindings,
} from "../../src/kinds/admissionregistration/v1.ts";
import { StorageVersionMigrations } from "../../src/kinds/storagemigration/v1.ts";
import type { Cached, CustomResourceDefinition } from "../../src/types/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import {
  countsByVersion,
  definitionOf,
  storedVersions,
  type Widget,
  widgetsIn,
} from "./_stored_versions.ts";

/** Answers a request instead of the server, or sees it. */
type Intercept = (line: string) => Response | void | Promise<Response | void>;

/** A server, and a client whose requests are recorded and intercepted. */
class World {
  readonly clock = new VirtualClock({ wallStartMs: Date.parse("2026-01-01T00:00:00Z") });
  readonly logger = new RecordingLogger();
  readonly requests: string[] = [];
  readonly server: ApiServer;
  readonly client: Client;
  /** Another client, whose requests are not intercepted. */
  readonly others: Client;
  intercept: Intercept = () => {};

  constructor(kubernetes: "1.36" | "1.37" = "1.36") {
    const { clock, logger } = this;
    this.server = new ApiServer({ clock, logger: silentLogger, kubernetes });
    this.others = new Client({ clock, fetch: this.server.fetch, logger: silentLogger });
    this.client = new Client({ clock, logger, fetch: (request) => this.#send(request) });
  }

  async #send(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const line = `${request.method} ${url.pathname.split("/").slice(-2).join("/")}`;
    this.requests.push(url.searchParams.has("continue") ? `${line}?continue` : line);
    // Small pages, so that a few objects are enough.
    if (url.searchParams.get("limit") === "500") url.searchParams.set("limit", "2");
    return await this.intercept(line) ?? await this.server.fetch(new Request(url, request));
  }

  /** Creates objects that are stored in v1, and makes v2 the storage version. */
  async outdate(count: number): Promise<void> {
    const { clock, others, server } = this;
    const v1 = widgetsIn("v1");
    await clock.run(installDefinitions(others, [v1]));
    for (let i = 0; i < count; i++) await clock.run(others.create(v1, widget(`w-${i}`)));
    await clock.run(installDefinitions(others, [widgetsIn("v2")]));
    assertEquals(storedVersions(server), ["v1", "v2"]);
    assertEquals(countsByVersion(server), { v1: count });
  }

  migrate(signal?: AbortSignal): Promise<Cached<CustomResourceDefinition>[]> {
    return this.clock.run(migrateDefinitions(this.client, [widgetsIn("v2")], { signal }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.others.close();
    await this.server.close();
  }
}

const IN_DEFAULT = { namespace: "default" };

function widget(name: string): Widget & { metadata: { name: string; namespace: string } } {
  return { metadata: { name, namespace: "default" }, spec: { size: 1 } };
}

/** Returns the numbers of requests by their text, with `w-*` for each object. */
function tally(requests: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of requests) {
    const key = line.replace(/w-\d+/, "w-*").replace(/kubeloop-[\w-]+/, "kubeloop-*");
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

Deno.test("migrateDefinitions() rewrites stored objects page by page, and then trims storedVersions", async () => {
  await using world = new World();
  await world.outdate(5);
  const before = world.server.objects(widgetsIn("v1"));
  const [definition] = await world.migrate();
  assertEquals(countsByVersion(world.server), { v2: 5 });
  assertEquals(definition?.status?.storedVersions, ["v2"]);
  assertEquals(definition?.metadata.annotations, undefined);
  const withoutVersion = ({ metadata: { resourceVersion: _, ...rest } }: Widget) => rest;
  assertEquals(
    world.server.objects(widgetsIn("v1")).map(withoutVersion),
    before.map(withoutVersion),
  );
  assertEquals(world.logger.of("info"), [
    "Migrating the stored objects of widgets.acme.io from v1, v2 to v2",
    "The server does not migrate the stored objects of widgets.acme.io: it has no StorageVersionMigrations",
    "Stored objects of widgets.acme.io: 2 rewritten, 0 refused, 3 left",
    "Stored objects of widgets.acme.io: 4 rewritten, 0 refused, 1 left",
    "Stored objects of widgets.acme.io: 5 rewritten, 0 refused, 0 left",
    "All objects of widgets.acme.io are stored in v2",
  ]);
  assertEquals(tally(world.requests), {
    "GET customresourcedefinitions/widgets.acme.io": 2,
    "GET storageversionmigrations/kubeloop-*": 1,
    "POST v1/storageversionmigrations": 1,
    "GET v2/widgets": 1,
    "GET v2/widgets?continue": 2,
    "PATCH widgets/w-*": 5,
    // The progress after two pages, and its end.
    "PATCH customresourcedefinitions/widgets.acme.io": 3,
    "PATCH widgets.acme.io/status": 1,
  });
  world.requests.length = 0;
  await world.migrate();
  assertEquals(tally(world.requests), {
    "GET customresourcedefinitions/widgets.acme.io": 1,
    "GET storageversionmigrations/kubeloop-*": 1,
  });
});

Deno.test("migrateDefinitions() starts at the page at which it was stopped, unless the definition has changed", async () => {
  for (const changes of [false, true]) {
    await using world = new World();
    await world.outdate(9);
    const stop = new AbortController();
    let patches = 0;
    world.intercept = (line) => {
      if (line.startsWith("PATCH widgets/") && ++patches > 5) stop.abort(new Error("killed"));
    };
    await assertRejects(() => world.migrate(stop.signal), Error, "killed");
    assertEquals(storedVersions(world.server), ["v1", "v2"]);
    if (changes) {
      const { clock, others } = world;
      await clock.run(installDefinitions(others, [widgetsIn("v1")]));
      await clock.run(others.patch(widgetsIn("v1"), "w-0", { spec: { size: 2 } }, IN_DEFAULT));
      await clock.run(installDefinitions(others, [widgetsIn("v2")]));
      assertEquals(countsByVersion(world.server).v1, 6);
    }
    world.intercept = () => {};
    world.requests.length = 0;
    await world.migrate();
    assertEquals(tally(world.requests)["PATCH widgets/w-*"], changes ? 9 : 5);
    assertEquals(countsByVersion(world.server), { v2: 9 });
    assertEquals(storedVersions(world.server), ["v2"]);
  }
});

Deno.test("migrateDefinitions() bears writes and deletions of others, and a history that is compacted", async () => {
  await using world = new World();
  await world.outdate(9);
  const { others, server } = world;
  const v1 = widgetsIn("v1");
  world.intercept = async (line) => {
    if (line === "PATCH widgets/w-1") {
      await others.patch(v1, "w-1", { spec: { size: 7 } }, IN_DEFAULT);
      await others.create(v1, widget("x"));
    }
    if (line === "PATCH widgets/w-2") await others.delete(v1, "w-2", IN_DEFAULT);
    if (line === "PATCH widgets/w-3") {
      await others.delete(v1, "w-3", IN_DEFAULT);
      await others.create(v1, widget("w-3"));
    }
    if (line === "PATCH widgets/w-4") server.compact();
  };
  await world.migrate();
  assertEquals(countsByVersion(server), { v2: 9 });
  assertEquals(storedVersions(server), ["v2"]);
  assertEquals(server.get(v1, "w-1", "default")?.spec, { size: 7 });
});

Deno.test("migrateDefinitions() starts over if the storage version changes meanwhile", async () => {
  await using world = new World();
  await world.outdate(3);
  let hasChanged = false;
  world.intercept = async (line) => {
    if (hasChanged || line !== "PATCH widgets/w-2") return;
    hasChanged = true;
    await installDefinitions(world.others, [widgetsIn("v3")]);
    await world.others.patch(widgetsIn("v1"), "w-0", { spec: { size: 2 } }, IN_DEFAULT);
    await installDefinitions(world.others, [widgetsIn("v2")]);
  };
  await world.migrate();
  assertEquals(
    world.logger.of("info").includes("widgets.acme.io has changed: the migration starts over"),
    true,
  );
  assertEquals(countsByVersion(world.server), { v2: 3 });
  assertEquals(storedVersions(world.server), ["v2"]);
});

Deno.test("migrateDefinitions() keeps storedVersions if an object cannot be rewritten, and says why", async () => {
  await using world = new World();
  await world.outdate(7);
  const refuse = (code: number, message: string) => {
    const details = { causes: [{ message }] };
    return Response.json({ kind: "Status", status: "Failure", code, message, details }, {
      status: code,
    });
  };
  world.intercept = (line) => /w-[1245]$/.test(line) ? refuse(422, `${line} is frozen`) : undefined;
  await assertRejects(
    () => world.migrate(),
    Error,
    "Cannot migrate the stored objects of widgets.acme.io to v2, status.storedVersions keeps v1, v2: 4 objects could not be rewritten: " +
      "cannot rewrite default/w-1: ",
  );
  assertEquals(countsByVersion(world.server), { v1: 4, v2: 3 });
  assertEquals(storedVersions(world.server), ["v1", "v2"]);
  // A failure that may pass is tried again, but not for ever, and not for each object.
  world.requests.length = 0;
  const conversion = "conversion webhook for acme.io/v1, Kind=Widget failed: no endpoints";
  world.intercept = (line) => /w-\d$/.test(line) ? refuse(500, conversion) : undefined;
  const startMs = world.clock.now();
  await assertRejects(() => world.migrate(), Error, conversion);
  assertEquals(world.clock.now() - startMs < 60_000, true);
  assertEquals(world.requests.length < 60, true, `${world.requests.length}`);
  assertEquals(storedVersions(world.server), ["v1", "v2"]);
  world.intercept = (line) => line === "GET v2/widgets" ? refuse(500, conversion) : undefined;
  await assertRejects(() => world.migrate(), Error, conversion);
  assertEquals(storedVersions(world.server), ["v1", "v2"]);
  world.intercept = () => {};
  await world.migrate();
  assertEquals(storedVersions(world.server), ["v2"]);
  assertEquals(countsByVersion(world.server), { v2: 7 });
});

Deno.test("migrateDefinitions() does not take a resource that is not served for deleted objects", async () => {
  await using world = new World();
  await world.outdate(3);
  let left = 6;
  world.intercept = (line) =>
    /(w-\d|v2\/widgets)$/.test(line) && left-- > 0
      ? new Response("404 page not found", { status: 404 })
      : undefined;
  await world.migrate();
  assertEquals(left < 0, true);
  assertEquals(countsByVersion(world.server), { v2: 3 });
  left = Infinity;
  await world.clock.run(installDefinitions(world.others, [widgetsIn("v1")]));
  await assertRejects(() => world.migrate(), Error, "after 8 attempts");
  assertEquals(storedVersions(world.server), ["v2", "v1"]);
});

Deno.test("migrateDefinitions() names a missing right and a missing definition", async () => {
  await using world = new World();
  await assertRejects(
    () => world.migrate(),
    Error,
    "Cannot migrate the stored objects of widgets.acme.io: cannot get customresourcedefinitions widgets.acme.io: ",
  );
  await world.outdate(1);
  for (
    const [line, what] of [
      [
        "PATCH widgets.acme.io/status",
        "cannot patch widgets.acme.io/status: ",
      ],
      ["GET v2/widgets", "cannot list widgets.acme.io: "],
      ["PATCH widgets/w-0", "cannot rewrite default/w-0: "],
    ]
  ) {
    const message =
      `widgets is forbidden: User "u" cannot patch resource "widgets" in API group "acme.io"`;
    const status = { kind: "Status", status: "Failure", code: 403, reason: "Forbidden", message };
    world.intercept = (sent) => sent === line ? Response.json(status, { status: 403 }) : undefined;
    const error = await assertRejects(() => world.migrate(), Error, what);
    assertStringIncludes(error.message, "grant the right with a Role and a RoleBinding");
    assertEquals(storedVersions(world.server), ["v1", "v2"]);
  }
});

Deno.test("migrateDefinitions() survives a server that lies about its pages", async () => {
  await using world = new World();
  await world.outdate(3);
  const page = (items: unknown, token: unknown) =>
    Response.json({ kind: "PartialObjectMetadataList", metadata: { continue: token }, items });
  for (
    const items of [[], [{ metadata: { name: "w-0", namespace: "default" } }], "items", [null]]
  ) {
    for (const token of ["again", 5, {}]) {
      world.intercept = (line) => line === "GET v2/widgets" ? page(items, token) : undefined;
      await assertRejects(() => world.migrate(), Error);
      assertEquals(storedVersions(world.server), ["v1", "v2"]);
    }
  }
});

/** Adds the controllers of the server. */
function controllersOf({ server }: World) {
  return startActors(server, { nodes: 0 });
}

Deno.test("migrateDefinitions() lets the server migrate where it can", async () => {
  await using world = new World("1.37");
  const actors = controllersOf(world);
  await world.outdate(3);
  await world.migrate();
  assertEquals(countsByVersion(world.server), { v2: 3 });
  assertEquals(storedVersions(world.server), ["v2"]);
  assertEquals(world.server.objects(StorageVersionMigrations), []);
  assertEquals(tally(world.requests), {
    "GET customresourcedefinitions/widgets.acme.io": 2,
    "GET storageversionmigrations/kubeloop-*": 2,
    "POST v1/storageversionmigrations": 1,
    "DELETE storageversionmigrations/kubeloop-*": 1,
  });
  await actors.stop();
});

Deno.test("migrateDefinitions() waits for a migration of the server that an earlier life has left", async () => {
  await using world = new World("1.37");
  await world.outdate(3);
  const stop = new AbortController();
  world.intercept = (line) => {
    if (line.startsWith("GET storageversionmigrations/") && world.requests.length > 4) {
      stop.abort(new Error("killed"));
    }
  };
  await assertRejects(() => world.migrate(stop.signal), Error, "killed");
  assertEquals(world.server.objects(StorageVersionMigrations).length, 1);
  world.intercept = () => {};
  world.requests.length = 0;
  const actors = controllersOf(world);
  await world.migrate();
  assertEquals(tally(world.requests), {
    "GET customresourcedefinitions/widgets.acme.io": 2,
    "GET storageversionmigrations/kubeloop-*": 2,
    "DELETE storageversionmigrations/kubeloop-*": 1,
  });
  assertEquals(countsByVersion(world.server), { v2: 3 });
  assertEquals(storedVersions(world.server), ["v2"]);
  await actors.stop();
});

Deno.test("migrateDefinitions() rewrites objects itself if the controller of the server does not run", async () => {
  await using world = new World("1.37");
  await world.outdate(3);
  await world.migrate();
  assertEquals(
    world.logger.of("info").includes(
      "The server does not complete the migration of widgets.acme.io, so its objects are rewritten without it: it has not started",
    ),
    true,
  );
  assertEquals(countsByVersion(world.server), { v2: 3 });
  assertEquals(storedVersions(world.server), ["v2"]);
  assertEquals(world.server.objects(StorageVersionMigrations), []);
});

Deno.test("migrateDefinitions() restores storedVersions after a migration of the server has failed", async () => {
  for (const killed of [false, true]) {
    await using world = new World("1.37");
    const actors = controllersOf(world);
    await world.outdate(3);
    const { clock, others, server } = world;
    await clock.run(others.create(ValidatingAdmissionPolicies, {
      metadata: { name: "frozen" },
      spec: {
        matchConstraints: {
          resourceRules: [{
            apiGroups: ["acme.io"],
            apiVersions: ["*"],
            operations: ["UPDATE"],
            resources: ["widgets"],
          }],
        },
        validations: [{ expression: "object.metadata.name != 'w-1'", message: "it is frozen" }],
      },
    }));
    await clock.run(others.create(ValidatingAdmissionPolicyBindings, {
      metadata: { name: "frozen" },
      spec: { policyName: "frozen", validationActions: ["Deny"] },
    }));
    if (killed) {
      const stop = new AbortController();
      world.intercept = () => {
        if (storedVersions(server).length === 1) stop.abort(new Error("killed"));
      };
      await assertRejects(() => world.migrate(stop.signal), Error, "killed");
      assertEquals(storedVersions(server), ["v2"]);
      world.intercept = () => {};
    }
    await assertRejects(
      () => world.migrate(),
      Error,
      "1 objects could not be rewritten: cannot rewrite default/w-1: ",
    );
    const line = world.logger.of("info").find((one) => one.startsWith("The server does not"));
    assertEquals(
      line,
      "The server does not complete the migration of widgets.acme.io, so its objects are rewritten without it: " +
        '2/3 not yet migrated. migration encountered unhandled error: widgets.acme.io "w-1" is forbidden: ' +
        "ValidatingAdmissionPolicy 'frozen' with binding 'frozen' denied request: it is frozen",
    );
    assertEquals(countsByVersion(server), { v1: 1, v2: 2 });
    assertEquals(storedVersions(server), ["v1", "v2"]);
    assertEquals(server.objects(StorageVersionMigrations), []);
    await actors.stop();
  }
});

Deno.test("migrateDefinitions() does not trust a migration of the server for an earlier definition", async () => {
  await using world = new World("1.37");
  await world.outdate(3);
  const { clock, others, server } = world;
  const { uid, generation } = definitionOf(server)!.metadata;
  const name = `kubeloop-${uid}`;
  await clock.run(others.create(StorageVersionMigrations, {
    metadata: { name, annotations: { "kubeloop/generation": `${generation! - 1}` } },
    spec: { resource: { group: "acme.io", resource: "widgets" } },
  }));
  await clock.run(others.patchStatus(StorageVersionMigrations, name, {
    status: {
      resourceVersion: "1",
      conditions: [{
        type: "Succeeded",
        status: "True",
        reason: "Done",
        message: "",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      }],
    },
  }));
  await world.migrate();
  assertEquals(countsByVersion(server), { v2: 3 });
  assertEquals(storedVersions(server), ["v2"]);
  assertEquals(server.objects(StorageVersionMigrations), []);
});

Deno.test("migrateDefinitions() keeps storedVersions while the conversion webhook fails", async () => {
  const clock = new VirtualClock();
  let isDown = true;
  const server = new ApiServer({
    clock,
    logger: silentLogger,
    kubernetes: "1.36",
    webhooks: async (request) => {
      if (isDown) return new Response("out of order", { status: 500 });
      const { request: { uid, desiredAPIVersion, objects } } = await request.json();
      const convertedObjects = objects.map((one: object) => ({
        ...one,
        apiVersion: desiredAPIVersion,
      }));
      return Response.json({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "ConversionReview",
        response: { uid, result: { status: "Success" }, convertedObjects },
      });
    },
  });
  await using client = new Client({ clock, fetch: server.fetch, logger: silentLogger });
  const install = async (storage: "v1" | "v2") => {
    const definition = crd(widgetsIn(storage));
    definition.spec.conversion = {
      strategy: "Webhook",
      webhook: {
        clientConfig: { url: "https://webhook.acme.io/convert" },
        conversionReviewVersions: ["v1"],
      },
    };
    return await installDefinitions(client, [definition], { migrate: true });
  };
  await clock.run(install("v1"));
  const v1 = widgetsIn("v1");
  for (const name of ["w-0", "w-1"]) await clock.run(client.create(v1, widget(name)));
  await assertRejects(
    () => clock.run(install("v2")),
    Error,
    "status.storedVersions keeps v1, v2: cannot list widgets.acme.io, after 8 attempts: conversion webhook for acme.io/v1, Kind=Widget failed",
  );
  assertEquals([storedVersions(server), countsByVersion(server)], [["v1", "v2"], { v1: 2 }]);
  isDown = false;
  await clock.run(install("v2"));
  assertEquals([storedVersions(server), countsByVersion(server)], [["v2"], { v2: 2 }]);
});
