/**
 * The commands whose output is drawn.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import type { TerminalPicture } from "./terminal_svg.ts";
import { why, WHY_COMMAND } from "./_why.ts";

const PROGRAM = "examples/first/disks.ts";
const ROOT = new URL("../../", import.meta.url);

/** Runs the command of a picture. */
export type Draw = () => Promise<TerminalPicture>;

/** The pictures by the path of their file. */
export const PICTURES: Readonly<Record<string, Draw>> = {
  "docs/simulation.svg": async () => ({
    title: "The simulation of a controller prints the bug that it has found",
    description: "The controller is killed after it has made a volume, before it records the " +
      "name of the volume. It starts again and makes a second volume, which is marked as the " +
      "wrong call.",
    command: `deno run ${PROGRAM}`,
    output: await simulationOutput(),
  }),
  "docs/why.svg": async () => ({
    title: "kubeloop why prints who has written a field, and why a controller reconciled",
    description: "A person has scaled a Deployment with kubectl. The controller of its Widget " +
      "reconciled because of that change, and has set the replicas back.",
    command: WHY_COMMAND,
    output: await why(),
  }),
};

async function simulationOutput(): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--no-prompt", PROGRAM],
    cwd: fileURLToPath(ROOT),
    env: { NO_COLOR: "1" },
  });
  const { stderr, stdout, success } = await command.output();
  if (!success) throw new Error(`${PROGRAM} failed:\n${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout);
}
