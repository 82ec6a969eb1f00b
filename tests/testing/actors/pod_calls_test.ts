import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Client, type Pod, Pods } from "../../../mod.ts";
import { ApiServer, type PodLife, startActors, VirtualClock } from "../../../src/testing/mod.ts";
import { pod } from "../../support/world.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";

/** A server with two nodes, on which Pods live as a test says. */
class Nodes implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly logger = new RecordingLogger();
  readonly server = new ApiServer({ clock: this.clock, logger: this.logger });
  readonly client = new Client(this.server.clientOptions);
  readonly actors;

  constructor(lives: PodLife[]) {
    this.actors = startActors(this.server, { nodes: 2, kubelet: { lives } });
  }

  async start(
    name: string,
    { spec = {}, ...metadata }: Record<string, unknown> = {},
  ): Promise<Pod> {
    const created = await this.client.create(Pods, pod(name, { metadata, spec: spec as object }));
    await this.clock.advance(3000);
    return created;
  }

  found(name: string): Pod | undefined {
    return this.server.get(Pods, name, "default") as Pod | undefined;
  }

  /** Advances the clock until a call of a client has ended. */
  async during<T>(call: Promise<T>): Promise<T> {
    return await this.clock.run(call);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.actors.stop();
    await this.client.close();
    await this.server.close();
  }
}

Deno.test("Kubelet answers a command by the first answer of the life that fits", async () => {
  await using nodes = new Nodes([{
    name: "web",
    exec: [
      { command: "pg_isready *", stdout: "accepting\n" },
      { command: "sleep 5", afterMs: 5000 },
      { command: "false", stderr: "no\n", exitCode: 3 },
      { command: "cat*", stdout: "any\n" },
    ],
  }]);
  const web = await nodes.start("web");
  const run = async (...command: string[]) => {
    const { exitCode, stderr, stdout } = await nodes.during(nodes.client.exec(web, command));
    return [exitCode, stdout, stderr];
  };
  assertEquals(await run("pg_isready", "-q"), [0, "accepting\n", ""]);
  assertEquals(await run("false"), [3, "", "no\n"]);
  assertEquals(await run("cat", "/etc/hosts"), [0, "any\n", ""]);
  const before = nodes.clock.now();
  assertEquals(await run("sleep", "5"), [0, "", ""]);
  assertEquals(nodes.clock.now() - before, 5000);
  const error = await assertRejects(() => run("ls"), Error);
  assertStringIncludes(error.message, 'exec: "ls": executable file not found in $PATH');
});

Deno.test("Kubelet crashes the container in which a client kills the first process", async () => {
  for (
    const [command, exitCode] of [
      [["kill", "1"], 143],
      [["/bin/kill", "-9", "1"], 137],
      [["sh", "-c", "kill -SIGKILL 1"], 137],
    ] as const
  ) {
    await using nodes = new Nodes([]);
    const web = await nodes.start("web");
    await nodes.during(nodes.client.exec(web, command));
    await nodes.clock.advance(2000);
    const [main] = nodes.found("web")?.status?.containerStatuses ?? [];
    assertEquals([main?.restartCount, main?.lastState?.terminated?.exitCode], [1, exitCode]);
  }
});

Deno.test("Kubelet refuses commands and connections to a Pod whose node is down", async () => {
  await using nodes = new Nodes([{ exec: [{}] }]);
  const web = await nodes.start("web");
  for (const kubelet of nodes.actors.kubelets) kubelet.crashNode();
  const error = await assertRejects(
    () => nodes.during(nodes.client.exec(web, ["ls"])),
    Error,
  );
  assertStringIncludes(error.message, 'container not found ("main")');
});

Deno.test("Kubelet sends the lines of a container to an attached client until it ends", async () => {
  await using nodes = new Nodes([{
    logs: [{ text: "early" }, { text: "tick", afterMs: 5000, everyMs: 1000 }],
    exits: [{ afterMs: 7500, exitCode: 0 }],
  }]);
  const web = await nodes.start("web", { spec: { restartPolicy: "Never" } });
  const { stdout } = await nodes.during(nodes.client.attach(web));
  assertEquals(stdout, "tick\ntick\ntick\n");
});

