/**
 * Plays the scenarios with webhooks against a real server, which calls the webhooks over HTTPS, and compares its answers
 * and its reviews with those that were kept. With KUBELOOP_GOLDEN=write they are written to `tests/conformance/golden`.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { readGolden, stepDifferences, writeGolden } from "../conformance/golden.ts";
import { playSteps } from "../conformance/play_steps.ts";
import { WEBHOOK_SCENARIOS } from "../conformance/scenarios/webhooks/mod.ts";
import { ScriptedWebhooks } from "../conformance/scripted_webhooks.ts";
import { CertificateAuthority } from "../support/certificates.ts";
import { RealServer } from "./real_server.ts";

const KEEP = Deno.env.get("KUBELOOP_GOLDEN") === "write";
const ONLY = Deno.env.get("KUBELOOP_SCENARIO");

Deno.test("a real kube-apiserver calls the webhooks of the scenarios as it did when they were kept", async () => {
  const authority = await CertificateAuthority.create();
  const { cert, key } = await authority.issue({ name: "CN=127.0.0.1", hosts: ["127.0.0.1"] });
  await using server = await RealServer.create({});
  const stale: string[] = [];
  for (const scenario of WEBHOOK_SCENARIOS) {
    if (ONLY !== undefined && scenario.name !== ONLY) continue;
    const webhooks = new ScriptedWebhooks(scenario.webhooks ?? {});
    await using listener = Deno.serve(
      {
        hostname: "127.0.0.1",
        port: 0,
        cert,
        key,
        onListen: () => {},
        onError: () => new Response(null),
      },
      (request) => webhooks.handle(request),
    );
    const url = `https://127.0.0.1:${listener.addr.port}`;
    const caBundle = btoa(authority.cert);
    const found = await playSteps(server, scenario, { webhooks, url, caBundle });
    if (KEEP) await writeGolden(scenario.name, found);
    for (
      const [step, text] of stepDifferences(scenario.name, found, await readGolden(scenario.name))
    ) {
      stale.push(step);
      console.log(`not as kept: ${step} ${text}`);
    }
  }
  assertEquals(stale, [], "the real server calls webhooks otherwise than what was kept");
});
