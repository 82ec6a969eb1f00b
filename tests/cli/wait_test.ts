import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Deployments, Pods } from "@kubeloop/controller";
import { namespace, World } from "./_world.ts";

const READY = { status: { conditions: [{ type: "Ready", status: "True" as const }] } };

Deno.test("kubeloop wait --for rollout waits for a Deployment, and shows how far it is", async () => {
  await using world = new World();
  const { client, clock } = world;
  await world.deployment("web");
  const run = world.start(["wait", "--for", "rollout", "deploy/web"], { columns: 20 });
  const status = { observedGeneration: 1, replicas: 3, updatedReplicas: 1, availableReplicas: 0 };
  await clock.advance(1000);
  await world.until(client.patchStatus(Deployments, "web", { status }, { namespace }));
  await clock.advance(1000);
  assertEquals(run.stdout, "");
  const done = { ...status, updatedReplicas: 3, availableReplicas: 3, readyReplicas: 3 };
  await world.until(client.patchStatus(Deployments, "web", { status: done }, { namespace }));
  assertEquals(await world.until(run.ended), 0);
  assertEquals(run.stdout, "deployment.apps/web is rolled out\n");
  assertEquals(run.stderr, []);
  const pictures = run.drawn.split("\r\u001b[K");
  assert(pictures.includes("deployment.apps/we…"), run.drawn);
  assertEquals(pictures.at(-1), "");
});

Deno.test("kubeloop wait says after its time what is missing, with exit code 124", async () => {
  await using world = new World();
  await world.deployment("web");
  const { code, stdout, stderr, drawn } = await world.run([
    "wait",
    "--for",
    "rollout",
    "--timeout",
    "1m30s",
    "deploy/web",
  ]);
  assertEquals([code, stdout, drawn], [124, "", ""]);
  assertEquals(stderr, [
    "error: Deployment default/web was not rolled out within 90000 ms: its controller has not yet " +
    "seen the last change",
  ]);
});

Deno.test("kubeloop wait waits for all objects of a selector, within one time", async () => {
  await using world = new World();
  const { client, clock } = world;
  const names = Array.from({ length: 60 }, (_, index) => `web-${index}`);
  for (const name of names) await world.pod(name, { app: "web" });
  await world.pod("other");
  const run = world.start(["wait", "--for", "condition=Ready", "pods", "-l", "app=web"]);
  await clock.advance(1000);
  for (const name of names.slice(0, 55)) {
    await world.until(client.patchStatus(Pods, name, READY, { namespace }));
  }
  const code = await world.until(run.ended);
  assertEquals(code, 124);
  assertEquals(run.stdout.split("\n").length, 56);
  assertEquals(run.stderr.length, 5);
  assert(clock.now() < 40_000, `${clock.now()}`);
});

Deno.test("kubeloop wait waits for objects to come and to go", async () => {
  await using world = new World();
  const { client, clock } = world;
  const coming = world.start(["wait", "--for", "create", "pods/web"]);
  await clock.advance(1000);
  await world.pod("web");
  assertEquals(await world.until(coming.ended), 0);
  const going = world.start(["wait", "--for", "delete", "pod", "web"]);
  await clock.advance(1000);
  assertEquals(going.stdout, "");
  await world.until(client.delete(Pods, "web", { namespace }));
  assertEquals(await world.until(going.ended), 0);
  assertEquals(going.stdout, "pod/web is deleted\n");
});

Deno.test("kubeloop wait ends at once if it can never be, and stops on Ctrl-C", async () => {
  await using world = new World();
  await world.pod("web");
  const { code, stderr } = await world.run(["wait", "--for", "rollout", "pods/web"]);
  assertEquals(code, 1);
  assertStringIncludes(stderr[0] ?? "", "rolledOut is for Deployments");
  const run = world.start(["wait", "--for", "delete", "pods/web"]);
  await world.clock.advance(1000);
  run.interrupt();
  assertEquals(await world.until(run.ended), 130);
  assertEquals([run.stdout, run.stderr], ["", []]);
});

Deno.test("kubeloop wait refuses wrong usage", async () => {
  await using world = new World();
  await world.pod("web");
  for (
    const args of [
      ["pods/web"],
      ["--for", "ready", "pods/web"],
      ["--for", "condition", "pods/web"],
      ["--for", "condition=", "pods/web"],
      ["--for", "condition=Ready=yes", "pods/web"],
      ["--for", "constructor", "pods/web"],
      ["--for", "delete", "--timeout", "soon", "pods/web"],
      ["--for", "delete", "--timeout", "-1s", "pods/web"],
      ["--for", "delete", "--timeout", "30", "pods/web"],
      ["--for", "delete", "--timeout", "99999h", "pods/web"],
      ["--for", "delete", "pods/web", "-l", "a=b"],
      ["--for", "delete"],
    ]
  ) {
    const { code, stderr } = await world.run(["wait", ...args]);
    assertEquals([code, stderr.length], [2, 1], args.join(" "));
  }
  const none = await world.run(["wait", "--for", "delete", "pods", "-l", "a=b"]);
  assertEquals(none.code, 1);
});
