import { describeValue, requireOptions } from "../../base/mod.ts";
import { callOptions, podPath, type PodReference, type Requester } from "../request/mod.ts";
import { V4, V5 } from "./channels.ts";
import { cannotEndStdin, ChannelStreams, type ContainerStreams } from "./container_streams.ts";
import { feedStdin } from "./feed_stdin.ts";
import { OPEN_CHECKS, RUN_CHECKS } from "./option_checks.ts";
import type {
  AttachOptions,
  AttachResult,
  ExecOptions,
  ExecResult,
  OpenAttachOptions,
  OpenExecOptions,
} from "./options.ts";

/** How much output a result may have by default, in bytes of each stream. */
const DEFAULT_MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Starts a command in a container, and opens its streams. */
export async function openExec(
  requester: Requester,
  pod: PodReference,
  command: readonly string[],
  options: OpenExecOptions,
): Promise<ContainerStreams> {
  requireOptions("openExec()", options, OPEN_CHECKS);
  const path = podPath(pod, options.namespace, "exec");
  return await open(requester, path, requireCommand(command), options);
}

/** Opens the streams of a container that runs. */
export async function openAttach(
  requester: Requester,
  pod: PodReference,
  options: OpenAttachOptions,
): Promise<ContainerStreams> {
  requireOptions("openAttach()", options, OPEN_CHECKS);
  return await open(requester, podPath(pod, options.namespace, "attach"), [], options);
}

/** Runs a command in a container, and returns its exit code and its output. */
export async function execIn(
  requester: Requester,
  pod: PodReference,
  command: readonly string[],
  options: ExecOptions,
): Promise<ExecResult> {
  requireOptions("exec()", options, RUN_CHECKS);
  const path = podPath(pod, options.namespace, "exec");
  return await run(requester, path, requireCommand(command), options);
}

/** Attaches to a container until it ends, and returns its output. */
export async function attachTo(
  requester: Requester,
  pod: PodReference,
  options: AttachOptions,
): Promise<AttachResult> {
  requireOptions("attach()", options, RUN_CHECKS);
  const path = podPath(pod, options.namespace, "attach");
  const { stdout, stderr } = await run(requester, path, [], options);
  return { stdout, stderr };
}

async function open(
  requester: Requester,
  path: string,
  command: readonly string[],
  options: OpenAttachOptions,
): Promise<ChannelStreams> {
  const { container, signal, stdin = false, stdout = true, stderr = true, tty = false } = options;
  const streams = { tty, stdin, stdout, stderr: !tty && stderr };
  if (!streams.stdin && !streams.stdout && !streams.stderr) {
    throw new TypeError("Cannot open no stream: open stdin, stdout or stderr");
  }
  const query = new URLSearchParams();
  for (const argument of command) query.append("command", argument);
  if (container !== undefined) query.set("container", container);
  for (const [name, value] of Object.entries(streams)) query.set(name, `${value}`);
  // kube-apiserver translates version 5 for the kubelet, and then reports success when it loses the kubelet. Version 4
  // goes through it unchanged, so version 5 is requested only if stdin must end.
  const protocols = streams.stdin ? [V5, V4] : [V4];
  const opened = await requester.upgrade({ method: "GET", path, query, signal }, protocols);
  return new ChannelStreams(opened, requester, streams);
}

async function run(
  requester: Requester,
  path: string,
  command: readonly string[],
  options: ExecOptions,
): Promise<ExecResult> {
  const { stdin, resize, maxOutputBytes = DEFAULT_MAX_OUTPUT_BYTES } = options;
  const { signal, timeoutMs } = callOptions(options);
  return await requester.call({ what: `GET ${path}`, signal, timeoutMs }, async (call) => {
    const { namespace, container, tty } = options;
    const streams = await open(requester, path, command, {
      namespace,
      container,
      tty,
      stdin: stdin !== undefined,
      signal: call.signal,
    });
    // An error of this side ends the connection, and is then the error of the call.
    const guarded = <T>(work: Promise<T>) =>
      work.catch((error) => {
        streams.fail(error);
        throw error;
      });
    try {
      if (streams.stdin !== undefined && stdin !== undefined) {
        if (!streams.canEndStdin && tty !== true) throw cannotEndStdin();
        guarded(feedStdin(streams.stdin, stdin)).catch(() => {});
      }
      if (resize !== undefined) {
        guarded(resizeTo(streams, resize)).catch(() => {});
      }
      const [exitCode, stdout, stderr] = await Promise.all([
        streams.exited,
        guarded(collect("stdout", streams.stdout, options.stdout, maxOutputBytes)),
        guarded(collect("stderr", streams.stderr, options.stderr, maxOutputBytes)),
      ]);
      return { exitCode, stdout, stderr };
    } finally {
      await streams.close();
    }
  });
}

async function resizeTo(
  streams: ChannelStreams,
  sizes: NonNullable<ExecOptions["resize"]>,
): Promise<void> {
  const iterator = sizes[Symbol.asyncIterator]();
  let isOver = false;
  const over = async () => {
    isOver = true;
    // A source that waits for a change of size must not wait after the command.
    await iterator.return?.();
  };
  streams.exited.then(over, over).catch(() => {});
  while (true) {
    const { done, value } = await iterator.next();
    if (done || isOver) return;
    await streams.resize(value).catch((error) => {
      if (!isOver) throw error;
    });
  }
}

function requireCommand(command: readonly string[]): readonly string[] {
  const isCommand = Array.isArray(command) && command.length > 0 &&
    command.every((argument) => typeof argument === "string");
  if (isCommand) return command;
  throw new TypeError(
    `Invalid command: expected an array of at least one string, as in ["ls", "-l"], received ${
      describeValue(command)
    }`,
  );
}

/**
 * Sends a stream to `sink`, which is not closed; or reads it to its end without one.
 *
 * @returns The text of the stream, read as UTF-8; empty if there is a sink.
 * @throws {RangeError} If the stream is longer than `maxBytes`.
 */
export async function collect(
  name: "stdout" | "stderr",
  stream: ReadableStream<Uint8Array> | undefined,
  sink: WritableStream<Uint8Array> | undefined,
  maxBytes: number,
): Promise<string> {
  if (stream === undefined) return "";
  if (sink !== undefined) {
    await stream.pipeTo(sink, { preventClose: true, preventAbort: true });
    return "";
  }
  const decoder = new TextDecoder();
  const parts: string[] = [];
  const reader = stream.getReader();
  let size = 0;
  while (true) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxBytes) {
      throw new RangeError(
        `${name} is longer than maxOutputBytes (${maxBytes}): raise it, or give a stream as ${name}`,
      );
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}
