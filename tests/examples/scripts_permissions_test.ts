/** Runs each script with exactly the permissions that it prints, and with each of these missing. */

import { assert, assertEquals } from "@std/assert";
import { type Client, ConfigMaps, Deployments, Events, Nodes, Pods } from "@kubeloop/controller";
import { newPod } from "../../examples/_pod_life.ts";
import { type Expected, runsOf } from "./_cluster.ts";
import { documentedCommands, readText } from "./_documented.ts";
import { assertExact, inParallel } from "./_permitted.ts";
import { nightlyTest } from "../support/kinds_of_tests.ts";

const namespace = "default";

/** Creates a Pod that runs. */
async function runPod(client: Client, name: string): Promise<void> {
  const addresses = [{ type: "InternalIP", address: "10.0.0.1" }];
  await client.create(Nodes, { metadata: { name: "n" } });
  await client.patchStatus(Nodes, "n", { status: { addresses } });
  const { metadata, spec } = newPod(name, { app: "web" });
  await client.create(Pods, { metadata, spec: { ...spec!, nodeName: "n" } }, { namespace });
  const state = { running: { startedAt: "2026-01-01T00:00:00Z" } };
  const container = { name: "main", image: "i", imageID: "", ready: true, restartCount: 0, state };
  const status = { phase: "Running" as const, containerStatuses: [container] };
  await client.patchStatus(Pods, name, { status }, { namespace });
}

/** The output of each script that shows that it works on the cluster of the test. */
const SCRIPTS: Readonly<Record<string, Expected>> = {
  apply_folder: { works: "ConfigMap applied created", isKilled: true },
  copy_file: {
    works: "files copied: ",
    isKilled: true,
    prepare: (client) => runPod(client, "web"),
  },
  exec_command: {
    works: "you ran ls",
    isKilled: true,
    prepare: (client) => runPod(client, "web"),
  },
  follow_logs: {
    works: "[there main] hello",
    async prepare(client, server) {
      await runPod(client, "there");
      server.logs.write("default/there", { text: "hello\n" });
    },
  },
  label_many: { works: "labeled ", isKilled: true },
  pods_on_node: {
    works: "default/there",
    isKilled: true,
    async prepare(client) {
      const { metadata, spec } = newPod("there");
      await client.create(Pods, { metadata, spec: { ...spec!, nodeName: "n1" } }, { namespace });
    },
  },
  port_forward: { works: " is port 8080 of web", prepare: (client) => runPod(client, "web") },
  rollout_wait: {
    works: "web is rolled out",
    isKilled: true,
    async prepare(client) {
      const labels = { app: "web" };
      await client.create(Deployments, {
        metadata: { name: "web" },
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: newPod("web").spec! },
        },
      }, { namespace });
      const status = { observedGeneration: 1 };
      await client.patchStatus(Deployments, "web", { status }, { namespace });
    },
  },
  tail_events: {
    works: "Normal Pod/only: Seen",
    prepare(client) {
      let count = 0;
      const timer = setInterval(() => {
        const involvedObject = { kind: "Pod", name: "only", namespace };
        const event = {
          involvedObject,
          type: "Normal" as const,
          reason: "Seen",
          message: "it is there",
        };
        client.create(Events, { metadata: { name: `only.${++count}` }, ...event }, { namespace })
          .catch(() => {});
      }, 50);
      return Promise.resolve(() => clearInterval(timer));
    },
  },
  watch_object: {
    works: "added",
    async prepare(client) {
      await client.create(ConfigMaps, { metadata: { name: "settings" } }, { namespace });
    },
  },
};

/** The permissions that some scripts need on the in-process server. */
const IN_PROCESS: Readonly<Record<string, readonly string[]>> = {
  copy_file: ["--allow-read=."],
  port_forward: ["--allow-net=127.0.0.1"],
};

const folder = new URL("../../examples/scripts/", import.meta.url);
const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name)
  .filter((name) => /^[^_].*\.ts$/.test(name)).map((name) => name.replace(".ts", "")).sort();
const documented = (await documentedCommands()).filter(({ script }) =>
  script.startsWith("examples/scripts/")
);

Deno.test("every script is on the page of scripts, and prints its own two commands", async () => {
  assertEquals(Object.keys(SCRIPTS).sort(), names);
  const page = await readText("docs/scripts.md");
  const listed = [...page.matchAll(/^\| \[`(\w+)\.ts`\]\(\.\.\/examples\/scripts\/\1\.ts\)/gm)];
  assertEquals(listed.map(([, name]) => name).sort(), names);
  for (const name of names) {
    const script = `examples/scripts/${name}.ts`;
    const own = documented.filter(({ file }) => file === script);
    assertEquals(own.map((one) => one.script), [script, script], name);
    const [inProcess] = own;
    assertEquals([inProcess?.permissions, inProcess?.args], [IN_PROCESS[name] ?? [], []], name);
  }
});

Deno.test("every script is short enough to read at a glance", async () => {
  for (const name of names) {
    const text = await readText(`examples/scripts/${name}.ts`);
    const code = text.slice(text.indexOf("*/") + 2).trim();
    assert(code.split("\n").length <= 30, name);
  }
});

nightlyTest(
  "on a cluster, each script needs exactly the permissions that are printed",
  async () => {
    const commands = documented.filter(({ args }) => args.length > 0);
    await inParallel(commands, async (command) => {
      const [, name = ""] = /(\w+)\.ts$/.exec(command.script) ?? [];
      await assertExact(runsOf(command, `scripts/${name}`, SCRIPTS[name]));
    });
  },
);
