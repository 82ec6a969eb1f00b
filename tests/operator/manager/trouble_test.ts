/** Failures around a manager and in the functions of its user. */

import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import {
  ConfigMaps,
  controllerReference,
  CustomResourceDefinitions,
  installDefinitions,
  Manager,
  Namespaces,
  type Reconciliation,
  Secrets,
} from "@kubeloop/controller";
import { namespace, type Widget, Widgets, widgetWorld } from "../_world.ts";

const never = () => new Promise<never>(() => {});

Deno.test("A manager that is stopped at any moment of its start ends without leaks", async () => {
  for (let requests = 0; requests < 12; requests++) {
    await using world = await widgetWorld();
    await world.widget("a");
    const stop = new AbortController();
    const manager = world.manager({ leaderElection: { name: "widgets", namespace } });
    manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ name, apply, status }) => {
      await apply(ConfigMaps, { metadata: { name } });
      status({ ready: 1 });
      return { prune: true };
    });
    const limit = world.requests + requests;
    world.onRequest = () => {
      if (world.requests >= limit) stop.abort();
    };
    await world.do(
      manager.run({ signal: stop.signal }).catch((error) => {
        if (error !== stop.signal.reason) throw error;
      }),
    );
    assert(stop.signal.aborted || world.requests < limit);
  }
});

Deno.test("A manager can be disposed before it runs, twice, and while it starts; it does not run again", async () => {
  await using world = await widgetWorld();
  const unused = world.manager();
  await unused[Symbol.asyncDispose]();
  await unused[Symbol.asyncDispose]();
  assertThrows(() => unused.controller(Widgets), Error, "The manager has stopped: make a new one");
  const before = world.requests;
  await world.do(unused.run());
  const aborted = world.manager();
  await world.do(aborted.run({ signal: AbortSignal.abort(new Error("too late")) }));
  assertEquals(world.requests, before);
  const starting = world.manager();
  starting.controller(Widgets).reconcile(() => {});
  const running = starting.run();
  await world.do(starting[Symbol.asyncDispose]());
  await world.do(running.catch(() => {}));
});

