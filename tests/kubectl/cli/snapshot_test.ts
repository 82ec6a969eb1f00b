import {
  ConfigMaps,
  CustomResourceDefinitions,
  type KubeObject,
  Secrets,
} from "@kubeloop/controller";
import { Leases } from "@kubeloop/controller/types/coordination/v1";
import { rehearse } from "@kubeloop/testing/simulation";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { readLines } from "../../../src/kubectl/cli/read_text.ts";
import type { CliRun } from "./_cli.ts";
import { namespace, widgetsIn, World } from "./_world.ts";

interface Line extends KubeObject {
  readonly snapshot?: {
    readonly format?: number;
    readonly kubernetes?: string;
    readonly resource?: string;
    readonly objects?: number;
    readonly complete?: boolean;
  };
  readonly data?: Readonly<Record<string, string>>;
}

function linesOf(text: string): Line[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Returns the names of the objects of a kind. */
function namesOf(lines: readonly Line[], kind: string): string[] {
  return lines.filter((line) => line.kind === kind).map(({ metadata }) => metadata.name!);
}

/** Returns messages without the warnings of the server about deprecated resources. */
function own(stderr: readonly string[]): string[] {
  return stderr.filter((line) => !line.includes("deprecated"));
}

async function configMaps(world: World, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const name = `c${String(i).padStart(3, "0")}`;
    await world.until(
      world.client.create(ConfigMaps, { metadata: { name }, data: { a: "1" } }, { namespace }),
    );
  }
}

Deno.test("kubeloop snapshot prints all objects with their kinds, definitions first, in pages", async () => {
  await using world = new World();
  await world.until(world.client.create(CustomResourceDefinitions, widgetsIn("acme.io")));
  await configMaps(world, 250);
  const limits: (string | null)[] = [];
  world.server.faults.observe(({ resource, url, verb }) => {
    if (verb === "list" && resource === "configmaps") limits.push(url.searchParams.get("limit"));
  });
  const { code, stderr, stdout } = await world.run(["snapshot"]);
  assertEquals([code, own(stderr)], [0, []]);
  const lines = linesOf(stdout);
  assertEquals(lines[0]?.snapshot?.format, 1);
  assertStringIncludes(lines[0]?.snapshot?.kubernetes ?? "", "v1.");
  assertEquals(lines[1]?.snapshot?.resource, "customresourcedefinitions.apiextensions.k8s.io");
  assertEquals(lines.at(-1)?.snapshot, { complete: true });
  assertEquals(namesOf(lines, "ConfigMap").filter((name) => /^c\d/.test(name)).length, 250);
  assertEquals(limits, ["100", "100", "100"]);
  const made = lines.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === "c000");
  assertEquals(made?.apiVersion, "v1");
  assert(made?.metadata.managedFields !== undefined);
});

Deno.test("kubeloop snapshot replaces the values of Secrets by hashes, and prints no token", async () => {
  await using world = new World();
  const secret = btoa("hunter2");
  const create = (name: string, data: Record<string, string>) =>
    world.until(world.client.create(Secrets, {
      metadata: {
        name,
        annotations: {
          "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ data }),
        },
      },
      data,
    }, { namespace }));
  await create("a", { password: secret, other: btoa("x") });
  await create("b", { password: secret });
  await world.until(world.client.create(Leases, { metadata: { name: "lock" } }, { namespace }));
  const env = { KUBE_TOKEN: "s3cr3t-t0ken" };
  const { stderr, stdout } = await world.run(["snapshot"], { env });
  for (const text of [secret, "hunter2", "s3cr3t-t0ken"]) {
    assert(!stdout.includes(text) && !stderr.join().includes(text), text);
  }
  const lines = linesOf(stdout);
  const [a, b] = lines.filter(({ kind }) => kind === "Secret");
  assertEquals(Object.keys(a?.data ?? {}).sort(), ["other", "password"]);
  assert(/^sha256:[0-9a-f]{64}$/.test(a!.data!["password"]!));
  assertEquals(a?.data?.["password"], b?.data?.["password"]);
  assert(a?.data?.["password"] !== a?.data?.["other"]);
  assertEquals(namesOf(lines, "Lease"), []);
});