Deno.test("Kubelet answers HTTP on the ports of a Pod, and refuses other ports", async () => {
  await using nodes = new Nodes([{
    name: "web",
    ports: [{ port: 9090, status: 503, body: "not yet\n" }],
  }]);
  const containers = [{ name: "main", image: "nginx", ports: [{ containerPort: 80 }] }];
  const web = await nodes.start("web", { spec: { containers } });
  const ask = async (port: number, request: string) => {
    const stream = await nodes.client.openPort(web, port);
    const writer = stream.writable.getWriter();
    await writer.write(new TextEncoder().encode(request));
    const text = await new Response(stream.readable).text();
    await stream.close();
    return text;
  };
  const get = "GET / HTTP/1.1\r\nhost: web\r\n\r\n";
  const answer = await ask(80, get);
  assertStringIncludes(answer, "HTTP/1.1 200 OK\r\n");
  assertStringIncludes(answer, "content-length: 12\r\n");
  assertStringIncludes(answer, "\r\n\r\nweb main 80\n");
  assertStringIncludes(await ask(9090, get), "HTTP/1.1 503 Error\r\n");
  assertStringIncludes(await ask(9090, get), "\r\n\r\nnot yet\n");
  assertEquals((await ask(80, get.replace("GET", "HEAD"))).endsWith("\r\n\r\n"), true);
  assertEquals(await ask(80, "no HTTP\r\n\r\n"), "");
  const error = await assertRejects(() => ask(81, get), Error);
  assertStringIncludes(error.message, "connection refused");
});

Deno.test("Kubelet reports what running containers use, and the sum for its node", async () => {
  await using nodes = new Nodes([{ name: "web-*", usage: { cpu: "250m", memory: "64Mi" } }]);
  const { metrics } = nodes.server;
  await nodes.start("other");
  assertEquals(metrics.isServed, false);
  await nodes.start("web-1", { spec: { nodeName: "node-1" } });
  await nodes.start("web-2", { spec: { nodeName: "node-1" } });
  assertEquals(metrics.pods.get("default/web-1"), {
    containers: { main: { cpu: "250m", memory: "64Mi" } },
  });
  assertEquals(metrics.nodes.get("node-1"), { cpu: "500000000n", memory: "134217728" });
  await nodes.client.delete(Pods, "web-1", { namespace: "default" });
  await nodes.clock.advance(5000);
  assertEquals([...metrics.pods.keys()], ["default/web-2"]);
  assertEquals(metrics.nodes.get("node-1"), { cpu: "250000000n", memory: "67108864" });
});

Deno.test("Kubelet takes the life in an annotation of a Pod before all others", async () => {
  await using nodes = new Nodes([{ exits: [{ afterMs: 1000, exitCode: 1, times: "always" }] }]);
  const life = { exits: [{ afterMs: 500, exitCode: 7, times: "always" }] };
  const annotate = (value: unknown) => ({
    annotations: { "kubeloop.dev/life": typeof value === "string" ? value : JSON.stringify(value) },
    spec: { restartPolicy: "Never" },
  });
  const exitOf = (name: string) =>
    nodes.found(name)?.status?.containerStatuses?.[0]?.state?.terminated?.exitCode;
  await nodes.start("one", annotate(life));
  await nodes.start("several", annotate([life, { container: "main", startAfterMs: 1 }]));
  assertEquals([exitOf("one"), exitOf("several")], [7, 7]);
  assertEquals(nodes.logger.of("warn"), []);
  await nodes.start("invalid", annotate({ exits: [{ afterMs: 0 }] }));
  await nodes.start("broken", annotate("{"));
  assertEquals([exitOf("invalid"), exitOf("broken")], [1, 1]);
  const [invalid = "", broken = ""] = nodes.logger.of("warn");
  assertStringIncludes(
    invalid,
    "Pod default/invalid: kubeloop.dev/life[0].exits[0].exitCode is missing",
  );
  assertStringIncludes(broken, "Pod default/broken: kubeloop.dev/life must be JSON");
});

Deno.test("Actors.stop() removes the program of the kubelets from the server", async () => {
  await using nodes = new Nodes([]);
  assertEquals(nodes.server.programs.length, 1);
  await nodes.actors.stop();
  assertEquals(nodes.server.programs, []);
});
