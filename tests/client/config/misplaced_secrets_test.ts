/** Tests that a secret in the wrong place of a configuration does not get into an error or a log line. */

import { assert, assertEquals } from "@std/assert";
import { generateKeyPairSync } from "node:crypto";
import { Client, type ClientOptions, loadConfig } from "../../../src/client/mod.ts";
import { explainError, Namespaces } from "../../../src/types/mod.ts";

const pem = (type: "ec" | "rsa") => {
  const { privateKey } = type === "ec"
    ? generateKeyPairSync("ec", { namedCurve: "P-256" })
    : generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
};
const ec = pem("ec");
// Always the same, so that a failure can be repeated.
let state = 1;
const bytes = (size: number) =>
  Uint8Array.from({ length: size }, () => (state = (state * 48271) % 0x7fffffff) >> 8);
const base64 = (data: Uint8Array) => btoa(String.fromCharCode(...data));
const url = (text: string) => text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const hex = (data: Uint8Array) => [...data].map((b) => b.toString(16).padStart(2, "0")).join("");
const word = () => hex(bytes(20)).replaceAll(/[01]/g, "k");

const SECRETS: Readonly<Record<string, string>> = {
  "an EC key": ec,
  "an RSA key": pem("rsa"),
  "a key with CRLF": ec.replaceAll("\n", "\r\n"),
  "a key on one line": ec.replaceAll("\n", " "),
  "a key without its first line": ec.split("\n").slice(1, -2).join(""),
  "a key in base64": btoa(ec),
  "a key in base64, in lines": btoa(ec).replaceAll(/.{64}/g, "$&\n"),
  "a JWT": `${url(btoa('{"alg":"RS256","kid":"x"}'))}.${url(base64(bytes(90)))}.${
    url(base64(bytes(256)))
  }`,
  "a short JWT": `${url(btoa('{"alg":"HS256"}'))}.${url(btoa('{"sub":"a"}'))}.${
    url(base64(bytes(32)))
  }`,
  "hexadecimal digits": hex(bytes(16)),
  "many hexadecimal digits": hex(bytes(32)),
  "random base64": base64(bytes(33)),
  "random base64url": url(base64(bytes(24))),
  "a UUID": "31ada4fd-adec-460c-809a-9e56ceb75269",
  "an OpenShift token": `sha256~${url(base64(bytes(32)))}`,
  "a bootstrap token": "07401b.f395accd246ae52d",
  "a GitHub token": `ghp_${word().slice(0, 36)}`,
  "an EKS token": `k8s-aws-v1.${url(btoa("https://sts.amazonaws.com/?Action=GetCallerIdentity"))}`,
  "a Rancher token": `kubeconfig-user-x7k2p:${word()}`,
  "a command line": `login --token=${word()}`,
};

/** Returns the parts of `secret` of eight characters each, without overlap. */
function partsOf(secret: string): string[] {
  return (secret.match(/[\w+/=~.:-]{8}/g) ?? [])
    .filter((part) => !/-{3}|BEGIN|END|PRIVATE|kubeconf|ig-user|login/.test(part));
}

/** The places in a kubeconfig, as paths. */
const PLACES = [
  "current-context",
  "contexts.0.name",
  "contexts.0.context.cluster",
  "contexts.0.context.user",
  "contexts.0.context",
  "clusters.0.name",
  "clusters.0.cluster.server",
  "clusters.0.cluster.certificate-authority",
  "clusters.0.cluster.certificate-authority-data",
  "clusters.0.cluster.proxy-url",
  "clusters.0.cluster.tls-server-name",
  "clusters.0.cluster.insecure-skip-tls-verify",
  "clusters.0.cluster",
  "clusters",
  "users.0.name",
  "users.0.user.client-certificate",
  "users.0.user.client-certificate-data",
  "users.0.user.client-key",
  "users.0.user.client-key-data",
  "users.0.user.token",
  "users.0.user.tokenFile",
  "users.0.user.username",
  "users.0.user.password",
  "users.0.user.as",
  "users.0.user.as-uid",
  "users.0.user.as-groups",
  "users.0.user.as-user-extra",
  "users.0.user.auth-provider",
  "users.0.user.auth-provider.name",
  "users.0.user.exec",
  "users.0.user.exec.apiVersion",
  "users.0.user.exec.command",
  "users.0.user.exec.args",
  "users.0.user.exec.args.0",
  "users.0.user.exec.env",
  "users.0.user.exec.env.0.name",
  "users.0.user.exec.env.0.value",
  "users.0.user.exec.installHint",
  "users.0.user.exec.interactiveMode",
];

