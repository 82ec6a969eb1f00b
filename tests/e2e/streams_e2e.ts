/**
 * exec, attach, port-forward and cp through a real kube-apiserver, to a kubelet with the code of a real one for streams.
 *
 * @module
 */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { createServer } from "node:net";
import { Client, loadConfig, StatusError } from "@kubeloop/controller";
import { copyFrom, copyTo } from "@kubeloop/kubectl";
import { silentLogger } from "../../src/base/mod.ts";
import { Cluster } from "./cluster.ts";
import { Kubelet } from "./kubelet.ts";

const namespace = "default";
const MIB = 1024 * 1024;

const ignore = Deno.env.get("KUBELOOP_E2E_KUBECONFIG") !== undefined;

async function clientOf(cluster: Cluster): Promise<Client> {
  const config = await loadConfig({ kubeconfig: cluster.kubeconfig });
  return new Client({ ...config, logger: silentLogger });
}

Deno.test("streams through a real API server", { ignore }, async (t) => {
  await using cluster = await Cluster.start();
  await using kubelet = await Kubelet.start();
  await using client = await clientOf(cluster);
  await kubelet.serve(client, { web: "web", broken: "gone" });

  await t.step("exec() returns the output and the exit code", async () => {
    const run = (script: string) => client.exec("web", ["sh", "-c", script], { namespace });
    assertEquals(await run("echo out; echo err >&2"), {
      exitCode: 0,
      stdout: "out\n",
      stderr: "err\n",
    });
    assertEquals((await run("exit 7")).exitCode, 7);
  });

  await t.step("exec() speaks v5, and ends stdin", async () => {
    await using streams = await client.openExec("web", ["cat"], { namespace, stdin: true });
    assertEquals(streams.canEndStdin, true);
    await streams.stdin!.close();
    assertEquals(await streams.exited, 0);
    const { stdout } = await client.exec("web", ["cat"], { namespace, stdin: "hello" });
    assertEquals(stdout, "hello");
  });

  await t.step("exec() carries 100 MB through cat", async () => {
    const part = new Uint8Array(MIB).map((_, at) => at % 251);
    const stdin = async function* () {
      for (let sent = 0; sent < 100; sent++) yield part;
    };
    let at = 0;
    const stdout = new WritableStream<Uint8Array>({
      write: (chunk) => {
        for (const byte of chunk) if (byte !== at++ % MIB % 251) throw new Error(`byte ${at}`);
      },
    });
    const { exitCode } = await client.exec("web", ["cat"], { namespace, stdin: stdin(), stdout });
    assertEquals([exitCode, at], [0, 100 * MIB]);
  });

  await t.step("exec() tells a terminal its size", async () => {
    const resize = async function* () {
      yield { columns: 80, rows: 24 };
    };
    const options = { namespace, tty: true, resize: resize() };
    assertEquals((await client.exec("web", ["size"], options)).stdout, "80x24");
  });

  await t.step("exec() is refused with a StatusError", async () => {
    const refused = async (call: () => Promise<unknown>) => {
      const error = await assertRejects(call);
      assert(StatusError.is(error), `${error}`);
      return [error.code, error.message];
    };
    const [code, message] = await refused(() => client.exec("nope", ["ls"], { namespace }));
    assertEquals([code, message], [404, 'pods "nope" not found']);
    const [missing, why] = await refused(() => client.exec("web", ["nope"], { namespace }));
    assertEquals(missing, 500);
    assert(/executable file not found/.test(`${why}`), `${why}`);
    const [other] = await refused(() =>
      client.exec("web", ["ls"], { namespace, container: "other" })
    );
    assertEquals(other, 400);
    // The first is what the kubelet answers, the second what the API server makes of it.
    for (const stdin of [undefined, ""]) {
      const [code, message] = await refused(() =>
        client.exec("broken", ["ls"], { namespace, ...(stdin === undefined ? {} : { stdin }) })
      );
      assertEquals(code, 500);
      assert(`${message}`.includes('container not found ("gone")'), `${message}`);
    }
  });

  await t.step("attach() returns what the container writes", async () => {
    assertEquals((await client.attach("web", { namespace })).stdout, "attached\n");
    const { stdout } = await client.attach("web", { namespace, stdin: "a" });
    assertEquals(stdout, "attached\na");
  });

  await t.step("portForward() forwards 200 connections at once", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", (data) => socket.end(`got ${data}`));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    await using forward = await client.portForward("web", port, { namespace });
    const { localPort } = forward.ports[0]!;
    const ask = async (text: string) => {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port: localPort });
      await connection.write(new TextEncoder().encode(text));
      return await new Response(connection.readable).text();
    };
    const asked = Array.from({ length: 200 }, (_, at) => `${at}`);
    assertEquals(await Promise.all(asked.map(ask)), asked.map((text) => `got ${text}`));
    await new Promise((resolve) => server.close(resolve));
    const refused = await client.openPort("web", port, { namespace });
    await assertRejects(
      () => new Response(refused.readable).text(),
      Error,
      "connection refused",
    );
  });

  await t.step("copyTo() and copyFrom() copy a directory", async () => {
    const folder = await Deno.makeTempDir({ prefix: "kubeloop-cp-" });
    await Deno.mkdir(`${folder}/a/sub`, { recursive: true });
    await Deno.writeTextFile(`${folder}/a/sub/file`, "hello");
    await copyTo(client, `${folder}/a`, { pod: "web", namespace, path: `${folder}/b` });
    await copyFrom(client, { pod: "web", namespace, path: `${folder}/b` }, `${folder}/c`);
    assertEquals(await Deno.readTextFile(`${folder}/c/sub/file`), "hello");
    await Deno.remove(folder, { recursive: true });
  });

  await t.step("a kubelet that is killed ends every stream, with an error", async () => {
    const started = async (stdin?: string) => {
      const { promise: asleep, resolve } = Promise.withResolvers<void>();
      const stdout = new WritableStream<Uint8Array>({ write: () => resolve() });
      const command = ["sh", "-c", "echo a; sleep 60"];
      const ended = client.exec("web", command, {
        namespace,
        stdout,
        ...(stdin === undefined ? {} : { stdin }),
      });
      ended.catch(() => {});
      await asleep;
      return { ended };
    };
    const direct = await started();
    const translated = await started("");
    await kubelet.kill();
    await assertRejects(() => direct.ended, Error, "the other end is gone");
    // kube-apiserver 1.35 says so, though it does not know.
    assertEquals((await translated.ended).exitCode, 0);
    const dead = await assertRejects(() => client.exec("web", ["ls"], { namespace }));
    assert(/error dialing backend: .*connection refused/.test(`${dead}`), `${dead}`);
    const port = await assertRejects(() => client.openPort("web", 80, { namespace }));
    assert(/error dialing backend: .*connection refused/.test(`${port}`), `${port}`);
  });
});

Deno.test("a real API server that is killed ends every stream", { ignore }, async () => {
  await using kubelet = await Kubelet.start();
  await using cluster = await Cluster.start();
  await using client = await clientOf(cluster);
  await kubelet.serve(client);
  const { promise: asleep, resolve } = Promise.withResolvers<void>();
  const stdout = new WritableStream<Uint8Array>({ write: () => resolve() });
  const command = ["sh", "-c", "echo a; sleep 60"];
  const exec = assertRejects(() => client.exec("web", command, { namespace, stdout }), Error);
  await asleep;
  await cluster.restartApiServer();
  const { message } = await exec;
  assert(/pods\/web\/exec failed: /.test(message), message);
});
