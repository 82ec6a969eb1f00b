/**
 * Runs client-go's informer against our server through a flood of events, with and without WatchList, in JSON and in
 * protobuf.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { seededRuns } from "../support/seeded_runs.ts";
import { TextLineStream } from "@std/streams/text-line-stream";
import { fileURLToPath } from "node:url";
import { hasGo } from "./kubectl.ts";
import { OurServer } from "./our_server.ts";

const PODS = 500;
const ROUNDS = 10;

async function build(): Promise<string> {
  const path = await Deno.makeTempFile({ prefix: "kubeloop-follow-" });
  const { success, stderr } = await new Deno.Command("go", {
    args: ["build", "-trimpath", "-o", path, "."],
    cwd: fileURLToPath(new URL("go/", import.meta.url)),
    env: { CGO_ENABLED: "0" },
    stderr: "piped",
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return path;
}

const pods = "/api/v1/namespaces/default/pods";

async function call(ours: OurServer, method: string, path: string, body?: unknown): Promise<void> {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const response = await ours.server.fetch(`http://ours${path}`, {
    method,
    headers: { "content-type": type },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert(response.ok, `${method} ${path}: ${text}`);
}

const create = (ours: OurServer, name: string) =>
  call(ours, "POST", pods, {
    metadata: { name },
    spec: { containers: [{ name: "c", image: "i" }] },
  });

/** Changes every Pod several times, deletes half of them, and creates the Pod that marks the end. */
async function flood(ours: OurServer): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < PODS; i++) {
      await call(ours, "PATCH", `${pods}/p${i}`, { metadata: { labels: { round: `${round}` } } });
    }
  }
  for (let i = 0; i < PODS; i += 2) {
    await call(ours, "DELETE", `${pods}/p${i}?gracePeriodSeconds=0`);
  }
  await create(ours, "end");
}

Deno.test({
  name: "client-go's informer syncs and follows a flood",
  ignore: !(await hasGo("client-go's informer")),
  async fn(t) {
    const program = await build();
    try {
      for (const watchList of [true, false]) {
        for (const encoding of ["json", "vnd.kubernetes.protobuf"]) {
          // The two others take half a minute, and run nightly.
          if (watchList === (encoding !== "json") && seededRuns.factor <= 1) continue;
          const contentType = `application/${encoding}`;
          await t.step(
            `WatchListClient ${watchList} in ${encoding}`,
            () => follow(program, watchList, contentType),
          );
        }
      }
    } finally {
      await Deno.remove(program);
    }
  },
});

async function follow(program: string, watchList: boolean, contentType: string): Promise<void> {
  await using ours = await OurServer.start();
  for (let i = 0; i < PODS; i++) await create(ours, `p${i}`);
  const asked: string[] = [];
  ours.server.faults.observe(({ verb, url, headers }) => {
    if (url.pathname !== "/api/v1/pods") return;
    const what = url.searchParams.has("sendInitialEvents") ? "streaming list" : verb;
    asked.push(`${what} in ${headers.get("accept")?.split(";")[0]}`);
  });
  const child = new Deno.Command(program, {
    args: ["-server", ours.url, "-timeout", "5m", "-content-type", contentType],
    env: { KUBE_FEATURE_WatchListClient: String(watchList) },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const complaints = new Response(child.stderr).text();
  const lines: string[] = [];
  const output = child.stdout.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream());
  for await (const line of output) {
    lines.push(line);
    if (line.startsWith("synced")) await flood(ours);
  }
  const { success } = await child.status;
  assert(success, await complaints);
  // Deleting a Pod without a node sends two events: MODIFIED with a deletion timestamp, then DELETED.
  const updates = PODS * ROUNDS + PODS / 2;
  assertEquals(lines, [
    `synced objects=${PODS}`,
    `ended objects=${PODS / 2 + 1} adds=${PODS + 1} updates=${updates} deletes=${
      PODS / 2
    } resourceVersion=${ours.server.resourceVersion}`,
  ]);
  const first = watchList ? ["streaming list"] : ["list", "watch"];
  // The program compares its Pods with a list in JSON.
  assertEquals(asked, [
    ...first.map((what) => `${what} in ${contentType}`),
    "list in application/json",
  ]);
}
