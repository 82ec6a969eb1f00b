/**
 * kubectl exec, attach and cp against our server, whose Pods have programs.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { PodWorld } from "../client/streams/_pods.ts";
import { localProgram } from "../support/local_program.ts";
import { hasGo, Kubectl } from "./kubectl.ts";

Deno.test({
  name: "kubectl runs commands, attaches and copies files over WebSockets of our server",
  ignore: !(await hasGo("kubectl exec, attach and cp against our server")),
  async fn(t) {
    const folder = await Deno.makeTempDir({ prefix: "kubeloop-foreign-" });
    await using world = await PodWorld.create([{
      ...localProgram(folder),
      attach: async ({ stdin, stdout }) => {
        await stdout.write("attached\n");
        for await (const bytes of stdin) await stdout.write(bytes);
      },
    }]);
    const { url } = await world.server.serve();
    const kubeconfig = `${folder}/kubeconfig`;
    await Deno.writeTextFile(
      kubeconfig,
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        "current-context": "ours",
        clusters: [{ name: "ours", cluster: { server: url } }],
        contexts: [{ name: "ours", context: { cluster: "ours", user: "", namespace: "default" } }],
      }),
    );
    await using kubectl = await Kubectl.create(kubeconfig);
    const run = (args: string, stdin = "") => kubectl.run(args.split(" "), stdin);

    await t.step("exec", async () => {
      await Deno.writeTextFile(`${folder}/file`, "hello\n");
      assertEquals(await run("exec web -- cat file"), { code: 0, stdout: "hello\n", stderr: "" });
      assertEquals(await run("exec -i web -- cat", "input"), {
        code: 0,
        stdout: "input",
        stderr: "",
      });
      const failed = await run("exec web -- sh -c exit${IFS}7");
      assertEquals([failed.code, failed.stderr], [7, "command terminated with exit code 7\n"]);
      const missing = await run("exec web -- no-such-program");
      assertEquals(missing.code, 1);
      const other = await run("exec web -c other -- ls");
      assertEquals(
        [other.code, other.stderr],
        [1, "error: container other is not valid for pod web out of: web\n"],
      );
    });

    await t.step("attach", async () => {
      const { code, stdout } = await run("attach -i web", "input");
      assertEquals([code, stdout], [0, "attached\ninput"]);
    });

    await t.step("cp", async () => {
      assertEquals((await run(`cp web:file ${folder}/got`)).code, 0);
      assertEquals(await Deno.readTextFile(`${folder}/got`), "hello\n");
      assertEquals((await run(`cp ${folder}/got web:up`)).code, 0);
      assertEquals(await Deno.readTextFile(`${folder}/up`), "hello\n");
    });
    await Deno.remove(folder, { recursive: true });
  },
});
