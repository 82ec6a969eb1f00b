/**
 * A cluster on loopback for the commands that the documentation prints.
 *
 * @module
 */

import {
  Client,
  ConfigMaps,
  installDefinitions,
  Jobs,
  Namespaces,
  Pods,
} from "@kubeloop/controller";
import { ApiServer } from "@kubeloop/testing";
import { Websites } from "../../examples/crd_controller.ts";
import { Databases } from "../../examples/operator.ts";
import { PodSets } from "../../examples/replicas_controller.ts";
import { newPod } from "../../examples/_pod_life.ts";
import { CertificateAuthority } from "../support/certificates.ts";
import type { DocumentedCommand } from "./_documented.ts";
import type { MakeRun, Run } from "./_permitted.ts";

export const authority: CertificateAuthority = await CertificateAuthority.create();
const tls = await authority.issue({ name: "CN=api", hosts: ["127.0.0.1"] });
export const TOKEN = "secret-of-the-test";

/** A cluster of its own for each run, on loopback, over TLS and plain HTTP, with objects for all examples to work on. */
export class Cluster implements AsyncDisposable {
  readonly server = new ApiServer({
    tokens: { [TOKEN]: { user: "a", groups: ["system:masters"] } },
    programs: [{
      exec: async ({ command, stdout }) => await stdout.write(`you ran ${command.join(" ")}\n`),
    }],
  });
  readonly folder: string = Deno.makeTempDirSync({ prefix: "kubeloop-permissions-" });
  http = "";
  https = "";
  /** A client with all rights. */
  readonly client = new Client({ ...this.server.clientOptions, token: TOKEN });
  /** Changes a Pod again and again, for an example that watches from now on. */
  readonly #changing = setInterval(() => void this.#change(), 50);
  #changes = 0;

  static async start(): Promise<Cluster> {
    const cluster = new Cluster();
    const { server, folder } = cluster;
    cluster.http = (await server.serve()).url;
    cluster.https = (await server.serve({ tls })).url;
    const data = btoa(authority.cert);
    await Deno.writeTextFile(
      `${folder}/kubeconfig`,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "c",
        clusters: [{
          name: "c",
          cluster: { server: cluster.https, "certificate-authority-data": data },
        }],
        users: [{ name: "u", user: { token: TOKEN } }],
        contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      }),
    );
    await Deno.mkdir(`${folder}/account`);
    for (
      const [name, text] of Object.entries({
        "ca.crt": authority.cert,
        token: TOKEN,
        namespace: "default",
      })
    ) {
      await Deno.writeTextFile(`${folder}/account/${name}`, text);
    }
    await Deno.mkdir(`${cluster.folder}/manifests`);
    const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "applied" } };
    await Deno.writeTextFile(`${cluster.folder}/manifests/a.json`, JSON.stringify(applied));
    await cluster.#fill();
    return cluster;
  }

  async #fill(): Promise<void> {
    const client = this.client;
    const call = { namespace: "default" };
    await client.create(Namespaces, { metadata: { name: "databases" } });
    await client.create(Pods, newPod("only"), call);
    const containers = [{ name: "c", image: "i" }];
    const template = { spec: { restartPolicy: "Never" as const, containers } };
    await client.create(Jobs, { metadata: { name: "backup" }, spec: { template } }, call);
    await installDefinitions(client, [Databases, PodSets, Websites]);
    await client.create(ConfigMaps, { metadata: { name: "greeting" }, data: { text: "hi" } }, call);
    const spec = { title: "Home", contentFrom: "greeting" };
    await client.create(Websites, { metadata: { name: "home", namespace: "default" }, spec }, call);
    await client.create(
      Databases,
      { metadata: { name: "orders" }, spec: { storageGb: 1 } },
      call,
    );
    await client.create(
      PodSets,
      { metadata: { name: "web" }, spec: { replicas: 1, image: "i" } },
      call,
    );
  }

  async #change(): Promise<void> {
    const patch = { metadata: { annotations: { changes: String(++this.#changes) } } };
    // The Pod may not be there yet, or the cluster may be closing.
    await this.client.patch(Pods, "only", patch, { namespace: "default" }).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#changing);
    await this.client.close();
    await this.server.close();
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** The expected outcome of a run of an example. */
export interface Expected {
  /** The output that shows that it works. */
  readonly works: string;
  /** Whether it ends by itself then, maybe just before Ctrl-C. */
  readonly isKilled?: boolean;
  /** Gives it work to do. What it returns is called in the end. */
  readonly prepare?: (client: Client, server: ApiServer) => Promise<(() => void) | void>;
}

/** Makes runs of an example, each on its own cluster. What is printed in capitals is replaced by what is here. */
export function runsOf(
  documented: DocumentedCommand,
  example: string,
  expected: Expected | undefined,
): MakeRun {
  if (expected === undefined) throw new Error(`${example}: say what it prints`);
  const { isKilled = false, prepare, works } = expected;
  return async () => {
    const cluster = await Cluster.start();
    const stop = await prepare?.(cluster.client, cluster.server);
    return {
      ...runOn(cluster, documented, example, works),
      isKilled,
      async [Symbol.asyncDispose]() {
        stop?.();
        await cluster[Symbol.asyncDispose]();
      },
    };
  };
}

function runOn(
  cluster: Cluster,
  documented: DocumentedCommand,
  example: string,
  works: string,
): Run {
  const { file, env, permissions, args } = documented;
  const isPlain = args.includes("URL");
  const url = isPlain ? cluster.http : cluster.https;
  const here: Readonly<Record<string, string>> = {
    "HOST:PORT": new URL(url).host,
    FILE: `${cluster.folder}/kubeconfig`,
    FOLDER: `${cluster.folder}/manifests`,
    URL: url,
    TOKEN,
  };
  const replaced = (text: string) =>
    text.replace(/\b(HOST:PORT|FILE|FOLDER|URL|TOKEN)\b/g, (name) => here[name] ?? name);
  return {
    name: `${file}: deno run ${permissions.join(" ")} examples/${example}.ts ${args.join(" ")}`,
    permissions: permissions.map(replaced),
    command: [`examples/${example}.ts`, ...args.map(replaced)],
    env: Object.fromEntries(env.map((variable) => replaced(variable).split("="))),
    works,
  };
}
