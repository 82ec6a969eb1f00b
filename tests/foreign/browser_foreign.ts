/**
 * A real browser shows pages of an attacker, who wants to use the API server on the developer's machine.
 *
 * @module
 */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ApiServer } from "../../src/testing/mod.ts";
import {
  ATTACKER,
  AttackerSite,
  Browser,
  browserMissing,
  documentAt,
  Forwarder,
} from "./browser.ts";

const SECRET = "hunter2";

/** The number of attempts of `cross_site.html`. */
const CROSS_SITE_ATTEMPTS = 30;

/** An API server on a socket, with a Secret. */
async function served(): Promise<{ server: ApiServer; port: number }> {
  const server = new ApiServer();
  await server.fetch("http://cluster/api/v1/namespaces/default/secrets", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ metadata: { name: "s" }, stringData: { password: SECRET } }),
  });
  const { port } = await server.serve();
  return { server, port };
}

function assertNothingRead(report: Readonly<Record<string, string>>): void {
  for (const [name, result] of Object.entries(report)) {
    assert(!result.includes(SECRET) && !result.includes(btoa(SECRET)), `${name}: ${result}`);
    assert(!result.includes("resourceVersion"), `${name}: ${result}`);
  }
}

Deno.test("web pages in a real browser", async (t) => {
  const missing = await browserMissing();
  if (missing !== undefined) {
    console.log(`web pages in a real browser: skipped, ${missing}`);
    return;
  }

  await t.step("the user sees the server at its own address", async () => {
    const { server, port } = await served();
    await using _server = server;
    assertStringIncludes(await documentAt(`http://localhost:${port}/version`), "gitVersion");
  });

  await t.step("a page of another site reads nothing and changes nothing", async () => {
    const { server, port } = await served();
    await using _server = server;
    using forwarder = new Forwarder(port);
    await using site = new AttackerSite();
    const before = server.state();
    const page = `http://${ATTACKER}:${site.port}/cross_site.html?server=${forwarder.port}`;
    await using _browser = await Browser.open(page);
    const report = await site.report;

    assertEquals(Object.keys(report).length, CROSS_SITE_ATTEMPTS);
    assertNothingRead(report);
    for (const [name, result] of Object.entries(report)) {
      assert(!/WebSocket|EventSource/.test(name) || result === "error", `${name}: ${result}`);
    }
    assertEquals(server.state(), before);
    // The browser has sent the requests: it was the server that refused them.
    const count = (start: string) =>
      forwarder.requests.filter((one) => one.startsWith(start)).length;
    assert(count("GET /api/v1/namespaces/default/secrets") >= 14, forwarder.requests.join("\n"));
    assert(count("POST /apis/rbac.authorization.k8s.io") >= 8, forwarder.requests.join("\n"));
    assert(count("POST /api/v1/namespaces/default/configmaps") >= 2, forwarder.requests.join("\n"));
    assert(count("OPTIONS ") >= 4, forwarder.requests.join("\n"));
  });

  await t.step("a page whose name gets the address of this machine reads nothing", async () => {
    const { server, port } = await served();
    await using _server = server;
    await using site = new AttackerSite();
    using forwarder = new Forwarder(site.port);
    site.onRebind = () => forwarder.target = port;
    const before = server.state();
    const page = `http://${ATTACKER}:${forwarder.port}/rebinding.html?report=${site.port}`;
    await using _browser = await Browser.open(page);
    const report = await site.report;

    assertEquals(Object.keys(report).length, 5);
    assertNothingRead(report);
    for (const [name, result] of Object.entries(report)) {
      assertStringIncludes(result, "403", name);
      assertStringIncludes(result, "DNS rebinding", name);
    }
    assertEquals(server.state(), before);
  });
});
