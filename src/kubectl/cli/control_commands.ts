import {
  type AnnotationChange,
  CONTROL_ANNOTATIONS,
  pauseAnnotations,
  reconcileAnnotations,
  resumeAnnotations,
} from "@kubeloop/controller/internal/base";
import { metadataOf, pauseOf, pauseOfObject } from "@kubeloop/controller/types";
import { connected, CONNECTION_FLAGS, REQUEST_TIMEOUT_MS } from "./connect.ts";
import { durationOf } from "./durations.ts";
import { UsageError } from "./exits.ts";
import { type Flags, type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import { namespaceFor, objectName, targetsOf } from "./targets.ts";

const PAUSE_FLAGS = {
  until: {
    value: "TIME",
    help: "the end, as in 2h or 2026-01-31T12:00:00Z; default is until kubeloop resume",
  },
  cleanup: { help: "pause the cleanup of finalizers too, so that a deletion waits" },
  ...CONNECTION_FLAGS,
} as const satisfies FlagSet;

const FLAGS = { ...CONNECTION_FLAGS } as const satisfies FlagSet;

/** `kubeloop pause`. */
export const PAUSE: Command = {
  usage: `Usage: kubeloop pause RESOURCE/NAME... [--until TIME] [--cleanup]

Pauses objects, by the annotation ${CONTROL_ANNOTATIONS.paused}: their controllers, if a kubeloop Manager runs them, no
longer write anything for them. A running reconcile is ended. A deletion still cleans up, unless --cleanup is given.

  kubeloop pause widgets/blue --until 2h
`,
  flags: PAUSE_FLAGS,
  takes: "resources",
  run: async (args, host) => {
    const flags = parseFlags(args, PAUSE_FLAGS, "pause");
    const value = untilOf(flags.text("until"), host.clock.wallNow());
    const annotations = pauseAnnotations(value, flags.has("cleanup"));
    const words = value === "true" ? "paused" : `paused until ${value}`;
    await annotate(flags, host, { command: "pause", annotations, words });
  },
};

/** `kubeloop resume`. */
export const RESUME: Command = {
  usage: `Usage: kubeloop resume RESOURCE/NAME...

Ends the pause of objects: removes the annotations of kubeloop pause. Each object is reconciled once.

  kubeloop resume widgets/blue
`,
  flags: FLAGS,
  takes: "resources",
  run: async (args, host) => {
    await annotate(parseFlags(args, FLAGS, "resume"), host, {
      command: "resume",
      annotations: resumeAnnotations(),
      words: "resumed",
    });
  },
};

/** `kubeloop reconcile`. */
export const RECONCILE: Command = {
  usage: `Usage: kubeloop reconcile RESOURCE/NAME...

Asks the controllers of objects to reconcile them now, also if they wait to retry after failures, which are forgotten:
sets the annotation ${CONTROL_ANNOTATIONS.reconcile} to the time.

  kubeloop reconcile widgets/blue
`,
  flags: FLAGS,
  takes: "resources",
  run: async (args, host) => {
    await annotate(parseFlags(args, FLAGS, "reconcile"), host, {
      command: "reconcile",
      annotations: reconcileAnnotations(host.clock.wallNow()),
      words: "is to be reconciled now",
    });
  },
};

/**
 * Returns the value of the annotation for the end of a pause.
 *
 * @throws {UsageError} If the text is neither a duration nor a time in the future.
 */
function untilOf(until: string | undefined, wallMs: number): string {
  if (until === undefined) return "true";
  if (/^\d{4}-/.test(until)) {
    const pause = pauseOf(CONTROL_ANNOTATIONS.paused, until, wallMs);
    if (pause?.untilMs !== undefined) return until;
    throw new UsageError("--until takes a time in the future, such as 2026-01-31T12:00:00Z");
  }
  return new Date(wallMs + durationOf("--until", until)).toISOString();
}

async function annotate(
  flags: Flags,
  host: CommandHost,
  { annotations, command, words }: {
    readonly command: string;
    readonly annotations: AnnotationChange;
    /** The text after the name of each object. */
    readonly words: string;
  },
): Promise<void> {
  await connected(flags, host, async (connection) => {
    const targets = await targetsOf(flags.rest, command, connection, host);
    for (const { resource, name } of targets) {
      if (name === undefined) {
        throw new UsageError(`${command} takes names, as in kubeloop ${command} widgets/blue`);
      }
      const changed = await connection.client.patch(
        metadataOf(resource),
        name,
        { metadata: { annotations } },
        {
          namespace: namespaceFor(resource, connection, false),
          signal: host.signal,
          timeoutMs: REQUEST_TIMEOUT_MS,
        },
      );
      await host.print(`${objectName(resource, name)} ${words}\n`);
      if (command === "pause" || pauseOfObject(changed, host.clock.wallNow()) === undefined) {
        continue;
      }
      host.warn(`note: ${objectName(resource, name)} is paused: kubeloop resume ends that`);
    }
  });
}
