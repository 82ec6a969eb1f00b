import type { ServerWrite } from "../../api_server/mod.ts";
import {
  givenObjects,
  type History,
  isCompared,
  keyOf,
  type Moment,
  type SentWrite,
  unnumbered,
} from "../record/mod.ts";
import type { PlanFault, ThirdPartyEdit } from "./plan_fault.ts";
import type { Step } from "./steps.ts";

/** The points of a reference run at which faults can be injected. */
export interface Points {
  readonly processes: readonly string[];
  /** The writes of the processes, in order, with the step during which they were sent. */
  readonly writes: readonly { readonly write: SentWrite; readonly step: number }[];
  /** The reads of the processes; of equal reads only the first one in each step. */
  readonly reads: readonly {
    readonly id: string;
    /** The last one of the equal reads in the same step, after which nothing asks again; undefined if there is only one. */
    readonly last?: string | undefined;
  }[];
  /** The calls of the external world. */
  readonly calls: readonly { readonly id: string; readonly step: number }[];
  /** The events that were delivered to the processes, by the names of their commits. */
  readonly events: readonly { readonly process: string; readonly event: string }[];
  /** The kinds that each process has watched or listed, as in `operator pods`. */
  readonly watched: ReadonlySet<string>;
  /** The commits that the processes have seen, with the step during which they were made. */
  readonly versions: readonly {
    readonly id: string;
    readonly write: ServerWrite;
    readonly step: number;
    /** Whether a user has changed the desired state. */
    readonly isWish: boolean;
  }[];
}

/** Finds the points of a run at which faults can be injected. */
export function pointsOf(
  { history: { moments }, writers }: {
    readonly history: History;
    readonly writers: ReadonlyMap<number, string>;
  },
  processes: readonly string[],
): Points {
  const writes: { write: SentWrite; step: number }[] = [];
  const reads = new Map<string, { id: string; last?: string }>();
  const calls: { id: string; step: number }[] = [];
  const events: { process: string; event: string }[] = [];
  const versions: { id: string; write: ServerWrite; step: number; isWish: boolean }[] = [];
  /** The objects that users have created. */
  const wished = new Set<string>();
  const idByVersion = new Map<string, string>();
  const seen = new Set<string>();
  const { kinds, watched } = kindsOf(moments);
  let step = 0;
  for (const moment of moments) {
    if (moment.kind === "step") step = moment.index;
    if (moment.kind === "sent") writes.push({ write: moment.write, step });
    if ((moment.kind === "asked" || moment.kind === "read") && isCompared(moment.resource)) {
      const name = `${step} ${unnumbered(moment.id)}`;
      const first = reads.get(name);
      if (first === undefined) reads.set(name, { id: moment.id });
      else if (first.id !== moment.id) first.last = moment.id;
    }
    if (moment.kind === "cloud") calls.push({ id: moment.text, step });
    if (moment.kind === "committed") {
      const { id, write } = moment;
      idByVersion.set(write.resourceVersion, id);
      const isUsers = writers.get(Number(write.resourceVersion)) === "user";
      if (isUsers) wished.add(write.uid);
      const isWish = isUsers || (write.type === "DELETED" && wished.has(write.uid));
      if (kinds.has(write.resource)) versions.push({ id, write, step, isWish });
    }
    if (moment.kind !== "seen" || !isCompared(moment.resource)) continue;
    for (const { object } of givenObjects(moment)) {
      const event = idByVersion.get(object.metadata.resourceVersion ?? "");
      const name = `${moment.process} ${event}`;
      if (event === undefined || seen.has(name)) continue;
      seen.add(name);
      events.push({ process: moment.process, event });
    }
  }
  return { processes, writes, reads: [...reads.values()], calls, events, watched, versions };
}

/** Returns the compared kinds that processes have watched or listed. */
function kindsOf(
  moments: readonly Moment[],
): { kinds: ReadonlySet<string>; watched: ReadonlySet<string> } {
  const kinds = new Set<string>();
  const watched = new Set<string>();
  for (const moment of moments) {
    const isList = moment.kind === "read" && moment.verb === "list";
    if (moment.kind !== "seen" && moment.kind !== "read") continue;
    if (!isCompared(moment.resource)) continue;
    kinds.add(moment.resource);
    if (isList || moment.kind === "seen") watched.add(`${moment.process} ${moment.resource}`);
  }
  return { kinds, watched };
}

