/** Runs each example with exactly the permissions that the documentation prints, and with each of these missing. */

import { assert, assertEquals } from "@std/assert";
import { Client, crd, loadConfig } from "@kubeloop/controller";
import { silentLogger } from "@kubeloop/controller/base";
import { parse, parseAll } from "@std/yaml/parse";
import { databaseOperator, Databases } from "../../examples/operator.ts";
import { authority, Cluster, type Expected, runsOf } from "./_cluster.ts";
import {
  commandsIn,
  dockerCommand,
  type DocumentedCommand,
  documentedCommands,
  readText,
  taskCommand,
  withoutOne,
} from "./_documented.ts";
import { runExample } from "./_run.ts";
import { assertEnough, assertExact, inParallel } from "./_permitted.ts";
import { nightlyTest, slowTest } from "../support/kinds_of_tests.ts";

/** The output of each example that shows that it works on the cluster of the test. */
const WORKS: Readonly<Record<string, string>> = {
  crd_controller: "rendering <h1>Home</h1>",
  job_informer: "Job backup added",
  list_and_watch: "watching from resourceVersion",
  minimal_controller: "ADDED Pod only",
  operator: "created backups-default-orders",
  pod_controller: "Sync/Add/Update for Pod only",
  replicas_controller: "created web-0",
  watch_pods: "Pod only modified",
};
function expectedOf(example: string): Expected | undefined {
  const works = WORKS[example];
  return works === undefined ? undefined : { works };
}

const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Reports whether the command runs an example. The scripts in `examples/scripts` have their own test. */
const isExample = ({ script }: DocumentedCommand) =>
  script.startsWith("examples/") && !script.startsWith("examples/scripts/");
const nameOf = (script: string) => script.slice("examples/".length).replace(/\.ts$/, "");
const printed = await documentedCommands();
const isPrint = ({ args }: DocumentedCommand) => args.includes("--print");
const documented = printed.filter((command) => !isPrint(command));
const EXAMPLES = (await Array.fromAsync(Deno.readDir(new URL("../../examples/", import.meta.url))))
  .map(({ name }) => name).filter((name) => /^[^_].*\.ts$/.test(name));

Deno.test("every example is in the README and prints its own commands", async () => {
  const readme = await readText("README.md");
  const [, rows = ""] = /^\| `deno run examples\/…` .*\n\| -.*\n((?:\|.*\n)*)/m.exec(readme) ?? [];
  const listed = [...rows.matchAll(/^\| `(\w+\.ts)`/gm)].map(([, name]) => name);
  assertEquals(listed.sort(), EXAMPLES.toSorted());
  for (const name of EXAMPLES) {
    const own = documented.filter(({ file }) => file === `examples/${name}`);
    assert(own.length > 0, `${name} prints no command`);
    assert(own.every(({ script }) => script === `examples/${name}`), name);
    assertEquals(own.length, name === "fake_source.ts" ? 1 : 2, name);
  }
});

// tests/examples/in_process_test.ts runs all examples without permissions.
Deno.test("without flags, an example is printed without permissions", () => {
  const inProcess = documented.filter((one) => isExample(one) && one.args.length === 0);
  assertEquals(inProcess.map(({ permissions }) => permissions), inProcess.map(() => []));
  assertEquals(inProcess.map(({ file }) => file), [
    "README.md",
    ...inProcess.slice(1).map(({ script }) => script),
  ]);
});

nightlyTest(
  "on a cluster, each example needs exactly the permissions that are printed",
  async () => {
    const commands = documented.filter((one) => isExample(one) && one.args.length > 0);
    const runs = commands.flatMap((one) => {
      const name = nameOf(one.script);
      return (name === "NAME" ? Object.keys(WORKS) : [name]).map((example) => ({ one, example }));
    });
    assertEquals(Object.keys(WORKS).length, EXAMPLES.length - 1, "all but fake_source");
    // The head of an example repeats a command of the README.
    const unique = new Map(runs.map(({ one, example }) => {
      const args = one.args.filter((arg) => arg !== "--namespace" && arg !== "default");
      return [[example, ...one.env, ...one.permissions, ...args].join(" "), { one, example }];
    }));
    await inParallel(
      [...unique.values()],
      ({ one, example }) => assertExact(runsOf(one, example, expectedOf(example))),
    );
  },
);

Deno.test("printed permissions are as narrow as they can be", async () => {
  const commands = [...documented, await dockerCommand()];
  const wide = commands.filter(({ permissions }) =>
    permissions.some((flag) => /^--allow-(net|read|write|env|run|sys|all|ffi)$|^-A$/.test(flag))
  );
  assertEquals(wide, []);
});

slowTest("deno task demo has the permissions of all ways to connect, and no more", async () => {
  const { permissions } = await taskCommand("demo");
  const ways = documented.filter(({ file, args }) => file === "README.md" && args.length > 0);
  await inParallel(
    ways,
    (way) =>
      assertEnough(runsOf({ ...way, permissions }, "pod_controller", expectedOf("pod_controller"))),
  );
  // The test above has shown that each way needs its own permissions.
  for (const { missing } of withoutOne(permissions)) {
    const needed = ways.some((way) =>
      way.permissions.some((flag) => flag.split("=")[0] === missing || flag === missing)
    );
    assert(needed, `deno task demo does not need ${missing}`);
  }
});

