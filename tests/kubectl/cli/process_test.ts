/** Runs the command as a process. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Client, ConfigMaps, Pods } from "@kubeloop/controller";
import { ApiServer } from "@kubeloop/testing";

const MAIN = new URL("../../../src/kubectl/cli/main.ts", import.meta.url).href;
const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;
const namespace = "default";

/** A server on loopback. */
class Served implements AsyncDisposable {
  readonly server = new ApiServer();
  readonly client: Client = new Client(this.server.clientOptions);
  url = "";

  static async start(): Promise<Served> {
    const served = new Served();
    served.url = (await served.server.serve()).url;
    return served;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
    await this.server.close();
  }
}

/**
 * Returns how the command is started: with Deno, or from the package that tests/package/runtimes.ts has installed for
 * another runtime.
 */
function program(url: string, ...permissions: readonly string[]): string[] {
  const runtime = Deno.env.get("KUBELOOP_EXAMPLES_RUNTIME");
  if (runtime !== undefined) {
    return [runtime, `${Deno.env.get("KUBELOOP_EXAMPLES_FOLDER")}/../node_modules/.bin/kubeloop`];
  }
  const allowed = `--allow-net=${new URL(url).host}`;
  return [Deno.execPath(), "run", "--no-prompt", "--config", CONFIG, allowed, ...permissions, MAIN];
}

function start(args: readonly string[], url: string): Deno.ChildProcess {
  const [path = "", ...before] = program(url);
  return new Deno.Command(path, {
    args: [...before, ...args, "--server", url],
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    env: { DENO_NO_UPDATE_CHECK: "1" },
  }).spawn();
}

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

Deno.test("kubeloop as a process needs no more than the address of --server", async () => {
  await using served = await Served.start();
  await served.client.create(ConfigMaps, { metadata: { name: "a" } }, { namespace });
  const { code, stdout, stderr } = await start(["get", "cm", "-o", "name"], served.url).output();
  const decoder = new TextDecoder();
  assertEquals(
    [code, decoder.decode(stdout), decoder.decode(stderr)],
    [0, "configmap/a\n", ""],
  );
});

Deno.test("kubeloop as a process packages the manager of a module", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const manager =
      '{ name: "a", options: {}, permissions: () => [], rbac: () => "kind: Role\\n" }';
    await Deno.writeTextFile(`${folder}/op.mjs`, `export const manager = () => (${manager});`);
    const [path = "", ...before] = program(
      "http://127.0.0.1:1",
      `--allow-read=${folder}`,
      `--allow-write=${folder}`,
    );
    const args = [
      "package",
      `${folder}/op.mjs`,
      "--image",
      "a",
      "--to",
      "kustomize",
      "-o",
      `${folder}/out/base`,
    ];
    const { code, stderr } = await new Deno.Command(path, {
      args: [...before, ...args],
      env: { DENO_NO_UPDATE_CHECK: "1" },
    }).output();
    assertEquals(code, 0, new TextDecoder().decode(stderr));
    assertEquals(await Deno.readTextFile(`${folder}/out/base/rbac.yaml`), "kind: Role\n");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("kubeloop as a process ends quietly when its pipe closes", async () => {
  await using served = await Served.start();
  const data = { text: "x".repeat(20_000) };
  for (let index = 0; index < 100; index++) {
    await served.client.create(ConfigMaps, { metadata: { name: `m${index}` }, data }, {
      namespace,
    });
  }
  for (const command of ["get", "watch"]) {
    const child = start([command, "cm", "-o", "json"], served.url);
    const stderr = textOf(child.stderr);
    const reader = child.stdout.getReader();
    await reader.read();
    await reader.cancel();
    assertEquals([(await child.status).code, await stderr], [0, ""], command);
  }
});

Deno.test("kubeloop as a process stops on Ctrl-C and SIGTERM, with their exit codes", async () => {
  await using served = await Served.start();
  const containers = [{ name: "main", image: "nginx" }];
  await served.client.create(Pods, { metadata: { name: "a" }, spec: { containers } }, {
    namespace,
  });
  for (const [signal, expected] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    const child = start(["watch", "pods"], served.url);
    const stderr = textOf(child.stderr);
    let seen = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      seen += text;
      if (seen.includes("ADDED   a")) child.kill(signal);
    }
    assertEquals([(await child.status).code, await stderr], [expected, ""]);
  }
});

Deno.test("kubeloop as a process says in one line that no server listens, and names the remedy", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const child = start(["get", "pods"], `http://127.0.0.1:${port}`);
  const [stderr, { code }] = await Promise.all([textOf(child.stderr), child.status]);
  await child.stdout.cancel();
  assertEquals(code, 1);
  assertEquals(stderr.trimEnd().split("\n").length, 1, stderr);
  assertStringIncludes(stderr, "error: ");
  assert(/refused/i.test(stderr), stderr);
});
