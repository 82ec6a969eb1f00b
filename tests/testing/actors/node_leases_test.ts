import { assert, assertEquals } from "@std/assert";
import { Client, Leases, Nodes } from "../../../mod.ts";
import { silentLogger } from "../../../src/base/mod.ts";
import { ValidatingWebhookConfigurations } from "../../../src/kinds/admissionregistration/v1.ts";
import {
  type ActorServer,
  ApiServer,
  SeededRandom,
  startActors,
  VirtualClock,
} from "../../../src/testing/mod.ts";

const NAMESPACE = "kube-node-lease";

/** A server with two nodes whose kubelets renew Leases by requests only if `byRequest` is true. */
async function cluster(byRequest = false) {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock, random: new SeededRandom(1), logger: silentLogger });
  const requests: string[] = [];
  const fetch = (request: Request) => {
    requests.push(`${request.method} ${new URL(request.url).pathname}`);
    return server.fetch(request);
  };
  const target: ActorServer = {
    clientOptions: { ...server.clientOptions, fetch },
    ...(!byRequest && { nodeLeases: server.nodeLeases }),
  };
  const actors = startActors(target, { nodes: 2 });
  const client = new Client(server.clientOptions);
  await clock.advance(60_000);
  requests.length = 0;
  return {
    actors,
    client,
    clock,
    server,
    requests,
    readiness: () =>
      server.get(Nodes, "node-1")?.status?.conditions?.find(({ type }) => type === "Ready")?.status,
    renewTime: () => server.get(Leases, "node-1", NAMESPACE)?.spec?.renewTime,
    async [Symbol.asyncDispose]() {
      await actors.stop();
      await client.close();
      await server.close();
    },
  };
}

Deno.test("NodeLeases writes what the requests of kubelets write, and sends none", async () => {
  await using plain = await cluster(true);
  await using quick = await cluster();
  for (const { clock } of [plain, quick]) await clock.advance(3_600_000);
  assertEquals(quick.requests, []);
  assertEquals(plain.requests.length, 720);
  assertEquals(quick.server.state().objects, plain.server.state().objects);
});

Deno.test("NodeLeases tells watches and listeners of each renewal", async () => {
  await using world = await cluster();
  const { client, clock, server } = world;
  const stop = new AbortController();
  const seen: (string | undefined)[] = [];
  const watching = (async () => {
    const watch = await client.watch(Leases, { namespace: NAMESPACE, signal: stop.signal });
    for await (const { type, object } of watch) {
      if (type === "MODIFIED") seen.push(object.metadata.name);
    }
  })();
  const heard: string[] = [];
  const forget = server.nodeLeases.onRenewal((node) => heard.push(node));
  await clock.advance(30_000);
  forget();
  await clock.advance(10_000);
  assertEquals(heard.sort(), ["node-1", "node-1", "node-1", "node-2", "node-2", "node-2"]);
  assertEquals(seen.length, 8);
  stop.abort();
  await watching.catch(() => {});
});

Deno.test("a node whose renewals fail is lost, and ready again when they succeed", async () => {
  await using world = await cluster();
  const { clock, server } = world;
  const fault = server.faults.fail(503, {
    when: ({ name, resource }) => resource === "leases" && name === "node-1",
  });
  await clock.advance(120_000);
  assertEquals(world.readiness(), "Unknown");
  fault.remove();
  await clock.advance(60_000);
  assertEquals(world.readiness(), "True");
  const sent = world.requests.length;
  await clock.advance(600_000);
  assertEquals(world.requests.length, sent);
});

Deno.test("a node that goes down is lost after its grace period, and ready again after its restart", async () => {
  await using world = await cluster();
  const kubelet = world.actors.kubelet("node-1")!;
  kubelet.crashNode();
  await world.clock.advance(39_000);
  assertEquals(world.readiness(), "True");
  await world.clock.advance(12_000);
  assertEquals(world.readiness(), "Unknown");
  kubelet.restartNode();
  await world.clock.advance(5000);
  assertEquals(world.readiness(), "True");
  assertEquals(world.server.get(Nodes, "node-1")?.spec?.taints, undefined);
});

Deno.test("a kubelet sends its renewal while others have a say in it", async () => {
  await using world = await cluster();
  const { client, clock, requests } = world;
  const renewed = async () => {
    requests.length = 0;
    const before = world.renewTime()!;
    await clock.advance(10_000);
    assert(world.renewTime()! > before);
    return requests.filter((request) => request.endsWith("/leases/node-1")).length;
  };
  assertEquals(await renewed(), 0);

  const configuration = await clock.run(
    client.create(ValidatingWebhookConfigurations, { metadata: { name: "idle" } }),
  );
  assertEquals(await renewed(), 1);
  await clock.run(client.delete(ValidatingWebhookConfigurations, configuration.metadata.name!));
  assertEquals(await renewed(), 0);

  const { metadata } = world.server.get(Leases, "node-1", NAMESPACE)!;
  const patch = { metadata: { labels: { owner: "test" } } };
  await clock.run(client.patch(Leases, metadata.name!, patch, { namespace: NAMESPACE }));
  assertEquals(await renewed(), 1);
  assertEquals(world.server.get(Leases, "node-1", NAMESPACE)?.metadata.labels, { owner: "test" });

  await clock.run(client.delete(Leases, "node-1", { namespace: NAMESPACE }));
  await clock.advance(10_000);
  assertEquals(await renewed(), 0);
});
