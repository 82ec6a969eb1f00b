/** Applies the manifests of `examples/deploy` to a real API server, and runs two replicas from them as processes. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Client,
  defineResource,
  Deployments,
  isForbidden,
  isInvalid,
  isNotFound,
  type KubeObject,
  Leases,
  loadConfig,
  Namespaces,
  Secrets,
  Services,
} from "@kubeloop/controller";
import { EventsV1 } from "@kubeloop/controller/operator";
import { Databases } from "../../examples/operator.ts";
import { fileURLToPath } from "node:url";
import { applyYaml, createToken } from "./service_account.ts";
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

interface EndpointSlice extends KubeObject {
  addressType: "IPv4";
  endpoints: { addresses: string[]; conditions: { ready: boolean } }[];
  ports: { name: string; port: number }[];
}

const EndpointSlices = defineResource<EndpointSlice>({
  group: "discovery.k8s.io",
  version: "v1",
  plural: "endpointslices",
  kind: "EndpointSlice",
  namespaced: true,
});

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

/** Returns an address of this machine that an EndpointSlice may have: not a loopback one. */
async function ownAddress(): Promise<string> {
  const { stdout } = await new Deno.Command("hostname", { args: ["-I"] }).output();
  const [address] = new TextDecoder().decode(stdout).split(" ").filter((one) => one.includes("."));
  assert(address !== undefined, "This machine has no IPv4 address but 127.0.0.1");
  return address;
}

/** Does the endpoint controller's work for one Pod of a Service. */
async function addEndpoint(client: Client, name: string, ip: string, port: number): Promise<void> {
  await client.create(EndpointSlices, {
    metadata: { name, labels: { "kubernetes.io/service-name": "databases" } },
    addressType: "IPv4",
    endpoints: [{ addresses: [ip], conditions: { ready: true } }],
    ports: [{ name: "webhooks", port }],
  }, { namespace: "databases" });
}

/** One replica, as a process. */
interface Replica {
  readonly name: string;
  probe(path: string): Promise<number>;
  readonly webhookPort: number;
  /** Sends SIGTERM. Returns what it has printed. */
  stop(): Promise<string>;
}

