import { assertEquals } from "@std/assert";
import { silentLogger } from "../../../src/base/mod.ts";
import { loadConfig } from "../../../src/client/mod.ts";

const SECRET = "s3cr3t";

/** The parts of a kubeconfig with one context. */
interface Parts {
  readonly context?: object;
  readonly cluster?: object;
  readonly user?: object;
  /** Additional keys of the entry that contains the user. */
  readonly beside?: object;
}

/** Loads a kubeconfig with these parts and returns the warnings. */
async function warningsOf({ context, cluster, user, beside }: Parts): Promise<string[]> {
  const kubeconfig = {
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", user: "u", ...context } }],
    clusters: [{ name: "c", cluster: { server: "https://10.0.0.1", ...cluster } }],
    users: [{ name: "u", user, ...beside }],
  };
  const warnings: string[] = [];
  await loadConfig({
    kubeconfig: "/dir/kc",
    readFile: () => Promise.resolve(JSON.stringify(kubeconfig)),
    logger: { ...silentLogger, warn: (message) => warnings.push(message) },
  });
  return warnings;
}

const IGNORING: readonly (readonly [Parts, string])[] = [
  [{ user: { tokn: SECRET } }, '"tokn" of user "u" in kubeconfig "/dir/kc": did you mean "token"?'],
  [
    { user: { "token-file": SECRET } },
    '"token-file" of user "u" in kubeconfig "/dir/kc": did you mean "tokenFile"?',
  ],
  [
    { user: { "client-certificate-date": SECRET } },
    '"client-certificate-date" of user "u" in kubeconfig "/dir/kc": ' +
    'did you mean "client-certificate-data"?',
  ],
  [
    { user: { passwd: SECRET } },
    '"passwd" of user "u" in kubeconfig "/dir/kc": did you mean "password"?',
  ],
  [
    { cluster: { certificateAuthority: SECRET } },
    '"certificateAuthority" of cluster "c" in kubeconfig "/dir/kc": ' +
    'did you mean "certificate-authority"?',
  ],
  [
    { cluster: { "insecure-skip-tls": true } },
    '"insecure-skip-tls" of cluster "c" in kubeconfig "/dir/kc": ' +
    'did you mean "insecure-skip-tls-verify"?',
  ],
  [
    { context: { namspace: SECRET } },
    '"namspace" of context "x" in kubeconfig "/dir/kc": did you mean "namespace"?',
  ],
  [
    { context: { colour: SECRET } },
    '"colour" of context "x" in kubeconfig "/dir/kc": ' +
    "expected one of cluster, user, namespace, extensions",
  ],
  [
    { user: { "insecure-skip-tls-verify": true } },
    '"insecure-skip-tls-verify" of user "u" in kubeconfig "/dir/kc": it belongs to a cluster',
  ],
  [
    { beside: { token: SECRET } },
    '"token" of the entry of user "u" in kubeconfig "/dir/kc": it belongs to a user',
  ],
  [
    {
      user: {
        exec: {
          apiVersion: "client.authentication.k8s.io/v1",
          command: "get-token",
          arg: [SECRET],
        },
      },
    },
    '"arg" of exec of user "u" in kubeconfig "/dir/kc": did you mean "args"?',
  ],
  [
    { beside: { users: { token: SECRET } } },
    '"users" of the entry of user "u" in kubeconfig "/dir/kc": did you mean "user"?',
  ],
];

for (const [parts, message] of IGNORING) {
  Deno.test(`loadConfig() warns: Ignoring the unknown key ${message}`, async () => {
    assertEquals(await warningsOf(parts), [`Ignoring the unknown key ${message}`]);
  });
}

Deno.test("loadConfig() does not print a key that may be a value", async () => {
  assertEquals(await warningsOf({ user: { [`token ${SECRET}`]: null } }), [
    'Ignoring an unknown key of 12 characters of user "u" in kubeconfig "/dir/kc": expected one of ' +
    "client-certificate, client-certificate-data, client-key, client-key-data, token, tokenFile, as, " +
    "as-uid, as-groups, as-user-extra, username, password, auth-provider, exec, extensions",
  ]);
});

Deno.test("loadConfig() does not warn about known keys or keys of extensions", async () => {
  const extensions = [{
    name: "minikube.sigs.k8s.io",
    extension: { "last-update": "now", tokn: 1 },
  }];
  const parts = {
    context: { namespace: "n", extensions },
    cluster: { "disable-compression": true, "proxy-url": "http://proxy:3128", extensions },
    user: {
      as: "jane",
      "as-uid": "5",
      "as-groups": ["g"],
      "as-user-extra": { anything: ["x"] },
      extensions,
      exec: {
        apiVersion: "client.authentication.k8s.io/v1",
        command: "get-token",
        args: [],
        env: [],
        installHint: "",
        provideClusterInfo: false,
        interactiveMode: "Never",
      },
    },
  };
  assertEquals(await warningsOf(parts), []);
});

Deno.test("loadConfig() warns only about the context, cluster and user that it uses", async () => {
  const kubeconfig = {
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c" } }, { name: "y", context: { clutser: "c" } }],
    clusters: [{ name: "c", cluster: { server: "https://10.0.0.1" } }],
    users: [{ name: "u", user: { tokn: SECRET } }],
  };
  const warnings: string[] = [];
  await loadConfig({
    kubeconfig: "/dir/kc",
    readFile: () => Promise.resolve(JSON.stringify(kubeconfig)),
    logger: { ...silentLogger, warn: (message) => warnings.push(message) },
  });
  assertEquals(warnings, []);
});

Deno.test("loadConfig() ignores errors of the logger", async () => {
  const kubeconfig = {
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", namspace: "n" } }],
    clusters: [{ name: "c", cluster: { server: "https://10.0.0.1" } }],
  };
  const { server } = await loadConfig({
    kubeconfig: "/dir/kc",
    readFile: () => Promise.resolve(JSON.stringify(kubeconfig)),
    logger: {
      ...silentLogger,
      warn() {
        throw new Error("disk full");
      },
    },
  });
  assertEquals(server, "https://10.0.0.1");
});
