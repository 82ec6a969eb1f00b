import { oneLine, toError, visibleText } from "../base/mod.ts";
import type { Command, CommandHost } from "./host.ts";
import { TYPES } from "./types_command.ts";

/** The subcommands, by name. */
const COMMANDS: ReadonlyMap<string, Command> = new Map([["types", TYPES]]);

/** The longest error that is printed, in characters. */
const MAX_MESSAGE = 2000;

/**
 * Runs `kubeloop` with these arguments. An error is printed as one line on standard error.
 *
 * @returns The exit code: 0, or 1 if the command has failed.
 */
export async function runCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const [name, ...rest] = args;
  try {
    if (name === undefined || name === "--help" || name === "-h" || name === "help") {
      host.print(usage());
      return name === undefined ? 1 : 0;
    }
    const command = COMMANDS.get(name);
    if (command === undefined) {
      const known = [...COMMANDS.keys()].join(", ");
      throw new SyntaxError(`Unknown command ${name}: expected ${known}; see --help`);
    }
    if (rest.includes("--help") || rest.includes("-h")) host.print(command.usage);
    else await command.run(rest, host);
    return 0;
  } catch (error) {
    host.warn(`error: ${visibleText(oneLine(toError(error).message), MAX_MESSAGE)}`);
    return 1;
  }
}

function usage(): string {
  const width = Math.max(...[...COMMANDS.keys()].map((name) => name.length));
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}\n`);
  return `Usage: kubeloop COMMAND [ARGUMENTS]

Commands:
${lines.join("")}
kubeloop COMMAND --help says more.
`;
}