interface Kubeconfig {
  [key: string]: unknown;
}

/** Returns a kubeconfig with `value` at `place`. */
function kubeconfigWith(place: string, value: unknown): Kubeconfig {
  const config: Kubeconfig = {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:9" } }],
    users: [{ name: "u", user: {} }],
  };
  const keys = place.split(".");
  const last = keys.pop()!;
  let node = config;
  for (const key of keys) {
    if (key === "exec") {
      node.exec ??= {
        apiVersion: "client.authentication.k8s.io/v1",
        command: "/nowhere/login",
        args: ["-x"],
        env: [{ name: "A", value: "b" }],
      };
    }
    node = (node[key] ??= {}) as Kubeconfig;
  }
  node[last] = value;
  if (last === "password") node.username = "u:v";
  return config;
}

/** Loads a configuration and makes a request; returns all messages of errors and all log lines. */
async function told(options: Parameters<typeof loadConfig>[0]): Promise<string> {
  const lines: string[] = [];
  const note = (...values: unknown[]) => void lines.push(values.map(String).join(" "));
  const logger = { debug: note, info: note, warn: note, error: note };
  try {
    const config = await loadConfig({ logger, env: () => undefined, ...options });
    const readFile = options?.readFile;
    await using client = new Client(
      { ...config, readFile, logger, maxRetries: 0 } as ClientOptions,
    );
    await client.get(Namespaces, "n");
  } catch (error) {
    lines.push(explainError(error));
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      lines.push(`${cause.stack} ${cause.message} ${JSON.stringify(cause)}`);
    }
  }
  return lines.join("\n");
}

function assertKept(secret: string, text: string, what: string): void {
  for (const part of partsOf(secret)) assert(!text.includes(part), `${what}: ${text}`);
}

const missing = (path: string) =>
  Promise.reject(
    Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), {
      code: "ENOENT",
    }),
  );

for (const [what, secret] of Object.entries(SECRETS)) {
  Deno.test(`No place of a kubeconfig shows ${what} that does not belong there`, async () => {
    for (const place of PLACES) {
      for (const value of [secret, [secret], { [secret]: secret }]) {
        const text = JSON.stringify(kubeconfigWith(place, value));
        const readFile = (path: string) => path === "/kc" ? Promise.resolve(text) : missing(path);
        assertKept(secret, await told({ kubeconfig: "/kc", readFile }), place);
      }
    }
  });

  Deno.test(`No option shows ${what} that does not belong there`, async () => {
    const server = "https://127.0.0.1:9";
    const names = ["tokenFile", "caFile", "certFile", "keyFile", "caData", "certData", "keyData"];
    for (const name of [...names, "proxyUrl", "tlsServerName", "username", "token"]) {
      for (const readFile of [undefined, missing]) {
        assertKept(secret, await told({ server, [name]: secret, readFile }), name);
      }
      // A client that did not get its configuration from loadConfig().
      const options = { server, [name]: secret, maxRetries: 0 };
      try {
        await using client = new Client(options);
        await client.get(Namespaces, "n");
      } catch (error) {
        assertKept(secret, `${(error as Error).stack} ${explainError(error)}`, name);
      }
    }
    for (const name of ["server", "kubeconfig", "context", "serviceAccountFolder"]) {
      assertKept(secret, await told({ [name]: secret }), name);
    }
    const env = (name: string) => name === "KUBECONFIG" ? secret : undefined;
    assertKept(secret, await told({ env }), "KUBECONFIG");
    assertKept(
      secret,
      await told({ env: (name) => /SERVICE_(HOST|PORT)/.test(name) ? secret : undefined }),
      "KUBERNETES_SERVICE_HOST",
    );
    const both = `a: &a [\n${secret}\n  b: "${secret}\n`;
    const readFile = () => Promise.resolve(both);
    assertKept(secret, await told({ kubeconfig: "/kc", readFile }), "YAML");
  });
}

const NAMES = [
  "kubernetes-admin@kubernetes",
  "gke_my-project-123456_europe-west1-b_production-cluster-1",
  "arn:aws:eks:us-east-1:123456789012:cluster/production",
  "clusterUser_my-resource-group_my-aks-cluster",
  "default/api-crc-testing:6443/kube:admin",
  "do-fra1-k8s-1-31-1-do-0-fra1-1700000000000",
  "docker-desktop",
  "kind-kind2",
  "JohnAppleseed2024",
  "prod2",
  "MyAKSCluster01",
  "ClusterProdEU2",
  "kind-e2e-20260101T101112Z",
];

