/**
 * A real API server on loopback: etcd and kube-apiserver as child processes, with TLS, its own CA, bearer tokens and
 * RBAC.
 *
 * @module
 */

import { CertificateAuthority } from "../support/certificates.ts";
import { binary } from "./binaries.ts";
import { chosenMinor } from "./minors.ts";

/** The token of a cluster admin. */
export const ADMIN_TOKEN = "e2e-admin-token";
/** The token of another cluster admin. */
export const OTHER_ADMIN_TOKEN = "e2e-other-admin-token";
/** The token of a user without any rights. */
export const NOBODY_TOKEN = "e2e-nobody-token";

const READY_WITHIN_MS = 120_000;

/** The number of attempts to start, because another process may take a port between its choice and its use. */
const START_TRIES = 3;

/** Objects that an API server creates only after it reports to be ready; the Service comes last. */
const CREATED_WHEN_READY = [
  ...["default", "kube-node-lease", "kube-public", "kube-system"].map((name) =>
    `/api/v1/namespaces/${name}`
  ),
  "/api/v1/namespaces/default/services/kubernetes",
];

/** Returns a port without a listener. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** A child process whose output goes to a log file. */
class Child {
  readonly #process: Deno.ChildProcess;
  readonly #piped: Promise<void>;
  /** Whether the process has ended, by itself or by kill(). */
  ended = false;

  constructor(path: string, args: string[], logFile: string) {
    const log = Deno.openSync(logFile, { create: true, append: true });
    this.#process = new Deno.Command(path, { args, stdout: "null", stderr: "piped", stdin: "null" })
      .spawn();
    this.#piped = this.#process.stderr.pipeTo(log.writable);
    this.#process.status.then(() => this.ended = true);
  }

  get pid(): number {
    return this.#process.pid;
  }

  async kill(): Promise<void> {
    try {
      // SIGKILL, because on SIGTERM kube-apiserver waits a minute for open watches.
      this.#process.kill("SIGKILL");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // The process has already ended.
    }
    await this.#process.status;
    await this.#piped;
  }
}

/** Options of a {@linkcode Cluster}. */
export interface ClusterOptions {
  /** Lines of the token file, in addition to those of this module's tokens. */
  readonly tokens?: readonly string[];
  /** Additional flags of the kube-apiserver. */
  readonly apiServerFlags?: readonly string[];
  /** The minor version of Kubernetes. */
  readonly minor?: string;
}

/** A running etcd and kube-apiserver. */
export class Cluster implements AsyncDisposable {
  /** The URL of the API server. */
  readonly server: string;
  /** The CA certificate of the API server, as PEM. */
  readonly caData: string;
  /** The CA of `caData`, which also signs client certificates. */
  readonly authority: CertificateAuthority;
  /** A kubeconfig file with the contexts `token` (admin), `nobody` and `certificate` (admin). */
  readonly kubeconfig: string;
  /** The folder of the files and logs of the processes. */
  readonly folder: string;
  /** The URL of etcd. */
  readonly etcdUrl: string;
  readonly #etcdPath: string;
  readonly #etcdArgs: string[];
  readonly #apiServerPath: string;
  readonly #apiServerArgs: string[];
  #etcd: Child;
  #apiServer: Child;

  private constructor(parts: {
    server: string;
    authority: CertificateAuthority;
    kubeconfig: string;
    folder: string;
    etcdUrl: string;
    etcdPath: string;
    etcdArgs: string[];
    apiServerPath: string;
    apiServerArgs: string[];
  }) {
    this.server = parts.server;
    this.authority = parts.authority;
    this.caData = parts.authority.cert;
    this.kubeconfig = parts.kubeconfig;
    this.folder = parts.folder;
    this.etcdUrl = parts.etcdUrl;
    this.#etcdPath = parts.etcdPath;
    this.#etcdArgs = parts.etcdArgs;
    this.#apiServerPath = parts.apiServerPath;
    this.#apiServerArgs = parts.apiServerArgs;
    this.#etcd = this.#spawnEtcd();
    this.#apiServer = this.#spawnApiServer();
  }

  /** Builds missing programs, starts the processes, and waits until the API server is ready. */
  static async start(options: ClusterOptions = {}): Promise<Cluster> {
    for (let tries = 1;; tries++) {
      try {
        return await Cluster.#startOnce(options);
      } catch (error) {
        if (tries === START_TRIES || !String(error).includes("address already in use")) throw error;
      }
    }
  }

  static async #startOnce(options: ClusterOptions): Promise<Cluster> {
    const { tokens = [], apiServerFlags = [], minor = chosenMinor() } = options;
    const etcdPath = await binary("etcd", minor);
    const apiServerPath = await binary("kube-apiserver", minor);
    const folder = await Deno.makeTempDir({ prefix: "kubeloop-e2e-" });
    const etcdUrl = `http://127.0.0.1:${freePort()}`;
    const peerUrl = `http://127.0.0.1:${freePort()}`;
    const port = freePort();
    const server = `https://127.0.0.1:${port}`;

