import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { realClock } from "../../../src/base/mod.ts";
import { CliRun } from "./_cli.ts";

/** A program without dependencies: it applies a ConfigMap with its first argument as the value, and then waits. */
const PROGRAM = `
import { readFileSync } from "node:fs";
const { clusters: [{ cluster: { server } }] } = JSON.parse(readFileSync(process.env.KUBECONFIG, "utf8"));
const url = server + "/api/v1/namespaces/default/configmaps/made?fieldManager=program&force=true";
await (await fetch(url, {
  method: "PATCH",
  headers: { "content-type": "application/apply-patch+yaml" },
  body: JSON.stringify({
    apiVersion: "v1", kind: "ConfigMap", metadata: { name: "made" }, data: { v: process.argv[2] },
  }),
})).text();
setInterval(() => {}, 1000);
`;

const WORLD = [
  { snapshot: { format: 1, kubernetes: "v1.37.2" } },
  { snapshot: { resource: "configmaps" } },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "given", namespace: "default", uid: "u", resourceVersion: "7" },
  },
  { snapshot: { resource: "configmaps", objects: 1, complete: true } },
  { snapshot: { complete: true } },
].map((line) => JSON.stringify(line)).join("\n");

async function rehearse(args: (command: (value: string) => string) => readonly string[]) {
  const folder = await Deno.makeTempDir();
  try {
    const [program, world] = [`${folder}/a program.mjs`, `${folder}/world.jsonl`];
    await Deno.writeTextFile(program, PROGRAM);
    await Deno.writeTextFile(world, WORLD);
    const command = (value: string) =>
      JSON.stringify([Deno.execPath(), "run", "-A", "--no-config", program, value]);
    const run = new CliRun(["rehearse", world, ...args(command)], { clock: realClock });
    return { code: await run.ended, stdout: run.stdout, stderr: run.stderr };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const SHORT = "--minutes=0.05";

Deno.test("kubeloop rehearse prints what the new version does, and exits with 1 if it differs", async () => {
  const { code, stderr, stdout } = await rehearse((command) => [
    ...["--before", command("1"), "--after", command("2"), SHORT],
  ]);
  assertEquals([code, stderr], [1, [
    "error: The upgrade restarts no Pod in a world of 1 object, within 3 s.",
  ]]);
  assertStringIncludes(stdout, 'configmaps data.v: "1" → "2"');
});

Deno.test("kubeloop rehearse exits with 0 if nothing differs, and prints JSON", async () => {
  const { code, stderr, stdout } = await rehearse((command) => [
    ...["--before", command("1"), "--after", command("1"), SHORT, "-o", "json"],
  ]);
  assertEquals([code, stderr], [0, []]);
  const { isSame, objects } = JSON.parse(stdout);
  assertEquals([isSame, objects], [true, 1]);
});

Deno.test("kubeloop rehearse prints one page, and says that a program cannot be started", async () => {
  const { code, stdout } = await rehearse((command) => [
    ...["--before", command("1"), "--after", "/no/such/program 1", SHORT, "-o", "html"],
  ]);
  assertEquals(code, 1);
  assert(stdout.startsWith("<!doctype html>"), stdout.slice(0, 100));
  assertStringIncludes(stdout, "it cannot be started");
});

Deno.test("kubeloop rehearse refuses wrong arguments", async () => {
  const refused = async (...args: string[]) => {
    const run = new CliRun(["rehearse", ...args], {});
    return [await run.ended, ...run.stderr].join(" ");
  };
  const both = ["--before", "a", "--after", "b"];
  assertEquals(
    await refused(...both),
    "2 error: rehearse takes one file, which kubeloop snapshot has written",
  );
  assertEquals(await refused("w", "--before", "a"), "2 error: rehearse needs --after COMMAND");
  assertEquals(
    await refused("w", "--before=[1]", "--after=b"),
    '2 error: --before takes a JSON array of texts, as in ["./operator","--workers","2"]',
  );
  assertEquals(
    await refused("w", "--before= ", "--after=b"),
    "2 error: --before names no program",
  );
  assertEquals(
    await refused("w", ...both, "--minutes", "0"),
    "2 error: --minutes takes a number above 0 and up to 1440",
  );
  assertStringIncludes(await refused("/no/such/world", ...both), "1 error: ");
});