slowTest(
  "the Dockerfile has exactly the permissions that the controller in a Pod needs",
  async () => {
    const { permissions, script } = await dockerCommand();
    const deployment = await readText("examples/deploy/deployment.yaml");
    const args = [...deployment.matchAll(/^ +- (--\S+)$/gm)].map(([, arg = ""]) => arg);
    assertEquals(args, [
      `--service-account=${SERVICE_ACCOUNT}`,
      "--http-port=8080",
      "--webhooks=databases/databases",
      "--webhook-port=9443",
    ]);
    await assertExact(async () => {
      const cluster = await Cluster.start();
      const { hostname, port, host } = new URL(cluster.https);
      const ports = { http: freePort(), webhooks: freePort() };
      const stop = new AbortController();
      const works = ready(`http://127.0.0.1:${ports.http}/readyz`, stop.signal);
      const here = (text: string) =>
        text.replaceAll(SERVICE_ACCOUNT, `${cluster.folder}/account`)
          .replace("kubernetes.default.svc:443", host).replace("8080", ports.http)
          .replace("9443", ports.webhooks);
      return {
        name: "examples/deploy/Dockerfile",
        permissions: permissions.map(here),
        command: [script, ...args.map(here)],
        env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
        works,
        [Symbol.asyncDispose]: async () => {
          stop.abort();
          await works.catch(() => {});
          await cluster[Symbol.asyncDispose]();
        },
      };
    });
  },
);

Deno.test("the files in examples/deploy are what the operator prints", async () => {
  const { permissions } = await dockerCommand();
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-account-" });
  for (const name of ["ca.crt", "token", "namespace"]) {
    await Deno.writeTextFile(`${folder}/${name}`, name === "ca.crt" ? authority.cert : "databases");
  }
  const env: Readonly<Record<string, string>> = {
    KUBERNETES_SERVICE_HOST: "kubernetes.default.svc",
    KUBERNETES_SERVICE_PORT: "443",
  };
  const config = await loadConfig({ serviceAccountFolder: folder, env: (name) => env[name] });
  await using client = new Client(config);
  await using manager = databaseOperator({
    client,
    namespaces: undefined,
    logger: silentLogger,
    http: { port: 8080 },
    webhooks: { service: { namespace: "databases", name: "databases" }, port: 9443 },
  });
  assertEquals(
    permissions.filter((flag) => flag.startsWith("--allow-")),
    [
      ...manager.permissions().map((flag) => flag.replaceAll(folder, SERVICE_ACCOUNT)),
      // loadConfig() reads these.
      `--allow-env=${Object.keys(env)}`,
    ],
  );
  assertEquals(
    await readText("examples/deploy/rbac.yaml"),
    manager.rbac({ namespace: "databases" }),
  );
  assertEquals(parse(await readText("examples/deploy/crd.yaml")), crd(Databases));
  await Deno.remove(folder, { recursive: true });
});

slowTest(
  "the printed commands with --print make the files in examples/deploy, without permissions",
  async () => {
    const commands = printed.filter(isPrint);
    assertEquals(commands.length, 3);
    for (const { script, permissions, args: words } of commands) {
      const [line = "", file] = words.join(" ").split(" > ");
      const args = line.split(" ");
      const { code, stdout, stderr } = await runExample(nameOf(script), { permissions, args });
      assertEquals({ code, stderr }, { code: 0, stderr: "" });
      if (file === undefined) assert(stdout.includes("kind: ClusterRole"));
      else assertEquals(parseAll(stdout), parseAll(await readText(file)));
    }
  },
);

/** Resolves when a probe succeeds: the webhooks are served too then. Rejects when the signal aborts. */
async function ready(url: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const response = await fetch(url, { signal }).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function freePort(): string {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return String(listener.addr.port);
}

Deno.test("commandsIn() finds commands in blocks, in comments and in lines", () => {
  const text = "a `deno run --allow-net=a x.ts` b\n * A=1 deno run y.ts --flag C # why\n";
  assertEquals(commandsIn("f", text), [
    { file: "f", env: [], permissions: ["--allow-net=a"], script: "x.ts", args: [] },
    { file: "f", env: ["A=1"], permissions: [], script: "y.ts", args: ["--flag", "C"] },
  ]);
});

Deno.test("withoutOne() leaves out each value of each permission", () => {
  const flags = ["--no-prompt", "--allow-env=A,B", "--allow-net"];
  assertEquals(withoutOne(flags).map(({ missing, rest }) => [missing, rest.join(" ")]), [
    ["--allow-env=A", "--no-prompt --allow-env=B --allow-net"],
    ["--allow-env=B", "--no-prompt --allow-env=A --allow-net"],
    ["--allow-net", "--no-prompt --allow-env=A,B"],
  ]);
});
