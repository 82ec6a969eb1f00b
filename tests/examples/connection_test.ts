import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { Client, Pods } from "@kubeloop/controller";
import { ApiServer } from "@kubeloop/testing";
import { newPod } from "../../examples/_pod_life.ts";
import { linesOf, type Outcome, runExample } from "./_run.ts";
import { slowTest } from "../support/kinds_of_tests.ts";

const NETWORK = ["--allow-net=127.0.0.1,localhost", "--allow-read", "--allow-env=KUBE_TOKEN"];
const ADMIN = { user: "admin", groups: ["system:masters"] };

/** Starts a server on loopback with one Pod, an administrator and a user without permissions. */
async function clusterWithOnePod() {
  const server = new ApiServer({ tokens: { secret: ADMIN, weak: { user: "nobody" } } });
  const { url } = await server.serve();
  await using client = new Client({ server: url, token: "secret" });
  await client.create(Pods, newPod("only"), { namespace: "default" });
  return { server, url };
}

function assertFailed(outcome: Outcome, message: RegExp): void {
  const { code, stderr } = outcome;
  assertEquals(code, 1, `${outcome.stdout}\n${stderr}`);
  const [line = "", ...more] = linesOf(stderr);
  assertEquals(more, []);
  assertMatch(line, /^Error: /);
  assertMatch(line, message);
}

Deno.test("an example with --server and --token runs on that cluster until Ctrl-C", async () => {
  const { server, url } = await clusterWithOnePod();
  await using _server = server;
  for (
    const [args, env] of [
      [["--server", url, "--token", "secret"], {}],
      [["--master", url], { KUBE_TOKEN: "secret" }],
    ] as const
  ) {
    const { code, stdout, stderr } = await runExample("minimal_controller", {
      permissions: NETWORK,
      args: [...args, "--namespace", "default"],
      env,
      interruptAfter: "ADDED Pod only",
    });
    assertEquals({ code, stderr }, { code: 0, stderr: "" });
    assertEquals(linesOf(stdout), ["ADDED Pod only"]);
  }
});

slowTest("pod_controller on a cluster stops cleanly on Ctrl-C, with its summary", async () => {
  const { server, url } = await clusterWithOnePod();
  await using _server = server;
  const { code, stdout, stderr } = await runExample("pod_controller", {
    permissions: NETWORK,
    args: ["--server", url, "--token", "secret"],
    interruptAfter: "Sync/Add/Update for Pod only",
  });
  assertEquals({ code, stderr }, { code: 0, stderr: "" });
  assertStringIncludes(stdout, "Summary: syncs of Pods: 1, ");
});

slowTest(
  "a wrong connection ends an example with exit code 1 and one line with the cause and the remedy",
  async () => {
    const { server, url } = await clusterWithOnePod();
    await using _server = server;
    const folder = await Deno.makeTempDir();
    try {
      const file = async (name: string, text: string) => {
        await Deno.writeTextFile(`${folder}/${name}`, text);
        return `${folder}/${name}`;
      };
      const html = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen: () => {} },
        () =>
          new Response("<html><body>Please log in</body></html>", {
            headers: { "content-type": "text/html" },
          }),
      );
      const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
      const deadPort = listener.addr.port;
      listener.close();
      const cases: [string, string[], RegExp][] = [
        ["an unknown flag", ["--sever", url], /--sever.*--help/],
        [
          "a server that is not running",
          ["--server", `http://127.0.0.1:${deadPort}`],
          /refused.*API server running/i,
        ],
        ["a wrong token", ["--server", url, "--token", "wrong"], /Unauthorized|401/],
        ["a missing kubeconfig", ["--kubeconfig", `${folder}/none`], /none/],
        ["an empty kubeconfig", ["--kubeconfig", await file("empty", "")], /empty/],
        [
          "a kubeconfig that is not YAML",
          ["--kubeconfig", await file("text", "a: [")],
          /text.*YAML/,
        ],
        [
          "a kubeconfig without its context",
          [
            "--kubeconfig",
            await file("context", "kind: Config\ncurrent-context: gone\ncontexts: []\n"),
          ],
          /context.*gone/,
        ],
        ["a missing token file", ["--server", url, "--token-file", `${folder}/gone`], /gone/],
        ["an invalid server URL", ["--server", "cluster"], /cluster.*https:/],
        ["a web page", ["--server", `http://127.0.0.1:${html.addr.port}`], /web page|HTML|JSON/i],
      ];
      for (const [what, args, message] of cases) {
        const outcome = await runExample("minimal_controller", { permissions: NETWORK, args });
        try {
          assertFailed(outcome, message);
        } catch (error) {
          throw new Error(`with ${what}`, { cause: error });
        }
      }
      await html.shutdown();
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

Deno.test("a token without permissions ends an example with the message of the server", async () => {
  const { server, url } = await clusterWithOnePod();
  await using _server = server;
  assertFailed(
    await runExample("minimal_controller", {
      permissions: NETWORK,
      args: ["--server", url, "--token", "weak"],
    }),
    /pods is forbidden: User "nobody" cannot watch resource "pods"/,
  );
});