    const authority = await CertificateAuthority.create();
    const serving = await authority.issue({ name: "CN=kube-apiserver", hosts: ["127.0.0.1"] });
    const admin = await authority.issue({ name: "CN=e2e-cert-admin,O=system:masters" });
    const accounts = await authority.issue({ name: "CN=service-accounts" });
    const files = {
      "ca.crt": authority.cert,
      "server.crt": serving.cert,
      "server.key": serving.key,
      "admin.crt": admin.cert,
      "admin.key": admin.key,
      "accounts.crt": accounts.cert,
      "accounts.key": accounts.key,
      "tokens.csv": [
        `${ADMIN_TOKEN},e2e-admin,1,"system:masters"\n`,
        `${NOBODY_TOKEN},e2e-nobody,2\n`,
        `${OTHER_ADMIN_TOKEN},e2e-other-admin,3,"system:masters"\n`,
        ...tokens.map((line) => `${line}\n`),
      ].join(""),
      kubeconfig: kubeconfigText(server, folder),
    };
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${name}`, text, { mode: 0o600 });
    }

    const etcdArgs = [
      "--data-dir",
      `${folder}/etcd`,
      "--listen-client-urls",
      etcdUrl,
      "--advertise-client-urls",
      etcdUrl,
      "--listen-peer-urls",
      peerUrl,
      "--initial-advertise-peer-urls",
      peerUrl,
      "--initial-cluster",
      `default=${peerUrl}`,
      "--unsafe-no-fsync",
    ];
    const cluster = new Cluster({
      server,
      authority,
      kubeconfig: `${folder}/kubeconfig`,
      folder,
      etcdUrl,
      etcdPath,
      etcdArgs,
      apiServerPath,
      apiServerArgs: [
        `--etcd-servers=${etcdUrl}`,
        `--secure-port=${port}`,
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        "--endpoint-reconciler-type=none",
        "--service-cluster-ip-range=10.0.0.0/24",
        `--token-auth-file=${folder}/tokens.csv`,
        `--client-ca-file=${folder}/ca.crt`,
        `--tls-cert-file=${folder}/server.crt`,
        `--tls-private-key-file=${folder}/server.key`,
        `--service-account-key-file=${folder}/accounts.crt`,
        `--service-account-signing-key-file=${folder}/accounts.key`,
        "--service-account-issuer=https://kubernetes.default.svc",
        "--authorization-mode=RBAC",
        // There are no controllers here that create service accounts or collect garbage.
        "--disable-admission-plugins=ServiceAccount",
        ...apiServerFlags,
      ],
    });
    try {
      await cluster.#ready();
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  /** The process ids of the API server and of etcd. */
  get pids(): { readonly apiServer: number; readonly etcd: number } {
    return { apiServer: this.#apiServer.pid, etcd: this.#etcd.pid };
  }

  #spawnEtcd(): Child {
    return new Child(this.#etcdPath, this.#etcdArgs, `${this.folder}/etcd.log`);
  }

  #spawnApiServer(): Child {
    return new Child(this.#apiServerPath, this.#apiServerArgs, `${this.folder}/kube-apiserver.log`);
  }

  async #ready(): Promise<void> {
    using client = Deno.createHttpClient({ caCerts: [this.caData] });
    const deadline = performance.now() + READY_WITHIN_MS;
    while (performance.now() < deadline && !this.#apiServer.ended && !this.#etcd.ended) {
      try {
        if (await this.#answers(client, ["/readyz", ...CREATED_WHEN_READY])) return;
      } catch {
        // The API server does not listen yet.
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const program = this.#etcd.ended ? "etcd" : "kube-apiserver";
    const log = await Deno.readTextFile(`${this.folder}/${program}.log`);
    throw new Error(`The control plane does not get ready; ${program} says: ${log.slice(-2000)}`);
  }

  /** Reports whether GET of each of `paths` succeeds. */
  async #answers(client: Deno.HttpClient, paths: readonly string[]): Promise<boolean> {
    for (const path of paths) {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      const response = await fetch(`${this.server}${path}`, { client, headers });
      await response.body?.cancel();
      if (!response.ok) return false;
    }
    return true;
  }

  /** Kills the API server, so that all its connections break, and waits until a new one is ready. */
  async restartApiServer(): Promise<void> {
    await this.#apiServer.kill();
    this.#apiServer = this.#spawnApiServer();
    await this.#ready();
  }

  /** Keeps a copy of etcd's data. Returns a function that puts etcd back to them, as a restored backup does. */
  async backup(): Promise<() => Promise<void>> {
    const [data, copy] = [`${this.folder}/etcd`, `${this.folder}/etcd-backup`];
    await this.#replaceData(() => copyFolder(data, copy));
    return () =>
      this.#replaceData(async () => {
        await Deno.remove(data, { recursive: true });
        await copyFolder(copy, data);
      });
  }

  async #replaceData(replace: () => Promise<void>): Promise<void> {
    await this.#apiServer.kill();
    await this.#etcd.kill();
    await replace();
    this.#etcd = this.#spawnEtcd();
    this.#apiServer = this.#spawnApiServer();
    await this.#ready();
  }

  /** Ends both processes and removes their files. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#apiServer.kill();
    await this.#etcd.kill();
    await Deno.remove(this.folder, { recursive: true });
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { mode: 0o700 });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

function kubeconfigText(server: string, folder: string): string {
  return `apiVersion: v1
kind: Config
current-context: token
clusters:
- name: e2e
  cluster:
    server: ${server}
    certificate-authority: ${folder}/ca.crt
users:
- name: token
  user:
    token: ${ADMIN_TOKEN}
- name: nobody
  user:
    token: ${NOBODY_TOKEN}
- name: certificate
  user:
    client-certificate: ${folder}/admin.crt
    client-key: ${folder}/admin.key
contexts:
- name: token
  context: { cluster: e2e, user: token, namespace: default }
- name: nobody
  context: { cluster: e2e, user: nobody }
- name: certificate
  context: { cluster: e2e, user: certificate }
`;
}