/** Returns the names of the writes of compared objects, and of the calls. */
export function namesOf({ calls, writes }: Pick<Points, "calls" | "writes">): readonly string[] {
  const compared = writes.filter(({ write: { resource } }) => isCompared(resource));
  return [...compared.map(({ write: { id } }) => id), ...calls.map(({ id }) => id)];
}

/** The status codes of injected answers. A 409 fits only an object that exists, so a create never gets it. */
const CODES = [409, 429, 500, 504] as const;
/** The number of renewals of Leases at which a process is paused. */
const RENEWALS = 20;
/** How often in a row a write or a read fails that fails again and again. */
const AGAIN = 3;
/** The same for writes that exceed a quota, which others must raise first. */
const OVER_QUOTA = 6;
/** The number of renewals that fail in a row, which is more than a Lease outlasts. */
const LOST_RENEWALS = 12;
/** The grace period of a Pod, in milliseconds. */
const GRACE_MS = 30_000;
/** How long a process does not reach the server, gets slow answers, or is refused, in milliseconds. */
const OUTAGE_MS = 60_000;
/** How long an object lingers, and how much later than its processes a definition is served, in milliseconds. */
const LINGER_MS = 120_000;
const LATE_MS = 45_000;
const EDITS: readonly ThirdPartyEdit[] = ["finalizer", "annotation", "label"];

/** A group of faults of the same kind, in the order in which they are tried. */
export type FaultClass = readonly (readonly PlanFault[])[];

/**
 * Returns the plans for what a reference run has touched, by class. Each plan is a list of faults, most of them with a
 * single one. `definitions` are the names of the installed CustomResourceDefinitions.
 */
export function deriveClasses(
  points: Points,
  steps: readonly Step<never>[],
  definitions: ReadonlySet<string>,
): FaultClass[] {
  const { events, processes, versions, watched, writes } = points;
  const compared = writes.filter(({ write: { resource } }) => isCompared(resource));
  const ids = namesOf(points);
  const one = (faults: readonly PlanFault[]): FaultClass => faults.map((fault) => [fault]);
  const settles = steps.flatMap((step, index) => step.kind === "settle" ? [index] : []);
  const last = steps.length - 1;
  const isSettled = last < 0 || settles.includes(last) || steps[last]!.kind === "change";
  const restartSteps = isSettled ? settles : [...settles, last];
  return [
    one(ids.flatMap((write): PlanFault[] => [
      { fault: "crash", when: "before", write },
      { fault: "crash", when: "after", write },
    ])),
    one(ids.map((write): PlanFault => ({ fault: "lose", write }))),
    one(events.flatMap(({ process, event }): PlanFault[] => [
      { fault: "hold", process, scope: "kind", event, forMs: 30_000 },
      { fault: "hold", process, scope: "kind", event, forMs: 400_000 },
      { fault: "hold", process, scope: "watch", event, forMs: 5000 },
    ])),
    one(events.map(({ process, event }): PlanFault => ({ fault: "coalesce", process, event }))),
    stalePlans(restartSteps, processes, versions),
    one(
      reverts(steps, [
        ...compared.map(({ step, write: { id } }) => ({ step, id })),
        ...points.calls,
      ]),
    ),
    one(repeats(steps, isBlind(compared, watched))),
    lostAndLate(compared, events),
    one([
      ...compared.flatMap(({ write: { id, verb } }) =>
        CODES.filter((code) => code !== 409 || verb === "update" || verb === "patch")
          .map((code): PlanFault => ({ fault: "answer", code, write: id }))
      ),
      ...points.calls.map(({ id }): PlanFault => ({ fault: "answer", code: 500, write: id })),
    ]),
    one(points.reads.flatMap(failingReads)),
    one(compared.flatMap(({ write: { id, verb } }): PlanFault[] => [
      { fault: "answer", code: 500, times: AGAIN, write: id },
      ...verb === "create"
        ? [{ fault: "answer", code: 403, times: OVER_QUOTA, write: id } as const]
        : [],
    ])),
    one(compared.map(({ write: { id } }) => ({ fault: "stop", write: id, graceMs: GRACE_MS }))),
    one(
      compared.flatMap(({ write: { id } }) =>
        OUTAGES.map((how): PlanFault => ({ fault: "outage", how, write: id, forMs: OUTAGE_MS }))
      ),
    ),
    one(
      compared.filter(({ write: { verb } }) => verb === "delete")
        .map(({ write: { id } }) => ({ fault: "linger", write: id, forMs: LINGER_MS })),
    ),
    one(
      [...new Set([...watched].map((name) => name.slice(name.indexOf(" ") + 1)))]
        .filter((resource) => definitions.has(resource))
        .flatMap((resource) => failingDefinition(resource, compared)),
    ),
    one(skews(processes, writes)),
    one(
      compared
        .filter(({ write: { verb } }) => verb === "update" || verb === "patch")
        .flatMap(({ write: { id } }) =>
          EDITS.map((edit): PlanFault => ({ fault: "edit", edit, write: id }))
        ),
    ),
    one(
      processes.flatMap((process) =>
        restartSteps.map((step): PlanFault => ({ fault: "restart", process, step }))
      ),
    ),
    one(
      steps.flatMap((step, index): PlanFault[] =>
        step.isBad ? [{ fault: "bad", step: index }] : []
      ),
    ),
    one(
      // A custom step that acts on the objects of a controller needs the settled state.
      settles.filter((step) => step < last && steps[step + 1]?.kind !== "act")
        .map((step): PlanFault => ({ fault: "skip", step })),
    ),
    one(pauses(writes)),
    one(ids.flatMap((write): PlanFault[] => [
      { fault: "server", how: "restart", write },
      { fault: "server", how: "compact", write },
    ])),
  ].filter((plans) => plans.length > 0);
}

