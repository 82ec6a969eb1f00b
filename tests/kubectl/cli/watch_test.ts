import { assertEquals, assertStringIncludes } from "@std/assert";
import { Pods } from "@kubeloop/controller";
import { namespace, World } from "./_world.ts";

/** Returns the first two columns of the lines. */
function columnsOf(stdout: string): string[] {
  return stdout.split("\n").slice(0, -1).map((line) => line.split(/ {3,}/).slice(0, 2).join(" "));
}

Deno.test("kubeloop watch prints the existing objects and each change, across broken watches and restarts", async () => {
  await using world = new World();
  const { client, clock, server } = world;
  await world.pod("a");
  const run = world.start(["watch", "pods"]);
  await clock.advance(5000);
  await world.pod("b");
  await clock.advance(5000);
  server.closeWatches();
  await world.until(client.delete(Pods, "a", { namespace }));
  await clock.advance(60_000);
  await world.pod("a");
  await clock.advance(60_000);
  run.interrupt();
  assertEquals(await world.until(run.ended), 130);
  assertEquals(columnsOf(run.stdout), [
    "EVENT NAME",
    "ADDED a",
    "ADDED b",
    "MODIFIED a",
    "DELETED a",
    "ADDED a",
  ]);
  assertEquals(run.stderr, []);
});

Deno.test("kubeloop watch -o json prints one event a line, of one object", async () => {
  await using world = new World();
  const { client, clock } = world;
  await world.pod("a");
  await world.pod("b");
  const run = world.start(["watch", "pods/a", "-o", "json"]);
  await clock.advance(5000);
  const patch = { metadata: { labels: { bad: "x" }, annotations: { note: "\u001b[2J\u009b" } } };
  await world.until(client.patch(Pods, "a", patch, { namespace }));
  await world.until(client.patch(Pods, "b", patch, { namespace }));
  await world.until(client.delete(Pods, "a", { namespace }));
  await clock.advance(5000);
  run.interrupt();
  await world.until(run.ended);
  const lines = run.stdout.trimEnd().split("\n");
  const events = lines.map((line) => JSON.parse(line));
  assertEquals([...new Set(events.map(({ object }) => object.metadata.name))], ["a"]);
  assertEquals([events[0].type, events[1].type, events.at(-1).type], [
    "ADDED",
    "MODIFIED",
    "DELETED",
  ]);
  assertEquals(events[1].object.metadata.annotations, { note: "\u001b[2J\u009b" });
  // deno-lint-ignore no-control-regex
  assertEquals(/[\u001b\u009b]/.test(run.stdout), false);
});

Deno.test("kubeloop watch ends with an error if it is forbidden at the start, and continues if it is forbidden later", async () => {
  await using world = new World();
  const { clock, server } = world;
  let isForbidden = true;
  const refusal = () =>
    Response.json({
      kind: "Status",
      status: "Failure",
      code: 403,
      reason: "Forbidden",
      message: "no",
    }, {
      status: 403,
    });
  const fetch: typeof server.fetch = async (input, init) => {
    const { pathname } = new URL(new Request(input, init).url);
    return isForbidden && pathname.includes("/pods") ? refusal() : await server.fetch(input, init);
  };
  const denied = await world.run(["watch", "pods"], { fetch });
  assertEquals(denied.code, 1);
  assertEquals(denied.stderr.length, 1);
  assertStringIncludes(denied.stderr[0] ?? "", "403 Forbidden");

  isForbidden = false;
  await world.pod("a");
  const run = world.start(["watch", "pods", "-o", "name"], { fetch });
  await clock.advance(5000);
  isForbidden = true;
  server.closeWatches();
  await clock.advance(30_000);
  isForbidden = false;
  await world.pod("b");
  await clock.advance(120_000);
  run.interrupt();
  assertEquals(await world.until(run.ended), 130);
  assertEquals(run.stdout, "pod/a\npod/b\n");
  assertStringIncludes(run.stderr.join("\n"), "trying again");
});

Deno.test("kubeloop watch ends quietly once its reader has closed the pipe", async () => {
  await using world = new World();
  await world.pod("a");
  await world.pod("b");
  const { code, stdout, stderr } = await world.run(["watch", "pods", "-o", "name"], {
    onPrint: (_, run) => run.closePipe(),
  });
  assertEquals([code, stdout, stderr], [0, "", []]);
});

Deno.test("kubeloop watch follows one resource", async () => {
  await using world = new World();
  for (
    const args of [["pods,services"], ["pods", "a", "b"], ["pods/a", "--field-selector", "x=y"]]
  ) {
    assertEquals((await world.run(["watch", ...args])).code, 2, args.join(" "));
  }
});
