import {
  complete,
  condition,
  deleted,
  rolledOut,
  type Unstructured,
  type WaitPredicate,
} from "../client/mod.ts";
import { own } from "../base/mod.ts";
import { explainError } from "../types/mod.ts";
import { connected, type Connection, CONNECTION_FLAGS, REQUEST_TIMEOUT_MS } from "./connect.ts";
import { durationOf } from "./durations.ts";
import { CommandError, EXIT, UsageError } from "./exits.ts";
import { type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import { type Selection, SELECTION_FLAGS, selectionOf } from "./selection.ts";
import { namespaceFor, objectName, type Target, targetsOf } from "./targets.ts";
import { Progress } from "./terminal/mod.ts";

const FLAGS = {
  for: { value: "WHAT", help: "rollout, complete, delete, create or condition=TYPE[=STATUS]" },
  timeout: { value: "DURATION", help: "the time for all of them together; default 30s" },
  selector: SELECTION_FLAGS.selector,
  "field-selector": SELECTION_FLAGS["field-selector"],
  "all-namespaces": SELECTION_FLAGS["all-namespaces"],
  ...CONNECTION_FLAGS,
} as const satisfies FlagSet;

const USAGE = `Usage: kubeloop wait --for WHAT RESOURCE/NAME...
       kubeloop wait --for WHAT RESOURCE -l LABELS

Waits until each object is in a state, and prints its name then. An object that does not exist yet is waited for.

  rollout                 a Deployment, StatefulSet or DaemonSet is rolled out, as kubectl rollout status says
  complete                a Job is complete; it is an error if the Job has failed
  condition=TYPE[=STATUS] the object has the condition; STATUS is True, False or Unknown, by default True
  delete                  the object is gone
  create                  the object exists

Exit code 124 if the time is over, 1 if it can never be, as for a Deployment beyond its progress deadline.

  kubeloop wait --for rollout --timeout 5m deploy/web
  kubeloop wait --for condition=Ready pods -l app=web
`;

/** `kubeloop wait`. */
export const WAIT: Command = { usage: USAGE, flags: FLAGS, takes: "resources", run: wait };

/** The number of objects that are watched at the same time. */
const MAX_WATCHES = 50;

async function wait(args: readonly string[], host: CommandHost): Promise<void> {
  const flags = parseFlags(args, FLAGS, "wait");
  const selection = selectionOf(flags);
  const goal = goalOf(flags.text("for"));
  const timeoutMs = durationOf("--timeout", flags.text("timeout") ?? "30s");
  await connected(flags, host, async (connection) => {
    const targets = await targetsOf(flags.rest, "wait for", connection, host);
    const objects = await objectsOf(targets, selection, connection, host);
    await new Waits(host, connection, goal, host.clock.now() + timeoutMs).all(objects);
  });
}

/** What is waited for. */
interface Goal {
  readonly predicate: WaitPredicate;
  /** What is so then, as in `is rolled out`. */
  readonly reached: string;
}

function goalOf(what: string | undefined): Goal {
  const [name, type, status, ...more] = what?.split("=") ?? [];
  if (name === "condition" && type && more.length === 0) {
    const wanted = STATUSES.find((one) => one.toLowerCase() === (status ?? "true").toLowerCase());
    if (wanted === undefined) {
      throw new UsageError("--for condition=TYPE=STATUS takes the status True, False or Unknown");
    }
    return { predicate: condition(type, wanted), reached: `has the condition ${type}=${wanted}` };
  }
  const goal = what === undefined ? undefined : own(GOALS, what) as Goal | undefined;
  if (goal !== undefined) return goal;
  throw new UsageError("--for takes rollout, complete, delete, create or condition=TYPE[=STATUS]");
}

const STATUSES = ["True", "False", "Unknown"] as const;

const exists: WaitPredicate = Object.assign(
  (object: unknown) => object !== undefined || "it does not exist",
  { unmet: "was not created" },
);

const GOALS: Readonly<Record<string, Goal | undefined>> = {
  rollout: { predicate: rolledOut, reached: "is rolled out" },
  complete: { predicate: complete, reached: "is complete" },
  delete: { predicate: deleted(), reached: "is deleted" },
  create: { predicate: exists, reached: "exists" },
};

/** An object to wait for. */
interface Waited {
  readonly resource: Target["resource"];
  readonly name: string;
  readonly namespace: string | undefined;
}

async function objectsOf(
  targets: readonly Target[],
  selection: Selection,
  connection: Connection,
  { signal }: CommandHost,
): Promise<Waited[]> {
  const found: Waited[] = [];
  for (const { resource, name } of targets) {
    const namespace = namespaceFor(resource, connection, selection.isAllNamespaces);
    if (name !== undefined) {
      if (selection.isSet || selection.isAllNamespaces) {
        throw new UsageError("Names exclude selectors and --all-namespaces: give one of them");
      }
      found.push({ resource, name, namespace });
      continue;
    }
    const options = { ...selection.selectors, namespace, signal, timeoutMs: REQUEST_TIMEOUT_MS };
    await connection.client.eachListItem<Unstructured>(resource, ({ metadata }) => {
      if (found.length >= MAX_OBJECTS) throw new UsageError(`More than ${MAX_OBJECTS} objects`);
      found.push({ resource, name: metadata.name, namespace: metadata.namespace });
    }, options);
  }
  if (found.length > 0) return found;
  throw new Error("There are no such objects to wait for: give names to wait for new ones");
}

/** The most objects that one command waits for. */
const MAX_OBJECTS = 10_000;

/** Waits for some objects at the same time. */
class Waits {
  readonly #host: CommandHost;
  readonly #connection: Connection;
  readonly #goal: Goal;
  readonly #deadlineMs: number;
  readonly #progress: Progress;

  constructor(host: CommandHost, connection: Connection, goal: Goal, deadlineMs: number) {
    this.#host = host;
    this.#connection = connection;
    this.#goal = goal;
    this.#deadlineMs = deadlineMs;
    this.#progress = new Progress(host);
  }

  /** Waits for all objects. Others than the first that fails may still get there, so it waits for them too. */
  async all(objects: readonly Waited[]): Promise<void> {
    const rest = objects.values();
    const errors: unknown[] = [];
    let done = 0;
    const work = async () => {
      for (const object of rest) {
        try {
          await this.#one(object, () => objects.length > 1 ? `${done} of ${objects.length}; ` : "");
          done++;
        } catch (error) {
          if (this.#host.signal.aborted) throw error;
          errors.push(error);
        }
      }
    };
    try {
      await Promise.all(Array.from({ length: MAX_WATCHES }, work));
    } finally {
      this.#progress.clear();
    }
    if (errors.length > 0) throw new AggregateError(errors);
  }

  async #one({ resource, name, namespace }: Waited, before: () => string): Promise<void> {
    const { predicate, reached } = this.#goal;
    const { clock, signal } = this.#host;
    const shown = objectName(resource, name);
    const judged = Object.assign((object: Parameters<WaitPredicate>[0]) => {
      const verdict = predicate(object);
      if (typeof verdict === "string") this.#progress.show(`${before()}${shown}: ${verdict}`);
      return verdict;
    }, predicate) as WaitPredicate;
    const timeoutMs = Math.max(1, Math.ceil(this.#deadlineMs - clock.now()));
    try {
      await this.#connection.client.waitFor(resource, name, judged, {
        namespace,
        signal,
        timeoutMs,
      });
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== "TimeoutError") throw error;
      throw new CommandError(explainError(error), EXIT.timedOut);
    }
    this.#progress.clear();
    await this.#host.print(`${shown} ${reached}\n`);
  }
}
