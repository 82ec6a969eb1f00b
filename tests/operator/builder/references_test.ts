import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  type Cached,
  type Client,
  ConfigMaps,
  defineResource,
  installDefinitions,
  type KubeObject,
  Manager,
  type ManagerOptions,
  metadataOf,
  Namespaces,
  Nodes,
  type Resource,
  Secrets,
} from "@kubeloop/controller";
import type {
  ControllerBuilder,
  ControllerHandle,
  Reconciliation,
} from "@kubeloop/controller/operator";
import type { ApiServerOptions } from "@kubeloop/testing";
import type { Clock } from "@kubeloop/controller/base";
import { forEachSeed } from "../../support/seeded_runs.ts";
import { namespace, World } from "../_world.ts";

/** An object that names Secrets. */
interface User extends KubeObject {
  spec: { secrets: string[] };
}

const Users: Resource<User> = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "User",
  spec: {
    type: "object",
    required: ["secrets"],
    properties: { secrets: { type: "array", items: { type: "string" } } },
  },
});

/** A cluster with Users and Secrets, and a client whose requests for Secrets are recorded. */
class SecretWorld extends World {
  /** The lists and watches of Secrets, such as `default metadata.name=a`, and their signals. */
  readonly #reads: {
    readonly scope: string;
    readonly isWatch: boolean;
    readonly signal: AbortSignal;
  }[] = [];
  /** Answers a list or watch of Secrets in place of the server. */
  answer: (scope: string, request: Request) => Promise<Response> | undefined = () => undefined;
  readonly ownClient: Client = this.clientWith((request) => this.#record(request));

  #record(request: Request): Promise<Response> | undefined {
    const { method, signal, url } = request;
    const { pathname, searchParams } = new URL(url);
    const found = /^[/]api[/]v1(?:[/]namespaces[/]([^/]+))?[/]secrets$/.exec(pathname);
    if (found === null || method !== "GET" || searchParams.get("limit") === "1") return undefined;
    const scope = `${found[1] ?? "*"} ${searchParams.get("fieldSelector") ?? "*"}`;
    this.#reads.push({ scope, isWatch: searchParams.has("watch"), signal });
    return this.answer(scope, request);
  }

  override manager(options: ManagerOptions = {}): Manager {
    return new Manager(this.ownClient, options);
  }

  /** The scopes of the open watches. */
  get watches(): string[] {
    return this.#reads.filter(({ isWatch, signal }) => isWatch && !signal.aborted)
      .map(({ scope }) => scope).toSorted();
  }

  /** Returns the scopes of the lists and watches since the last call, each once. */
  takeReads(): string[] {
    return [...new Set(this.#reads.splice(0).map(({ scope }) => scope))].toSorted();
  }

  override async install(): Promise<void> {
    await this.do(installDefinitions(this.client, [Users]));
    this.writes.length = 0;
  }

  async user(name: string, secrets: string[], at: string = namespace): Promise<void> {
    await this.do(
      this.client.create(Users, { metadata: { name, namespace: at }, spec: { secrets } }),
    );
  }

  async refer(name: string, secrets: string[]): Promise<void> {
    await this.do(this.client.patch(Users, name, { spec: { secrets } }, { namespace }));
  }

  async secret(name: string, value: string, at: string = namespace): Promise<void> {
    await this.do(
      this.client.create(Secrets, {
        metadata: { name, namespace: at },
        data: { value: btoa(value) },
      }),
    );
  }

  async change(name: string, value: string, at: string = namespace): Promise<void> {
    await this.do(
      this.client.patch(Secrets, name, { data: { value: btoa(value) } }, { namespace: at }),
    );
  }

  async namespaces(...names: string[]): Promise<void> {
    for (const name of names) {
      await this.do(this.client.create(Namespaces, { metadata: { name } }));
    }
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await this.ownClient.close();
  }
}

async function secretWorld(options: ApiServerOptions = {}): Promise<SecretWorld> {
  const world = new SecretWorld(options);
  await world.install();
  return world;
}

function forbidden(): Promise<Response> {
  const status = { kind: "Status", status: "Failure", code: 403, reason: "Forbidden" };
  const message = "secrets is forbidden";
  return Promise.resolve(Response.json({ ...status, message }, { status: 403 }));
}

/** Returns a response after a second. */
function later(clock: Clock, response: Response): Promise<Response> {
  return new Promise((resolve) => void clock.setTimer(() => resolve(response), 1_000));
}

/** Declares a controller that notes the values of the Secrets of each User, and `-` for a missing Secret. */
function reading(
  manager: Manager,
  seen: string[],
  declare: (builder: ControllerBuilder<User>) => ControllerBuilder<User> = (builder) => builder,
): ControllerHandle {
  const builder = manager.controller(Users).references(Secrets, ({ spec }) => spec.secrets);
  return declare(builder).reconcile(({ cache, key, object, namespace }) => {
    const values = object.spec.secrets.map((reference) => {
      const [name = "", place = namespace] = reference.split("/").toReversed();
      return atob(cache(Secrets).get(name, place)?.data?.["value"] ?? "") || "-";
    });
    seen.push(`${key}: ${values.join(" ")}`);
  });
}

Deno.test("references() watches each referenced object, and reconciles what refers to it", async () => {
  await using world = await secretWorld();
  for (const name of ["a", "b", "other"]) await world.secret(name, `${name}1`);
  await world.user("x", ["a"]);
  await world.user("y", ["a", "b", "none"]);
  const manager = world.manager();
  const seen: string[] = [];
  const controller = reading(manager, seen);
  world.start(manager);
  await world.pass(100);
  assertEquals(seen.splice(0).toSorted(), ["default/x: a1", "default/y: a1 b1 -"]);
  const scopes = ["a", "b", "none"].map((name) => `default metadata.name=${name}`);
  assertEquals(world.watches, scopes);
  assertEquals(world.takeReads(), scopes);
  const references = { resource: "secrets", objects: 3, watches: 3, waiting: 0, notSynced: [] };
  assertEquals(controller.snapshot().references, [references]);

  await world.change("b", "b2");
  await world.change("other", "other2");
  await world.pass(100);
  assertEquals(seen.splice(0), ["default/y: a1 b2 -"]);
  await world.secret("none", "new");
  await world.pass(100);
  assertEquals(seen.splice(0), ["default/y: a1 b2 new"]);
  await world.do(world.client.delete(Secrets, "a", { namespace }));
  await world.pass(100);
  assertEquals(seen.splice(0).toSorted(), ["default/x: -", "default/y: - b2 new"]);
});

Deno.test("a key waits until its references have synced; other keys and the start do not", async () => {
  await using world = await secretWorld();
  for (const name of ["a", "b"]) await world.secret(name, `${name}1`);
  await world.user("x", ["a", "b"]);
  await world.user("y", ["b"]);
  world.answer = (scope) => scope === "default metadata.name=a" ? forbidden() : undefined;
  const manager = world.manager();
  const seen: string[] = [];
  const controller = reading(manager, seen);
  world.start(manager);
  await world.pass(100);
  assertEquals(seen.splice(0), ["default/y: b1"]);
  await world.change("b", "b2");
  await world.pass(10_000);
  assertEquals(new Set(seen.splice(0)), new Set(["default/y: b2"]));
  const [references] = controller.snapshot().references;
  assertEquals([references?.watches, references?.waiting], [2, 1]);
  assertStringIncludes(
    references?.notSynced.join() ?? "",
    "secrets (in default, metadata.name=a): secrets is forbidden",
  );
  const ready = await world.do(manager.handler(new Request("http://localhost/readyz")));
  assertEquals(ready.status, 200);
  assertStringIncludes(
    await ready.text(),
    "caches ok: 1 watch of referenced secrets has not synced",
  );
  assertStringIncludes(
    manager.metrics.text(),
    'kubeloop_reference_waiting_keys{controller="user",resource="secrets"} 1',
  );
  assert(
    world.lines.some((line) => /secrets \(in default, metadata.name=a\).*forbidden/.test(line)),
  );

  world.answer = () => undefined;
  await world.pass(60_000);
  assertEquals(seen.splice(0), ["default/x: a1 b2"]);
  assertEquals(controller.snapshot().references[0]?.waiting, 0);
  const later = await world.do(manager.handler(new Request("http://localhost/readyz")));
  assertStringIncludes(await later.text(), "[+]caches ok\n");
});

Deno.test("references() stops the watches of objects that nothing refers to any more", async () => {
  await using world = await secretWorld();
  const manager = world.manager();
  const seen: string[] = [];
  const controller = reading(manager, seen);
  world.start(manager);
  await world.user("x", ["warm"]);
  await world.pass(100);
  await world.refer("x", []);
  await world.pass(30_000);
  // The changes of the test are a hot loop.
  const series = () =>
    manager.metrics.text().split("\n").filter((line) => !line.includes("hot_loop_fields")).length;
  const [before, open] = [series(), world.server.openWatches];
  for (let i = 0; i < 200; i++) {
    await world.refer("x", Array.from({ length: 5 }, (_, at) => `s${i}-${at}`));
    await world.pass(5);
  }
  assert(world.server.openWatches <= open + 25, `${world.server.openWatches}`);
  assertEquals(seen.at(-1), "default/x: - - - - -");
  await world.do(world.client.delete(Users, "x", { namespace }));
  await world.pass(30_000);
  assertEquals(world.watches, []);
  assertEquals(world.server.openWatches, open);
  assertEquals(controller.snapshot().references[0]?.objects, 0);
  assertEquals(series(), before);
  assertEquals(manager.metrics.text().match(/metadata\.name/), null);
});

Deno.test("references() watches the namespace of many references, and does not narrow while some are left", async () => {
  await using world = await secretWorld();
  const names = Array.from({ length: 26 }, (_, i) => `s${i}`);
  for (const name of names) await world.secret(name, name);
  const manager = world.manager();
  const seen: string[] = [];
  reading(manager, seen);
  world.start(manager);
  await world.user("x", names.slice(0, 25));
  await world.user("y", ["s0"]);
  await world.pass(1_000);
  assertEquals(
    world.watches,
    names.slice(0, 25).map((name) => `default metadata.name=${name}`).toSorted(),
  );
  await world.refer("y", ["s25"]);
  await world.pass(30_000);
  assertEquals(world.watches, ["default *"]);
  assertEquals(seen.at(-1), "default/y: s25");
  await world.change("s25", "new");
  await world.pass(100);
  assertEquals(seen.at(-1), "default/y: new");
  await world.do(world.client.delete(Users, "x", { namespace }));
  await world.pass(60_000);
  assertEquals(world.watches, ["default *"]);
  await world.do(world.client.delete(Users, "y", { namespace }));
  await world.pass(30_000);
  assertEquals(world.watches, []);
});

Deno.test("references() watches all objects if references are in many namespaces", async () => {
  await using world = await secretWorld();
  const places = Array.from({ length: 26 }, (_, i) => `n${i}`);
  await world.namespaces(...places);
  for (const place of places) await world.secret("s", place, place);
  const manager = world.manager();
  const seen: string[] = [];
  reading(manager, seen);
  world.start(manager);
  await world.user("x", places.slice(1).map((place) => `${place}/s`));
  await world.pass(1_000);
  assertEquals(world.watches.length, 25);
  await world.user("y", ["s"], "n0");
  await world.pass(30_000);
  assertEquals(world.watches, ["* *"]);
  assertEquals(seen.filter((line) => line.startsWith("n0")).at(-1), "n0/y: n0");
});

Deno.test("references() begins with the widest watch that the first list needs", async () => {
  await using world = await secretWorld();
  for (let i = 0; i < 50; i++) await world.user(`u${i}`, [`s${i}`]);
  const manager = world.manager();
  const seen: string[] = [];
  reading(manager, seen);
  world.start(manager);
  await world.pass(1_000);
  assertEquals(world.takeReads(), ["default *"]);
  assertEquals(seen.length, 50);
});

Deno.test("references() reads only the namespaces of the manager", async () => {
  await using world = await secretWorld();
  await world.namespaces("one", "two", "three");
  for (const place of ["one", "two", "three"]) await world.secret("s", place, place);
  const manager = world.manager({ namespaces: ["one", "two"] });
  const seen: string[] = [];
  reading(manager, seen);
  world.start(manager);
  await world.user("x", ["s", "two/s"], "one");
  await world.user("y", ["three/s"], "one");
  await world.pass(1_000);
  assertEquals(seen, ["one/x: one two"]);
  assertEquals(world.watches, ["one metadata.name=s", "two metadata.name=s"]);
  assertEquals(
    world.lines.find((line) => line.includes("is skipped")),
    'error user: "one/y" has a reference to secrets that is skipped: The secrets "three/s" is not in a namespace ' +
      "of the manager, which has one, two: give the manager that namespace too",
  );
  const names = Array.from({ length: 30 }, (_, i) => `s${i}`);
  await world.user("z", [...names, ...names.map((name) => `two/${name}`)], "one");
  await world.pass(30_000);
  assertEquals(world.watches, ["one *", "two *"]);
});

Deno.test("references() resolves names of cluster-scoped kinds, and skips names that no object can have", async () => {
  await using world = await secretWorld();
  await world.do(world.client.create(Nodes, { metadata: { name: "n1", labels: { zone: "a" } } }));
  await world.secret("s", "value");
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(Nodes)
    .references(Secrets, () => ["default/s", "s"])
    .references(Secrets, () => ({ name: "../s", namespace }))
    .references(Secrets, ({ metadata }) => metadata.labels?.["none"])
    .references(Nodes, ({ metadata }) => [metadata.name, "", undefined, "default/n1"])
    .reconcile(({ cache, name }) => {
      const zone = cache(Nodes).get(name)?.metadata.labels?.["zone"];
      seen.push(`${zone} ${cache(Secrets).get("s", namespace)?.metadata.name}`);
    });
  world.start(manager);
  await world.pass(1_000);
  assertEquals(seen, ["a s"]);
  assertEquals(world.watches, ["default metadata.name=s"]);
  assertEquals(
    world.lines.filter((line) => line.includes("is skipped")).toSorted(),
    [
      'error node: "n1" has a reference to nodes that is skipped: The nodes "n1" has no namespace: refer to it by "n1"',
      'error node: "n1" has a reference to secrets that is skipped: No object can have the name "../s"',
      'error node: "n1" has a reference to secrets that is skipped: The secrets "s" needs a namespace, as in ' +
      '"default/s": the referring object has none',
    ],
  );
});

Deno.test("a user's text with a selector in it is one name", async () => {
  await using world = await secretWorld();
  await world.secret("s", "value");
  await world.user("x", ["s,metadata.name!=s", "a=b"]);
  const manager = world.manager();
  const seen: string[] = [];
  reading(manager, seen);
  world.start(manager);
  await world.pass(1_000);
  assertEquals(seen, ["default/x: - -"]);
});

Deno.test("a function of references that throws is logged; its object refers to nothing", async () => {
  await using world = await secretWorld();
  await world.user("x", ["s"]);
  const manager = world.manager();
  let reconciles = 0;
  manager.controller(Users).references(Secrets, () => {
    throw new Error("oops");
  }).reconcile(() => void reconciles++);
  world.start(manager);
  await world.pass(1_000);
  assertEquals([reconciles, world.watches], [1, []]);
  assert(
    world.lines.includes(
      'error user: "default/x" has a reference to secrets that is skipped: oops',
    ),
  );
});

Deno.test("the cache of references explains what it cannot answer", async () => {
  await using world = await secretWorld();
  await world.user("x", ["s"]);
  const manager = world.manager();
  const errors: string[] = [];
  const note = (read: () => unknown) => {
    try {
      read();
    } catch (error) {
      errors.push((error as Error).message);
    }
  };
  manager.controller(Users).references(Secrets, ({ spec }) => spec.secrets)
    .reconcile(({ cache, owned }) => {
      note(() => cache(Secrets).get("s"));
      note(() => cache(Secrets).get("other", namespace));
      note(() => cache(Secrets).list());
      note(() => cache(Secrets).byIndex("a", "b"));
      note(() => owned(Secrets));
      note(() => cache(metadataOf(Secrets)).get("s", namespace));
    });
  world.start(manager);
  await world.pass(1_000);
  const only =
    'of secrets in controller "user": it caches only the secrets that its objects refer to, ' +
    "which get() returns. Add .owns(…) or .watches(…) for others";
  assertEquals(errors, [
    'The cache of secrets holds objects of namespaces: give the namespace, as in get("s", "default")',
    'The cache of secrets in controller "user" does not hold "default/other": no User refers to it. ' +
    "Return its name from the function of .references(…)",
    `Cannot list() ${only}`,
    `Cannot byIndex() ${only}`,
    `Cannot ownedBy() ${only}`,
    'Cannot cache secrets in controller "user", which has declared whole objects of the kind: ' +
    "pass the same resource to both",
  ]);
  const builder = manager.controller(Users, { name: "other" });
  assertThrows(
    () => builder.references(Secrets, "s" as never),
    TypeError,
    "references() of secrets needs a function that returns the names, as in (object) => [object.spec.secret]",
  );
  builder.reconcile(() => {});
  assertThrows(
    () => builder.references(Secrets, () => []),
    Error,
    "has its reconcile function already",
  );
});

Deno.test("references() joins the other caches of the kind, and shares a cache of all objects", async () => {
  await using world = await secretWorld();
  const labels = { copy: "yes" };
  await world.secret("s", "source");
  await world.do(world.client.create(Secrets, { metadata: { name: "c", namespace, labels } }));
  await world.user("x", ["s"]);
  const manager = world.manager();
  const seen: unknown[] = [];
  const read = ({ cache }: Reconciliation<User>) =>
    void seen.push([
      cache(Secrets).get("s", namespace)?.metadata.name,
      cache(Secrets).get("c", namespace)?.metadata.name,
      cache(Secrets).list().map(({ metadata }) => metadata.name),
    ]);
  const of = ({ spec }: Cached<User>) => spec.secrets;
  manager.controller(Users, { name: "some" }).owns(Secrets, { labelSelector: "copy" })
    .references(Secrets, of).reconcile(read);
  world.start(manager);
  await world.pass(1_000);
  assertEquals(seen.splice(0), [["s", "c", ["c"]]]);
  assertEquals(world.watches, ["* *", "default metadata.name=s"]);
  manager.controller(Users, { name: "all" }).owns(Secrets).references(Secrets, of).reconcile(read);
  await world.pass(1_000);
  assertEquals(seen.splice(0), [["s", "c", ["c", "s"]]]);
  assertEquals(world.watches, ["* *", "* *", "default metadata.name=s"]);
});

Deno.test("a key waits until the cache of a reference shows what it has written", async () => {
  await using world = await secretWorld();
  await world.secret("s", "0");
  await world.user("x", ["s"]);
  const manager = world.manager();
  const seen: string[] = [];
  const controller = manager.controller(Users).references(Secrets, ({ spec }) => spec.secrets)
    .reconcile(async ({ cache, apply }) => {
      const value = atob(cache(Secrets).get("s", namespace)?.data?.["value"] ?? "");
      seen.push(value);
      if (Number(value) >= 3) return;
      const data = { value: btoa(`${Number(value) + 1}`) };
      await apply(Secrets, { metadata: { name: "s" }, data }, { owner: false, adopt: true });
    });
  const hold = world.server.lag.hold({ when: ({ resource }) => resource === "secrets" });
  world.start(manager);
  await world.pass(1_000);
  controller.trigger(`${namespace}/x`);
  await world.pass(1_000);
  assertEquals([seen, controller.snapshot().waitingForCaches], [["0"], 1]);
  hold.release();
  await world.pass(500);
  assertEquals(seen, ["0", "1", "2", "3"]);
});

Deno.test("a running reconcile reads the references that its object had at the start", async () => {
  await using world = await secretWorld();
  await world.secret("old", "old");
  await world.secret("new", "new");
  await world.user("x", ["old"]);
  const manager = world.manager();
  const seen: string[] = [];
  const gates = [Promise.withResolvers<void>()];
  manager.controller(Users).references(Secrets, ({ spec }) => spec.secrets)
    .reconcile(async ({ cache, object: { spec: { secrets: [name = ""] } } }) => {
      await gates.shift()?.promise;
      seen.push(cache(Secrets).get(name, namespace)?.metadata.name ?? "-");
    });
  const [gate] = gates;
  world.start(manager);
  await world.pass(1_000);
  await world.refer("x", ["new"]);
  await world.pass(60_000);
  assertEquals(world.watches, ["default metadata.name=new", "default metadata.name=old"]);
  gate?.resolve();
  await world.pass(60_000);
  assertEquals(seen, ["old", "new"]);
  assertEquals(world.watches, ["default metadata.name=new"]);
});

Deno.test("changed references reconcile their object, whatever its predicate says", async () => {
  await using world = await secretWorld();
  await world.secret("s", "value");
  await world.user("x", []);
  const manager = world.manager();
  const seen: (string | undefined)[] = [];
  manager.controller(Users)
    .references(Secrets, ({ metadata }) => metadata.annotations?.["secret"])
    .reconcile(({ cache, object: { metadata: { annotations } } }) => {
      const name = annotations?.["secret"];
      seen.push(name && cache(Secrets).get(name, namespace)?.metadata.name);
    });
  world.start(manager);
  await world.pass(1_000);
  const annotate = (annotations: Record<string, string>) =>
    world.do(world.client.patch(Users, "x", { metadata: { annotations } }, { namespace }));
  await annotate({ other: "1" });
  await world.pass(1_000);
  await annotate({ secret: "s" });
  await world.pass(1_000);
  assertEquals(seen, [undefined, "s"]);
});

Deno.test("cleanup() reads the references of an object that is being deleted", async () => {
  await using world = await secretWorld();
  await world.secret("s", "key");
  await world.user("x", ["s"]);
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(Users).references(Secrets, ({ spec }) => spec.secrets)
    .finalizer("acme.io/bucket", {
      cleanup: ({ cache }) =>
        void seen.push(cache(Secrets).get("s", namespace)?.metadata.name ?? "-"),
    })
    .reconcile(() => {});
  world.start(manager);
  await world.pass(1_000);
  await world.do(world.client.delete(Users, "x", { namespace }));
  await world.pass(30_000);
  assertEquals([seen, world.watches], [["s"], []]);
});

Deno.test("a kind of references that cannot be read is an error at the start", async () => {
  await using world = await secretWorld();
  await world.user("x", []);
  const client = world.clientWith(({ url }) => url.includes("/secrets") ? forbidden() : undefined);
  const manager = new Manager(client);
  reading(manager, []);
  await assertRejects(
    () => world.do(manager.run()),
    Error,
    "The manager cannot start: it may not list secrets: grant the rights that manager.rbac() prints",
  );
  await client.close();
  assertStringIncludes(
    manager.rbac(),
    `  - apiGroups: [""]
    resources: [secrets]
    verbs: [list, watch]
`,
  );
});

Deno.test("a standby watches the references, and reconciles nothing", async () => {
  await using world = await secretWorld();
  await world.secret("s", "value");
  await world.user("x", ["s"]);
  const leaderElection = { name: "lock", namespace };
  const [first, second]: [string[], string[]] = [[], []];
  const leader = world.manager({ leaderElection });
  reading(leader, first);
  const stop = new AbortController();
  const running = leader.run({ signal: stop.signal });
  await world.pass(5_000);
  world.takeReads();
  const standby = world.manager({ leaderElection });
  reading(standby, second);
  world.start(standby);
  await world.pass(5_000);
  assertEquals([first, second], [["default/x: value"], []]);
  assertEquals(world.takeReads(), ["default metadata.name=s"]);
  await world.change("s", "later");
  await world.pass(100);
  stop.abort();
  await world.do(running);
  await world.pass(60_000);
  assertEquals([first, second], [["default/x: value", "default/x: later"], ["default/x: later"]]);
  assertEquals(world.takeReads(), []);
});

Deno.test("references() of many objects that come and go show the truth in the end, and never less than before", async () => {
  await forEachSeed(12, async (random) => {
    const pick = (count: number) => Math.floor(random.next() * count);
    await using world = await secretWorld({ lag: true, random: random.fork("server") });
    const places = [namespace, "other", "third"].slice(0, 1 + pick(3));
    await world.namespaces(...places.slice(1));
    await world.secret("always", "0");
    /** The number of names to choose from; 25 watches are not enough for some. */
    const range = [5, 20, 40][pick(3)]!;
    const versions = new Map<string, number>();
    const last = new Map<string, string>();
    const manager = world.manager();
    manager.controller(Users, { workers: 3 }).references(Secrets, ({ spec }) => spec.secrets)
      .reconcile(({ cache, key, object }) => {
        const read = (reference: string) => {
          const [place = "", name = ""] = reference.split("/");
          const value = cache(Secrets).get(name, place)?.data?.["value"];
          return value === undefined ? "-" : atob(value);
        };
        const values = object.spec.secrets.map(read);
        last.set(key, values.join(" "));
        const version = Number(values[0]);
        assert(
          version >= (versions.get(key) ?? 0),
          `${key} has read ${values[0]} after ${versions.get(key)}`,
        );
        versions.set(key, version);
      });
    world.start(manager);
    const always = `${namespace}/always`;
    const truth = (reference: string) => {
      const [place = "", name = ""] = reference.split("/");
      const value = world.server.get(Secrets, name, place)?.data?.["value"];
      return value === undefined ? "-" : atob(value);
    };
    for (let step = 1; step <= 60; step++) {
      const [place, name] = [places[pick(places.length)]!, `s${pick(range)}`];
      const user = `u${pick(8)}`;
      const secrets = [
        always,
        ...Array.from({ length: pick(12) }, () => `${places[pick(places.length)]}/s${pick(range)}`),
      ];
      const tries: (() => Promise<unknown>)[] = [
        () => world.secret(name, `${step}`, place),
        () => world.change(name, `${step}`, place),
        () => world.change("always", `${step}`),
        () => world.do(world.client.delete(Secrets, name, { namespace: place })),
        () => world.user(user, secrets),
        () => world.refer(user, secrets),
        () => world.refer(user, [always]),
        () =>
          world.do(world.client.delete(Users, user, { namespace })).then(() => {
            last.delete(`${namespace}/${user}`);
            versions.delete(`${namespace}/${user}`);
          }),
      ];
      await tries[pick(tries.length)]!().catch(() => {});
      await world.pass(pick(3) === 0 ? pick(30_000) : pick(300));
    }
    await world.pass(60_000);
    assertEquals(world.lines.filter((line) => /^(warn|error)/.test(line)), []);
    for (const { metadata, spec } of world.server.objects(Users, namespace)) {
      const key = `${namespace}/${metadata?.name}`;
      assertEquals(last.get(key), (spec as User["spec"]).secrets.map(truth).join(" "), key);
    }
    assert(world.watches.length <= 26);
  });
});

Deno.test("a change that only the wider watch has shown reconciles what refers to the object", async () => {
  await using world = await secretWorld();
  const names = Array.from({ length: 26 }, (_, i) => `s${i}`);
  await world.secret("s0", "old");
  const manager = world.manager();
  const seen: string[] = [];
  reading(manager, seen);
  world.start(manager);
  await world.user("x", names.slice(1));
  await world.user("y", ["s0"]);
  await world.refer("x", names.slice(2));
  await world.pass(1_000);
  assertEquals(seen.at(-1)?.split(" ").length, 25);
  world.server.lag.hold({ when: ({ resource }) => resource === "secrets" });
  await world.change("s0", "new");
  await world.pass(30_000);
  assertEquals(seen.filter((line) => line.startsWith("default/y")), ["default/y: old"]);
  await world.refer("x", names.slice(1));
  await world.pass(30_000);
  assertEquals(world.watches, ["default *"]);
  assertEquals(seen.filter((line) => line.startsWith("default/y")), [
    "default/y: old",
    "default/y: new",
  ]);
});

Deno.test("a wider watch whose cache is behind does not show older objects", async () => {
  await using world = await secretWorld();
  const names = Array.from({ length: 26 }, (_, i) => `s${i}`);
  await world.secret("s0", "old");
  const manager = world.manager();
  const seen: string[] = [];
  const controller = reading(manager, seen);
  world.start(manager);
  await world.user("x", names.slice(1, 25));
  await world.user("y", ["s0"]);
  await world.pass(1_000);
  // The wider watch lists the old object, and learns of its change late.
  const hold = world.server.lag.hold({
    when: ({ resource, url: { searchParams } }, { type }) =>
      resource === "secrets" && !searchParams.has("fieldSelector") && type === "MODIFIED",
  });
  world.answer = (scope, request) => {
    if (scope !== "default *") return undefined;
    world.answer = () => undefined;
    return world.server.fetch(request).then((response) => later(world.clock, response));
  };
  await world.user("z", ["s25", "s26"]);
  await world.pass(500);
  await world.change("s0", "new");
  await world.pass(30_000);
  assertEquals(world.watches, ["default *", "default metadata.name=s0"]);
  controller.trigger(`${namespace}/y`);
  await world.pass(100);
  assertEquals(seen.at(-1), "default/y: new");
  hold.release();
  await world.pass(30_000);
  assertEquals(world.watches, ["default *"]);
  assertEquals(seen.at(-1), "default/y: new");
});

Deno.test("a running reconcile can read its references while a wider watch does not sync", async () => {
  await using world = await secretWorld();
  await world.secret("old", "old");
  await world.user("x", ["old"]);
  world.answer = (scope) => scope === "default *" ? forbidden() : undefined;
  const manager = world.manager();
  const seen: string[] = [];
  const gate = Promise.withResolvers<void>();
  manager.controller(Users).references(Secrets, ({ spec }) => spec.secrets)
    .reconcile(async ({ cache, object: { spec: { secrets: [name = ""] } } }) => {
      await gate.promise;
      seen.push(cache(Secrets).get(name, namespace)?.metadata.name ?? "-");
    });
  world.start(manager);
  await world.pass(1_000);
  await world.refer("x", Array.from({ length: 25 }, (_, i) => `s${i}`));
  await world.pass(60_000);
  gate.resolve();
  await world.pass(1_000);
  assertEquals(seen, ["old"]);
});

Deno.test("a waiting key whose object is deleted leaves nothing behind", async () => {
  await using world = await secretWorld();
  await world.user("x", ["s"]);
  world.answer = () => forbidden();
  const manager = world.manager();
  const controller = manager.controller(Users, { when: ({ type }) => type !== "deleted" })
    .references(Secrets, ({ spec }) => spec.secrets).reconcile(() => {});
  world.start(manager);
  await world.pass(1_000);
  assertEquals(controller.snapshot().references[0]?.waiting, 1);
  await world.do(world.client.delete(Users, "x", { namespace }));
  await world.pass(30_000);
  assertEquals(controller.snapshot().references, [
    { resource: "secrets", objects: 0, watches: 0, waiting: 0, notSynced: [] },
  ]);
  assertStringIncludes(manager.metrics.text(), 'phase="initial_list"');
});

Deno.test("an object that waits for another finalizer keeps its watches until it is gone", async () => {
  await using world = await secretWorld();
  const metadata = { name: "x", namespace, finalizers: ["acme.io/other"] };
  await world.do(world.client.create(Users, { metadata, spec: { secrets: ["s"] } }));
  const manager = world.manager();
  const controller = reading(manager, []);
  world.start(manager);
  await world.pass(1_000);
  await world.do(world.client.delete(Users, "x", { namespace }));
  controller.trigger(`${namespace}/x`);
  await world.pass(30_000);
  assertEquals(world.watches, ["default metadata.name=s"]);
  const released = { metadata: { finalizers: null } };
  await world.do(world.client.patch(Users, "x", released, { namespace }));
  await world.pass(30_000);
  assertEquals(world.watches, []);
});

Deno.test("a list after a gap reconciles only for what has changed", async () => {
  await using world = await secretWorld();
  for (const name of ["a", "b"]) await world.secret(name, name);
  await world.user("x", ["a"]);
  await world.user("y", ["b"]);
  const manager = world.manager();
  const seen: string[] = [];
  reading(manager, seen);
  world.start(manager);
  await world.pass(1_000);
  seen.length = 0;
  world.server.lag.hold({ forMs: 1_000, when: ({ resource }) => resource === "secrets" });
  await world.change("b", "new");
  world.server.restart();
  await world.pass(60_000);
  assertEquals(new Set(seen), new Set(["default/y: new"]));
});

Deno.test("a key that has written an object to which another refers waits for it, and no longer", async () => {
  await using world = await secretWorld();
  await world.secret("s", "0");
  await world.user("writer", []);
  await world.user("reader", ["s"]);
  const manager = world.manager();
  const times: number[] = [];
  const controller = manager.controller(Users).references(Secrets, ({ spec }) => spec.secrets)
    .reconcile(async ({ apply, clock, name }) => {
      if (name !== "writer") return;
      times.push(clock.now());
      const data = { value: btoa(`${times.length}`) };
      await apply(Secrets, { metadata: { name: "s" }, data }, { owner: false, adopt: true });
    });
  const hold = world.server.lag.hold({ when: ({ resource }) => resource === "secrets" });
  world.start(manager);
  await world.pass(1_000);
  controller.trigger(`${namespace}/writer`);
  await world.pass(1_300);
  assertEquals(times.length, 1);
  hold.release();
  await world.pass(100);
  assertEquals(times.length, 2);
});

Deno.test("controllers share the watch of an object, until the last reference is gone", async () => {
  await using world = await secretWorld();
  await world.secret("s", "value");
  await world.user("x", ["s"]);
  await world.user("y", ["s"]);
  const manager = world.manager();
  const seen: string[] = [];
  for (const name of ["x", "y"]) {
    manager.controller(Users, { name })
      .references(Secrets, ({ metadata, spec }) => metadata.name === name ? spec.secrets : [])
      .reconcile(({ cache, name: own }) => {
        if (own !== name) return;
        seen.push(`${name} ${cache(Secrets).get("s", namespace)?.metadata.name}`);
      });
  }
  world.start(manager);
  await world.pass(1_000);
  assertEquals([seen.splice(0).toSorted(), world.watches], [["x s", "y s"], [
    "default metadata.name=s",
  ]]);
  await world.do(world.client.delete(Users, "x", { namespace }));
  await world.pass(30_000);
  await world.change("s", "new");
  await world.pass(100);
  assertEquals([seen, world.watches], [["y s"], ["default metadata.name=s"]]);
  await world.do(world.client.delete(Users, "y", { namespace }));
  await world.pass(30_000);
  assertEquals(world.watches, []);
});

Deno.test("references() reconciles each key on the replica that has its shard", async () => {
  await using world = await secretWorld();
  await world.secret("s", "1");
  const names = Array.from({ length: 20 }, (_, i) => `u${i}`);
  for (const name of names) await world.user(name, ["s"]);
  const seen: string[][] = [[], []];
  for (const own of seen) {
    const manager = world.manager({ sharding: { name: "shards", namespace } });
    reading(manager, own);
    world.start(manager);
    await world.pass(30_000);
  }
  await world.pass(60_000);
  for (const own of seen) own.length = 0;
  await world.change("s", "2");
  await world.pass(1_000);
  assert(seen.every((own) => own.length > 0));
  assertEquals(seen.flat().toSorted(), names.map((name) => `default/${name}: 2`).toSorted());
});

Deno.test("references() of several kinds wait for all of them, and may cache only metadata", async () => {
  await using world = await secretWorld();
  await world.secret("s", "value");
  await world.do(world.client.create(ConfigMaps, { metadata: { name: "s", namespace } }));
  await world.user("x", ["s"]);
  world.answer = () => forbidden();
  const manager = world.manager();
  const seen: unknown[] = [];
  const kind = metadataOf(Secrets);
  const controller = manager.controller(Users)
    .references(kind, ({ spec }) => spec.secrets)
    .references(ConfigMaps, ({ spec }) => spec.secrets)
    .reconcile(({ cache, name }) => {
      if (name === "x") {
        seen.push([cache(kind).get("s", namespace), cache(ConfigMaps).get("s", namespace)]);
      }
    });
  world.start(manager);
  await world.pass(1_000);
  assertEquals(seen, []);
  assertEquals(controller.snapshot().references.map(({ waiting }) => waiting), [1, 0]);
  world.answer = () => undefined;
  await world.pass(60_000);
  const [[secret, map]] = seen as [[Record<string, unknown>, Record<string, unknown>]];
  assertEquals([secret["data"], "metadata" in secret, "metadata" in map], [undefined, true, true]);
  assertEquals(seen.length, 1);
});
