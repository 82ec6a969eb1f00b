import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  Client,
  type ClientOptions,
  ConfigMaps,
  defineResource,
  type KubeObject,
  loadConfig,
  type Logger,
  SharedInformer,
} from "@kubeloop/controller";
import { SkippingClock } from "../support/skipping_clock.ts";
import { ADMIN_TOKEN, Cluster, NOBODY_TOKEN, OTHER_ADMIN_TOKEN } from "./cluster.ts";
import { eventually } from "./world.ts";

const logger: Logger = {
  debug: () => {},
  info: (message) => console.log(message),
  warn: (message) => console.log(message),
  error: (message) => console.log(message),
};

interface SelfSubjectReview extends KubeObject {
  status?: { userInfo: { username: string; groups?: string[] } };
}
const SelfSubjectReviews = defineResource<SelfSubjectReview>({
  group: "authentication.k8s.io",
  version: "v1",
  plural: "selfsubjectreviews",
  kind: "SelfSubjectReview",
  namespaced: false,
});

/** Returns the user name of the client, according to the API server. */
async function whoAmI(client: Client): Promise<string | undefined> {
  const { status } = await client.create(SelfSubjectReviews, { metadata: {} } as SelfSubjectReview);
  return status?.userInfo.username;
}

const MINUTE_MS = 60_000;

// The CA of a cluster of KUBELOOP_E2E_KUBECONFIG does not sign certificates for tests.
const ignore = Deno.env.get("KUBELOOP_E2E_KUBECONFIG") !== undefined;

