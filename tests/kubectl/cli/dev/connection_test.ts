import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { Client, loadConfig, Namespaces, ServiceAccounts } from "@kubeloop/controller";
import { ApiServer, VirtualClock } from "@kubeloop/testing";
import {
  AccountToken,
  LoadedManifests,
  writeChildConfig,
} from "../../../../src/kubectl/cli/dev/mod.ts";
import { node } from "../../../../src/kubectl/cli/dev/runtime.ts";
import { cli } from "../_cli.ts";

async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-dev-test-" });
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const KUBECONFIG = `
apiVersion: v1
kind: Config
current-context: production
clusters:
  - { name: prod, cluster: { server: "https://prod.example" } }
  - { name: lab, cluster: { server: "https://lab.example" } }
users:
  - { name: admin, user: { token: secret } }
contexts:
  - { name: production, context: { cluster: prod, user: admin } }
  - { name: kind-lab, context: { cluster: lab, user: admin, namespace: tools } }
`;

Deno.test("writeChildConfig() selects the named context, without a copy of its credentials", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/config`, KUBECONFIG);
    const value = await writeChildConfig({
      folder,
      files: [`${folder}/config`],
      context: "kind-lab",
      readFile: Deno.readTextFile,
    });
    const env = (name: string) => name === "KUBECONFIG" ? value : undefined;
    const { server, namespace, token } = await loadConfig({ env });
    assertEquals([server, namespace, token], ["https://lab.example", "tools", "secret"]);
    assert(!(await Deno.readTextFile(`${folder}/context.kubeconfig`)).includes("secret"));
  });
});

Deno.test("writeChildConfig() has the token of a ServiceAccount in the place of the user", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/config`, KUBECONFIG);
    await Deno.writeTextFile(`${folder}/token`, "of-the-account");
    const options = {
      folder,
      files: [`${folder}/config`],
      context: "kind-lab",
      account: { tokenFile: `${folder}/token`, namespace: "widgets" },
      readFile: Deno.readTextFile,
    };
    const value = await writeChildConfig(options);
    const env = (name: string) => name === "KUBECONFIG" ? value : undefined;
    const { server, namespace, token, tokenFile } = await loadConfig({ env });
    assertEquals([server, namespace, token], ["https://lab.example", "widgets", undefined]);
    assertEquals(tokenFile, `${folder}/token`);
    await assertRejects(
      () => writeChildConfig({ ...options, context: "other" }),
      Error,
      "The kubeconfig has no context other",
    );
  });
});

Deno.test("AccountToken is renewed before it expires, and again after a failure", async () => {
  await withFolder(async (folder) => {
    const clock = new VirtualClock();
    await using server = new ApiServer({ clock });
    await using client = new Client(server.clientOptions);
    await client.create(Namespaces, { metadata: { name: "widgets" } });
    const account = { namespace: "widgets", name: "operator" };
    const warnings: string[] = [];
    const warn = (line: string) => void warnings.push(line);
    const options = { client, account, folder, clock, warn };
    await assertRejects(() => AccountToken.write(options), Error, "not found");
    await client.create(ServiceAccounts, { metadata: { name: "operator" } }, {
      namespace: "widgets",
    });
    const token = await AccountToken.write(options);
    const read = () => Deno.readTextFile(token.path);
    const first = await read();
    assertEquals((await Deno.stat(token.path)).mode! & 0o777, 0o600);
    const renewed = async () => {
      // The file is written in real time.
      for (let text = await read();; text = await read()) if (text !== first) return text;
    };
    server.faults.fail(403, { times: 1, when: ({ subresource }) => subresource === "token" });
    await clock.advance(48 * 60_000);
    assertStringIncludes(warnings.join(), "the token of widgets/operator was not renewed: ");
    assertEquals(await read(), first);
    await clock.advance(30_000);
    assert(await renewed() !== first);
    token.end();
  });
});

Deno.test("LoadedManifests applies what it can, and the rest when the kinds are there", async () => {
  await using server = new ApiServer();
  await using client = new Client(server.clientOptions);
  const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.acme.io }
spec:
  group: acme.io
  names: { kind: Widget, plural: widgets, singular: widget, listKind: WidgetList }
  scope: Namespaced
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }
`;
  const texts = [`
apiVersion: acme.io/v1
kind: Widget
metadata: { name: one, namespace: default }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: one, namespace: default }
`];
  const warnings: string[] = [];
  const warn = (line: string) => void warnings.push(line);
  const { signal } = new AbortController();
  const loaded = new LoadedManifests({ client, texts, warn, signal });
  await loaded.apply({ isFirst: true });
  const read = (path: string) => client.getRaw(path).then(() => true, () => false);
  const paths = [
    "/api/v1/namespaces/default/configmaps/one",
    "/apis/acme.io/v1/namespaces/default/widgets/one",
  ];
  assertEquals(await Promise.all(paths.map(read)), [true, false]);
  await new LoadedManifests({ client, texts: [definition], warn, signal }).apply({ isFirst: true });
  await loaded.apply();
  assertEquals(await Promise.all(paths.map(read)), [true, true]);
  assertEquals(warnings, []);
  const broken = texts.map((text) => text.replace("kind: Widget", "kind: Wodget"));
  const other = new LoadedManifests({ client, texts: broken, warn, signal });
  await other.apply({ isFirst: true });
  assertEquals(warnings, []);
  await other.apply();
  assertEquals(warnings.length, 1);
  assertStringIncludes(warnings[0]!, "Wodget");
});

Deno.test("kubeloop dev refuses arguments that contradict each other, and starts nothing", async () => {
  const files = { "main.ts": "" };
  const cases: [string[], string][] = [
    [[], "dev takes a file"],
    [["main.ts", "other.ts"], "dev takes one file; arguments for it come after --"],
    [["main.ts", "--yes"], "--kubeconfig and --yes need --context NAME, which is never guessed"],
    [["main.ts", "--context", "a", "--load", "b"], "--load is for the cluster in memory"],
    [["main.ts", "--as-service-account", "operator"], "takes NAMESPACE/NAME"],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await cli(["dev", ...args], { files });
    assertEquals(code, 2, message);
    assertStringIncludes(stderr.join("\n"), message);
  }
  const { code, stderr } = await cli(["dev", "missing.ts"], { files });
  assertEquals([code, stderr], [1, ["error: no missing.ts"]]);
});

Deno.test("kubeloop dev --context prints the context, and needs --yes without a terminal", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/config`, KUBECONFIG);
    const env = { KUBECONFIG: `${folder}/config` };
    const file = `${folder}/main.ts`;
    await Deno.writeTextFile(file, "");
    const { code, stderr, stdout } = await cli(["dev", file, "--context", "kind-lab"], {
      env,
      files: { [file]: "" },
    });
    assertEquals(code, 2);
    assertStringIncludes(
      stdout,
      "/main.ts will run in the cluster of the context kind-lab, https://lab.example, as the user of the context.",
    );
    assertEquals(stderr, ["error: Without a terminal, --yes confirms the context"]);
  });
});

Deno.test("kubeloop dev starts Node with the flags that its version needs", () => {
  const run = (version: string) => node(version).run("/tmp/preload.mjs", "/app/main.ts")[0];
  assertEquals(run("22.12.0"), "--experimental-strip-types");
  assertEquals(run("22.18.0"), "--disable-warning=ExperimentalWarning");
  assertEquals(run("23.5.0"), "--experimental-strip-types");
  assertEquals(run("24.1.0"), "--disable-warning=ExperimentalWarning");
  assertThrows(() => node("20.20.2"), Error, "needs Node 22.18 or newer");
});
