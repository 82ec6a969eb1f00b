/**
 * `kubectl logs` against our server, whose kubelets write logs.
 *
 * @module
 */

import { assertEquals, assertMatch } from "@std/assert";
import { silentLogger } from "@kubeloop/controller/base";
import { Client } from "@kubeloop/controller/client";
import { Pods } from "@kubeloop/controller/types";
import { startActors } from "@kubeloop/testing";
import { hasGo, Kubectl } from "./kubectl.ts";
import { OurServer } from "./our_server.ts";

const namespace = "default";

Deno.test({
  name: "kubectl logs reads, follows and selects the logs of our server",
  ignore: !(await hasGo("kubectl logs against our server")),
  async fn(t) {
    await using ours = await OurServer.start();
    await using kubectl = await Kubectl.create(ours.kubeconfig);
    const { server } = ours;
    const lives = [{ selector: "app=web", logs: [{ text: "begin" }] }];
    await using actors = startActors(server, {
      logger: silentLogger,
      kubelet: { startDelayMs: 0, lives },
    });
    await using client = new Client(server.clientOptions);
    for (const name of ["web-0", "web-1"]) {
      await client.create(Pods, {
        metadata: { name, namespace, labels: { app: "web" } },
        spec: { containers: ["main", "side"].map((name) => ({ name, image: "i" })) },
      });
      await client.waitFor(
        Pods,
        name,
        (pod) => pod?.status?.phase === "Running",
        { namespace, timeoutMs: 60_000 },
      );
    }
    const run = async (...args: readonly string[]) => {
      const { code, stderr, stdout } = await kubectl.run(["logs", ...args]);
      return { code, stdout, stderr };
    };
    const printed = async (...args: readonly string[]) => (await run(...args)).stdout;
    server.logs.write("default/web-0", { container: "main", text: "one\ntwo\n" });

    await t.step("reads", async () => {
      assertEquals(await printed("web-0", "-c", "main"), "begin\none\ntwo\n");
      assertEquals(await printed("web-0", "-c", "main", "--tail=1"), "two\n");
      assertEquals(await printed("web-0", "-c", "main", "--limit-bytes=8"), "begin\non");
      assertEquals(await printed("web-0", "-c", "main", "--since=1h"), "begin\none\ntwo\n");
      assertMatch(
        await printed("web-0", "-c", "main", "--tail=1", "--timestamps"),
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z two\n$/,
      );
      // kubectl takes the containers, and the Pods of a selector, in any order.
      const inOrder = async (...args: readonly string[]) =>
        (await printed(...args)).trimEnd().split("\n").sort();
      assertEquals(await inOrder("web-0", "--all-containers", "--prefix"), [
        "[pod/web-0/main] begin",
        "[pod/web-0/main] one",
        "[pod/web-0/main] two",
        "[pod/web-0/side] begin",
      ]);
      assertEquals(await inOrder("-l", "app=web", "--prefix", "-c", "side"), [
        "[pod/web-0/side] begin",
        "[pod/web-1/side] begin",
      ]);
    });

    await t.step("refuses", async () => {
      assertEquals(await run("web-0", "-c", "none"), {
        code: 1,
        stdout: "",
        stderr: "error: container none is not valid for pod web-0 out of: main, side\n",
      });
      assertEquals(await run("web-0", "-c", "main", "--previous"), {
        code: 1,
        stdout: "",
        stderr:
          'Error from server (BadRequest): previous terminated container "main" in pod "web-0" not found\n',
      });
    });

    await t.step(
      "follows, until the container ends, and reads the log of the instance before",
      async () => {
        const following = kubectl.start(["logs", "-f", "web-0", "-c", "main", "--tail=1"]);
        await following.until(() => following.stdout.includes("two"));
        server.logs.write("default/web-0", { container: "main", text: "three\n" });
        await following.until(() => following.stdout.includes("three"));
        actors.crash("default/web-0", { container: "main" });
        assertEquals(await following.output, { code: 0, stdout: "two\nthree\n", stderr: "" });
        assertEquals(
          await printed("web-0", "-c", "main", "--previous"),
          "begin\none\ntwo\nthree\n",
        );
        const all = kubectl.start(["logs", "-f", "-l", "app=web", "--prefix", "-c", "side"]);
        await all.until(() => all.stdout.includes("web-1"));
        server.logs.write("default/web-1", { container: "side", text: "more\n" });
        await all.until(() => all.stdout.includes("more"));
        all.interrupt();
        await all.output;
        // The server learns a little later that kubectl has left.
        while (server.logs.openStreams > 0) await new Promise((done) => setTimeout(done, 1));
      },
    );
  },
});