Deno.test("examples/deploy on a real API server", async (t) => {
  // There is no kube-proxy: the API server sends webhooks to the endpoints of the Service itself.
  await using world = await World.create({ apiServerFlags: ["--enable-aggregator-routing=true"] });
  const { client, cluster } = world;
  if (cluster === undefined) {
    console.log("skipped: the cluster of KUBELOOP_E2E_KUBECONFIG would try to run the image");
    return;
  }
  const namespace = "databases";
  await client.create(Namespaces, { metadata: { name: namespace } });
  let deployment: DeploymentManifest | undefined;

  await t.step("its manifests are valid, without unknown fields", async () => {
    for (const file of ["crd.yaml", "rbac.yaml", "deployment.yaml"]) {
      const objects = await applyYaml(client, await Deno.readTextFile(new URL(file, FOLDER)));
      deployment = objects.find(({ kind }) => kind === "Deployment") as DeploymentManifest;
    }
    assertEquals(deployment?.metadata.namespace, namespace);
  });

  const { serviceAccountName, terminationGracePeriodSeconds, containers } = deployment!.spec
    .template.spec;
  const container = containers[0]!;
  const { hostname, port } = new URL(cluster.server);
  assertEquals(Object.fromEntries(container.env.map(({ name, value }) => [name, value])), {
    KUBERNETES_SERVICE_HOST: "kubernetes.default.svc",
    KUBERNETES_SERVICE_PORT: "443",
  });
  const mounts: string[] = [];

  async function start(name: string): Promise<Replica> {
    const token = await createToken(client, serviceAccountName, namespace);
    const mount = await mountServiceAccount({ "ca.crt": cluster!.caData, namespace, token });
    mounts.push(mount);
    const [httpPort, webhookPort] = [freePort(), freePort()];
    /** Returns the manifest, with the paths and addresses of this machine instead of the values in the Pod. */
    const here = (text: string) =>
      text.replaceAll(MOUNT, mount)
        .replaceAll("kubernetes.default.svc:443", `${hostname}:${port}`)
        .replaceAll("8080", String(httpPort)).replaceAll("9443", String(webhookPort));
    const [program = "", ...args] = [...await entrypoint(), ...container.args].map(here);
    assertEquals(program, "deno");
    const process = new Deno.Command(Deno.execPath(), {
      args,
      cwd: fileURLToPath(ROOT),
      clearEnv: true,
      env: {
        // The cache folder of Deno.
        ...Object.fromEntries(
          ["DENO_DIR", "HOME", "XDG_CACHE_HOME"].flatMap((variable) => {
            const value = Deno.env.get(variable);
            return value === undefined ? [] : [[variable, value]];
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
    return {
      name,
      webhookPort,
      probe: async (path) => {
        const response = await fetch(`http://127.0.0.1:${httpPort}${path}`);
        await response.body?.cancel();
        return response.status;
      },
      stop: async () => {
        try {
          process.kill("SIGTERM");
        } catch {
          // It has ended by itself; its exit code says why.
        }
        const late = setTimeout(
          () => process.kill("SIGKILL"),
          terminationGracePeriodSeconds * 1000,
        );
        const { code, signal } = await process.status;
        clearTimeout(late);
        const [stdout = "", stderr] = await output;
        assertEquals({ code, signal, stderr }, { code: 0, signal: null, stderr: "" }, stdout);
        return stdout;
      },
    };
  }
  const isReady = async (replica: Replica) => {
    const { readinessProbe, livenessProbe } = container;
    await eventually(
      `${replica.name} is ready`,
      async () => await replica.probe(readinessProbe.httpGet.path) === 200,
    );
    assertEquals(await replica.probe(livenessProbe.httpGet.path), 200);
  };
  const call = { namespace: world.namespace };
  const holder = async () =>
    (await client.get(Leases, "databases", { namespace })).spec?.holderIdentity ?? "";
  const address = await ownAddress();
  const replicas: Replica[] = [];
  const first = await start("the first replica");
  replicas.push(first);
  try {
    await t.step("the operator becomes ready, leads, and leaves the definition alone", async () => {
      await isReady(first);
      await eventually("it leads", async () => await holder() !== "");
      const [definition] = await applyYaml(
        client,
        await Deno.readTextFile(new URL("crd.yaml", FOLDER)),
      );
      assertEquals(definition?.metadata.generation, 1, "crd.yaml is not what the operator brings");
    });

    await t.step(
      "the API server calls its webhook, with the certificates that it made",
      async () => {
        await addEndpoint(client, "first", address, first.webhookPort);
        const spec = { storageGb: 10, replicas: 2 };
        await eventually("a Database is created", async () => {
          await client.create(Databases, { metadata: { name: "orders" }, spec }, call);
          return true;
        });
        assertEquals((await client.get(Databases, "orders", call)).spec.version, 18);
        const error = await assertRejects(() =>
          client.patch(Databases, "orders", { spec: { storageGb: 5 } }, call)
        );
        assert(isInvalid(error), String(error));
      },
    );

    const reports = (reason: string) =>
      eventually(`the status says ${reason}`, async () => {
        const { status } = await client.get(Databases, "orders", call);
        return status?.conditions?.[0]?.reason === reason;
      });

    await t.step("it works, with only its own rights", async () => {
      await reports("Waiting");
      assertEquals((await client.get(Deployments, "orders", call)).spec?.replicas, 2);
      await client.get(Services, "orders", call);
      const status = { replicas: 2, readyReplicas: 2 };
      await client.patchStatus(Deployments, "orders", { status }, call);
      await reports("AllReady");
      await eventually("there is an Event", async () => {
        const { items } = await client.list(EventsV1, call);
        return items.some(({ reason }) => reason === "Up");
      });
    });

    await t.step("another replica is ready, and takes over within seconds", async () => {
      const second = await start("the second replica");
      replicas.push(second);
      await isReady(second);
      const before = await holder();
      await addEndpoint(client, "second", address, second.webhookPort);
      replicas.shift();
      const printed = await first.stop();
      assert(printed.includes("stopped leading"), printed);
      await client.delete(EndpointSlices, "first", { namespace });
      await eventually("the other one leads", async () => {
        const now = await holder();
        return now !== "" && now !== before;
      });
      const status = { replicas: 2, readyReplicas: 1 };
      await client.patchStatus(Deployments, "orders", { status }, call);
      await reports("Waiting");
    });

    await t.step("the finalizer holds a Database until its bucket is gone", async () => {
      await client.delete(Databases, "orders", call);
      await eventually("it is gone", async () => {
        const error = await client.get(Databases, "orders", call).catch((error) => error);
        return isNotFound(error);
      });
    });

    await t.step("its service account may not read secrets of others", async () => {
      const config = await loadConfig({
        serviceAccountFolder: mounts[0],
        env: (name) => ({ KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port })[name],
      });
      assertEquals(config.namespace, namespace);
      await using weak = new Client(config);
      for (const one of [namespace, world.namespace]) {
        const error = await assertRejects(() => weak.list(Secrets, { namespace: one }));
        assert(isForbidden(error), String(error));
      }
    });
  } finally {
    for (const replica of replicas) await replica.stop();
    for (const mount of mounts) await Deno.remove(mount, { recursive: true });
  }
});