/** A restart at each settled point, on a replica that stands at each version before it. */
function stalePlans(
  settled: readonly number[],
  processes: readonly string[],
  versions: Points["versions"],
): FaultClass {
  const out: PlanFault[][] = [];
  // The last settled points come first, because the most history precedes them; changes of users come before others.
  const inOrder = [...versions].sort((a, b) => Number(b.isWish) - Number(a.isWish));
  for (const step of [...settled].reverse()) {
    for (const version of inOrder) {
      if (version.step > step) continue;
      for (const process of processes) {
        out.push([{ fault: "stale", process, step, at: version.id, forMs: 30_000 }]);
      }
    }
  }
  return out;
}

/** Undoes each step when everything has settled, before each write that it leads to, and after each call. */
function reverts(
  steps: readonly Step<never>[],
  points: Points["calls"],
): PlanFault[] {
  return steps.flatMap((step, index): PlanFault[] => {
    if (step.kind !== "write" || step.isBad || isHeldDelete(step, steps)) return [];
    // The writes after this step and before the next step that writes.
    const next = steps.findIndex((step, i) => i > index && step.kind === "write");
    const during = points.filter(({ step }) => step >= index && (next < 0 || step < next));
    return [
      { fault: "revert", step: index, when: "settled" },
      ...during.map(({ id }): PlanFault => ({
        fault: "revert",
        step: index,
        when: id,
      })),
    ];
  });
}

/**
 * Does each step twice. `isBlind`: the processes cannot notice that the garbage collector deletes the dependents of an
 * earlier object of the same name, so the plans give that object time to go.
 */
function repeats(steps: readonly Step<never>[], isBlind: boolean): PlanFault[] {
  return steps.flatMap((step, index): PlanFault[] => {
    const { kind, isBad, text } = step;
    if (kind !== "write" || isBad || isHeldDelete(step, steps)) return [];
    const settled: PlanFault = { fault: "repeat", step: index, settled: true };
    if (isBlind && /^(create|delete) /.test(text)) return [settled];
    return [settled, { fault: "repeat", step: index, settled: false }];
  });
}

