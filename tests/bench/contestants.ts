/**
 * The contestants: each client on each runtime that it supports, with the command that runs it.
 *
 * @module
 */

import { GO } from "./results.ts";
import type { Workshop } from "./workshop.ts";

/** The runtimes that can be requested. */
export const RUNTIMES: readonly string[] = ["deno", "node", "node22", "bun"];

/** One client on one runtime. */
export interface Contestant {
  readonly client: string;
  readonly runtime: string;
  /** The program and its first arguments; the arguments of the run are appended. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Returns the combinations of `clients` and `runtimes` that this machine can run. */
export function contestants(
  clients: readonly string[],
  runtimes: readonly string[],
  workshop: Workshop,
): Contestant[] {
  const isThere = (client: string) => workshop.goClient !== undefined || !needsGo(client);
  const [programs, scripts] = partition(clients.filter(isThere), isGoProgram);
  return [
    ...runtimes.flatMap((runtime) =>
      scripts.map((client) => ({ client, runtime, ...scriptCommand(client, runtime, workshop) }))
    ),
    ...programs.map((client) => ({ client, runtime: GO, ...goCommand(workshop) })),
  ];
}

/** Reports whether the client needs Go to be built. */
export function needsGo(client: string): boolean {
  return isGoProgram(client) || client === "kube-apiserver";
}

function isGoProgram(client: string): boolean {
  return client.startsWith("client-go");
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

type Command = Pick<Contestant, "command" | "cwd" | "env">;

function scriptCommand(client: string, runtime: string, workshop: Workshop): Command {
  if (runtime === "deno" && client !== "client-node") {
    return {
      command: [Deno.execPath(), ...DENO_FLAGS, "tests/bench/measure.ts"],
      cwd: workshop.root,
      env: {},
    };
  }
  const script = "bench/measure.ts";
  const cwd = workshop.project;
  if (runtime === "deno") {
    const command = [Deno.execPath(), ...DENO_FLAGS, "--node-modules-dir=manual", script];
    return { command, cwd, env: {} };
  }
  const program = workshop.programs.get(runtime);
  if (program === undefined) throw new RangeError(`Unknown runtime "${runtime}"`);
  if (runtime === "bun") {
    // The default limit of 256 concurrent requests is too low for a thousand watches.
    return { command: [program, script], cwd, env: { BUN_CONFIG_MAX_HTTP_REQUESTS: "4096" } };
  }
  return { command: [program, "--expose-gc", script], cwd, env: {} };
}

function goCommand({ goClient = "", root }: Workshop): Command {
  return { command: [goClient], cwd: root, env: {} };
}

const DENO_FLAGS = ["run", "--allow-all", "--no-check", "--v8-flags=--expose-gc"];
