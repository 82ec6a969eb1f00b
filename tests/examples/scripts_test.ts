/** Runs each script on the in-process server, without permissions. */

import { assert, assertEquals } from "@std/assert";
import { linesOf, runExample } from "./_run.ts";
import { slowTest } from "../support/kinds_of_tests.ts";

/** Runs a script to its end, and returns the lines that it has printed. */
async function finished(name: string, args: readonly string[] = []): Promise<string[]> {
  const { code, stdout, stderr } = await runExample(`scripts/${name}`, { args });
  assertEquals({ code, stderr }, { code: 0, stderr: "" }, stdout);
  return linesOf(stdout);
}

Deno.test("scripts/rollout_wait prints the progress until the Deployment is rolled out", async () => {
  const lines = await finished("rollout_wait");
  assertEquals(lines.at(-1), "web is rolled out");
  assert(lines.some((line) => /^\d of 3 /.test(line)), lines.join("\n"));
});

Deno.test("scripts/tail_events prints an Event, and its repetition", async () => {
  assertEquals(await finished("tail_events"), [
    "Warning Pod/web-1: BackOff ×1: Back-off restarting failed container main",
    "Warning Pod/web-1: BackOff ×2: Back-off restarting failed container main",
  ]);
});

slowTest("scripts/label_many labels 2,000 objects, and prints its progress", async () => {
  assertEquals(await finished("label_many"), [
    "500 of 2000",
    "1000 of 2000",
    "1500 of 2000",
    "2000 of 2000",
    "labeled 2000 ConfigMaps with season=winter",
  ]);
});

Deno.test("scripts/apply_folder applies manifests, a Namespace before its objects", async () => {
  assertEquals(await finished("apply_folder"), [
    "Namespace art created",
    "ConfigMap colors created",
  ]);
});

Deno.test("scripts/exec_command prints the output of a command, and exits with its code", async () => {
  const { code, stdout, stderr } = await runExample("scripts/exec_command", {
    args: ["web", "ls"],
  });
  assertEquals({ code, stderr, stdout }, { code: 3, stderr: "", stdout: "you ran ls\n" });
});

Deno.test("scripts/copy_file copies a file to a container, and prints its progress", async () => {
  const { code, stdout, stderr } = await runExample("scripts/copy_file", {
    permissions: ["--allow-read=."],
    args: ["LICENSE", "web:/tmp/LICENSE"],
  });
  assertEquals({ code, stderr }, { code: 0, stderr: "" }, stdout);
  const { size } = await Deno.stat("LICENSE");
  const lines = linesOf(stdout);
  assert(lines.includes(`LICENSE: ${size} bytes`), stdout);
  assertEquals(lines.at(-1), "files copied: 1");
});

Deno.test("scripts/port_forward forwards a local port to a Pod", async () => {
  const { code, stdout, stderr } = await runExample("scripts/port_forward", {
    permissions: ["--allow-net=127.0.0.1"],
  });
  assertEquals({ code, stderr }, { code: 0, stderr: "" }, stdout);
  const [first = "", second] = linesOf(stdout);
  assert(/^http:\/\/127\.0\.0\.1:\d+ is port 8080 of web$/.test(first), first);
  assertEquals(second, "hello from the Pod");
});

Deno.test("scripts/follow_logs prints each line once, also of a Pod that restarts", async () => {
  const lines = await finished("follow_logs");
  const ofPod = (pod: string) => lines.filter((line) => line.startsWith(`[${pod} main] `));
  assertEquals(ofPod("web-2"), ["[web-2 main] starting", "[web-2 main] ready"]);
  assertEquals(ofPod("web-1"), [
    "[web-1 main] starting",
    "[web-1 main] ready",
    "[web-1 main] starting",
    "[web-1 main] ready",
  ]);
});

Deno.test("scripts/watch_object prints every state of one object, across a restart", async () => {
  const lines = await finished("watch_object");
  assertEquals(lines.slice(0, 2), ['added {"color":"red"}', 'changed {"color":"green"}']);
  assertEquals(lines.at(-1)?.replace(/^added|^replaced/, ""), ' {"color":"white"}');
});

Deno.test("scripts/pods_on_node prints the Pods on one node", async () => {
  assertEquals(await finished("pods_on_node"), ["default/db Pending", "default/web-1 Pending"]);
  assertEquals(await finished("pods_on_node", ["n2"]), ["default/web-2 Pending"]);
  assertEquals(await finished("pods_on_node", ["n3"]), []);
});