Deno.test("Errors show the names of contexts as tools write them", async () => {
  for (const name of NAMES) {
    const readFile = () => Promise.resolve(JSON.stringify(kubeconfigWith("contexts.0.name", name)));
    const said = await told({ kubeconfig: "/kc", readFile });
    assert(said.includes(`only ${JSON.stringify(name)}`), said);
  }
});

const PATHS = [
  "/home/me/.kube/prod2",
  "~/.kube/k8s",
  "prod2",
  "C:\\Users\\Me\\.kube\\k3s1",
  "/var/jenkins_home/workspace/job@tmp/secretFiles/31ada4fd-adec-460c-809a-9e56ceb75269/kubeconfig",
  "/nix/store/0c5b8vw40dy178xlpddw65q9gf1h2186-prod-kubeconfig/config.yaml",
  "/tmp/tmp.k3JdX9aQ2z/kubeconfig",
  "/home/me/.kube/config",
  "/home/me/.minikube/profiles/minikube/client.key",
  "/var/run/secrets/kubernetes.io/serviceaccount/token",
  "/etc/kubernetes/pki/apiserver-kubelet-client.crt",
  "/tmp/1a2b3c4d5e6f7a8b/kubeconfig.yaml",
  "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T/kc.yaml",
  "C:\\Users\\Me\\.kube\\config",
  "./kube/cluster-2.yaml",
];

Deno.test("Errors show the paths of files as people name them", async () => {
  for (const path of PATHS) {
    const said = await told({ kubeconfig: path, readFile: missing });
    assert(said.includes(`Cannot read kubeconfig, "${path}": ENOENT`), said);
  }
});

Deno.test("Errors show names and paths without marks that turn the writing direction", async () => {
  const name = "prod\u202egnp";
  const text = JSON.stringify(kubeconfigWith("contexts.0.name", name));
  const readFile = (path: string) => path === "/kc" ? Promise.resolve(text) : missing(path);
  const said = await told({ kubeconfig: "/kc", readFile });
  assert(said.includes('only "prod\\u202egnp"') && !said.includes("\u202e"), said);
  const path = await told({ kubeconfig: `/home/me/${name}`, readFile });
  assert(path.includes('"/home/me/prod\\u202egnp"') && !path.includes("\u202e"), path);
});

Deno.test("Errors show the paths of tokens and certificates as people name them", async () => {
  for (
    const name of ["token-prod-2", "prod2", "k3s1", "client2.pem", "token", "ca.2.crt", "tls 1"]
  ) {
    const tokenFile = `/etc/keys/${name}`;
    const said = await told({ tokenFile, server: "https://x", readFile: missing });
    assert(said.includes(`Cannot read token file, "${tokenFile}": ENOENT`), said);
  }
});

Deno.test("Errors do not show a secret that is joined to a folder or to the end of a path", async () => {
  for (const [what, secret] of Object.entries(SECRETS)) {
    const path = `/home/me/.kube/${secret}`;
    assertKept(secret, await told({ kubeconfig: path, readFile: missing }), what);
  }
  for (const what of ["a JWT", "a GitHub token", "an OpenShift token", "many hexadecimal digits"]) {
    const secret = SECRETS[what] ?? "";
    const said = await told({ kubeconfig: `/home/me/${secret}.yaml`, readFile: missing });
    assertKept(secret, said, what);
  }
});

Deno.test("The error for a key in place of its file says so, and names the field", async () => {
  const text = JSON.stringify(kubeconfigWith("users.0.user.client-key", ec));
  const readFile = (path: string) => path === "/kc" ? Promise.resolve(text) : missing(path);
  const error = await loadConfig({ kubeconfig: "/kc", readFile }).then(() => {}, (error) => error);
  assertEquals(
    error.message.replace(/\d+ characters/, "N characters"),
    'Cannot read client-key of user "u" in kubeconfig "/kc", (N characters that are not shown, because they look like a secret): ENOENT, expected the path of a file, not what belongs in the file',
  );
});

Deno.test("No argument and no variable that a plugin cannot get is in the error", async () => {
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: "/nowhere/login",
    interactiveMode: "Never",
  } as const;
  const value = "s3cr3t-va1ue\0";
  for (
    const more of [
      { args: [value] },
      { env: [{ name: "A", value }] },
      { env: [{ name: value, value: "b" }] },
      { command: value },
      { command: `/bin/login --token s3cr3t-va1ue` },
    ]
  ) {
    const said = await told({ server: "https://127.0.0.1:9", exec: { ...exec, ...more } });
    assert(said.includes("Exec plugin"), said);
    assert(!said.includes("s3cr3t") && !said.includes("va1ue"), said);
  }
});
