import { assertEquals } from "@std/assert";
import { Client, ConfigMaps, Leases, Manager } from "@kubeloop/controller";
import { ApiServer, VirtualClock } from "@kubeloop/testing";

const HOOK = Symbol.for("kubeloop.dev");
const namespace = "default";

Deno.test("A manager tells the hook of kubeloop dev its phases and stories, and takes its options of the election", async () => {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client(server.clientOptions);
  const phases: string[] = [];
  const keys: string[] = [];
  const hook = {
    leaderElection: { identity: "developer" },
    entered(manager: Manager, phase: string) {
      phases.push(`${manager.name} ${phase}`);
      if (phase !== "starting") return;
      void (async () => {
        for await (const { key } of manager.stories()) keys.push(key);
        keys.push("the end");
      })();
    },
  };
  Object.defineProperty(globalThis, HOOK, { value: hook, configurable: true });
  try {
    const manager = new Manager(client, {
      name: "copies",
      leaderElection: { name: "copies", namespace, identity: "of the program" },
    });
    manager.controller(ConfigMaps).reconcile(() => {});
    const running = manager.run();
    await clock.advance(1000);
    await clock.run(client.create(ConfigMaps, { metadata: { name: "a" } }, { namespace }));
    await clock.advance(1000);
    const { spec } = await clock.run(client.get(Leases, "copies", { namespace }));
    assertEquals(spec?.holderIdentity, "developer");
    await clock.run(manager[Symbol.asyncDispose]());
    await clock.run(running);
    assertEquals(phases, [
      "copies starting",
      "copies standing by",
      "copies leading",
      "copies stopping",
      "copies stopped",
    ]);
    assertEquals(keys.includes("default/a"), true);
    assertEquals(keys.at(-1), "the end");
  } finally {
    Reflect.deleteProperty(globalThis, HOOK);
  }
});
