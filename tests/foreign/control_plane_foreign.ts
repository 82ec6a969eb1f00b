/**
 * The real kube-controller-manager and kube-scheduler in a cluster of our server and our kubelets.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { startActors } from "../../src/testing/mod.ts";
import { binary } from "../e2e/binaries.ts";
import { ADMIN_TOKEN } from "../e2e/cluster.ts";
import { CertificateAuthority } from "../support/certificates.ts";
import { hasGo, Kubectl } from "./kubectl.ts";
import { seededRuns } from "../support/seeded_runs.ts";
import { OurServer } from "./our_server.ts";

/** Errors that the programs log on every server, because their caches are late, and warnings about the machine. */
const EXPECTED =
  /is not as new as written version|the object has been modified|is being terminated|Error getting updated StatefulSet from lister|Could not update status.* not found|The manifest file is empty|Flexvolume plugin directory/;

/** A running program. Its log is read to the end when it is stopped. */
class Program {
  readonly #process: Deno.ChildProcess;
  readonly #log: Promise<string>;

  constructor(path: string, flags: readonly string[]) {
    this.#process = new Deno.Command(path, {
      args: ["--leader-elect=false", "--bind-address=127.0.0.1", "--secure-port=0", ...flags],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    this.#log = new Response(this.#process.stderr).text();
  }

  /** Kills the program. Returns the unexpected errors and warnings of its log. */
  async stop(): Promise<string[]> {
    this.#process.kill("SIGKILL");
    await this.#process.status;
    return (await this.#log).split("\n").filter((line) =>
      /^[WEF]\d{4} /.test(line) && !EXPECTED.test(line)
    );
  }
}

const template = (app: string, fields: object = {}) => ({
  metadata: { labels: { app }, annotations: { "kubeloop.dev/exit-after-ms": "100" } },
  spec: {
    containers: [{ name: "main", image: app, resources: { requests: { cpu: "100m" } } }],
    ...fields,
  },
});

const workload = (apiVersion: string, kind: string, name: string, fields: object) => ({
  apiVersion,
  kind,
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { ...template(name), metadata: { labels: { app: name } } },
    ...fields,
  },
});

const OBJECTS = [
  {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "quota" },
    spec: { hard: { pods: "20" } },
  },
  workload("apps/v1", "Deployment", "web", { replicas: 3 }),
  workload("apps/v1", "StatefulSet", "db", { replicas: 2, serviceName: "db" }),
  workload("apps/v1", "DaemonSet", "agent", {}),
  {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
  },
  {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "web" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
  },
  {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "job" },
    spec: { completions: 3, parallelism: 2, template: template("job", { restartPolicy: "Never" }) },
  },
];

Deno.test({
  name: "kube-controller-manager and kube-scheduler run workloads on our server",
  // Both log what their late caches lead to, so that a machine under load shows more of it.
  ignore: seededRuns.factor <= 1 || !(await hasGo("kube-controller-manager")),
  async fn() {
    const paths = [
      await binary("kube-controller-manager"),
      await binary("kube-scheduler"),
    ] as const;
    await using ours = await OurServer.start({ tls: true });
    await using kubectl = await Kubectl.create(ours.kubeconfig);
    await using _nodes = startActors(ours.server, {
      nodes: 2,
      kubelet: { startDelayMs: 50, stopDelayMs: 50 },
      token: ADMIN_TOKEN,
      scheduler: false,
      namespaceController: false,
      nodeController: false,
      garbageCollector: false,
      workloads: false,
    });
    const authority = await CertificateAuthority.create();
    const { key } = await authority.issue({ name: "CN=service-accounts" });
    const keyFile = await Deno.makeTempFile({ prefix: "kubeloop-accounts-" });
    await Deno.writeTextFile(keyFile, key);
    const flags = [`--kubeconfig=${ours.kubeconfig}`];
    const manager = new Program(paths[0], [
      ...flags,
      "--use-service-account-credentials",
      `--service-account-private-key-file=${keyFile}`,
    ]);
    const scheduler = new Program(paths[1], flags);
    const unexpected: string[] = [];
    try {
      const run = async (args: string, input?: object) => {
        const { code, stderr } = await kubectl.run(args.split(" "), JSON.stringify(input));
        assertEquals([args, code, code === 0 ? "" : stderr], [args, 0, ""]);
      };
      const list = { apiVersion: "v1", kind: "List", items: OBJECTS };
      await run("create namespace work");
      await run("-n work apply -f -", list);
      await run("-n work wait --for=condition=Complete job/job --timeout=40s");
      for (const name of ["deployment/web", "statefulset/db", "daemonset/agent"]) {
        await run(`-n work rollout status ${name} --timeout=40s`);
      }
      await run("-n work set image deployment/web main=web:2");
      await run("-n work rollout status deployment/web --timeout=40s");
      await run(
        "-n work wait --for=jsonpath={.status.used.pods}=7 resourcequota/quota --timeout=20s",
      );
      await run("-n work wait --for=jsonpath={.status.currentHealthy}=3 pdb/web --timeout=20s");
      await run("delete namespace work --timeout=40s");
    } finally {
      unexpected.push(...await manager.stop(), ...await scheduler.stop());
      await Deno.remove(keyFile);
    }
    assertEquals(unexpected, []);
  },
});