/** Reports whether a step deletes an object that has a finalizer of its creator, so that a second create fails. */
function isHeldDelete({ target, text }: Step<never>, steps: readonly Step<never>[]): boolean {
  return text.startsWith("delete ") &&
    steps.some((step) =>
      step.finalizers !== undefined && step.target?.name === target?.name &&
      step.target?.namespace === target?.namespace &&
      step.target?.resource.plural === target?.resource.plural
    );
}

/** Reports whether a process creates objects of a kind that it neither watches nor lists. */
function isBlind(writes: Points["writes"], watched: Points["watched"]): boolean {
  return writes.some(({ write: { process, resource, verb } }) =>
    (verb === "create" || verb === "patch") && !watched.has(`${process} ${resource}`)
  );
}

/** Loses the answer to a write and delays the event of that write. */
function lostAndLate(writes: Points["writes"], events: Points["events"]): FaultClass {
  return writes.flatMap(({ write: { id, name, namespace, process, resource } }) => {
    const key = ` ${resource} ${keyOf(namespace, name)} #`;
    const event = events.find((event) => event.process === process && event.event.includes(key));
    if (event === undefined) return [];
    return [[
      { fault: "lose", write: id } as const,
      { fault: "hold", scope: "kind", forMs: 30_000, ...event } as const,
    ]];
  });
}

const OUTAGES = ["partition", "slow", "unauthorized", "webhook"] as const;

/**
 * Serves a definition late, and lets it fail from the writes of its own objects on, and from the first write of each step. What
 * follows is the same for most others.
 */
function failingDefinition(resource: string, writes: Points["writes"]): PlanFault[] {
  const points = writes.filter(({ step, write }, i) =>
    write.resource === resource || step !== writes[i - 1]?.step
  );
  const fails = { fault: "definition", resource, forMs: OUTAGE_MS } as const;
  return [
    { ...fails, how: "unserved", forMs: LATE_MS },
    ...points.flatMap(({ write: { id } }): PlanFault[] => [
      { ...fails, how: "unserved", write: id },
      { ...fails, how: "unconverted", write: id },
    ]),
  ];
}

/**
 * Lets a read fail once, and again and again. Watches and pages may also have expired. The last one of equal reads fails
 * once: no event lets the process read again.
 */
function failingReads({ id: read, last }: Points["reads"][number]): PlanFault[] {
  const canExpire = / watch | page #/.test(read);
  return [
    { fault: "read", code: 500, times: AGAIN, read },
    { fault: "read", code: 403, read },
    { fault: "read", code: canExpire ? 410 : 504, read },
    ...last === undefined ? [] : [{ fault: "read", code: 500, read: last } as const],
  ];
}

/** Sets the clock of one of several processes ahead, and back, by more than a Lease lasts. */
function skews(processes: readonly string[], writes: Points["writes"]): PlanFault[] {
  if (processes.length < 2) return [];
  const ms = leaseMs(writes) || OUTAGE_MS;
  return processes.flatMap((process): PlanFault[] => [
    { fault: "skew", process, ms },
    { fault: "skew", process, ms: -ms },
  ]);
}

const isRenewal = ({ write: { resource } }: Points["writes"][number]) =>
  resource === "leases.coordination.k8s.io";

/** Returns one and a half times the longest duration of a Lease, in milliseconds; 0 without Leases. */
function leaseMs(writes: Points["writes"]): number {
  const seconds = writes.filter(isRenewal).map(({ write: { body } }) =>
    Number(/"leaseDurationSeconds":(\d+)/.exec(body)?.[1] ?? 15)
  );
  return 1500 * Math.max(0, ...seconds);
}

/** Pauses a process for longer than its Lease, at the first renewals and at its other writes, and lets renewals fail. */
function pauses(writes: Points["writes"]): PlanFault[] {
  const renewals = writes.filter(isRenewal).slice(0, RENEWALS);
  if (renewals.length === 0) return [];
  const forMs = leaseMs(writes);
  const others = writes.filter((sent) => !isRenewal(sent) && isCompared(sent.write.resource));
  return [
    ...[...renewals, ...others].map(({ write }): PlanFault => ({
      fault: "pause",
      write: write.id,
      forMs,
    })),
    ...renewals.map(({ write }): PlanFault => ({
      fault: "answer",
      code: 500,
      write: write.id,
      times: LOST_RENEWALS,
    })),
  ];
}
