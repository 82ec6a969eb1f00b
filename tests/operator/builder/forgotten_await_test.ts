import { assertEquals, assertStringIncludes } from "@std/assert";
import { ConfigMaps, Manager, type Reconciliation } from "@kubeloop/controller";
import { namespace, type Widget, Widgets, widgetWorld } from "../_world.ts";

const unavailable = () =>
  Promise.resolve(
    Response.json({ kind: "Status", status: "Failure", message: "down", code: 500 }, {
      status: 500,
    }),
  );

type Pass = Reconciliation<Widget>;

const FORGOTTEN: Readonly<Record<string, { what: string; call: (pass: Pass) => unknown }>> = {
  apply: {
    what: "apply() of ConfigMap a",
    call: ({ apply }) => apply(ConfigMaps, { metadata: { name: "a" } }),
  },
  remove: {
    what: "remove() of ConfigMap default/owned",
    call: ({ remove, cache }) => {
      const object = cache(ConfigMaps).get("owned", namespace);
      return object && remove(ConfigMaps, object);
    },
  },
  write: {
    what: "status().write()",
    call: ({ status }) => status({ ready: 1 }).write(),
  },
  client: {
    what: "client.patch(ConfigMap)",
    call: ({ client }) => client.patch(ConfigMaps, "owned", { data: { a: "b" } }, { namespace }),
  },
};

for (const [name, { what, call }] of Object.entries(FORGOTTEN)) {
  for (const isAsync of [true, false]) {
    const form = isAsync ? "an async reconcile" : "a reconcile without a promise";
    Deno.test(`${name}() without await that fails in ${form} fails it, by name, and no other key`, async () => {
      await using world = await widgetWorld();
      await world.do(
        world.client.create(ConfigMaps, { metadata: { name: "owned", namespace } }),
      );
      let isDown = true;
      await using client = world.clientWith(({ method, url }) =>
        isDown && ["PATCH", "DELETE"].includes(method) && !url.includes("leases")
          ? unavailable()
          : undefined
      );
      const manager = new Manager(client);
      let tries = 0;
      const others: string[] = [];
      const once = (pass: Pass): void => {
        if (pass.name !== "a") return void others.push(pass.name);
        if (tries++ === 0) void call(pass);
        else isDown = false;
      };
      manager.controller(Widgets).owns(ConfigMaps).reconcile(
        isAsync ? async (pass) => await Promise.resolve(once(pass)) : once,
      );
      world.start(manager);
      await world.widget("a");
      await world.widget("b");
      await world.pass(10_000);
      assertEquals(others, ["b"]);
      assertEquals(tries, 2);
      const lines = world.lines.filter((line) => !line.startsWith("info "));
      const warned = lines.filter((line) => line.includes("was not awaited, so its errors"));
      assertEquals(warned, [
        `warn widget: "default/a": ${what} was not awaited, so its errors are lost and its order is open: ` +
        "add await (logged once)",
      ]);
      const failed = lines.filter((line) => line.includes('reconcile of "default/a" failed'));
      assertEquals(failed.length, 1);
      if (name !== "write") {
        assertStringIncludes(failed[0] ?? "", `${what} was not awaited and has failed: `);
      }
    });
  }
}

Deno.test("a call without await that succeeds is named once, and nothing is deleted before it has ended", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let passes = 0;
  manager.controller(Widgets).owns(ConfigMaps).reconcile(({ apply, name }) => {
    passes++;
    void apply(ConfigMaps, { metadata: { name }, data: { passes: `${passes}` } });
    return { prune: true };
  });
  world.start(manager);
  await world.widget("a");
  await world.widget("b");
  await world.pass(1_000);
  assertEquals(world.server.count(ConfigMaps, namespace), 2);
  const lines = world.lines.filter((line) => line.includes("was not awaited"));
  assertEquals(lines.length, 1);
});

Deno.test("calls that are awaited late, together or in a chain are not named", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let ends = 0;
  manager.controller(Widgets).owns(ConfigMaps).reconcile(
    async ({ apply, client, name, status }) => {
      const late = apply(ConfigMaps, { metadata: { name: `${name}-late` } });
      await Promise.all(
        [1, 2].map((i) => apply(ConfigMaps, { metadata: { name: `${name}-${i}` } })),
      );
      await client.list(ConfigMaps, { namespace }).then(({ items }) => items.length);
      await late;
      const caught = client.get(ConfigMaps, "none", { namespace }).catch(() => undefined);
      await status({ ready: 1 }).write();
      await caught;
      ends++;
      return await apply(ConfigMaps, { metadata: { name: `${name}-last` } }).then(() => undefined);
    },
  );
  world.start(manager);
  await world.widget("a");
  await world.pass(1_000);
  assertEquals(ends > 0, true);
  assertEquals(world.lines.filter((line) => !line.startsWith("info ")), []);
});

Deno.test("a reconcile that throws before its call has ended reports its own error", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let tries = 0;
  manager.controller(Widgets).owns(ConfigMaps).reconcile(({ apply, name }) => {
    if (tries++ > 0) return;
    void apply(ConfigMaps, { metadata: { name: "bad/name" } });
    throw new Error(`own error of ${name}`);
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(1_000);
  const failed = world.lines.filter((line) => line.includes("failed"));
  assertEquals(failed.length, 1);
  assertStringIncludes(failed[0] ?? "", "own error of a");
});

Deno.test("the client of a reconcile is a client for the rest of the library", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: unknown[] = [];
  manager.controller(Widgets).reconcile(async ({ client }) => {
    seen.push(client.namespace, typeof client.environment.clock?.now);
    const metadata = { name: "a", namespace };
    await client.create(ConfigMaps, { metadata });
    await using other = client.observed({});
    seen.push((await other.list(ConfigMaps, { namespace })).items.length > 0);
    const source = client.listerWatcher(ConfigMaps, { namespace });
    seen.push((await source.list({}, {})).items.length > 0);
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(1_000);
  assertEquals(seen, [undefined, "function", true, true]);
});
