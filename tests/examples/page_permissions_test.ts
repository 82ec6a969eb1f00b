/** Runs what the pages print about permissions, beside the examples: the server, the guide and docs/connecting.md. */

import { assert, assertEquals } from "@std/assert";
import {
  Client,
  ConfigMaps,
  defineResource,
  Deployments,
  installDefinitions,
  Pods,
} from "@kubeloop/controller";
import { ApiServer } from "@kubeloop/testing";
import { CertificateAuthority } from "../support/certificates.ts";
import { documentedCommands, readText, taskCommand } from "./_documented.ts";
import { assertExact, type MakeRun, ROOT, type Run } from "./_permitted.ts";
import { slowTest } from "../support/kinds_of_tests.ts";

const SERVE = `${ROOT}src/testing/serve/main.ts`;
const CLI = "jsr:@kubeloop/kubectl/cli";
const SERVES = "# Serving http";
const TOKEN = "secret-of-the-test";

/** Makes runs in a new folder, and removes what is disposed of with it. */
function inFolder(make: (folder: string, stack: AsyncDisposableStack) => Promise<Run>): MakeRun {
  return async () => {
    const stack = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir({ prefix: "kubeloop-pages-" });
    stack.defer(() => Deno.remove(folder, { recursive: true }));
    const run = await make(await Deno.realPath(folder), stack);
    return { ...run, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  };
}

const documented = await documentedCommands();

/** The commands that need the state of the guide: guide_test.ts runs them, and a test below runs the controller. */
const inGuide = documented.filter(({ file }) => file === "docs/guide.md");

Deno.test("a page prints no command that no test runs", () => {
  const known = [
    "controller.ts",
    "backups_simulation.ts",
    "backups_test.ts",
    "greetings_test.ts",
    "rollout.ts",
    "jsr:@kubeloop/testing/serve",
    CLI,
  ];
  const others = documented.filter(({ script }) => !script.startsWith("examples/"));
  assertEquals(others.filter(({ script }) => !known.includes(script)), []);
});

slowTest("serve needs exactly the permission that is printed", async () => {
  const commands = documented.filter(({ file, script }) =>
    script.startsWith("jsr:@kubeloop/testing") && file !== "docs/guide.md"
  );
  assertEquals(commands.map(({ file }) => file), ["docs/testing.md", "src/testing/serve/main.ts"]);
  for (const { file, permissions, args } of commands) {
    await assertExact(inFolder((cwd) => {
      const port = args.length > 0 ? args.map((arg) => arg.replace("8001", "0")) : ["--port", "0"];
      return Promise.resolve({
        name: file,
        permissions,
        cwd,
        command: [SERVE, ...port],
        works: SERVES,
        warns: /^stopping$/,
      });
    }));
  }
});

slowTest("kubeloop types needs exactly the permission that is printed", async () => {
  const [command] = documented.filter(({ script, args }) => script === CLI && args[0] === "types");
  assertEquals(command?.args, ["types", "crd.yaml", ">", "widgets.ts"]);
  assert(command !== undefined);
  await assertExact(inFolder(async (cwd) => {
    await Deno.copyFile(`${ROOT}tests/kubectl/cli/widgets_crd.yaml`, `${cwd}/crd.yaml`);
    return {
      name: command.file,
      permissions: command.permissions,
      cwd,
      command: [`${ROOT}src/kubectl/cli/main.ts`, ...command.args.slice(0, 2)],
      works: "export const Widgets:",
      isKilled: true,
    };
  }));
});

slowTest("kubeloop get needs exactly the permissions that are printed", async () => {
  const commands = documented.filter(({ args, file, script }) =>
    script === CLI && args[0] !== "types" && file !== "docs/guide.md"
  );
  assertEquals(commands.map(({ args }) => args.join(" ")), ["get pods --kubeconfig FILE"]);
  const [command] = commands;
  assert(command !== undefined);
  await assertExact(inFolder(async (cwd, stack) => {
    const server = stack.use(new ApiServer());
    const { url } = await server.serve();
    const client = stack.use(new Client(server.clientOptions));
    const containers = [{ name: "main", image: "nginx" }];
    const pod = { metadata: { name: "there" }, spec: { containers } };
    await client.create(Pods, pod, { namespace: "default" });
    await Deno.writeTextFile(`${cwd}/config`, kubeconfigOf({ server: url }, {}));
    const here = (text: string) =>
      text.replace("HOST:PORT", new URL(url).host).replace("FILE", `${cwd}/config`);
    return {
      name: command.file,
      permissions: command.permissions.map(here),
      cwd,
      command: [`${ROOT}src/kubectl/cli/main.ts`, ...command.args.map(here)],
      works: "there",
      isKilled: true,
    };
  }));
});

slowTest(
  "the script of docs/scripts.md is one file, and needs exactly the permissions that are printed",
  async () => {
    const [, script = ""] = /^```ts\n([^]*?)^```/m.exec(await readText("docs/scripts.md")) ?? [];
    const [command] = documented.filter(({ script }) => script === "rollout.ts");
    assert(command !== undefined && command.file === "docs/scripts.md");
    await assertExact(inFolder(async (cwd, stack) => {
      const server = stack.use(new ApiServer());
      const { url } = await server.serve();
      const client = stack.use(new Client(server.clientOptions));
      const labels = { app: "web" };
      const template = {
        metadata: { labels },
        spec: { containers: [{ name: "main", image: "i" }] },
      };
      const spec = { replicas: 0, selector: { matchLabels: labels }, template };
      const call = { namespace: "default" };
      await client.create(Deployments, { metadata: { name: "web" }, spec }, call);
      await client.patchStatus(Deployments, "web", { status: { observedGeneration: 1 } }, call);
      await Deno.writeTextFile(`${cwd}/rollout.ts`, script);
      await Deno.writeTextFile(`${cwd}/config`, kubeconfigOf({ server: url }, {}));
      const here = (text: string) =>
        text.replace("HOST:PORT", new URL(url).host).replace("FILE", `${cwd}/config`);
      return {
        name: command.file,
        permissions: command.permissions.map(here),
        cwd,
        env: { KUBECONFIG: `${cwd}/config` },
        command: ["--config", `${ROOT}deno.json`, ...[command.script, ...command.args].map(here)],
        works: "web is rolled out",
        isKilled: true,
      };
    }));
  },
);

const WITH_FILES = ["--load", "objects.yaml", "--save", "state", "--kubeconfig-out", "kubeconfig"];

/** Returns a run of serve with files in its folder. */
async function serveFiles(name: string, permissions: readonly string[], cwd: string): Promise<Run> {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  await Deno.writeTextFile(`${cwd}/objects.yaml`, JSON.stringify(object));
  const command = [SERVE, "--port", "0", ...WITH_FILES];
  return { name, permissions, cwd, command, works: SERVES, warns: /^stopping$/ };
}

slowTest("deno task serve has exactly the permissions that its flags for files need", async () => {
  const { permissions } = await taskCommand("serve");
  await assertExact(inFolder((cwd) => serveFiles("deno task serve", permissions, cwd)));
});

slowTest(
  "serve needs exactly the permissions for files of its own folder that its docstring names",
  async () => {
    const [, text = ""] =
      /`(--allow-read=\. --allow-write=\.)`/.exec(await readText("src/testing/serve/main.ts")) ??
        [];
    const permissions = ["--allow-net=127.0.0.1", ...text.split(" ")];
    await assertExact(inFolder((cwd) => serveFiles("src/testing/serve/main.ts", permissions, cwd)));
  },
);

slowTest("serve and the command need exactly the permissions that the guide prints", async () => {
  const [serve, ...others] = inGuide.filter(({ script }) => script.startsWith("jsr:"));
  assert(serve !== undefined && serve.script === "jsr:@kubeloop/testing/serve");
  assertEquals(others.map(({ args }) => args[0]), ["apply", "get"]);
  await assertExact(inFolder((cwd) =>
    Promise.resolve({
      name: "docs/guide.md",
      permissions: serve.permissions,
      cwd,
      command: [SERVE, ...serve.args, "--port", "0"],
      works: SERVES,
      warns: /^stopping$/,
    })
  ));
  for (const { args, permissions } of others) {
    await assertExact(inFolder(async (cwd, stack) => {
      const server = stack.use(new ApiServer());
      const { url } = await server.serve();
      const client = stack.use(new Client(server.clientOptions));
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "hi" } };
      await Deno.writeTextFile(`${cwd}/greeting.yaml`, JSON.stringify(object));
      await Deno.writeTextFile(`${cwd}/greeting.kubeconfig`, kubeconfigOf({ server: url }, {}));
      if (args[0] === "get") await client.create(ConfigMaps, object, { namespace: "default" });
      return {
        name: `docs/guide.md: ${args[0]}`,
        permissions: permissions.map((flag) => flag.replace("127.0.0.1:8001", new URL(url).host)),
        cwd,
        env: { KUBECONFIG: "greeting.kubeconfig" },
        command: [`${ROOT}src/kubectl/cli/main.ts`, ...args],
        works: args[0] === "get" ? "name: hi" : "configmap/hi created",
        isKilled: true,
      };
    }));
  }
});

