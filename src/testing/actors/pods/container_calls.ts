import { type Clock, delay, parseQuantity } from "@kubeloop/controller/internal/base";
import type { Cached, KubeObject, Pod } from "@kubeloop/controller/types";
import { matchesWildcard } from "../../values/mod.ts";
import type { ContainerRun } from "./container_run.ts";
import type { ContainerUsage } from "./pod_life.ts";

/** The maximum number of lines that wait for an attached client. Then the oldest are dropped. */
const MAX_LINES = 1000;
/** The maximum length of the head of an HTTP request. */
const MAX_HEAD = 64 * 1024;
/** A command that ends the first process of a container. */
const KILL = /(?:^|[ /])kill(?: -(\S+))? 1$/;
const TERMINATED = 143;
const KILLED = 137;

/** A stream to a client. */
export interface TextWriter {
  /** Sends text to the client. */
  write(text: string): Promise<void>;
}

/** A command that a client runs in a container, or its attachment to it. The processes of an `ApiServer` fit. */
export interface CalledProcess {
  /** The command with its arguments. */
  readonly command: readonly string[];
  /** The input of the client. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** The standard output. */
  readonly stdout: TextWriter;
  /** The standard error. */
  readonly stderr: TextWriter;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
  /** The Pod. */
  readonly pod: KubeObject;
  /** The name of the container. */
  readonly container: string;
}

/** A connection of a client to a port of a Pod. The streams of an `ApiServer` fit. */
export interface CalledPort extends TextWriter {
  /** The bytes of the client. */
  readonly incoming: AsyncIterable<Uint8Array>;
  /** The Pod. */
  readonly pod: KubeObject;
  /** The number of the port. */
  readonly port: number;
}

/** Answers what clients ask of the containers of some Pods. The programs of an `ApiServer` fit. */
export interface PodCalls {
  /** Runs a command; returns its exit code. */
  readonly exec: (process: CalledProcess) => Promise<number>;
  /** Sends the output of a container until it ends. */
  readonly attach: (process: CalledProcess) => Promise<void>;
  /** Serves a connection to a port. */
  readonly ports: (stream: CalledPort) => Promise<void>;
}

/** Returns the exit code with which a command ends its container; undefined for other commands. */
export function killCode({ command }: Pick<CalledProcess, "command">): number | undefined {
  const match = KILL.exec(command.join(" "));
  if (match === null) return undefined;
  return /^(?:9|(?:SIG)?KILL)$/.test(match[1] ?? "") ? KILLED : TERMINATED;
}

/**
 * Runs a command in a container: sends the first answer in its life that matches, and returns the exit code.
 *
 * @throws {Error} If no answer matches.
 */
export async function answerCommand(
  { life }: ContainerRun,
  { command, signal, stderr, stdout }: CalledProcess,
  clock: Clock,
): Promise<number> {
  const line = command.join(" ");
  const answer = life.exec.find(({ command: pattern = "*" }) => matchesWildcard(line, pattern));
  if (answer === undefined) {
    throw new Error(
      `exec: ${JSON.stringify(command[0])}: executable file not found in $PATH: ` +
        `the container is simulated, and no "exec" of its life answers the command`,
    );
  }
  if (answer.afterMs) await delay(answer.afterMs, { clock, signal });
  if (answer.stdout) await stdout.write(answer.stdout);
  if (answer.stderr) await stderr.write(answer.stderr);
  return answer.exitCode ?? 0;
}

/** Sends the lines that a container writes from now on, until it ends or the client leaves. */
export async function followOutput(
  run: ContainerRun,
  { signal, stdin, stdout }: CalledProcess,
): Promise<void> {
  const lines: string[] = [];
  let hasEnded = false;
  let wake = () => {};
  const release = run.output?.listen((text) => {
    if (text === undefined) hasEnded = true;
    else if (lines.push(text) > MAX_LINES) lines.shift();
    wake();
  });
  const stop = () => {
    hasEnded = true;
    wake();
  };
  signal.addEventListener("abort", stop, { once: true });
  // The container reads its input and does nothing with it.
  const reading = discard(stdin);
  try {
    while (!signal.aborted) {
      const text = lines.shift();
      if (text !== undefined) await stdout.write(text);
      else if (hasEnded) break;
      else await new Promise<void>((resolve) => wake = resolve);
    }
  } finally {
    release?.();
    signal.removeEventListener("abort", stop);
    reading.catch(() => {});
  }
}

/**
 * Answers an HTTP request to a port of a Pod: with the answer in the life of a container, or else with a line that names
 * the container with that port.
 *
 * @throws {Error} If no running container has the port.
 */
export async function answerPort(
  pod: Cached<Pod>,
  runs: readonly ContainerRun[],
  { incoming, port, write }: CalledPort,
): Promise<void> {
  const running = runs.filter(({ state }) => state === "running");
  const run = running.find(({ life }) => life.ports.some((one) => one.port === port)) ??
    running.find(({ name }) => portsOf(pod, name).includes(port));
  if (run === undefined) {
    throw new Error(
      `failed to connect to localhost:${port} inside namespace: connect: connection refused`,
    );
  }
  const answer = run.life.ports.find((one) => one.port === port);
  const { body = `${pod.metadata.name} ${run.name} ${port}\n`, status = 200 } = answer ?? {};
  const [, method] = /^([A-Z]+) \S+ HTTP\/1/.exec(await requestHead(incoming)) ?? [];
  // The client does not speak HTTP.
  if (method === undefined) return;
  const length = new TextEncoder().encode(body).length;
  const head = [
    `HTTP/1.1 ${status} ${status < 400 ? "OK" : "Error"}`,
    "content-type: text/plain; charset=utf-8",
    `content-length: ${length}`,
    "connection: close",
  ];
  await write(`${head.join("\r\n")}\r\n\r\n${method === "HEAD" ? "" : body}`);
}

/** Returns the usage of each running container, by its name; undefined if none has a usage in its life. */
export function usageOf(
  runs: readonly ContainerRun[],
): Readonly<Record<string, ContainerUsage>> | undefined {
  const used = runs.flatMap(({ life, name, state }) =>
    state === "running" && life.usage !== undefined ? [[name, life.usage] as const] : []
  );
  return used.length === 0 ? undefined : Object.fromEntries(used);
}

/** Returns the sum of usages, in nanocores and bytes. */
export function totalUsage(usages: readonly ContainerUsage[]): ContainerUsage {
  const sum = (resource: "cpu" | "memory") =>
    usages.reduce((total, one) => total + (parseQuantity(one[resource])?.nano ?? 0n), 0n);
  return { cpu: `${sum("cpu")}n`, memory: `${sum("memory") / 1_000_000_000n}` };
}

async function discard(stream: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of stream);
}

async function requestHead(incoming: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let head = "";
  for await (const bytes of incoming) {
    head += decoder.decode(bytes, { stream: true });
    if (head.includes("\r\n\r\n") || head.length > MAX_HEAD) break;
  }
  return head;
}

function portsOf({ spec }: Cached<Pod>, container: string): number[] {
  const found = spec?.containers.find(({ name }) => name === container) as
    | { readonly ports?: readonly { readonly containerPort: number }[] }
    | undefined;
  return (found?.ports ?? []).map(({ containerPort }) => containerPort);
}
