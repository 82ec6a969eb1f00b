import { parseArgs } from "node:util";
import { UsageError } from "./exits.ts";

/** A flag of a command. */
export interface Flag {
  /** The letter of its short form. */
  readonly short?: string;
  /** The placeholder of the value in the help, such as `NAME`; undefined for a flag without a value. */
  readonly value?: string;
  /** The allowed values; undefined for any. */
  readonly values?: readonly string[];
  /** Whether the flag may be repeated. */
  readonly isRepeated?: boolean;
  /** The description, in one line. */
  readonly help: string;
}

/** The flags of a command, by their names. */
export type FlagSet = Readonly<Record<string, Flag>>;

/** The parsed arguments of a command. */
export class Flags<F extends FlagSet = FlagSet> {
  /** The positional arguments. */
  readonly rest: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(rest: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.rest = rest;
    this.#values = values;
  }

  /** Returns the value of a flag. */
  text(name: keyof F & string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** Returns all values of a flag. */
  all(name: keyof F & string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Reports whether a flag is set. */
  has(name: keyof F & string): boolean {
    return this.#values.has(name);
  }
}

/** Matches the part of an unknown argument that messages show. The rest may be a token. */
const SHOWN_FLAG = /^-[\w-]{0,30}/;

/**
 * Parses arguments as kubectl does: `--namespace x`, `--namespace=x`, `-n x`, `-nx` and `-n=x` are the same.
 *
 * @throws {UsageError} If a flag is unknown, lacks its value or has an empty one.
 */
export function parseFlags<F extends FlagSet>(
  args: readonly string[],
  set: F,
  command: string,
): Flags<F> {
  const options = Object.fromEntries(
    Object.entries<Flag>(set).map(([name, { short, value }]) => [name, {
      type: value === undefined ? "boolean" as const : "string" as const,
      ...(short === undefined ? {} : { short }),
    }]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const values = new Map<string, string[]>();
  const rest: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") rest.push(token.value);
    if (token.kind !== "option") continue;
    const flag = Object.hasOwn(set, token.name) ? set[token.name] : undefined;
    if (flag === undefined) throw new UsageError(unknownFlag(token.rawName, command));
    const value = valueOf(token, flag);
    const known = values.get(token.name);
    if (known === undefined) values.set(token.name, [value]);
    else if (flag.isRepeated === true) known.push(value);
    else throw new UsageError(`--${token.name} is given twice: give it once`);
  }
  return new Flags<F>(rest, values);
}

function unknownFlag(rawName: string, command: string): string {
  const [shown = "a flag"] = SHOWN_FLAG.exec(rawName) ?? [];
  if (rawName === "--token") {
    return "There is no flag --token, because others can see the arguments of a process: set KUBE_TOKEN, or use --token-file";
  }
  return `Unknown flag ${shown}: see kubeloop ${command} --help`;
}

function valueOf(
  token: {
    readonly name: string;
    readonly value?: string | undefined;
    readonly inlineValue?: boolean | undefined;
  },
  flag: Flag,
): string {
  const name = `--${token.name}`;
  if (flag.value === undefined) {
    if (token.value === undefined) return "true";
    throw new UsageError(`${name} takes no value: give it as it is, or leave it away`);
  }
  const isInline = token.inlineValue === true;
  const value = isInline ? token.value?.replace(/^=/, "") : token.value;
  if (value === undefined || (!isInline && /^-./.test(value))) {
    throw new UsageError(`${name} has no value: give ${name}=${flag.value}`);
  }
  if (value === "") {
    throw new UsageError(`${name} is empty: give ${name}=${flag.value}, or leave it away`);
  }
  if (flag.values !== undefined && !flag.values.includes(value)) {
    throw new UsageError(`${name} takes ${flag.values.join(", ")}`);
  }
  return value;
}

/** Returns the help about flags. */
export function helpOf(set: FlagSet): string {
  const rows = Object.entries(set).map(([name, { short, value, values, help }]) => {
    const placeholder = values?.join("|") ?? value;
    const long = `--${name}${placeholder === undefined ? "" : ` ${placeholder}`}`;
    return [`  ${short === undefined ? "    " : `-${short}, `}${long}`, help] as const;
  });
  const width = Math.min(34, Math.max(...rows.map(([flag]) => flag.length)));
  return rows.map(([flag, help]) =>
    flag.length > width
      ? `${flag}\n${" ".repeat(width)}  ${help}\n`
      : `${flag.padEnd(width)}  ${help}\n`
  ).join("");
}
