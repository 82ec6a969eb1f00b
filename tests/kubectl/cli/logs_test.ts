import { assertEquals, assertStringIncludes } from "@std/assert";
import { Pods } from "@kubeloop/controller";
import { startActors } from "@kubeloop/testing";
import { namespace, World } from "./_world.ts";

Deno.test("kubeloop logs prints the log of a Pod", async () => {
  await using world = new World();
  await world.pod("web");
  world.server.logs.write("default/web", { text: "one\n\u001b[31mtwo\u001b[2J\tthree\n" });
  const piped = await world.run(["logs", "web"]);
  assertEquals([piped.code, piped.stderr], [0, []]);
  assertEquals(piped.stdout, "one\n\u001b[31mtwo\u001b[2J\tthree\n");
  const shown = await world.run(["logs", "pods/web", "--tail", "1"], { columns: 80 });
  assertEquals(shown.stdout, "\u001b[31mtwo\\u001b[2J\tthree\u001b[0m\n");
});

Deno.test("kubeloop logs shows the beginning of a very long line on a terminal, and all of it to a file", async () => {
  await using world = new World();
  await world.pod("web");
  const text = `${"x".repeat(100_000)}\n`;
  world.server.logs.write("default/web", { text });
  assertEquals((await world.run(["logs", "web"])).stdout, text);
  const { stdout } = await world.run(["logs", "web"], { columns: 80 });
  assertEquals(stdout, `${"x".repeat(32_768)}… (67232 more characters)\n`);
});

Deno.test("kubeloop logs of a Deployment prints the logs of its Pods, with their names", async () => {
  await using world = new World();
  await world.deployment("web");
  for (const name of ["web-1", "web-2"]) {
    await world.pod(name, { app: "web" });
    world.server.logs.write(`default/${name}`, { text: `hello from ${name}\n` });
  }
  await world.pod("other");
  const { code, stdout } = await world.run(["logs", "deploy/web"]);
  assertEquals([code, stdout], [
    0,
    "[web-1 main] hello from web-1\n[web-2 main] hello from web-2\n",
  ]);
  const all = await world.run(["logs", "-A", "-l", "app=web", "-c", "main"]);
  assertStringIncludes(all.stdout, "[default/web-2 main] hello from web-2\n");
  const none = await world.run(["logs", "-l", "app=none"]);
  assertEquals([none.code, none.stdout], [0, ""]);
});

Deno.test("kubeloop logs -f follows the Pods of a selector through restarts until Ctrl-C", async () => {
  await using world = new World();
  const { clock, client, server } = world;
  const logs = [{ text: "listening" }];
  await using actors = startActors(server, {
    kubelet: { startDelayMs: 0, lives: [{ selector: "app=web", logs }] },
  });
  await world.pod("web-1", { app: "web" });
  const run = world.start(["logs", "-f", "-l", "app=web"]);
  await clock.advance(5000);
  assertEquals(run.stdout, "[web-1 main] listening\n");
  await world.pod("web-2", { app: "web" });
  await clock.advance(5000);
  actors.crash("default/web-1");
  await clock.advance(60_000);
  run.interrupt();
  assertEquals(await world.until(run.ended), 130);
  assertEquals(run.stdout.split("\n").slice(0, -1).sort(), [
    "[web-1 main] listening",
    "[web-1 main] listening",
    "[web-2 main] listening",
  ]);
  await world.until(client.delete(Pods, "web-1", { namespace }));
});

Deno.test("kubeloop logs refuses wrong usage, and explains which objects have no logs", async () => {
  await using world = new World();
  await world.pod("web");
  for (
    const args of [
      [],
      ["web", "other"],
      ["web", "-l", "a=b"],
      [""],
      ["pods/"],
      ["a/b/c"],
      ["web", "--tail", "x"],
      ["web", "--since", "soon"],
      ["nodes/n"],
    ]
  ) {
    assertEquals((await world.run(["logs", ...args])).code, 2, args.join(" "));
  }
  const none = await world.run(["logs", "nope"]);
  assertEquals(none.stderr, ['error: pods "nope" not found (404 NotFound)']);
  const selectsNone = await world.run(["logs", "svc/kubernetes"]);
  assertEquals(selectsNone.code, 1);
  assertStringIncludes(selectsNone.stderr[0] ?? "", "Service kubernetes selects no Pods");
});
