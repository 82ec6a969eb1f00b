/**
 * Ten reports of real runs that go wrong, as users read them. `deno task stories` writes them to `stories.json`, after a
 * change of the wording; the diff shows what the change does to them.
 *
 * @module
 */

import { ConfigMaps } from "@kubeloop/controller";
import {
  create,
  type Finding,
  type PlanFault,
  type Report,
  settle,
  type Simulation,
  simulation,
} from "@kubeloop/testing/simulation";
import {
  counter,
  dropper,
  duplicator,
  forgetter,
  leaker,
  scaler,
  spinner,
  Widgets,
} from "./_operators.ts";

function one<C>(sim: Simulation<C>, fault: PlanFault): Promise<Report> {
  return sim.explore({ plans: [{ seed: 1, faults: [fault] }] });
}

const WIDGET = "widgets.example.com default/w";

/** Explores each of the ten. */
export const RUNS: Readonly<Record<string, () => Promise<Report>>> = {
  "a delete on stale knowledge": () =>
    one(scaler(), {
      fault: "stale",
      process: "operator",
      step: 5,
      at: `ADDED ${WIDGET} #1`,
      forMs: 5000,
    }),
  "a crash before a write": () =>
    one(leaker(), {
      fault: "crash",
      when: "before",
      write: "operator patch widgets.example.com/status default/w #1",
    }),
  "a lost answer": () =>
    one(forgetter(), {
      fault: "lose",
      write: "operator patch widgets.example.com/status default/w #2",
    }),
  "an error": () =>
    one(forgetter(), {
      fault: "answer",
      code: 500,
      write: "operator create configmaps default/w #1",
    }),
  "a dropped finalizer": () =>
    one(dropper(), { fault: "edit", edit: "finalizer", write: `operator patch ${WIDGET} #1` }),
  "a state that is never seen": () =>
    one(counter(), { fault: "coalesce", process: "operator", event: `MODIFIED ${WIDGET} #2` }),
  "a second object": () =>
    one(duplicator(), {
      fault: "stale",
      process: "operator",
      step: 3,
      at: `ADDED ${WIDGET} #1`,
      forMs: 5000,
    }),
  "many objects at once": () =>
    scaler({
      workload: [create(Widgets, "w", { spec: { size: 50 } }), settle()],
      always: [({ server }) => server.count(ConfigMaps, "default") < 40 || "too many"],
    }).explore(),
  "a loop": () => spinner().explore(),
  "a process that fails": () =>
    simulation({
      name: "quitter",
      process: async ({ client, logger }) => {
        logger.warn("looks for its settings");
        await client.get(ConfigMaps, "settings", { namespace: "default" });
      },
      workload: [create(Widgets, "w"), settle()],
    }).explore(),
};

/** The lines of programs, which other runtimes run as one bundle. */
const PLACES =
  / (at|is) [\w./@-]+:\d+(?: \([\w$.#]+\))?(?:, from [\w./@-]+:\d+(?: \([\w$.#]+\))?)*/g;

/**
 * Returns a finding as lines. Versions and generated names are numbered, since other objects of the cluster change them, and
 * the lines of programs are left out.
 */
export function linesOf(finding: Finding): string[] {
  const names = new Map<string, string>();
  const text = finding.toString().replaceAll(PLACES, " $1 LINE").replaceAll(
    /\bw-[a-z0-9]{5}\b/g,
    (name) => {
      if (!names.has(name)) names.set(name, `w-*${names.size + 1}`);
      return names.get(name)!;
    },
  );
  const found = text.matchAll(/\bversions? (\d+)(?: to (\d+))?/g);
  const versions = new Set(Array.from(found, ([, first, last]) => [first, last ?? first]).flat());
  const order = [...versions].map(Number).sort((a, b) => a - b);
  return text.replaceAll(
    /\b(versions? )(\d+)(?:( to )(\d+))?/g,
    (_, name, first, to = "", last) =>
      `${name}${order.indexOf(Number(first)) + 1}${to}${
        last === undefined ? "" : order.indexOf(Number(last)) + 1
      }`,
  ).split("\n");
}

if (import.meta.main) {
  const stories: Record<string, string[]> = {};
  for (const [title, explore] of Object.entries(RUNS)) {
    const [finding] = (await explore()).findings;
    stories[title] = finding === undefined ? [] : linesOf(finding);
  }
  const file = new URL("./stories.json", import.meta.url);
  await Deno.writeTextFile(file, `${JSON.stringify(stories, undefined, 2)}\n`);
}
