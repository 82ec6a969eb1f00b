import type { Client } from "@kubeloop/controller/client";
import { completionScript, type KnownCommand, SHELLS } from "./completion/mod.ts";
import { UsageError } from "./exits.ts";
import { parseFlags } from "./flags.ts";
import type { Command, CommandHost, LazyCommand } from "./host.ts";

const USAGE = `Usage: kubeloop completion bash|zsh|fish

Prints a script for the shell, which then completes commands, flags, their values, and the resources of the server.
For the latter it runs kubeloop completion resources, which prints their names.

  source <(kubeloop completion bash)
  kubeloop completion fish | source
`;

/** Returns the command `kubeloop completion`, which completes these commands. */
export function completionOf(commands: ReadonlyMap<string, LazyCommand>): Command {
  return {
    usage: USAGE,
    flags: {},
    takes: "shells",
    run: (args, host) => complete(args, host, commands),
  };
}

/** The maximum time that a shell waits for the resources, in milliseconds. */
const TIMEOUT_MS = 3000;

async function complete(
  args: readonly string[],
  host: CommandHost,
  commands: ReadonlyMap<string, LazyCommand>,
): Promise<void> {
  const { rest } = parseFlags(args, {}, "completion");
  const [what, ...more] = rest;
  if (more.length === 0 && what === "resources") return await printResources(host);
  const shell = SHELLS.find((one) => one === what);
  if (shell === undefined || more.length > 0) {
    throw new UsageError(`completion takes ${SHELLS.join(", ")}`);
  }
  await host.print(completionScript(shell, await knownCommands(commands)));
}

async function knownCommands(
  commands: ReadonlyMap<string, LazyCommand>,
): Promise<KnownCommand[]> {
  return await Promise.all([...commands].map(async ([name, { load, summary }]) => {
    const { flags, takes } = await load();
    return {
      name,
      summary,
      takes,
      flags: Object.entries(flags).map(([name, { short, help, value, values }]) => ({
        name,
        short,
        help,
        hasValue: value !== undefined,
        values: values ?? [],
      })),
    };
  }));
}

/** Prints the names of all readable resources. */
async function printResources(host: CommandHost): Promise<void> {
  const { connected, CONNECTION_FLAGS } = await import("./connect.ts");
  await connected(parseFlags([], CONNECTION_FLAGS, "completion"), host, async ({ client }) => {
    for (const name of await namesOf(client, host.signal)) await host.print(`${name}\n`);
  });
}

/** Matches names of resources. Other names from a server are not passed to the shell. */
const NAME = /^[a-z0-9][a-z0-9.-]{0,500}$/;

/** The maximum number of printed names. */
const MAX_NAMES = 5000;

async function namesOf(client: Client, signal: AbortSignal): Promise<string[]> {
  const resources = await client.resources({ signal, timeoutMs: TIMEOUT_MS });
  const names = resources.filter(({ verbs }) => verbs.includes("get")).map(({ plural, group }) =>
    group === "" ? plural : `${plural}.${group}`
  );
  return [...new Set(names)].filter((name) => NAME.test(name)).sort().slice(0, MAX_NAMES);
}
