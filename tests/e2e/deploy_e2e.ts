/** Applies the manifests of `examples/deploy` to a real API server, and runs the controller from them as a process. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { parseAll } from "@std/yaml/parse";
import {
  Client,
  CustomResourceDefinitions,
  defineResource,
  Deployments,
  isForbidden,
  type KubeObject,
  loadConfig,
  Namespaces,
  Pods,
  type Resource,
  Secrets,
  ServiceAccounts,
  type Stored,
} from "@kubeloop/controller";
import { PodSets } from "../../examples/replicas_controller.ts";
import { fileURLToPath } from "node:url";
import { eventually, World } from "./world.ts";

const ROOT = new URL("../../", import.meta.url);
const FOLDER = new URL("examples/deploy/", ROOT);
const MOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The parts of a Deployment that determine how its process runs. */
interface DeploymentManifest extends KubeObject {
  spec: {
    template: {
      spec: {
        serviceAccountName: string;
        terminationGracePeriodSeconds: number;
        containers: {
          args: string[];
          env: { name: string; value: string }[];
          ports: { name: string; containerPort: number }[];
          readinessProbe: { httpGet: { path: string } };
          livenessProbe: { httpGet: { path: string } };
        }[];
      };
    };
  };
}

function rbacResource(kind: string): Resource<KubeObject> {
  return defineResource({
    group: "rbac.authorization.k8s.io",
    version: "v1",
    plural: `${kind.toLowerCase()}s`,
    kind,
    namespaced: false,
  });
}

const kinds: Readonly<Record<string, Resource<KubeObject>>> = Object.fromEntries(
  [
    CustomResourceDefinitions,
    Deployments,
    Namespaces,
    ServiceAccounts,
    rbacResource("ClusterRole"),
    rbacResource("ClusterRoleBinding"),
  ].map((resource) => [resource.kind, resource as Resource<KubeObject>]),
);

async function manifests(name: string): Promise<Stored<KubeObject>[]> {
  return parseAll(await Deno.readTextFile(new URL(name, FOLDER))) as Stored<KubeObject>[];
}

/** Returns the command of the Dockerfile's ENTRYPOINT. */
async function entrypoint(): Promise<string[]> {
  const text = await Deno.readTextFile(new URL("Dockerfile", FOLDER));
  const [, list = ""] = /^ENTRYPOINT (\[.*\])$/m.exec(text.replaceAll("\\\n", "")) ?? [];
  return JSON.parse(list);
}

/** Mounts a service account like a kubelet: the files are links to links, so that all of them change at once. */
async function mountServiceAccount(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-mount-" });
  await Deno.mkdir(`${folder}/..2026_11_20`);
  await Deno.symlink("..2026_11_20", `${folder}/..data`);
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(`${folder}/..2026_11_20/${name}`, text);
    await Deno.symlink(`..data/${name}`, `${folder}/${name}`);
  }
  return folder;
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

