import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Widgets, World } from "../_world.ts";

/** Options with wrong values, and the text of the error. */
const MANAGER_OPTIONS: readonly (readonly [string, readonly unknown[], string])[] = [
  ["leaderElection", [null, false, true, "x", ""], "leaderElection takes an object"],
  ["sharding", [null, false, true, "x"], "sharding takes an object"],
  ["webhooks", [null, false, true, "x"], "webhooks takes an object"],
  ["definitions", [[5], [{}], [undefined]], "definitions needs a resource"],
  ["tracer", [null, 5, {}], "Expected a tracer"],
  ["metrics", [null, 5, {}], "Expected a provider of metrics"],
  ["recordObjects", [null, "yes", 1], "recordObjects must be true or false"],
  ["dryRun", [null, "yes", 1], "dryRun must be true or false"],
];

Deno.test("Manager names the option that is of another type", async () => {
  await using world = new World();
  for (const [option, values, message] of MANAGER_OPTIONS) {
    for (const value of values) {
      assertThrows(() => world.manager({ [option]: value }), TypeError, message);
    }
    world.manager({ [option]: undefined });
  }
  for (const hostname of [null, 5, ""]) {
    assertThrows(
      () => world.manager({ http: { port: 8080, hostname: hostname as never } }),
      TypeError,
      "http.hostname must be a host name or an IP address",
    );
  }
});

Deno.test("The methods of a manager name themselves if they are given no options", async () => {
  await using world = new World();
  const manager = world.manager();
  for (const given of [null, 5, "x"]) {
    const options = given as never;
    assertThrows(() => manager.rbac(options), TypeError, "rbac() takes an object");
    assertThrows(() => manager.stories(options), TypeError, "stories() takes an object");
    await assertRejects(() => manager.run(options), TypeError, "run() takes an object");
  }
});

Deno.test("controller() refuses a field manager that cannot report Events, and names the option", async () => {
  await using world = new World();
  for (const fieldManager of [null, 5, "", "my manager", "a/b/c", "x".repeat(64)]) {
    assertThrows(
      () => world.manager().controller(Widgets, { fieldManager: fieldManager as never }),
      TypeError,
      "fieldManager, which its Events have as their reportingController, must be a name",
    );
  }
  const name = "x".repeat(53);
  assertThrows(
    () => world.manager().controller(Widgets, { name }),
    TypeError,
    `The controller "${name}" needs a shorter name, or { fieldManager }`,
  );
  for (const options of [{ name, fieldManager: "acme.io/x" }, { name: "x".repeat(52) }]) {
    const handle = world.manager().controller(Widgets, options).reconcile(() => {});
    assertEquals(handle.name, options.name);
  }
});

Deno.test("controller() refuses an everyReplica that is neither true nor false", async () => {
  await using world = new World();
  for (const everyReplica of [null, "yes", 1]) {
    assertThrows(
      () => world.manager().controller(Widgets, { everyReplica: everyReplica as never }),
      TypeError,
      "everyReplica must be true or false",
    );
  }
});

Deno.test("trigger() and needs() refuse invalid keys and subresources", async () => {
  await using world = new World();
  for (const key of [undefined, null, 5, "", {}, []]) {
    const handle = world.manager().controller(Widgets).reconcile(() => {});
    assertThrows(() => handle.trigger(key as never), TypeError, "expected a key such as");
  }
  for (const subresource of [null, 5, "", {}]) {
    assertThrows(
      () => world.manager().controller(Widgets).needs(Widgets, ["get"], subresource as never),
      TypeError,
      "The subresource of needs() must be a name",
    );
  }
});