slowTest(
  "the controller of the guide needs exactly the permissions that the guide prints",
  async () => {
    const page = await readText("docs/guide.md");
    const blocks = [...page.matchAll(/^```ts(.*)\n([^]*?)^```/gm)];
    const [controller = "", cluster = ""] = blocks.map(([, , text]) => text);
    const kubeconfig = /^export KUBECONFIG=(\S+)$/m.exec(page)?.[1] ?? "";
    const links = /```json\n([^]*?)```/.exec(await readText("docs/runtimes.md"))?.[1] ?? "";
    const config = JSON.parse(links);
    const { imports: { zod } } = JSON.parse(await readText("deno.json"));
    const [command] = documented.filter(({ script }) => script === "controller.ts");
    assert(command !== undefined && cluster.includes("loadConfig()"));

    await assertExact(inFolder(async (cwd, stack) => {
      const server = stack.use(new ApiServer());
      const { url } = await server.serve();
      const client = stack.use(new Client(server.clientOptions));
      const Greetings = defineResource({
        group: "example.com",
        version: "v1",
        kind: "Greeting",
        spec: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      });
      await installDefinitions(client, [Greetings]);
      const call = { namespace: "default" };
      await client.create(Greetings, { metadata: { name: "hi" }, spec: { text: "hello" } }, call);
      const imports = { ...config.imports, zod };
      await Deno.writeTextFile(`${cwd}/deno.json`, JSON.stringify({ ...config, imports }));
      await Deno.mkdir(`${cwd}/vendor`);
      await Deno.symlink(ROOT, `${cwd}/vendor/kubeloop`, { type: "dir" });
      await Deno.writeTextFile(
        `${cwd}/controller.ts`,
        `${controller}\n${cluster}`,
      );
      await Deno.writeTextFile(`${cwd}/${kubeconfig}`, kubeconfigOf({ server: url }, {}));
      // The controller prints nothing. What it writes is seen on the server.
      const watch = stack.use(await client.watch(ConfigMaps, call));
      return {
        name: command.file,
        permissions: command.permissions.map((flag) =>
          flag.replace("127.0.0.1:8001", new URL(url).host)
        ),
        command: [command.script],
        env: { KUBECONFIG: kubeconfig },
        cwd,
        works: watch[Symbol.asyncIterator]().next(),
        isKilled: true,
        // The clone that the recipe links has links of its own.
        warns: /^Warning "links" field can only be specified .*\n.*$/,
      };
    }));
  },
);

