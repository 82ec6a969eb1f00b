import { OUT_OF_SCOPE } from "./out_of_scope.ts";
import { Replay } from "./replay.ts";
import type { Transcript } from "./transcript.ts";

const W = "/api/v1/namespaces/w";
const MERGE = "application/merge-patch+json";

function configMap(name: string): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { k: "v" } };
}

/** The recording of limits that were set low. */
export async function replayLimits(transcripts: ReadonlyMap<string, Transcript>): Promise<Replay> {
  const replay = new Replay(transcripts, {
    start: "2026-11-20T12:49:06Z",
    origin: "http://127.0.0.1:16463",
    skipped: new Set(OUT_OF_SCOPE.keys()),
    minRequestTimeoutMs: 5000,
  });
  await replay.pad(288);
  await replay.send("POST", "/api/v1/namespaces", { metadata: { name: "w" } });
  // The end is drawn from 5 to 10 s.
  await replay.exchange("1701", () => replay.clock.advance(10_000));
  replay.server.faults.throttle(1, { plain: true });
  await replay.run("1702");
  replay.server.faults.clear();
  replay.server.faults.fail({
    metadata: {},
    status: "Failure",
    message:
      "Timeout: request did not complete within requested timeout - context deadline exceeded",
    reason: "Timeout",
    details: {},
    code: 504,
  });
  await replay.run("1806");
  return replay;
}

/** The recording of compaction and restarts. */
export async function replayRestarts(
  transcripts: ReadonlyMap<string, Transcript>,
): Promise<Replay> {
  const replay = new Replay(transcripts, {
    start: "2026-11-20T12:43:10Z",
    origin: "http://127.0.0.1:16463",
    skipped: new Set(OUT_OF_SCOPE.keys()),
  });
  const create = (name: string) => replay.send("POST", `${W}/configmaps`, configMap(name));
  await replay.pad(199);
  await replay.send("POST", "/api/v1/namespaces", { metadata: { name: "w" } });
  for (const name of ["k0", "k1", "k2", "k3"]) await create(name);
  await replay.at("2026-11-20T12:43:11Z");
  for (const name of ["k4", "k5"]) await create(name);
  await replay.exchange("1601", async () => {
    const others = new Set([210, 217, 225, 227]);
    for (let i = 0; i < 23; i++) {
      const next = Number(replay.server.resourceVersion) + 1;
      if (others.has(next)) await replay.pad(next);
      await replay.send("PATCH", `${W}/configmaps/k5`, { data: { k: String(i) } }, MERGE);
    }
  });
  await replay.at("2026-11-20T12:43:21Z");
  await replay.pad(234);
  replay.server.compact({ watches: false });
  await replay.run("1602", "1607");
  // Recorded between the two halves of the story, on a server that was then stopped.
  await replay.pad(239);
  for (const id of ["1620", "1621"]) {
    await replay.exchange(id, async () => {
      await replay.pad(257);
      await replay.send("GET", `${W}/configmaps`);
      await replay.clock.advance(60_000);
      replay.server.closeWatches();
    });
  }
  await replay.pad(260);
  replay.server.restart();
  await replay.run("1610", "1615");
  await replay.pad(261);
  await replay.run("1616");
  await replay.exchange("1617", async () => {
    await create("one");
    await replay.clock.advance(65_000);
    await replay.pad(268);
    await create("two");
  });
  await replay.exchange("1630", () => {
    replay.server.restart();
    return Promise.resolve();
  });
  await replay.exchange("1631", () => {
    replay.server.restart();
    return Promise.resolve();
  });
  return replay;
}
