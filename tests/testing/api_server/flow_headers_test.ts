import { assertEquals } from "@std/assert";
import { Cluster } from "./cluster.ts";

Deno.test("answers have the headers of flow control only if the request passes it", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", Cluster.path("pods"), {
    metadata: { name: "p" },
    spec: { containers: [{ name: "c", image: "i" }] },
  });
  const pod = `${Cluster.path("pods")}/p`;
  const cases: [string, Record<string, string>, boolean][] = [
    [pod, {}, true],
    ["/nope", {}, true],
    [`${pod}/nope`, {}, true],
    [`${pod}/log`, {}, false],
    [`${pod}/exec`, {}, false],
    ["/api/v1/nodes/n/proxy", {}, false],
    [`${pod}?timeout=x`, {}, false],
    [pod, { "impersonate-uid": "x" }, false],
  ];
  for (const [path, headers, isControlled] of cases) {
    const response = await cluster.server.fetch(new Request(`http://a${path}`, { headers }));
    await response.body?.cancel();
    assertEquals(response.headers.has("x-kubernetes-pf-flowschema-uid"), isControlled, path);
    assertEquals(response.headers.has("audit-id"), true, path);
  }
});