Deno.test("connecting to a real API server", { ignore }, async (t) => {
  await using cluster = await Cluster.start();
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-connect-" });
  const write = (name: string, text: string) =>
    Deno.writeTextFile(`${folder}/${name}`, text, { mode: 0o700 });

  /** Writes a kubeconfig file with relative paths for a user, and loads it. */
  async function configOf(user: object): Promise<ClientOptions> {
    await write("ca.crt", cluster.caData);
    const kubeconfig = {
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace: "default" } }],
      clusters: [{
        name: "c",
        cluster: { server: cluster.server, "certificate-authority": "ca.crt" },
      }],
      users: [{ name: "u", user }],
    };
    await write("kubeconfig", JSON.stringify(kubeconfig));
    return await loadConfig({ kubeconfig: `${folder}/kubeconfig` });
  }

  /**
   * Checks the user name of the client before and after a rotation, while an informer runs on a watch that was opened
   * before.
   */
  async function throughRotation(
    config: ClientOptions,
    names: readonly [before: string, after: string],
    rotate: (clock: SkippingClock) => Promise<void>,
  ): Promise<void> {
    const clock = new SkippingClock();
    await using client = new Client({ ...config, clock, logger });
    assertEquals(await whoAmI(client), names[0]);
    const informer = new SharedInformer(
      client.listerWatcher(ConfigMaps, { namespace: "default" }),
      { logger },
    );
    const stop = new AbortController();
    const running = informer.run({ signal: stop.signal });
    try {
      await eventually("the informer has synced", () => Promise.resolve(informer.hasSynced()));
      await rotate(clock);
      assertEquals(await whoAmI(client), names[1]);
      const name = `cm-${crypto.randomUUID().slice(0, 8)}`;
      await client.create(ConfigMaps, { metadata: { name, namespace: "default" } });
      await eventually(
        "the informer sees what is new",
        () => Promise.resolve(informer.indexer.getByKey(`default/${name}`) !== undefined),
      );
    } finally {
      stop.abort();
      await running;
    }
  }

  const masters = (name: string) =>
    cluster.authority.issue({ name: `CN=${name},O=system:masters` });

  await t.step("with a token file, through its rotation", async () => {
    await write("token", ADMIN_TOKEN);
    const config = await configOf({ tokenFile: "token" });
    await throughRotation(config, ["e2e-admin", "e2e-other-admin"], async (clock) => {
      await write("token", OTHER_ADMIN_TOKEN);
      clock.skip(MINUTE_MS);
    });
  });

  await t.step("with a token that is rejected, until the file contains another", async () => {
    await write("token", "expired");
    await using client = new Client({ ...await configOf({ tokenFile: "token" }), logger });
    await assertRejects(() => whoAmI(client), Error, "Unauthorized");
    await write("token", ADMIN_TOKEN);
    assertEquals(await whoAmI(client), "e2e-admin");
  });

  await t.step("with a client certificate, through its rotation", async () => {
    const put = async (name: string) => {
      const { cert, key } = await masters(name);
      await write("me.crt", cert);
      await write("me.key", key);
    };
    await put("first");
    const config = await configOf({ "client-certificate": "me.crt", "client-key": "me.key" });
    await throughRotation(config, ["first", "second"], async (clock) => {
      await put("second");
      clock.skip(MINUTE_MS);
    });
  });

  const apiVersion = "client.authentication.k8s.io/v1";
  const plugin = {
    apiVersion,
    command: "./login.sh",
    interactiveMode: "Never",
    provideClusterInfo: true,
    env: [{ name: "CREDENTIAL", value: `${folder}/credential.json` }],
  };
  const script = `#!/bin/sh
printf '%s\\n' "$KUBERNETES_EXEC_INFO" >> '${folder}/runs'
cat "$CREDENTIAL"
`;
  const runs = async () => (await Deno.readTextFile(`${folder}/runs`)).trim().split("\n");
  const prints = (status: object) =>
    write("credential.json", JSON.stringify({ kind: "ExecCredential", apiVersion, status }));

  await t.step("with a plugin that returns tokens that expire", async () => {
    await write("login.sh", script);
    const inAnHour = new Date(Date.now() + 60 * MINUTE_MS).toISOString();
    await prints({ token: ADMIN_TOKEN, expirationTimestamp: inAnHour });
    const config = await configOf({ exec: plugin });
    await throughRotation(config, ["e2e-admin", "e2e-other-admin"], async (clock) => {
      await prints({ token: OTHER_ADMIN_TOKEN });
      clock.skip(60 * MINUTE_MS);
    });
    const infos = await runs();
    assertEquals(infos.length, 2);
    assertEquals(JSON.parse(infos[0]!), {
      kind: "ExecCredential",
      apiVersion,
      spec: {
        interactive: false,
        cluster: {
          server: cluster.server,
          "certificate-authority-data": btoa(cluster.caData),
        },
      },
    });
  });

  await t.step("with a plugin whose token is rejected, which is run once more", async () => {
    await Deno.remove(`${folder}/runs`);
    await prints({ token: "expired" });
    await using client = new Client({ ...await configOf({ exec: plugin }), logger });
    await assertRejects(() => whoAmI(client), Error, "Unauthorized");
    assertEquals((await runs()).length, 2);
    await prints({ token: ADMIN_TOKEN });
    assertEquals(await whoAmI(client), "e2e-admin");
    assertEquals((await runs()).length, 3);
  });

  await t.step("with a plugin that returns client certificates that expire", async () => {
    const put = async (name: string) => {
      const { cert, key } = await masters(name);
      await prints({
        clientCertificateData: cert,
        clientKeyData: key,
        expirationTimestamp: new Date(Date.now() + 60 * MINUTE_MS).toISOString(),
      });
    };
    await put("third");
    const config = await configOf({ exec: plugin });
    await throughRotation(config, ["third", "fourth"], async (clock) => {
      await put("fourth");
      clock.skip(60 * MINUTE_MS);
    });
  });

  await t.step("with impersonation of a user and all of their groups", async () => {
    const user = { token: ADMIN_TOKEN, as: "jane", "as-groups": ["a", "b, c"] };
    await using client = new Client({ ...await configOf(user), logger });
    const { status } = await client.create(
      SelfSubjectReviews,
      { metadata: {} } as SelfSubjectReview,
    );
    assertEquals(status?.userInfo.username, "jane");
    assertEquals(status?.userInfo.groups, ["a", "b, c", "system:authenticated"]);
  });

  await t.step("with two configurations that do not affect each other", async () => {
    await using admin = new Client({ ...await configOf({ token: ADMIN_TOKEN }), logger });
    await using nobody = new Client({ ...await configOf({ token: NOBODY_TOKEN }), logger });
    assertEquals(await Promise.all([whoAmI(admin), whoAmI(nobody)]), ["e2e-admin", "e2e-nobody"]);
    const error = await assertRejects(() => nobody.list(ConfigMaps), Error);
    assert(error.message.includes('User "e2e-nobody" cannot list'), error.message);
  });

  await Deno.remove(folder, { recursive: true });
});