Deno.test("kubeloop snapshot --resume continues after an interruption in the middle of a resource", async () => {
  await using world = new World();
  await configMaps(world, 150);
  // The process is interrupted at its 120th ConfigMap, in the middle of a line.
  let seen = 0;
  const onPrint = (text: string, run: CliRun) => {
    if (text.includes('"kind":"ConfigMap"') && ++seen === 120) run.interrupt();
  };
  const first = await world.run(["snapshot"], { onPrint });
  assertEquals(first.code, 130);
  const cut = first.stdout.slice(0, -20);
  assert(!cut.endsWith("\n"));
  const asked = new Set<string>();
  world.server.faults.observe(({ resource, verb }) => {
    if (verb === "list") asked.add(resource);
  });
  const files = { "world.jsonl": cut };
  const second = await world.run(["snapshot", "--resume", "world.jsonl"], { files });
  assertEquals([second.code, own(second.stderr)], [0, []]);
  assert(asked.has("configmaps") && !asked.has("namespaces"));
  const whole = cut + second.stdout;
  const done = await world.run(["snapshot", "--resume", "f"], { files: { f: whole } });
  assertEquals([done.code, done.stdout, done.stderr], [0, "", [
    "note: f is complete: nothing is missing",
  ]]);
  // A rehearsal reads the same world as from one whole snapshot.
  let names: readonly string[] = [];
  const rehearsal = await rehearse({
    world: whole.split("\n"),
    before: async ({ client }) => {
      const { items } = await client.list(ConfigMaps, { namespace });
      names = items.map(({ metadata }) => metadata.name);
    },
    after: () => {},
    forMs: 60_000,
  });
  assertEquals(names.filter((name) => /^c\d/.test(name)).length, 150);
  const uninterrupted = linesOf((await world.run(["snapshot"])).stdout);
  assertEquals(rehearsal.objects, uninterrupted.filter(({ kind }) => kind !== undefined).length);
});

Deno.test("kubeloop snapshot lists a resource again whose pages have expired", async () => {
  await using world = new World();
  await configMaps(world, 150);
  world.server.faults.expire({
    times: 1,
    when: ({ resource, url }) => resource === "configmaps" && url.searchParams.has("continue"),
  });
  const { code, stdout } = await world.run(["snapshot"]);
  assertEquals(code, 0);
  const begun = linesOf(stdout).filter(({ snapshot }) =>
    snapshot?.resource === "configmaps" && snapshot.complete !== true
  );
  assertEquals(begun.length, 2);
});

Deno.test("kubeloop snapshot leaves forbidden resources out, with a warning", async () => {
  await using world = new World();
  world.server.faults.fail(403, { when: ({ resource }) => resource === "secrets" });
  const { code, stderr, stdout } = await world.run(["snapshot"]);
  assertEquals(code, 0);
  assertEquals(own(stderr).length, 1);
  assertStringIncludes(own(stderr)[0]!, "warning: secrets are left out");
  assertEquals(linesOf(stdout).at(-1)?.snapshot?.complete, true);
});

Deno.test("kubeloop snapshot shows its progress on a terminal, and refuses wrong usage", async () => {
  await using world = new World();
  const { drawn } = await world.run(["snapshot"], { columns: 80 });
  assertStringIncludes(drawn, "objects)");
  const wrong = async (...args: string[]) => (await world.run(["snapshot", ...args])).code;
  assertEquals([await wrong("pods"), await wrong("-n", "x")], [2, 2]);
  const other = await world.run(["snapshot", "--resume", "f"], { files: { f: "kind: Pod\n" } });
  assertEquals(other.code, 1);
  assertStringIncludes(other.stderr.join(), "does not begin as a file of kubeloop snapshot");
});

Deno.test("a snapshot of a server starts another one", async () => {
  await using world = new World();
  await world.deployment("web");
  const { stdout } = await world.run(["snapshot"]);
  const { notes, objects, isSame } = await rehearse({
    world: stdout.split("\n"),
    before: () => {},
    after: () => {},
    forMs: 60_000,
  });
  assertEquals([notes, isSame], [[], true]);
  assert(objects > 10);
});

Deno.test("readLines() reads a file line by line, with characters on the borders of its chunks", async () => {
  const file = await Deno.makeTempFile();
  try {
    const lines = Array.from({ length: 5000 }, (_, i) => `${i} ${"ä€😀".repeat(i % 20)}`);
    await Deno.writeTextFile(file, lines.join("\n"));
    assertEquals(await Array.fromAsync(readLines(file)), lines);
    await Deno.writeTextFile(file, "a\n\nb\n");
    assertEquals(await Array.fromAsync(readLines(file)), ["a", "", "b"]);
  } finally {
    await Deno.remove(file);
  }
  const missing = await assertRejects(() => Array.fromAsync(readLines(file)), Error);
  assertEquals(missing.message, `Cannot read ${file}: there is no such file`);
});
