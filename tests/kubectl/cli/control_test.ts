import { ConfigMaps, Manager } from "@kubeloop/controller";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { namespace, World } from "./_world.ts";

Deno.test("kubeloop pause, resume and reconcile control the controllers of an object", async () => {
  await using world = new World();
  const { client, clock, server } = world;
  const seen: string[] = [];
  const manager = new Manager(client);
  manager.controller(ConfigMaps, { labelSelector: "app=web", events: false })
    .reconcile(({ name, object }) => void seen.push(`${name} ${object.data?.["key"]}`));
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  for (const name of ["a", "b"]) {
    const metadata = { name, namespace, labels: { app: "web" } };
    await world.until(client.create(ConfigMaps, { metadata, data: { key: "1" } }));
  }
  await clock.advance(1000);
  seen.length = 0;

  const paused = await world.run(["pause", "cm/a", "cm/b", "--until", "2h"]);
  assertEquals([paused.code, paused.stderr], [0, []]);
  const until = "2026-01-01T02:00:01.000Z";
  assertEquals(
    paused.stdout,
    `configmap/a paused until ${until}\nconfigmap/b paused until ${until}\n`,
  );
  await world.until(client.patch(ConfigMaps, "a", { data: { key: "2" } }, { namespace }));
  await clock.advance(1000);
  assertEquals(seen, []);
  const why = await world.run(["why", "cm/a"]);
  assertStringIncludes(
    why.stdout,
    `Not as it should be\n  paused by its annotation kubeloop.dev/paused: "${until}"\n`,
  );

  const refused = await world.run(["reconcile", "configmaps/a"]);
  assertEquals(refused.stdout, "configmap/a is to be reconciled now\n");
  assertEquals(refused.stderr, ["note: configmap/a is paused: kubeloop resume ends that"]);
  await clock.advance(1000);
  assertEquals(seen, []);
  const resumed = await world.run(["resume", "configmap", "a"]);
  assertEquals([resumed.code, resumed.stdout], [0, "configmap/a resumed\n"]);
  await clock.advance(1000);
  assertEquals(seen, ["a 2"]);
  await world.run(["reconcile", "configmaps/a"]);
  await clock.advance(1000);
  assertEquals(seen, ["a 2", "a 2"]);
  await clock.advance(2 * 3_600_000);
  assertEquals(seen, ["a 2", "a 2", "b 1"], "the pause of b has ended by itself");

  await world.run(["pause", "cm/b", "--cleanup"]);
  assertEquals(server.get(ConfigMaps, "b", namespace)?.metadata.annotations, {
    "kubeloop.dev/paused": "true",
    "kubeloop.dev/cleanup-paused": "true",
  });
  await world.run(["resume", "cm/b"]);
  assertEquals(server.get(ConfigMaps, "b", namespace)?.metadata.annotations, undefined);
  stop.abort();
  await clock.run(running);
});

Deno.test("kubeloop pause, resume and reconcile refuse what they cannot do", async () => {
  await using world = new World();
  for (
    const [args, code, words] of [
      [["pause"], 2, "Nothing to pause"],
      [["pause", "pods"], 2, "pause takes names, as in kubeloop pause widgets/blue"],
      [["resume", "pods"], 2, "resume takes names"],
      [["reconcile", "pods/none"], 1, '"none" not found'],
      [["pause", "pods/a", "--until", "tomorrow"], 2, "--until takes a duration such as 30s"],
      [["pause", "pods/a", "--until", "2020-01-01T00:00:00Z"], 2, "a time in the future"],
      [["pause", "pods/a", "--until", "2099-01-01"], 2, "a time in the future"],
    ] as const
  ) {
    const run = await world.run([...args]);
    assertEquals([run.code, run.stdout], [code, ""], args.join(" "));
    assertStringIncludes(run.stderr.join("\n"), words);
  }
});
