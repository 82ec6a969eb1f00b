/** Tests with a cluster that has its own CA and requires client certificates. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { createPrivateKey } from "node:crypto";
import { silentLogger } from "../../src/base/mod.ts";
import { SharedInformer, waitForCacheSync } from "../../src/cache/mod.ts";
import type { ClientOptions } from "../../src/client/mod.ts";
import { ConfigMaps, explainError } from "../../src/types/mod.ts";
import { CertificateAuthority } from "../support/certificates.ts";
import { TlsCluster } from "../support/tls_cluster.ts";

const call = { namespace: "default" };

Deno.test("an informer follows a cluster with a private CA and client certificates", async () => {
  await using cluster = await TlsCluster.create();
  await using client = cluster.client();
  const informer = new SharedInformer(client.listerWatcher(ConfigMaps, call), {
    logger: silentLogger,
  });
  await client.create(ConfigMaps, { metadata: { name: "before" } }, call);
  const seen: string[] = [];
  const all = Promise.withResolvers<void>();
  informer.addEventHandler({
    onAdd(object) {
      seen.push(object.metadata.name ?? "");
      if (seen.includes("after")) all.resolve();
    },
  });
  const stop = new AbortController();
  const running = informer.run({ signal: stop.signal });
  await waitForCacheSync({ signal: stop.signal }, informer);
  await client.create(ConfigMaps, { metadata: { name: "after" } }, call);
  await all.promise;
  assert(seen.includes("before"));
  stop.abort();
  await running;
  assert(cluster.sessions <= 2, `${cluster.sessions} TLS sessions`);
});

Deno.test("certificate keys may have any of the formats that OpenSSL writes", async () => {
  await using cluster = await TlsCluster.create();
  const rsa = await cluster.authority.issue({ name: "CN=me,O=system:masters", keyType: "RSA" });
  const traditional = (key: string, type: "sec1" | "pkcs1") =>
    createPrivateKey(key).export({ type, format: "pem" }) as string;
  const forms: [string, string][] = [
    [cluster.me.cert, traditional(cluster.me.key, "sec1")],
    [rsa.cert, rsa.key],
    [rsa.cert, traditional(rsa.key, "pkcs1")],
  ];
  for (const [certData, keyData] of forms) {
    await using client = cluster.client({ certData, keyData });
    assertEquals((await client.list(ConfigMaps, call)).items, []);
  }
});

Deno.test("without the CA or a client certificate, a connection fails with a clear error", async () => {
  await using cluster = await TlsCluster.create();
  const other = await CertificateAuthority.create();
  const stranger = await other.issue({ name: "CN=me,O=system:masters" });
  const cases: [string, Partial<ClientOptions>][] = [
    ["the runtime's authorities", { caData: undefined }],
    ["another authority", { caData: other.cert }],
    ["no certificate", { certData: undefined, keyData: undefined }],
    ["a stranger's certificate", { certData: stranger.cert, keyData: stranger.key }],
  ];
  for (const [what, options] of cases) {
    await using client = cluster.client(options);
    const error = await assertRejects(
      () => client.list(ConfigMaps, { ...call, maxRetries: 0 }),
      Error,
      undefined,
      what,
    );
    const told = explainError(error);
    assert(/certificate|TLS|handshake|connection|closed/i.test(told), `with ${what}: ${told}`);
    assert(!told.includes("\n"), told);
  }
  assertEquals(cluster.sessions, 0);
});
