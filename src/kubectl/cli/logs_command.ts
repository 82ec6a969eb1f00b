import { visibleText } from "@kubeloop/controller/internal/base";
import type { Client, DiscoveredResource } from "@kubeloop/controller/client";
import { fieldSelector, type LogsOptions } from "@kubeloop/controller/client";
import { followLogs, type FollowLogsOptions } from "@kubeloop/controller/logs";
import { explainError, type Pod, Pods } from "@kubeloop/controller/types";
import { connected, CONNECTION_FLAGS, REQUEST_TIMEOUT_MS } from "./connect.ts";
import { durationOf } from "./durations.ts";
import { UsageError } from "./exits.ts";
import { type Flags, type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import { podSelectorOf } from "./pods/mod.ts";
import { SELECTION_FLAGS, selectionOf } from "./selection.ts";
import { namespaceFor, resourceOf } from "./targets.ts";
import { COLOR_FLAG, logText, painter } from "./terminal/mod.ts";

const FLAGS = {
  follow: {
    short: "f",
    help: "goes on with new lines; through restarts, unless it is one container",
  },
  container: { short: "c", value: "NAME", isRepeated: true, help: "only this container" },
  since: { value: "DURATION", help: "only the lines of the last time, as in 5m" },
  tail: { value: "N", help: "only the last lines of each container" },
  previous: { short: "p", help: "the log of the instance before the current one" },
  timestamps: { help: "the time before each line" },
  ...SELECTION_FLAGS,
  ...COLOR_FLAG,
  ...CONNECTION_FLAGS,
} as const satisfies FlagSet;

const USAGE = `Usage: kubeloop logs POD
       kubeloop logs RESOURCE/NAME
       kubeloop logs -l LABELS

Prints the log of a container, or of all containers of the Pods of a Deployment, a Job, a Service or a selector, with the
Pod and the container before each line. With --follow it goes on: of one Pod until its container ends, of many until
Ctrl-C, each line once, through restarts, broken connections, and Pods that come and go.

  kubeloop logs web-1 --tail 100
  kubeloop logs -f deploy/web --since 5m
  kubeloop logs -f -A -l app=web
`;

/** `kubeloop logs`. */
export const LOGS: Command = { usage: USAGE, flags: FLAGS, takes: "resources", run: logs };

/** The maximum length of a line on a terminal, in characters. */
const MAX_LINE = 32_768;

/** The options that select lines of each log. */
type Lines = Pick<LogsOptions, "sinceSeconds" | "tailLines">;

async function logs(args: readonly string[], host: CommandHost): Promise<void> {
  const flags = parseFlags(args, FLAGS, "logs");
  const selection = selectionOf(flags);
  const [about, ...more] = flags.rest;
  if (more.length > 0) throw new UsageError("logs takes one Pod, or one RESOURCE/NAME");
  if (about === "") throw new UsageError("The name of the Pod is empty");
  if ((about === undefined) === !(selection.isSet || selection.isAllNamespaces)) {
    throw new UsageError("logs takes either a Pod, a RESOURCE/NAME, or a selector with -l");
  }
  const since = flags.text("since");
  const lines: Lines = {
    sinceSeconds: since && Math.max(1, Math.ceil(durationOf("--since", since) / 1000)) || undefined,
    tailLines: countOf("--tail", flags.text("tail")),
  };
  await connected(flags, host, async (connection) => {
    const { client } = connection;
    const run = new LogsRun(client, host, flags, lines);
    if (about === undefined) {
      const namespace = selection.isAllNamespaces ? undefined : connection.namespace;
      return await run.many({ namespace, ...selection.selectors });
    }
    const [type, name, ...parts] = about.includes("/") ? about.split("/") : ["pods", about];
    if (!type || !name || parts.length > 0) {
      throw new UsageError("logs takes one Pod, or one RESOURCE/NAME");
    }
    const resource = await resourceOf(type, client, host);
    const namespace = namespaceFor(resource, connection, false);
    if (namespace === undefined) throw new UsageError(`${resource.plural} have no logs`);
    const call = { namespace, signal: host.signal, timeoutMs: REQUEST_TIMEOUT_MS };
    if (isPods(resource)) return await run.one(await client.get(Pods, name, call));
    const labelSelector = podSelectorOf(await client.get(resource, name, call));
    await run.many({ namespace, labelSelector });
  });
}

function isPods({ group, plural }: DiscoveredResource): boolean {
  return group === "" && plural === "pods";
}

function countOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`${flag} takes a number of lines`);
}