/** Returns a kubeconfig with one cluster and one user. */
function kubeconfigOf(cluster: object, user: object): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user }],
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
  });
}

const LOADS = `
import { Client, loadConfig } from ${JSON.stringify(`${ROOT}mod.ts`)};
const [serviceAccountFolder] = Deno.args;
await using client = new Client(await loadConfig({ serviceAccountFolder }));
await client.getRaw("/api/v1/namespaces");
console.log("connected");
`;

/** Returns the flags that docs/connecting.md names for a purpose. */
async function permissionsTo(purpose: string): Promise<string[]> {
  const rows = (await readText("docs/connecting.md")).split("\n");
  const row = rows.find((line) => line.startsWith(`| ${purpose} `));
  assert(row !== undefined, `connecting.md does not say what is needed to ${purpose}`);
  return [...row.matchAll(/`(--allow-[^`]+)`/g)].map(([, flag = ""]) => flag);
}

/** Makes runs of a program that connects by itself. `prepare` returns its permissions, arguments and environment. */
function connects(
  purpose: string,
  prepare: (
    world: { readonly folder: string; readonly url: URL; readonly ca: string },
  ) => Promise<Partial<Run> & { readonly args?: readonly string[] }>,
): MakeRun {
  return inFolder(async (folder, stack) => {
    const authority = await CertificateAuthority.create();
    const tls = await authority.issue({ name: "CN=api", hosts: ["127.0.0.1"] });
    const admin = { user: "admin", groups: ["system:masters"] };
    const server = stack.use(new ApiServer({ tokens: { [TOKEN]: admin } }));
    const url = new URL((await server.serve({ tls })).url);
    const { args = [], permissions = [], env = {} } = await prepare({
      folder,
      url,
      ca: authority.cert,
    });
    await Deno.writeTextFile(`${folder}/main.ts`, LOADS);
    const [net = ""] = await permissionsTo("talk to the API server");
    return {
      name: `docs/connecting.md: ${purpose}`,
      permissions: [net.replace("HOST:PORT", url.host), ...permissions],
      command: ["--config", `${ROOT}deno.json`, `${folder}/main.ts`, ...args],
      env,
      works: "connected",
      isKilled: true,
    };
  });
}

slowTest("connecting.md names exactly the permissions to read a kubeconfig", async () => {
  const [variables = "", read = ""] = await permissionsTo("read a kubeconfig");
  assertEquals([variables, read], ["--allow-env=KUBECONFIG,HOME", "--allow-read="]);
  for (const variable of ["KUBECONFIG", "HOME"]) {
    await assertExact(connects("read a kubeconfig", async ({ folder, url, ca }) => {
      const path = `${folder}/.kube/config`;
      await Deno.mkdir(`${folder}/.kube`);
      await Deno.writeTextFile(`${folder}/ca.crt`, ca);
      const cluster = { server: url.origin, "certificate-authority": `${folder}/ca.crt` };
      await Deno.writeTextFile(path, kubeconfigOf(cluster, { token: TOKEN }));
      return {
        permissions: [`--allow-env=${variable}`, `${read}${path},${folder}/ca.crt`],
        // Deno keeps its cache in the home of the user.
        env: { ...await cacheFolder(), [variable]: variable === "HOME" ? folder : path },
      };
    }));
  }
});

slowTest("connecting.md names exactly the permissions to find a service account", async () => {
  const [variables = "", read = ""] = await permissionsTo("find the service account of its Pod");
  await assertExact(connects("find the service account", async ({ folder, url, ca }) => {
    await Deno.mkdir(`${folder}/account`);
    await Deno.writeTextFile(`${folder}/account/ca.crt`, ca);
    await Deno.writeTextFile(`${folder}/account/token`, TOKEN);
    return {
      permissions: [variables, `${read.split("=")[0]}=${folder}/account`],
      args: [`${folder}/account`],
      env: { KUBERNETES_SERVICE_HOST: url.hostname, KUBERNETES_SERVICE_PORT: url.port },
    };
  }));
});

slowTest("connecting.md names exactly the permissions to run an exec plugin", async () => {
  const [run = "", variables = ""] = await permissionsTo("run an exec plugin");
  await assertExact(connects("run an exec plugin", async ({ folder, url, ca }) => {
    const apiVersion = "client.authentication.k8s.io/v1";
    const credential = { apiVersion, kind: "ExecCredential", status: { token: TOKEN } };
    await Deno.writeTextFile(
      `${folder}/plugin`,
      `#!/bin/sh\necho '${JSON.stringify(credential)}'\n`,
    );
    await Deno.chmod(`${folder}/plugin`, 0o755);
    const exec = { apiVersion, command: `${folder}/plugin`, interactiveMode: "Never" };
    const cluster = { server: url.origin, "certificate-authority-data": btoa(ca) };
    await Deno.writeTextFile(`${folder}/kubeconfig`, kubeconfigOf(cluster, { exec }));
    return {
      permissions: [
        run.replace("COMMAND", `${folder}/plugin`),
        variables,
        `--allow-read=${folder}/kubeconfig`,
      ],
      env: { KUBECONFIG: `${folder}/kubeconfig` },
    };
  }));
});

/** Returns the variable of Deno's cache folder, for a program with another home. */
async function cacheFolder(): Promise<Record<string, string>> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  return { DENO_DIR: JSON.parse(new TextDecoder().decode(stdout)).denoDir };
}
