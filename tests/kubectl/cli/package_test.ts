import { defineResource, Deployments, type KubeObject } from "@kubeloop/controller";
import { CustomResourceDefinitions } from "@kubeloop/controller/types";
import { parse, parseAll } from "@std/yaml/parse";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { applyAll } from "@kubeloop/kubectl";
import { cli } from "./_cli.ts";
import { operator, runPackage } from "./_package.ts";
import { World } from "./_world.ts";

const PACKAGE = ["--image", "acme/widgets:1", "-n", "ops"];

function kindsOf(text: string): string[] {
  return (parseAll(text) as KubeObject[]).map(({ kind }) => kind ?? "");
}

Deno.test("kubeloop package prints what a server accepts without a warning", async () => {
  const { code, stdout, stderr } = await runPackage(PACKAGE);
  assertEquals([code, stderr], [0, []]);
  assertEquals(kindsOf(stdout), [
    "Namespace",
    "CustomResourceDefinition",
    "ServiceAccount",
    "ClusterRole",
    "ClusterRoleBinding",
    "Role",
    "RoleBinding",
    "Service",
    "Deployment",
    "PodDisruptionBudget",
    "NetworkPolicy",
  ]);
  await using world = new World();
  const { client } = world;
  const results = await world.until(
    applyAll(client, parseAll(stdout) as KubeObject[], { fieldManager: "test" }),
  );
  assertEquals(results.filter(({ status }) => status !== "created"), []);
  const { spec } = await world.until(client.get(Deployments, "widgets", { namespace: "ops" }));
  assertEquals(spec?.replicas, 2);
  const { containers, serviceAccountName, terminationGracePeriodSeconds } = spec!.template.spec!;
  assertEquals([serviceAccountName, terminationGracePeriodSeconds], ["widgets", 15]);
  assertEquals(containers[0]!.ports!.map(({ name, containerPort }) => [name, containerPort]), [
    ["http", 8080],
    ["webhooks", 9443],
  ]);
  assert(await world.until(client.get(CustomResourceDefinitions, "widgets.acme.io")));
});

Deno.test("kubeloop package gives an operator without an election one replica, without probes if it serves none", async () => {
  const alone = operator(() => ({ http: undefined }));
  const { stdout, stderr } = await runPackage(PACKAGE, alone);
  assertEquals(stderr, ["note: widgets has no probes: give its Manager an http port"]);
  assertEquals(kindsOf(stdout).slice(-2), ["Deployment", "NetworkPolicy"]);
  assertStringIncludes(stdout, "  replicas: 1\n  strategy:\n    type: Recreate\n");
  assertStringIncludes(stdout, "  ingress: []\n");
  assert(!stdout.includes("Probe"));
  const { code, stderr: refused } = await runPackage([...PACKAGE, "--replicas", "2"], alone);
  assertEquals(code, 1);
  assertStringIncludes(
    refused.join("\n"),
    "widgets cannot have 2 replicas, which would all reconcile: give its Manager leaderElection or sharding",
  );
});

Deno.test("kubeloop package --to kustomize writes a file of each kind, and names them", async () => {
  const { stdout, written } = await runPackage([...PACKAGE, "--to", "kustomize", "-o", "base"]);
  const files = [
    "namespace.yaml",
    "crd-widgets.acme.io.yaml",
    "rbac.yaml",
    "service.yaml",
    "deployment.yaml",
    "poddisruptionbudget.yaml",
    "networkpolicy.yaml",
  ];
  assertEquals([...written.keys()], ["kustomization.yaml", ...files].map((one) => `base/${one}`));
  assertEquals(stdout, [...written.keys()].map((path) => `${path}\n`).join(""));
  const kustomization = written.get("base/kustomization.yaml")!;
  assertStringIncludes(kustomization, `resources:\n${files.map((one) => `  - ${one}\n`).join("")}`);
});