Deno.test("Any thrown value of a reconcile is retried and logged", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const thrown = [undefined, null, "text", 0, { toString: null }, new Error("error")];
  let at = 0;
  manager.controller(Widgets).reconcile(({ status }) => {
    status({ ready: at });
    if (at < thrown.length) throw thrown[at++];
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(10_000);
  assertEquals(at, thrown.length);
  const { status } = await world.do(world.client.get(Widgets, "a", { namespace }));
  assertEquals(status?.ready, thrown.length);
  const failures = world.lines.filter((line) => line.includes('reconcile of "default/a" failed'));
  assertEquals(failures.length, thrown.length);
});

Deno.test("A reconcile that never settles is named when the manager stops; other keys are reconciled", async () => {
  await using world = await widgetWorld();
  const manager = world.manager({ gracefulStopTimeoutMs: 1_000 });
  const seen: string[] = [];
  manager.controller(Widgets, { workers: 2 }).reconcile(({ name }) => {
    seen.push(name);
    return name === "a" ? never() : undefined;
  });
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await world.widget("a");
  await world.widget("b");
  await world.pass(700_000);
  assertEquals(seen, ["a", "b"]);
  stop.abort();
  await assertRejects(
    () => world.do(running),
    Error,
    'not everything has stopped within 1000 ms: controller "widget"',
  );
});

Deno.test("An invalid status fails the reconcile, which is retried", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let tries = 0;
  manager.controller(Widgets).reconcile(({ status }) => {
    tries++;
    if (tries === 1) status({ ready: "many" } as never);
    else if (tries === 2) status(17 as never);
    else if (tries === 3) status().condition("Ready", "Maybe" as never, "x");
    else status({ ready: 1 });
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(10_000);
  assertEquals(tries, 4);
  const { status } = await world.do(world.client.get(Widgets, "a", { namespace }));
  assertEquals(status?.ready, 1);
});

Deno.test("A Reconciliation is harmless after its end", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let escaped: Reconciliation<Widget> | undefined;
  manager.controller(Widgets).owns(ConfigMaps).reconcile((pass) => {
    pass.status({ ready: 1 });
    escaped = pass;
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(1_000);
  escaped!.event("Normal", "Late", "still recorded");
  assertThrows(() => escaped!.status({ ready: 2 }), Error, "written already");
  await world.pass(1_000);
});

Deno.test("A mapper, predicate or index that throws or returns an invalid value is logged, and other keys are reconciled", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  const rubbish = [17, "", {}, [null], new Map([[1, 2]]), true, { name: 5 }, Promise.resolve("x")];
  manager.controller(Widgets)
    .watches(Secrets, {
      map: ({ metadata: { name } }) => {
        if (name === "throws") throw new Error("mapper");
        const at = Number(name.slice(1));
        return name.startsWith("r") ? rubbish[at] as never : "default/a";
      },
    })
    .watches(ConfigMaps, {
      map: () => "default/a",
      when: ({ object }) => {
        if (object.metadata.name === "throws") throw new Error("predicate");
        return true;
      },
    })
    .reconcile(({ key }) => void seen.push(key));
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  seen.length = 0;
  for (const name of ["throws", ...rubbish.map((_, at) => `r${at}`), "good"]) {
    await world.do(world.client.create(Secrets, { metadata: { name, namespace } }));
  }
  await world.pass(100);
  assertEquals(seen, ["default/a"]);
  seen.length = 0;
  for (const name of ["throws", "good"]) {
    await world.do(world.client.create(ConfigMaps, { metadata: { name, namespace } }));
  }
  await world.pass(100);
  // A predicate that fails does not lose its change.
  assertEquals(seen, ["default/a", "default/a"]);
  const errors = world.lines.filter((line) => line.startsWith("error"));
  assertEquals(errors.length, rubbish.length + 2, errors.join("\n"));
});

Deno.test("A new owner of the same name does not adopt the children of a deleted owner", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const errors: unknown[] = [];
  manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ name, apply }) => {
    await apply(ConfigMaps, { metadata: { name }, data: { a: "b" } }).catch((error) => {
      errors.push(error);
      throw error;
    });
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  const map = () => world.do(world.client.get(ConfigMaps, "a", { namespace }));
  const old = (await map()).metadata.ownerReferences?.[0]?.uid;
  await world.do(world.client.delete(Widgets, "a", { namespace }));
  await world.widget("a");
  await world.pass(1_000);
  // There is no garbage collector here.
  assert(errors.length > 0);
  assertEquals((await map()).metadata.ownerReferences?.map(({ uid }) => uid), [old]);
  await world.do(world.client.delete(ConfigMaps, "a", { namespace }));
  await world.pass(1_000_000);
  assert((await map()).metadata.ownerReferences?.[0]?.uid !== old);
});

Deno.test("A child that changes its owner is a cause for both", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  let applies = true;
  manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ name, apply }) => {
    seen.push(name);
    if (name === "a" && applies) await apply(ConfigMaps, { metadata: { name: "child" } });
    return { prune: true };
  });
  world.start(manager);
  await world.widget("a");
  await world.widget("b");
  await world.pass(100);
  const b = await world.do(world.client.get(Widgets, "b", { namespace }));
  applies = false;
  seen.length = 0;
  const ownerReferences = [controllerReference(b, Widgets)];
  const patch = { metadata: { ownerReferences } };
  const hold = world.server.lag.hold({ when: ({ resource }) => resource === "configmaps" });
  await world.do(world.client.patch(ConfigMaps, "child", patch, { namespace }));
  await world.pass(10);
  hold.release();
  await world.pass(1_000);
  // The new owner has not applied it, so that it prunes it, and is reconciled once more.
  assertEquals(seen.toSorted(), ["a", "b", "b"]);
  assertEquals(world.server.count(ConfigMaps, namespace), 0);
});

