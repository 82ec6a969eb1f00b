import type { Unstructured, Verdict, WaitPredicate } from "@kubeloop/controller/client";
import { isRecord, visibleText } from "@kubeloop/controller/internal/base";
import { explainError, isNotFound, metadataOf } from "@kubeloop/controller/types";
import { connected, type Connection, CONNECTION_FLAGS, REQUEST_TIMEOUT_MS } from "./connect.ts";
import { durationOf } from "./durations.ts";
import { CommandError, EXIT, UsageError } from "./exits.ts";
import { type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import { type Selection, SELECTION_FLAGS, selectionOf } from "./selection.ts";
import { namespaceFor, objectName, type Target, targetsOf } from "./targets.ts";
import { Progress } from "./terminal/mod.ts";
import { type Goal, goalOf } from "./wait_goal.ts";

const FLAGS = {
  for: {
    value: "WHAT",
    help: "rollout, complete, delete, create, condition=TYPE[=STATUS] or jsonpath=PATH[=VALUE]",
  },
  timeout: {
    value: "DURATION",
    help: "the time for all of them together; 0s looks once; default 30s",
  },
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
  jsonpath=PATH[=VALUE]   the value at the path is VALUE, or there is one
  delete                  the object is gone, or there never was one
  create                  the object exists

Exit code 124 if the time is over, 1 if it can never be, as for a Deployment beyond its progress deadline.

  kubeloop wait --for rollout --timeout 5m deploy/web
  kubeloop wait --for condition=Ready pods -l app=web
  kubeloop wait --for jsonpath='{.status.phase}'=Running pods/web
`;

/** `kubeloop wait`. */
export const WAIT: Command = { usage: USAGE, flags: FLAGS, takes: "resources", run: wait };

/**
 * Returns a predicate that repeats its last verdict once the object is deleted, because the user can no longer inspect the
 * object. It throws for a finished Job: the cluster deletes such a Job after `ttlSecondsAfterFinished`, and it does not come
 * back.
 */
function withPast(predicate: WaitPredicate): WaitPredicate {
  let last: { readonly object: unknown; readonly verdict: Verdict } | undefined;
  return Object.assign((object: Parameters<WaitPredicate>[0]) => {
    const verdict = predicate(object);
    if (object !== undefined) last = { object, verdict };
    else if (typeof verdict === "string" && typeof last?.verdict === "string") {
      const past = `it was deleted; before that, ${last.verdict}`;
      if (isFinishedJob(last.object)) {
        throw new Error(`${past}. A Job that has finished does not come back`);
      }
      return past;
    }
    return verdict;
  }, { unmet: predicate.unmet ?? "is not so" });
}

function isFinishedJob(object: unknown): boolean {
  const { apiVersion, kind, status } = object as Record<string, unknown>;
  const conditions = isRecord(status) && Array.isArray(status.conditions) ? status.conditions : [];
  return kind === "Job" && String(apiVersion).startsWith("batch/") &&
    conditions.some((one) =>
      isRecord(one) && (one.type === "Complete" || one.type === "Failed") && one.status === "True"
    );
}

/** The maximum length of a printed goal, in characters. */
const MAX_REACHED = 1_000;

/** The maximum number of objects that are watched at the same time. */
const MAX_WATCHES = 50;

async function wait(args: readonly string[], host: CommandHost): Promise<void> {
  const flags = parseFlags(args, FLAGS, "wait");
  const selection = selectionOf(flags);
  const goal = goalOf(flags.text("for"));
  const timeoutMs = durationOf("--timeout", flags.text("timeout") ?? "30s");
  await connected(flags, host, async (connection) => {
    const targets = await targetsOf(flags.rest, "wait for", connection, host);
    const objects = await objectsOf(targets, selection, connection, host);
    if (objects.length === 0 && !goal.isDeletion) {
      throw new Error("There are no such objects to wait for: give names to wait for new ones");
    }
    await new Waits(host, connection, goal, timeoutMs).all(objects);
  });
}

/** An object to wait for. */
interface Waited {
  readonly resource: Target["resource"];
  readonly name: string;
  readonly namespace: string | undefined;
  /** The UID of the object; undefined if only its name is known. */
  readonly uid: string | undefined;
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
      found.push({ resource, name, namespace, uid: undefined });
      continue;
    }
    const options = { ...selection.selectors, namespace, signal, timeoutMs: REQUEST_TIMEOUT_MS };
    await connection.client.eachListItem<Unstructured>(resource, ({ metadata }) => {
      if (found.length >= MAX_OBJECTS) throw new UsageError(`More than ${MAX_OBJECTS} objects`);
      const { name, namespace, uid } = metadata;
      found.push({ resource, name, namespace, uid });
    }, options);
  }
  return found;
}

/** The maximum number of objects of one command. */
const MAX_OBJECTS = 10_000;

/** Waits for several objects at the same time. */
class Waits {
  readonly #host: CommandHost;
  readonly #connection: Connection;
  readonly #goal: Goal;
  /** Whether each object is checked once, without waiting. */
  readonly #isOnce: boolean;
  readonly #deadlineMs: number;
  readonly #progress: Progress;

  constructor(host: CommandHost, connection: Connection, goal: Goal, timeoutMs: number) {
    this.#host = host;
    this.#connection = connection;
    this.#goal = goal;
    this.#isOnce = timeoutMs === 0;
    this.#deadlineMs = host.clock.now() + (this.#isOnce ? REQUEST_TIMEOUT_MS : timeoutMs);
    this.#progress = new Progress(host);
  }

  /** Waits for all objects, also after one has failed. */
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

  async #one(object: Waited, before: () => string): Promise<void> {
    const { resource, name, namespace } = object;
    const { clock, signal } = this.#host;
    const shown = objectName(resource, name);
    const { reached, predicateOf } = this.#goal;
    const predicate = withPast(predicateOf(await this.#uidOf(object)));
    const judged = Object.assign((current: Parameters<WaitPredicate>[0]) => {
      const verdict = predicate(current);
      if (this.#isOnce && verdict !== true) {
        throw new CommandError(
          `${shown} ${predicate.unmet ?? "is not so"}: ${verdict}`,
          EXIT.timedOut,
        );
      }
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
    await this.#host.print(`${shown} ${visibleText(reached, MAX_REACHED)}\n`);
  }

  /** Returns the UID of an object, so that a wait for its deletion does not wait for a new object of the same name. */
  async #uidOf({ resource, name, namespace, uid }: Waited): Promise<string | undefined> {
    if (uid !== undefined || !this.#goal.isDeletion) return uid;
    const call = { namespace, signal: this.#host.signal, timeoutMs: REQUEST_TIMEOUT_MS };
    try {
      return (await this.#connection.client.get(metadataOf(resource), name, call)).metadata.uid;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
