import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import * as x509 from "@peculiar/x509";
import { Client } from "../../src/client/mod.ts";
import { WebhookCertificates, type WebhookCertificatesOptions } from "../../src/webhooks/mod.ts";
import { ApiServer } from "../../src/testing/mod.ts";
import { Secrets } from "../../src/types/mod.ts";
import type { Clock } from "../../src/base/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const SECRET = { namespace: "default", name: "certs" };
const HOSTS = ["hook.default.svc"];

/** The certificates of replicas with one Secret, whose clock a test sets. */
class Replicas implements AsyncDisposable {
  nowMs: number = Date.UTC(2026, 0, 1);
  readonly server: ApiServer = new ApiServer();
  readonly client: Client = new Client({ fetch: this.server.fetch });
  readonly logger: RecordingLogger = new RecordingLogger();
  readonly clock: Clock = {
    now: () => 0,
    wallNow: () => this.nowMs,
    setTimer: () => ({ cancel() {} }),
  };

  replica(options: Partial<WebhookCertificatesOptions> = {}): WebhookCertificates {
    const { clock, logger } = this;
    return new WebhookCertificates(this.client, {
      ...SECRET,
      hosts: HOSTS,
      clock,
      logger,
      ...options,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server.close();
  }
}

function serialOf(cert: string): string {
  return new x509.X509Certificate(cert).serialNumber;
}

/** Returns the authorities of a bundle, and asserts that one of them has signed the certificate. */
async function authorities(
  { tls, caBundle }: { tls: { cert: string }; caBundle: string },
  nowMs: number,
): Promise<string[]> {
  x509.cryptoProvider.set(crypto);
  const leaf = new x509.X509Certificate(tls.cert);
  const bundle = caBundle.split(/(?<=-----END CERTIFICATE-----\n)/).map((cert) =>
    new x509.X509Certificate(cert)
  );
  const verified = await Promise.all(
    bundle.map(({ publicKey }) => leaf.verify({ publicKey, date: new Date(nowMs) })),
  );
  assertEquals(verified.filter((one) => one).length, 1, "exactly one authority has signed it");
  return bundle.map(({ serialNumber }) => serialNumber);
}

Deno.test("ensure() makes certificates that all replicas share, even if they start at the same time", async () => {
  await using replicas = new Replicas();
  const all = await Promise.all(Array.from({ length: 5 }, () => replicas.replica().ensure()));
  for (const one of all) assertEquals(one, all[0]);
  assertEquals((await authorities(all[0]!, replicas.nowMs)).length, 1);
  const secret = await replicas.client.get(Secrets, "certs", { namespace: "default" });
  assertEquals(secret.type, "kubernetes.io/tls");
  assertEquals(Object.keys(secret.data ?? {}).sort(), ["ca.crt", "ca.key", "tls.crt", "tls.key"]);
  const { resourceVersion } = secret.metadata;
  assertEquals(await replicas.replica().ensure(), all[0]);
  const again = await replicas.client.get(Secrets, "certs", { namespace: "default" });
  assertEquals(again.metadata.resourceVersion, resourceVersion);
  assertEquals(replicas.logger.lines.length, 1);
});

Deno.test("ensure() replaces the serving certificate when a third of its year is left", async () => {
  await using replicas = new Replicas();
  const [one, other] = [replicas.replica(), replicas.replica()];
  const first = await one.ensure();
  replicas.nowMs += YEAR_MS * 2 / 3 - DAY_MS;
  assertEquals(await one.ensure(), first);
  replicas.nowMs += 2 * DAY_MS;
  const [second, same] = await Promise.all([one.ensure(), other.ensure()]);
  assert(serialOf(second.tls.cert) !== serialOf(first.tls.cert));
  assertEquals(second, same);
  assertEquals(second.caBundle, first.caBundle);
  await authorities(second, replicas.nowMs);
});

Deno.test("ensure() serves a certificate of a new authority after a day in which it is trusted", async () => {
  await using replicas = new Replicas();
  const replica = replicas.replica();
  const old = await authorities(await replica.ensure(), replicas.nowMs);
  // The serving certificate is replaced on the way, so that nothing but the authority is due then.
  const dueMs = replicas.nowMs + 10 * YEAR_MS * 2 / 3;
  replicas.nowMs = dueMs - 30 * DAY_MS;
  const before = await replica.ensure();
  assertEquals(await authorities(before, replicas.nowMs), old);
  const steps: [number, number, boolean][] = [];
  for (let hour = -2; hour < 60; hour++) {
    replicas.nowMs = dueMs + hour * 3_600_000;
    const now = await replica.ensure();
    const trusted = await authorities(now, replicas.nowMs);
    const isNew = serialOf(now.tls.cert) !== serialOf(before.tls.cert);
    const [, count, wasNew] = steps.at(-1) ?? [];
    if (trusted.length !== count || isNew !== wasNew) steps.push([hour, trusted.length, isNew]);
    if (trusted.length > 1) assertEquals(trusted[1], old[0]);
  }
  // Hours, the number of trusted authorities, and whether the certificate is one of the new authority. Certificates are
  // valid from an hour before they are made, so a day begins an hour early.
  assertEquals(steps, [[-2, 1, false], [0, 2, false], [23, 2, true], [46, 1, true]]);
});

Deno.test("ensure() issues another certificate for other host names", async () => {
  await using replicas = new Replicas();
  const first = await replicas.replica().ensure();
  const hosts = ["other.default.svc", "10.0.0.1"];
  const second = await replicas.replica({ hosts }).ensure();
  assertEquals(second.caBundle, first.caBundle);
  const names = new x509.X509Certificate(second.tls.cert)
    .getExtension(x509.SubjectAlternativeNameExtension)!.names.toJSON();
  assertEquals(names.map(({ value }) => value), hosts);
});

Deno.test("ensure() restores a deleted or damaged Secret with the same certificates", async () => {
  await using replicas = new Replicas();
  const { client } = replicas;
  const replica = replicas.replica();
  const first = await replica.ensure();
  await client.delete(Secrets, "certs", { namespace: "default" });
  assertEquals(await replica.ensure(), first);
  for (const data of [{ "tls.crt": btoa("x") }, { "ca.crt": "" }, { "ca.key": null }]) {
    await client.patch(Secrets, "certs", { data } as object, { namespace: "default" });
    assertEquals(await replica.ensure(), first);
    assertEquals(await replicas.replica().ensure(), first);
  }
  assertEquals(replicas.logger.of("warn").length, 3);
});

Deno.test("ensure() fills an empty Secret, and refuses a Secret with other data", async () => {
  await using replicas = new Replicas();
  const { client } = replicas;
  await client.create(Secrets, { metadata: SECRET, data: {} });
  const { tls } = await replicas.replica().ensure();
  const taken = { namespace: "default", name: "taken" };
  await client.create(Secrets, { metadata: taken, data: { password: btoa("pass word") } });
  const error = await assertRejects(
    () => replicas.replica(taken).ensure(),
    Error,
    "Secret default/taken holds something else than webhook certificates",
  );
  assert(!`${error.stack}`.includes("pass word"));
  const lines = replicas.logger.lines.join("\n");
  assert(!lines.includes(tls.key.split("\n")[1]!) && lines.includes("default/certs"));
});

Deno.test("ensure() reports a missing namespace, after some tries", async () => {
  await using replicas = new Replicas();
  await assertRejects(
    () => replicas.replica({ namespace: "nowhere" }).ensure(),
    Error,
    'namespaces "nowhere" not found',
  );
});

/** Asserts that certificates can be used at a time: the serving one, and an authority that has signed it. */
async function assertValid(
  certificates: { tls: { cert: string }; caBundle: string },
  nowMs: number,
  story: string,
): Promise<void> {
  const leaf = new x509.X509Certificate(certificates.tls.cert);
  const bundle = certificates.caBundle.split(/(?<=-----END CERTIFICATE-----\n)/)
    .map((cert) => new x509.X509Certificate(cert));
  const isValid = ({ notBefore, notAfter }: x509.X509Certificate) =>
    notBefore.getTime() <= nowMs && nowMs < notAfter.getTime();
  assert(isValid(leaf), `${story}: ${leaf.notBefore} to ${leaf.notAfter}`);
  const signers = await Promise.all(
    bundle.filter(isValid).map(({ publicKey }) => leaf.verify({ publicKey, signatureOnly: true })),
  );
  assert(signers.includes(true), `${story}: no valid authority has signed it`);
}

const HOUR_MS = 3_600_000;
const JUMPS = [HOUR_MS, DAY_MS, 9 * 30 * DAY_MS, 2 * YEAR_MS, 7 * YEAR_MS, 40 * YEAR_MS];

Deno.test("ensure() makes certificates that are valid for right clocks while its own clock is wrong", async () => {
  x509.cryptoProvider.set(crypto);
  for (const jumpMs of JUMPS.flatMap((ms) => [ms, -ms])) {
    for (const ageMs of [0, 100 * DAY_MS, 5 * YEAR_MS]) {
      await using replicas = new Replicas();
      const story = `${ageMs / DAY_MS} days old, ${jumpMs / DAY_MS} days`;
      const [wrong, right] = [replicas.replica(), replicas.replica()];
      for (let passedMs = 0; passedMs <= ageMs; passedMs += 50 * DAY_MS) {
        await wrong.ensure();
        replicas.nowMs += Math.min(50 * DAY_MS, ageMs - passedMs);
      }
      const trueMs = replicas.nowMs;
      const before = await wrong.ensure();
      replicas.nowMs = trueMs + jumpMs;
      const during = await wrong.ensure();
      // API servers have the right time, and trust the new authorities before the certificate is served.
      await assertValid(during, trueMs, `${story}, during`);
      await assertValid(during, replicas.nowMs, `${story}, for the wrong clock`);
      assert(during.caBundle.includes(before.caBundle.trim()), `${story}: an authority is lost`);
      // The clock of another replica is right. Neither undoes what the other does.
      replicas.nowMs = trueMs + 60_000;
      const after = await right.ensure();
      await assertValid(after, replicas.nowMs, `${story}, after`);
      assertEquals(after, during, `${story}: the other replica changes it`);
      assertEquals(await wrong.ensure(), after, story);
      // Other replicas may serve the certificate of before for some time.
      const [signer] = before.caBundle.split(/(?<=-----END CERTIFICATE-----\n)/);
      assert(after.caBundle.includes(signer!), `${story}: an authority is lost`);
    }
  }
});

Deno.test("ensure() replaces certificates of a wrong clock", async () => {
  x509.cryptoProvider.set(crypto);
  for (const jumpMs of JUMPS.flatMap((ms) => [ms, -ms])) {
    await using replicas = new Replicas();
    const trueMs = replicas.nowMs;
    replicas.nowMs += jumpMs;
    await replicas.replica().ensure();
    replicas.nowMs = trueMs + 60_000;
    const after = await replicas.replica().ensure();
    await assertValid(after, replicas.nowMs, `${jumpMs / DAY_MS} days`);
    assertEquals(await replicas.replica().ensure(), after);
  }
});

Deno.test("WebhookCertificates refuses unknown options, and requires a Secret", async () => {
  await using replicas = new Replicas();
  for (
    const [options, message] of [
      [{ host: ["a"] }, 'did you mean "hosts"?'],
      [{ hosts: [] }, "need a host name"],
      [{ name: "" }, "name must be"],
      [{ namespace: undefined }, "namespace must be"],
    ] as const
  ) assertThrows(() => replicas.replica(options as never), TypeError, message);
});
