import type { Replay, Scenario } from "./replay.ts";

const W = "/api/v1/namespaces/w";
const MERGE = "application/merge-patch+json";

function configMap(name: string): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { k: "v" } };
}

/** The recording of a server with low limits. */
export const limitsScenario: Scenario = {
  setting: { start: "2026-11-20T12:49:06Z", minRequestTimeoutMs: 5000, maxRequestsInFlight: 1 },
  async play(replay) {
    const { server } = replay;
    await replay.pad(288);
    await replay.send("POST", "/api/v1/namespaces", { metadata: { name: "w" } });
    // The watch ends after a random time between 5 and 10 s.
    await replay.exchange("1701", () => replay.endWithin(10_000));
    await server.whileBusy(() => replay.run("1702"));
    await replay.orElse("1806", "the storage is down for half a minute", async () => {
      await server.whileStorageIsDown(() => replay.run("1806"));
    });
  },
};

/** The recording of compaction and restarts. */
export const restartScenario: Scenario = {
  setting: { start: "2026-11-20T12:43:10Z" },
  async play(replay) {
    const { server } = replay;
    const create = (name: string) => replay.send("POST", `${W}/configmaps`, configMap(name));
    await replay.pad(199);
    await replay.send("POST", "/api/v1/namespaces", { metadata: { name: "w" } });
    for (const name of ["k0", "k1", "k2", "k3"]) await create(name);
    await replay.at("2026-11-20T12:43:11Z");
    for (const name of ["k4", "k5"]) await create(name);
    await replay.pad(206);
    await replay.exchange("1601", () => writeOften(replay));
    await replay.at("2026-11-20T12:43:21Z");
    await replay.pad(234);
    const late = "it answers from its snapshots until it learns of a compaction, minutes later";
    await replay.orElse("1602", late, async () => {
      await server.compact();
      await replay.run("1602");
    });
    await replay.orElse("1603", late, () => replay.run("1603"));
    await replay.orElse("1604", late, () => replay.run("1604"));
    await replay.run("1605", "1606");
    await replay.orElse("1607", late, () => replay.run("1607"));
    // Recorded between the two halves of the scenario, on a server that was then stopped.
    await replay.pad(239);
    for (const id of ["1620", "1621"]) {
      await replay.orElse(
        id,
        "a server takes a minute to stop in good order",
        () =>
          replay.exchange(id, async () => {
            await replay.pad(257);
            await replay.send("GET", `${W}/configmaps`);
            await server.stopGracefully();
          }),
      );
    }
    await replay.pad(260);
    await server.restart();
    await replay.run("1610", "1615");
    await replay.pad(261);
    await replay.run("1616");
    await replay.orElse(
      "1617",
      "takes more than two minutes",
      () =>
        replay.exchange("1617", async () => {
          await create("one");
          await server.pass(65_000);
          await replay.pad(268);
          await create("two");
        }),
    );
    await replay.exchange("1630", () => server.restart());
    await replay.exchange("1631", () => server.restart());
  },
};

/** Writes one object many times, with the same other writes in between as in the recording. */
async function writeOften(replay: Replay): Promise<void> {
  const others = new Set([210, 217, 225, 227]);
  for (let i = 0; i < 23; i++) {
    const next = replay.server.nextRevision;
    if (next !== undefined && others.has(next)) await replay.pad(next);
    await replay.send("PATCH", `${W}/configmaps/k5`, { data: { k: String(i) } }, MERGE);
  }
}
