/**
 * The CPU time of a manager at 1,000 reconciles a second: without a page, with `Manager.see` and no open page, and with one
 * open page, which another process reads.
 *
 * Each reconcile finds its object as desired, and every tenth writes. The rounds take turns, so that the speed of the machine
 * does not favour one of them. Usage: `deno run -A tests/bench/see.ts [--rounds 5]`.
 *
 * @module
 */

import process from "node:process";
import { Client, ConfigMaps, Manager } from "@kubeloop/controller";
import { ApiServer } from "@kubeloop/testing";

const KEYS = 500;
const PER_SECOND = 1_000;
const TICK_MS = 10;
const ROUND_MS = 4_000;
const namespace = "default";

/** Reads the stream of a page until its input ends, in a process of its own. */
const READER = `
const url = new URL(Deno.args[0]);
const headers = { authorization: "Bearer " + url.searchParams.get("token") };
const response = await fetch(new URL("/see/events", url), { headers });
for await (const chunk of response.body) await Deno.stdout.write(chunk.subarray(0, 1));
`;

type Round = "none" | "shut" | "open";

async function main(): Promise<void> {
  const rounds = Number(Deno.args[Deno.args.indexOf("--rounds") + 1] ?? "") || 5;
  await using server = new ApiServer();
  await using client = new Client({ ...server.clientOptions });
  for (let i = 0; i < KEYS; i++) {
    await client.create(ConfigMaps, {
      metadata: { name: `k${i}`, namespace },
      data: { count: "0", text: "x".repeat(500) },
    });
  }
  const used = new Map<Round, number[]>([["none", []], ["shut", []], ["open", []]]);
  for (let i = 0; i <= rounds; i++) {
    for (const [round, all] of used) {
      const ms = await cpuMsPerSecond(client, round);
      // The first rounds warm up.
      if (i > 0) all.push(ms);
    }
  }
  const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
  const base = median(used.get("none")!);
  for (const [round, all] of used) {
    const ms = median(all);
    const more = (ms - base) / 10;
    console.log(
      `${round.padEnd(5)} ${ms.toFixed(1)} ms of CPU a second, ${
        more.toFixed(2)
      } % of a core more than without a page ` +
        `(${all.map((one) => one.toFixed(0)).join(", ")})`,
    );
  }
}

/** Returns the CPU time of a round, in milliseconds per second. */
async function cpuMsPerSecond(client: Client, round: Round): Promise<number> {
  await using manager = new Manager(client, { name: "bench" });
  let reconciles = 0;
  const controller = manager.controller(ConfigMaps, { workers: 10, when: () => false })
    .reconcile(async ({ client, name, object }) => {
      if (++reconciles % 10 !== 0) return void object.data?.["count"];
      await client.patch(ConfigMaps, name, { data: { count: `${reconciles}` } }, { namespace });
    });
  const running = manager.run();
  running.catch(() => {});
  const { url } = round === "none" ? { url: "" } : await manager.see();
  const reader = round === "open"
    ? new Deno.Command(Deno.execPath(), {
      args: ["eval", READER, url],
      stdout: "piped",
      stderr: "null",
    }).spawn()
    : undefined;
  if (reader !== undefined) {
    const first = reader.stdout.getReader();
    await first.read();
    void (async () => {
      while (!(await first.read()).done);
    })().catch(() => {});
  } else await new Promise((resolve) => setTimeout(resolve, 500));
  let next = 0;
  const started = process.cpuUsage();
  const startedMs = performance.now();
  while (performance.now() - startedMs < ROUND_MS) {
    const due = Math.min(ROUND_MS, performance.now() - startedMs) / 1_000 * PER_SECOND;
    for (; next < due; next++) controller.trigger(`${namespace}/k${next % KEYS}`);
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  const { system, user } = process.cpuUsage(started);
  const seconds = (performance.now() - startedMs) / 1_000;
  reader?.kill();
  await reader?.status;
  return (system + user) / 1_000 / seconds;
}

if (import.meta.main) await main();