/** The options that select Pods. */
type PodScope = Pick<FollowLogsOptions, "namespace" | "labelSelector" | "fieldSelector">;

class LogsRun {
  readonly #client: Client;
  readonly #host: CommandHost;
  readonly #flags: Flags<typeof FLAGS>;
  readonly #lines: Lines;

  constructor(client: Client, host: CommandHost, flags: Flags<typeof FLAGS>, lines: Lines) {
    this.#client = client;
    this.#host = host;
    this.#flags = flags;
    this.#lines = lines;
  }

  /** Prints the log of a Pod. Lines of several containers begin with the name of the container. */
  async one(pod: Pod): Promise<void> {
    const containers = this.#flags.all("container");
    if (containers.length > 1) {
      const { name = "", namespace } = pod.metadata;
      const only = { namespace, fieldSelector: fieldSelector({ "metadata.name": name }) };
      return await this.many(only);
    }
    const [container] = containers;
    await this.#print(pod, container, "", this.#flags.has("follow"));
  }

  /** Prints the logs of all containers of the Pods. */
  async many(scope: PodScope): Promise<void> {
    const wanted = this.#flags.all("container");
    if (this.#flags.has("follow")) return await this.#follow(scope, wanted);
    const { signal } = this.#host;
    let count = 0;
    await this.#client.eachListItem<Pod>(Pods, async (pod) => {
      for (const { name } of containersOf(pod)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        count++;
        try {
          await this.#print(pod, name, this.#prefix(scope, pod.metadata, name), false);
        } catch (error) {
          signal.throwIfAborted();
          // Continue with the other containers: this one may not have started yet.
          this.#host.warn(`note: ${pod.metadata.name} ${name}: ${explainError(error)}`);
        }
      }
    }, { ...scope, signal });
    if (count === 0) this.#host.warn("There are no such containers");
  }

  async #follow(scope: PodScope, containers: readonly string[]): Promise<void> {
    if (this.#flags.has("previous")) {
      throw new UsageError("--previous and --follow exclude each other for several containers");
    }
    const followed = followLogs(this.#client, {
      ...scope,
      ...this.#lines,
      ...(containers.length === 0 ? {} : { containers }),
      signal: this.#host.signal,
    });
    for await (const { pod, namespace, container, line, time } of followed) {
      const when = this.#flags.has("timestamps") && time !== undefined
        ? `${this.#shown(time)} `
        : "";
      const prefix = this.#prefix(scope, { name: pod, namespace }, container);
      await this.#host.printData(`${prefix}${when}${this.#shown(line)}\n`);
    }
  }

  async #print(pod: Pod, container: string | undefined, prefix: string, follow: boolean) {
    const lines = this.#client.logs(pod, {
      ...this.#lines,
      container,
      follow,
      previous: this.#flags.has("previous"),
      timestamps: this.#flags.has("timestamps"),
      signal: this.#host.signal,
    });
    for await (const line of lines) {
      await this.#host.printData(`${prefix}${this.#shown(line)}\n`);
    }
  }

  #shown(line: string): string {
    // Files get the exact bytes of the container.
    if (!this.#host.stdout.isTerminal) return line;
    const text = this.#host.redact(line);
    if (text.length <= MAX_LINE) return logText(text);
    return `${logText(text.slice(0, MAX_LINE))}… (${line.length - MAX_LINE} more characters)`;
  }

  #prefix(
    scope: PodScope,
    { name, namespace }: { readonly name?: string; readonly namespace?: string },
    container: string,
  ): string {
    const place = scope.namespace === undefined ? `${namespace}/` : "";
    const text = visibleText(`[${place}${name} ${container}]`, 1000);
    return `${painter(this.#flags.text("color"), this.#host).faint(text)} `;
  }
}

function containersOf({ spec }: Pod): readonly { readonly name: string }[] {
  return [...spec?.initContainers ?? [], ...spec?.containers ?? []];
}
