/**
 * `kubectl top` against the metrics API of our server.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { Client } from "@kubeloop/controller/client";
import { Nodes } from "@kubeloop/controller/types";
import { hasGo, Kubectl } from "./kubectl.ts";
import { OurServer } from "./our_server.ts";

Deno.test({
  name: "kubectl top shows the numbers that a test sets",
  ignore: !(await hasGo("kubectl top")),
  async fn() {
    await using ours = await OurServer.start();
    await using kubectl = await Kubectl.create(ours.kubeconfig);
    const before = await kubectl.run(["top", "pods"]);
    assertEquals([before.code, before.stderr], [1, "error: Metrics API not available\n"]);
    const { metrics } = ours.server;
    metrics.setPod("default/web", { cpu: "100m", memory: "64Mi" });
    metrics.setPod("default/db", {
      containers: { main: { cpu: "1", memory: "1Gi" }, side: { cpu: "250m", memory: "1Mi" } },
    });
    metrics.setNode("n1", { cpu: "500m", memory: "2Gi" });
    await using client = new Client({ fetch: ours.server.fetch });
    const allocatable = { cpu: "4", memory: "8Gi" };
    await client.create(Nodes, { metadata: { name: "n1" }, status: { allocatable } });
    const top = async (...args: string[]) => {
      const { stdout, stderr } = await kubectl.run(["top", ...args, "--no-headers"]);
      return (stdout + stderr).split("\n").filter((line) => line !== "")
        .map((line) => line.trim().split(/\s+/).join(" "));
    };
    assertEquals(await top("pods"), ["db 1250m 1025Mi", "web 100m 64Mi"]);
    assertEquals(await top("pods", "db", "--containers"), [
      "db main 1000m 1024Mi",
      "db side 250m 1Mi",
    ]);
    assertEquals(await top("nodes"), ["n1 500m 12% 2048Mi 25%"]);
  },
});