Deno.test("examples/deploy on a real API server", async (t) => {
  await using world = await World.create();
  const { client, cluster } = world;
  if (cluster === undefined) {
    console.log("skipped: the cluster of KUBELOOP_E2E_KUBECONFIG would try to run the image");
    return;
  }
  let deployment: DeploymentManifest | undefined;

  await t.step("its manifests are valid, without unknown fields", async () => {
    for (const file of ["crd.yaml", "rbac.yaml", "deployment.yaml"]) {
      for (const object of await manifests(file)) {
        const resource = kinds[object.kind ?? ""];
        assert(resource !== undefined, `${file} has a ${object.kind}`);
        const { namespace } = object.metadata;
        const call = { fieldManager: "e2e", fieldValidation: "Strict", namespace } as const;
        const applied = await client.apply(resource, object, call);
        if (object.kind === "Deployment") deployment = applied as DeploymentManifest;
      }
    }
  });

  const { namespace = "" } = deployment!.metadata;
  const { serviceAccountName, terminationGracePeriodSeconds, containers } = deployment!.spec
    .template.spec;
  const [container] = containers;
  const token = await createToken(client, serviceAccountName, namespace);
  const mount = await mountServiceAccount({ "ca.crt": cluster.caData, namespace, token });
  const healthPort = freePort();
  const { hostname, port } = new URL(cluster.server);

  /** Returns the manifest, with the paths and addresses of this machine instead of those of the Pod. */
  const here = (text: string) =>
    text.replaceAll(MOUNT, mount)
      .replaceAll("kubernetes.default.svc:443", `${hostname}:${port}`)
      .replaceAll(String(container!.ports[0]!.containerPort), String(healthPort));
  const [program = "", ...args] = [...await entrypoint(), ...container!.args].map(here);
  assertEquals(program, "deno");
  const environment = Object.fromEntries(container!.env.map(({ name, value }) => [name, value]));
  assertEquals(environment, {
    KUBERNETES_SERVICE_HOST: "kubernetes.default.svc",
    KUBERNETES_SERVICE_PORT: "443",
  });
  const process = new Deno.Command(Deno.execPath(), {
    args,
    cwd: fileURLToPath(ROOT),
    clearEnv: true,
    env: {
      // The cache folder of Deno.
      ...Object.fromEntries(
        ["DENO_DIR", "HOME", "XDG_CACHE_HOME"].flatMap((name) => {
          const value = Deno.env.get(name);
          return value === undefined ? [] : [[name, value]];
        }),
      ),
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = Promise.all([process.stdout, process.stderr].map((o) => new Response(o).text()));
  const probe = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${healthPort}${path}`);
    await response.body?.cancel();
    return response.status;
  };

  await t.step("the controller becomes ready and works, with only its own rights", async () => {
    await eventually(
      "the readiness probe succeeds",
      async () => await probe(container!.readinessProbe.httpGet.path) === 200,
    );
    assertEquals(await probe(container!.livenessProbe.httpGet.path), 200);
    const name = "podsets.demo.kubeloop.dev";
    const { metadata } = await client.get(CustomResourceDefinitions, name);
    assertEquals(metadata.generation, 1, "crd.yaml is not what the controller brings");
    const call = { namespace: world.namespace };
    await client.create(
      PodSets,
      { metadata: { name: "web" }, spec: { replicas: 3, image: "nginx:1.29" } },
      call,
    );
    const count = async () =>
      (await client.list(Pods, { ...call, labelSelector: "podset=web" })).items
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined).length;
    await eventually("there are three Pods", async () => await count() === 3);
    await client.patch(PodSets, "web", { spec: { replicas: 1 } }, call);
    await eventually("there is one Pod", async () => await count() === 1);
    await eventually(
      "the status says so",
      async () => (await client.get(PodSets, "web", call)).status?.replicas === 1,
    );
  });

  await t.step("its service account may not read secrets", async () => {
    const config = await loadConfig({
      serviceAccountFolder: mount,
      env: (name) => ({ KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port })[name],
    });
    assertEquals(config.namespace, namespace);
    await using weak = new Client(config);
    const error = await assertRejects(() => weak.list(Secrets));
    assert(isForbidden(error), String(error));
  });

  await t.step("SIGTERM stops it cleanly, within its grace period", async () => {
    process.kill("SIGTERM");
    const late = setTimeout(() => process.kill("SIGKILL"), terminationGracePeriodSeconds * 1000);
    const { code, signal } = await process.status;
    clearTimeout(late);
    const [stdout, stderr] = await output;
    assertEquals({ code, signal, stderr }, { code: 0, signal: null, stderr: "" }, stdout);
  });
  await Deno.remove(mount, { recursive: true });
});

interface TokenRequest extends KubeObject {
  spec: { expirationSeconds: number };
  status?: { token: string };
}

const TokenRequests = defineResource<TokenRequest>({
  group: "",
  version: "v1",
  plural: "serviceaccounts",
  kind: "TokenRequest",
  namespaced: true,
});

/** Requests a token as the kubelet does for a mount. */
async function createToken(client: Client, name: string, namespace: string): Promise<string> {
  const request: TokenRequest = {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: { name },
    spec: { expirationSeconds: 3600 },
  };
  const { status } = await client.create(TokenRequests, request, {
    namespace,
    subresource: "token",
  });
  return status?.token ?? "";
}
