import type { ReadEnv } from "@kubeloop/controller/client";

/** The flag `--color`. */
export const COLOR_FLAG = {
  color: {
    value: "WHEN",
    values: ["auto", "always", "never"],
    help: "colours; auto is on a terminal, unless NO_COLOR is set",
  },
} as const;

/** Matches the colour sequences of a {@linkcode Paint}. */
// deno-lint-ignore no-control-regex
export const COLORS: RegExp = /(\u001b\[(?:0|1|2|31|32|33)m)/;

/** Functions that colour text; without colours, they return it unchanged. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly faint: (text: string) => string;
  /** Colours a status word of the server: green if good, red if bad, yellow if about to change. */
  readonly status: (text: string) => string;
}

const GOOD =
  /^(Running|Succeeded|Completed|Complete|Ready|Active|Bound|Available|Healthy|ADDED|success|requeue(?:_after)?)$/;
const BAD =
  /^(Failed|Error|\S*Error|\S*BackOff|OOMKilled|Evicted|Lost|NotReady\S*|Unknown|Unhealthy|DELETED|Warning|error|terminal)$/;
const CHANGING =
  /^(Pending|Terminating|ContainerCreating|PodInitializing|Init:\S*|MODIFIED|aborted)$/;

const PLAIN: Paint = { bold: same, faint: same, status: same };
const COLORED: Paint = {
  bold: (text) => colored("1", text),
  faint: (text) => colored("2", text),
  status(text) {
    const word = text.trim();
    if (GOOD.test(word)) return colored("32", text);
    if (BAD.test(word)) return colored("31", text);
    return CHANGING.test(word) ? colored("33", text) : text;
  },
};

/**
 * Returns the functions that colour text.
 *
 * @param when The value of `--color`.
 * @param host The output and the environment, which decide if `when` is `auto`.
 */
export function painter(
  when: string | undefined,
  host: { readonly stdout: { readonly isTerminal: boolean }; readonly env: ReadEnv },
): Paint {
  if (when === "never") return PLAIN;
  if (when === "always") return COLORED;
  const { stdout, env } = host;
  if (!stdout.isTerminal || (env("NO_COLOR") ?? "") !== "" || env("TERM") === "dumb") return PLAIN;
  return COLORED;
}

function same(text: string): string {
  return text;
}

function colored(code: string, text: string): string {
  return text === "" ? "" : `\u001b[${code}m${text}\u001b[0m`;
}