Deno.test("The deletion of an object during its reconcile is not an error", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let go = Promise.withResolvers<void>();
  let ends = 0;
  manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ status, name, apply }) => {
    status({ ready: 1 });
    await go.promise;
    await apply(ConfigMaps, { metadata: { name } });
    ends++;
    return { prune: true, requeueAfterMs: 1_000 };
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  await world.do(world.client.delete(Widgets, "a", { namespace }));
  go.resolve();
  await world.pass(60_000);
  assertEquals(ends, 1);
  assertEquals(world.lines.filter((line) => !line.startsWith("info operator: ")), []);
  go = Promise.withResolvers();
});

Deno.test("A namespace that terminates makes failures with backoff, not a loop", async () => {
  await using world = await widgetWorld();
  const metadata = { name: "gone", finalizers: ["acme.io/test"] };
  await world.do(world.client.create(Namespaces, { metadata } as never));
  const manager = world.manager();
  let reconciles = 0;
  manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ name, object, apply, event }) => {
    reconciles++;
    event("Normal", "Tried", "again");
    await apply(ConfigMaps, { metadata: { name }, data: { size: `${object.spec.size}` } });
  });
  world.start(manager);
  const place = { namespace: "gone" };
  await world.do(
    world.client.create(Widgets, { metadata: { name: "a", ...place }, spec: { size: 1 } }),
  );
  await world.pass(100);
  await world.do(world.client.delete(Namespaces, "gone"));
  await world.do(world.client.delete(ConfigMaps, "a", place));
  await world.do(world.client.patch(Widgets, "a", { spec: { size: 2 } }, place));
  await world.pass(60_000);
  assert(reconciles > 3 && reconciles < 30, `${reconciles}`);
});

Deno.test("A server that restarts in the middle loses nothing", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  manager.controller(Widgets).owns(ConfigMaps).reconcile(
    async ({ name, object, apply, status }) => {
      await apply(ConfigMaps, { metadata: { name }, data: { size: `${object.spec.size}` } });
      status({ ready: object.spec.size });
    },
  );
  world.start(manager);
  for (let i = 0; i < 5; i++) await world.widget(`w${i}`, i);
  world.server.restart();
  await world.pass(50);
  await world.do(world.client.patch(Widgets, "w1", { spec: { size: 9 } }, { namespace }));
  world.server.compact();
  world.server.restart();
  await world.pass(60_000);
  const { items } = await world.do(world.client.list(Widgets, { namespace }));
  assertEquals(items.map(({ status }) => status?.ready), [0, 9, 2, 3, 4]);
});

Deno.test("A right that is missing for the status alone is retried with backoff", async () => {
  await using world = await widgetWorld();
  world.server.faults.fail(403, { when: ({ url }) => url.pathname.endsWith("/status") });
  const manager = world.manager();
  let reconciles = 0;
  manager.controller(Widgets).reconcile(({ status }) => {
    reconciles++;
    status({ ready: 1 });
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(10_000);
  assert(reconciles > 3 && reconciles < 20, `${reconciles}`);
});

Deno.test("A revoked right to watch is reported, and reconciles continue when it is granted again", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(Widgets).reconcile(({ name }) => void seen.push(name));
  world.start(manager);
  await world.pass(100);
  const fault = world.server.faults.fail(403, {
    when: ({ method, url }) => method === "GET" && url.pathname.endsWith("/widgets"),
  });
  world.server.restart();
  await world.widget("a");
  await world.pass(120_000);
  assertEquals(seen, []);
  assert(
    world.lines.some((line) => line.includes("widgets") && line.includes("403")),
    world.lines.join("\n"),
  );
  fault.remove();
  await world.pass(120_000);
  assertEquals(seen, ["a"]);
});

Deno.test("A definition that is deleted and installed again is followed", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const seen: string[] = [];
  manager.controller(Widgets).reconcile(({ name }) => void seen.push(name));
  const running = world.start(manager);
  await world.widget("a");
  await world.pass(100);
  await world.do(world.client.delete(CustomResourceDefinitions, "widgets.acme.io"));
  await world.pass(120_000);
  await world.do(installDefinitions(world.client, [Widgets]));
  await world.pass(1_000);
  await world.widget("b");
  await world.pass(120_000);
  assertEquals(seen, ["a", "b"]);
  void running;
});

