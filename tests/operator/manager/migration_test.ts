import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { Client, type Logger, Manager } from "@kubeloop/controller";
import { applyAll } from "@kubeloop/kubectl";
import { silentLogger } from "../../../src/base/mod.ts";
import { installDefinitions } from "../../../src/crd/mod.ts";
import { ApiServer, startActors, VirtualClock } from "../../../src/testing/mod.ts";
import { countsByVersion, storedVersions, widgetsIn } from "../../crd/_stored_versions.ts";
import { RecordingLogger } from "../../support/recording_logger.ts";

const v2 = widgetsIn("v2");

/** A server with objects that are stored in v1, and the managers of a definition that stores them in v2. */
async function setUp() {
  const clock = new VirtualClock({ wallStartMs: Date.parse("2026-01-01T00:00:00Z") });
  const server = new ApiServer({ clock, logger: silentLogger, kubernetes: "1.36" });
  const admin = new Client({ clock, fetch: server.fetch, logger: silentLogger });
  await clock.run(installDefinitions(admin, [widgetsIn("v1")]));
  for (const name of ["a", "b", "c"]) {
    const metadata = { name, namespace: "default" };
    await clock.run(admin.create(widgetsIn("v1"), { metadata, spec: { size: 1 } }));
  }
  const replica = (identity: string) => {
    const patches: string[] = [];
    const logger = new RecordingLogger();
    const replies = { failing: false };
    const client = new Client({
      clock,
      logger,
      fetch: async (request) => {
        const { pathname } = new URL(request.url);
        const isRewriting = request.method === "PATCH" && pathname.includes("/widgets/");
        if (isRewriting) patches.push(pathname.split("/").at(-1)!);
        return isRewriting && replies.failing
          ? new Response("the conversion webhook is down", { status: 500 })
          : await server.fetch(request);
      },
    });
    const manager = new Manager(client, {
      definitions: [v2],
      migrate: true,
      leaderElection: { name: "widgets", namespace: "default", identity },
    });
    const stop = new AbortController();
    const start = () => manager.run({ signal: stop.signal });
    return { client, logger, manager, patches, replies, start, stop };
  };
  return { clock, server, replica, admin };
}

Deno.test("Only the leader of the managers migrates stored objects, and the next one ends the work", async () => {
  const { clock, server, replica } = await setUp();
  const [first, second] = [replica("first"), replica("second")];
  first.replies.failing = true;
  const running = first.start();
  await clock.advance(1_000);
  const standby = second.start();
  await clock.advance(120_000);
  assertEquals(first.patches.length > 0, true);
  assertEquals(second.patches, []);
  assertEquals(storedVersions(server), ["v1", "v2"]);
  const [error] = first.logger.of("error");
  assertStringIncludes(
    error!,
    "operator: Cannot migrate the stored objects of widgets.acme.io to v2",
  );
  assertStringIncludes(error!, "the conversion webhook is down");
  assertStringIncludes(error!, "; trying again in 1 min");

  first.stop.abort();
  await clock.run(running);
  await clock.advance(60_000);
  assertEquals(second.patches.sort(), ["a", "b", "c"]);
  assertEquals(countsByVersion(server), { v2: 3 });
  assertEquals(storedVersions(server), ["v2"]);
  second.stop.abort();
  await clock.run(standby);
});

Deno.test("A manager tries a failed migration again, and reconciles meanwhile", async () => {
  const { clock, server, replica } = await setUp();
  const { manager, replies, start, stop } = replica("one");
  const seen: string[] = [];
  manager.controller(v2).reconcile(({ name }) => void seen.push(name));
  replies.failing = true;
  const running = start();
  await clock.advance(60_000);
  assertEquals(seen.sort(), ["a", "b", "c"]);
  assertEquals(storedVersions(server), ["v1", "v2"]);
  replies.failing = false;
  await clock.advance(180_000);
  assertEquals(storedVersions(server), ["v2"]);
  stop.abort();
  await clock.run(running);
});

Deno.test("A manager migrates with exactly the rights that it prints, with and without the help of the server", async () => {
  for (const helps of [true, false]) {
    const clock = new VirtualClock({ wallStartMs: Date.parse("2026-01-01T00:00:00Z") });
    const server = new ApiServer({
      clock,
      logger: silentLogger,
      kubernetes: "1.37",
      tokens: {
        admin: { user: "root", groups: ["system:masters"] },
        operator: { user: "system:serviceaccount:default:operator", groups: [] },
      },
    });
    const clientOf = (token: string, logger: Logger = silentLogger) =>
      new Client({ ...server.clientOptions, token, allowInsecureToken: true, logger });
    const [admin, logger] = [clientOf("admin"), new RecordingLogger()];
    const actors = helps ? startActors(server, { nodes: 0, token: "admin" }) : undefined;
    await clock.run(installDefinitions(admin, [widgetsIn("v1")]));
    const metadata = { name: "a", namespace: "default" };
    await clock.run(admin.create(widgetsIn("v1"), { metadata, spec: { size: 1 } }));
    for (const version of ["v2", "v3"] as const) {
      const options = { definitions: [widgetsIn(version)], migrate: true };
      const manager = new Manager(clientOf("operator", logger), options);
      await clock.run(applyAll(admin, manager.rbac({ namespace: "default" })));
      const stop = new AbortController();
      const running = manager.run({ signal: stop.signal });
      await clock.advance(120_000);
      assertEquals(storedVersions(server), [version], logger.lines.join("\n"));
      assertEquals(countsByVersion(server), { [version]: 1 });
      stop.abort();
      await clock.run(running);
    }
    assertEquals(logger.lines.filter((line) => /cannot|missing/i.test(line)), []);
    // Without its controllers, the server does not begin.
    const alone = logger.of("info").filter((line) => line.includes("rewritten without it"));
    assertEquals(alone.length, helps ? 0 : 2);
    await actors?.stop();
  }
});

Deno.test("A manager refuses to migrate nothing, and migrates nothing in a dry run", async () => {
  const { clock, server, admin } = await setUp();
  assertThrows(
    () => new Manager(admin, { migrate: true }),
    TypeError,
    'A manager with "migrate" needs "definitions"',
  );
  assertThrows(() => new Manager(admin, { migrate: "yes" as never }), TypeError, "migrate");
  await clock.run(installDefinitions(admin, [v2]));
  const manager = new Manager(admin, { definitions: [v2], migrate: true, dryRun: true });
  const stop = new AbortController();
  const running = manager.run({ signal: stop.signal });
  await clock.advance(120_000);
  assertEquals(countsByVersion(server), { v1: 3 });
  stop.abort();
  await clock.run(running);
});