Deno.test("kubeloop package --to helm writes a chart with a schema of its values", async () => {
  const { stderr, written } = await runPackage([
    ...PACKAGE,
    "--to",
    "helm",
    "-o",
    "c",
    "--version",
    "1.2.3",
  ]);
  assertEquals(stderr, []);
  assertEquals([...written.keys()], [
    "c/Chart.yaml",
    "c/values.yaml",
    "c/values.schema.json",
    "c/crds/crd-widgets.acme.io.yaml",
    "c/templates/rbac.yaml",
    "c/templates/service.yaml",
    "c/templates/deployment.yaml",
    "c/templates/poddisruptionbudget.yaml",
    "c/templates/networkpolicy.yaml",
  ]);
  assertStringIncludes(written.get("c/Chart.yaml")!, `version: "1.2.3"\n`);
  const { properties } = JSON.parse(written.get("c/values.schema.json")!);
  const values = Object.keys(parse(written.get("c/values.yaml")!) as object);
  assertEquals(Object.keys(properties).filter((name) => name !== "global").sort(), values.sort());
  const templates = [...written].filter(([path]) => path.startsWith("c/templates/"));
  for (const [path, text] of templates) {
    assert(!/kubeloop-|ops/.test(text), `${path}: ${text}`);
    for (const [, value] of text.matchAll(/\.Values\.(\w+)/g)) assert(values.includes(value!));
    assertStringIncludes(text, "  namespace: {{ toYaml .Release.Namespace }}\n");
  }
  const deployment = written.get("c/templates/deployment.yaml")!;
  assertStringIncludes(deployment, "  replicas: {{ toYaml .Values.replicas }}\n");
  assertStringIncludes(
    deployment,
    `          resources:
            {{- toYaml .Values.resources | nindent 12 }}
`,
  );
  assertStringIncludes(
    deployment,
    `      {{- with .Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
`,
  );
});

Deno.test("kubeloop package --to dockerfile gives a binary of Deno the permissions of the operator", async () => {
  const { stdout } = await runPackage(["--to", "dockerfile", "--runtime", "deno"]);
  assertStringIncludes(
    stdout,
    "  --allow-net=0.0.0.0:8080,0.0.0.0:9443,kubernetes.default.svc:443 \\\n",
  );
  assertStringIncludes(stdout, "serviceaccount/token");
  assertStringIncludes(stdout, "  --output /operator op.ts\n");
  const { stdout: node } = await runPackage(["--to", "dockerfile"]);
  assertStringIncludes(node, 'ENTRYPOINT ["node", "op.ts"]\n');
  const { stdout: bun } = await runPackage(["--to", "dockerfile", "--runtime", "bun"]);
  assertStringIncludes(bun, 'ENTRYPOINT ["bun", "op.ts"]\n');
  const { stdout: yaml } = await runPackage([
    ...PACKAGE,
    "--runtime",
    "deno",
    "--env",
    "LEVEL=a=b",
  ]);
  assertStringIncludes(yaml, "- name: LEVEL\n              value: a=b\n");
  assertStringIncludes(yaml, "value: kubernetes.default.svc\n");
});

Deno.test("kubeloop package leaves a definition to an operator that converts it", async () => {
  const spec = (name: string) => ({
    type: "object" as const,
    properties: { [name]: { type: "integer" as const } },
  });
  const Old = defineResource({
    group: "acme.io",
    version: "v2",
    kind: "Widget",
    spec: spec("size"),
    versions: [{ name: "v1", spec: spec("replicas") }],
  });
  const { stdout, stderr } = await runPackage(PACKAGE, operator(() => ({ definitions: [Old] })));
  assertEquals(stderr, ["note: widgets.acme.io is installed by widgets, which converts it"]);
  assert(!kindsOf(stdout).includes("CustomResourceDefinition"));
});

Deno.test("kubeloop package says what is wrong with its arguments and the module", async () => {
  const messages: Record<string, readonly [readonly string[], Record<string, unknown>?]> = {
    "No image": [[]],
    "--to helm makes several files": [["--to", "helm", "--image", "a"]],
    "--env takes NAME=VALUE": [[...PACKAGE, "--env", "A"]],
    "--replicas x is not a whole number": [[...PACKAGE, "--replicas", "x"]],
    "--version 1 is not a semantic version": [[...PACKAGE, "--version", "1"]],
    "op.ts does not export manager(client)": [PACKAGE, {}],
    "manager(client) of op.ts does not return a Manager": [PACKAGE, { manager: () => ({}) }],
    "The webhooks of widgets are at the Service other/widgets": [
      PACKAGE,
      operator(() => ({ webhooks: { service: { namespace: "other", name: "widgets" } } })),
    ],
    "Cannot import missing.ts: no missing.ts": [PACKAGE],
  };
  for (const [message, [args, module]] of Object.entries(messages)) {
    const { code, stderr } = message.includes("missing.ts")
      ? await cli(["package", "missing.ts", ...args])
      : await runPackage(args, module);
    assert(code !== 0, message);
    assertStringIncludes(stderr.join("\n"), message);
  }
});