Deno.test("Two hundred waiting keys are reconciled when the caches have caught up", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  let reconciles = 0;
  const controller = manager.controller(Widgets, { workers: 4 }).owns(ConfigMaps).reconcile(
    async ({ name, apply }) => {
      reconciles++;
      await apply(ConfigMaps, { metadata: { name } });
    },
  );
  world.start(manager);
  await world.pass(100);
  const hold = world.server.lag.hold({
    scope: "resource",
    when: ({ resource }) => resource === "configmaps",
  });
  const count = 200;
  for (let i = 0; i < count; i++) await world.widget(`w${i}`);
  await world.pass(1_000);
  for (let i = 0; i < count; i++) controller.trigger(`default/w${i}`);
  await world.pass(5_000);
  assertEquals(reconciles, count);
  assertEquals(controller.snapshot().waitingForCaches, count);
  hold.release();
  await world.pass(5_000);
  assertEquals(controller.snapshot().waitingForCaches, 0);
  assert(reconciles >= 2 * count);
});

Deno.test("Two managers of one process on two servers are independent", async () => {
  await using one = await widgetWorld();
  await using other = await widgetWorld();
  for (const world of [one, other]) {
    const manager = world.manager();
    manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ name, apply }) => {
      await apply(ConfigMaps, { metadata: { name } });
    });
    world.start(manager);
  }
  await one.widget("a");
  await one.pass(100);
  await other.pass(100);
  const [mine, others] = [one, other].map(({ server }) => server.count(ConfigMaps, namespace));
  assertEquals([mine, others], [1, 0]);
});

Deno.test("Triggers that never end, or throw at their end, do not keep a manager from stopping", async () => {
  await using world = await widgetWorld();
  const life: string[] = [];
  async function* endless() {
    try {
      await never();
      yield "default/a";
    } finally {
      life.push("endless");
    }
  }
  const rude: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: never,
      return: () => {
        life.push("rude");
        throw new Error("no");
      },
    }),
  };
  const mute: AsyncIterable<string> = { [Symbol.asyncIterator]: () => ({ next: never }) };
  const manager = world.manager();
  manager.controller(Widgets)
    .triggeredBy("endless", endless())
    .triggeredBy("rude", rude)
    .triggeredBy("mute", mute)
    .reconcile(() => {});
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await world.pass(1_000);
  stop.abort();
  await world.do(running);
  assertEquals(life, ["rude"]);
});

Deno.test("A removed finalizer is added again, and its cleanup is never skipped", async () => {
  await using world = await widgetWorld();
  const manager = world.manager();
  const external = new Set<string>();
  manager.controller(Widgets)
    .finalizer("acme.io/bucket", {
      apply: ({ key }) => void external.add(key),
      cleanup: ({ key }) => void external.delete(key),
    })
    .reconcile(() => {});
  world.start(manager);
  await world.widget("a");
  await world.pass(100);
  const patch = { metadata: { finalizers: null } };
  await world.do(world.client.patch(Widgets, "a", patch as never, { namespace }));
  await world.pass(100);
  const { metadata } = await world.do(world.client.get(Widgets, "a", { namespace }));
  assertEquals(metadata.finalizers, ["acme.io/bucket"]);
  await world.do(world.client.delete(Widgets, "a", { namespace }));
  await world.pass(100);
  assertEquals(external.size, 0);
  assertEquals(world.server.count(Widgets), 0);
});

