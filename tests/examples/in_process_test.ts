import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { linesOf, type Outcome, runExample } from "./_run.ts";

/** Runs an example on the in-process server without permissions, and returns its output. */
async function finished(name: string): Promise<string[]> {
  const { code, stdout, stderr }: Outcome = await runExample(name);
  assertEquals({ code, stderr }, { code: 0, stderr: "" }, stdout);
  return linesOf(stdout);
}

/** Asserts that `lines` contain `expected` in this order. */
function assertInOrder(lines: string[], expected: readonly (string | RegExp)[]): void {
  let from = 0;
  for (const want of expected) {
    const index = lines.findIndex((line, i) =>
      i >= from && (typeof want === "string" ? line === want : want.test(line))
    );
    assert(index >= 0, `${want} is not in its place in:\n${lines.join("\n")}`);
    from = index + 1;
  }
}

Deno.test("minimal_controller prints what happens to Pods", async () => {
  assertInOrder(await finished("minimal_controller"), [
    "ADDED Pod web-1",
    "ADDED Pod web-2",
    "ADDED Pod web-3",
    "MODIFIED Pod web-1",
    "MODIFIED Pod web-2",
    "DELETED Pod web-3",
    "DELETED Pod web-2",
  ]);
});

Deno.test("list_and_watch lists, then watches from where the list ended", async () => {
  const lines = await finished("list_and_watch");
  const version = /^1 Pods at resourceVersion (\d+)$/.exec(lines[0] ?? "")?.[1];
  assertEquals(lines.slice(1, 3), [
    "  default/here-already",
    `watching from resourceVersion ${version}`,
  ]);
  const events = lines.slice(3).map((line) => JSON.parse(line));
  assertEquals(events.map(({ type, object }) => `${type} ${object.metadata.name}`).slice(0, 4), [
    "ADDED web-1",
    "ADDED web-2",
    "ADDED web-3",
    "MODIFIED web-1",
  ]);
  assert(Number(events[0].object.metadata.resourceVersion) > Number(version));
});

Deno.test("watch_pods reopens its watch", async () => {
  assertInOrder(await finished("watch_pods"), [
    "Pod web-1 added",
    "Pod web-3 deleted",
    /^the watch ended; going on from resourceVersion \d+$/,
    "Pod web-1 deleted",
  ]);
});

Deno.test("pod_controller syncs, retries, drops, and ends with a summary: the demo", async () => {
  const lines = await finished("pod_controller");
  assertInOrder(lines, [
    "Starting Pod controller",
    /^# 1\/6 /,
    "Sync/Add/Update for Pod web-1",
    /^# 4\/6 /,
    "Error syncing pod default/poison: it is poisoned",
    'Dropping pod "default/poison" out of the queue: it is poisoned',
    /^# 5\/6 /,
    "Pod default/web-3 does not exist anymore",
    /^# 6\/6 /,
    "Pod default/poison does not exist anymore",
    "Stopping Pod controller",
    /^Summary: syncs of Pods: \d+, of deleted Pods: \d+; retries: \d+; keys dropped after them: 1; Pods in the cache: 2$/,
  ]);
  const fourth = lines.slice(
    lines.findIndex((line) => line.startsWith("# 4/6")),
    lines.findIndex((line) => line.startsWith("# 5/6")),
  );
  assertEquals(fourth.filter((line) => line.startsWith("Error syncing")).length, 5);
});

Deno.test("crd_controller renders, follows the content and repairs a page", async () => {
  const lines = await finished("crd_controller");
  const page = (text: string) => `website: "default/home": rendering <h1>Home</h1><p>${text}</p>`;
  const rendered = "# the status of home: Rendered, page home-page";
  assertInOrder(lines, [
    "# the status of home: NoContent, page undefined",
    "# the content that both sites wait for appears",
    page("hello"),
    rendered,
    "# the content changes",
    page("hello again"),
    rendered,
    "# somebody deletes a page",
    page("hello again"),
    rendered,
    "# somebody deletes the content",
    "# the status of home: NoContent, page undefined",
  ]);
});

Deno.test("replicas_controller keeps eight Pods running, then ten, then three, and leaves none", async () => {
  const lines = (await finished("replicas_controller"))
    .map((line) => line.replace('podset: "default/web": ', ""));
  // The nodes register while the first Pods are created: the scheduler may know only one node by then. A new Pod goes to
  // the node with the fewest Pods, so the two that make ten fill the nodes that are still empty.
  const eight = /^# there are 8 Pods, Running on [1-3] nodes$/;
  assertInOrder(lines, [
    "created web-7",
    eight,
    /^# killing /,
    eight,
    /^# killing /,
    eight,
    /^# killing /,
    eight,
    "# web-0 crashes: its kubelet restarts it",
    "# scaling to 10",
    "created web-9",
    "# there are 10 Pods, Running on 3 nodes",
    "# scaling to 3",
    "deleting web-3",
    /^# there are 3 Pods, Running on [1-3] nodes$/,
    "# deleting the PodSet",
    "# there are 0 Pods",
  ]);
  const killed = lines.flatMap((line) => /^# killing (web.*)$/.exec(line)?.[1]?.split(", ") ?? []);
  for (const name of killed) {
    assert(lines.filter((line) => line === `created ${name}`).length > 1, `${name} came back`);
  }
});

Deno.test("operator shows its webhook, its repairs, the other replica that takes over, and its cleanup", async () => {
  const lines = await finished("operator");
  assertInOrder(lines, [
    /^\[first replica\] .* became leader$/,
    "# version 18: Waiting, 0 of 2 replicas are ready; backups-default-orders",
    "# version 18: AllReady, 2 of 2 replicas are ready; backups-default-orders",
    "# somebody wants less storage",
    /^# admission webhook .* denied the request: .* spec\.storageGb: cannot shrink from 10$/,
    /^# the leader's metrics: \d+ reconciles$/,
    "# the leader stops; the other replica takes over",
    /^\[first replica\] .* stopped leading$/,
    "# the Deployment has 2 replicas",
    "# version 18: Waiting, 1 of 2 replicas are ready; backups-default-orders",
    "# event: Normal Up: 2 of 2 replicas are ready",
    "# event: Warning Degraded: 1 of 2 replicas are ready",
  ]);
  assertInOrder(lines, [
    "# the leader stops; the other replica takes over",
    /^databases: .* became leader$/,
    "# the Database is deleted; the finalizer keeps it until its bucket is gone",
    'database: "default/orders": deleted backups-default-orders',
  ]);
});

Deno.test("job_informer prints the Jobs of its custom list and watch functions", async () => {
  const lines = await finished("job_informer");
  assertEquals(lines, [
    "Job backup added",
    "Job report added",
    "Job backup: 1 succeeded",
    "Job backup deleted",
    "Job report deleted",
    "0 Jobs in the store at the end",
  ]);
});

Deno.test("fake_source prints the deleted keys, sorted", async () => {
  assertEquals(await finished("fake_source"), ["a-hello", "b-controller", "c-framework"]);
});

Deno.test("every example documents its flags under --help", async () => {
  const { code, stdout } = await runExample("minimal_controller", { args: ["--help"] });
  assertEquals(code, 0);
  for (
    const flag of [
      "--kubeconfig",
      "--server",
      "--master",
      "--token",
      "--token-file",
      "--service-account",
      "--namespace",
      "--http-port",
      "--webhooks",
      "--webhook-port",
      "--print",
    ]
  ) {
    assertStringIncludes(stdout, flag);
  }
  assertMatch(stdout, /KUBE_TOKEN/);
});