Deno.test("A jump of the wall clock changes nothing", async () => {
  await using world = await widgetWorld();
  const { clock } = world;
  let jumpMs = 0;
  const manager = world.manager({
    clock: {
      now: () => clock.now(),
      wallNow: () => clock.wallNow() + jumpMs,
      setTimer: (callback, delayMs) => clock.setTimer(callback, delayMs),
    },
  });
  let reconciles = 0;
  manager.controller(Widgets).reconcile(({ status }) => {
    reconciles++;
    status().condition("Ready", "True", "Yes");
    return { requeueAfterMs: 1_000 };
  });
  world.start(manager);
  await world.widget("a");
  await world.pass(1_500);
  jumpMs = -1e12;
  world.writes.length = 0;
  await world.pass(1_000);
  assertEquals(reconciles, 3);
  assertEquals(world.writes, []);
});

Deno.test("The declarations refuse wrong arguments of plain JavaScript", async () => {
  await using world = await widgetWorld();
  const manager = world.manager() as unknown as Record<string, (...args: unknown[]) => never>;
  for (const wrong of [undefined, null, 1, "Pods", {}, [], () => {}]) {
    assertThrows(() => manager["controller"]!(wrong), TypeError);
    assertThrows(() => manager["add"]!(wrong), TypeError);
    assertThrows(() => manager["cache"]!(wrong), TypeError);
  }
  const builder = () =>
    new Manager(world.client).controller(Widgets) as unknown as Record<
      string,
      (...args: unknown[]) => never
    >;
  for (const wrong of [undefined, null, 1, "x", {}]) {
    assertThrows(() => builder()["owns"]!(wrong), TypeError);
    assertThrows(() => builder()["watches"]!(wrong, { map: () => {} }), TypeError);
    assertThrows(() => builder()["watches"]!(ConfigMaps, wrong), TypeError);
    assertThrows(() => builder()["reconcile"]!(wrong), TypeError);
    assertThrows(() => builder()["finalizer"]!(wrong, { cleanup: () => {} }), TypeError);
    assertThrows(() => builder()["finalizer"]!("a.b/c", wrong), TypeError);
    assertThrows(() => builder()["triggeredBy"]!("x", wrong), TypeError);
    assertThrows(() => builder()["needs"]!(wrong, ["get"]), TypeError);
    assertThrows(() => builder()["needs"]!(ConfigMaps, wrong), TypeError);
    if (wrong !== undefined) {
      assertThrows(() => builder()["owns"]!(ConfigMaps, { when: wrong }), TypeError);
    }
  }
  for (
    const wrong of [
      { name: "" },
      { name: "A" },
      { name: 1 },
      { workers: 0 },
      { workers: NaN },
      { workers: "2" },
      {
        reconcileTimeoutMs: -1,
      },
      { when: 1 },
      { namespaces: "default" },
      { namespaces: [1] },
      { labelSelector: 1 },
      { labelSelector: "a in" },
      { fieldSelector: 1 },
      { namespaces: [] },
      { rateLimiter: 1 },
    ]
  ) {
    const text = JSON.stringify(wrong);
    assertThrows(
      () => {
        new Manager(world.client).controller(Widgets, wrong as never).reconcile(() => {});
      },
      Error,
      undefined,
      text,
    );
  }
  for (
    const wrong of [{ namespaces: "default" }, { http: { port: "x" } }, {
      gracefulStopTimeoutMs: "1",
    }, { dryRun: "yes" }]
  ) {
    assertThrows(
      () => new Manager(world.client, wrong as never),
      Error,
      undefined,
      JSON.stringify(wrong),
    );
  }
  for (const wrong of [undefined, null, {}, 1]) {
    assertThrows(() => new Manager(wrong as never), TypeError);
  }
});
