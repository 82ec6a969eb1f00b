import type { LagOptions } from "../../../src/testing/api_server/mod.ts";
import { SeededRandom } from "../../../src/testing/mod.ts";
import { Draw } from "./draw.ts";

/** The resources that the plans use. */
export type Kind = "configmaps" | "secrets";

/** A handler of an informer. */
export interface HandlerPlan {
  readonly resyncPeriodMs?: number | undefined;
  /** How long each call takes, in milliseconds; undefined for a synchronous handler. */
  readonly slowMs?: number | undefined;
  /** Whether the handler wants objects, and not only their identity. */
  readonly wantsObjects: boolean;
  /** The share of the calls that throw. */
  readonly throws: number;
}

/** An informer. */
export interface InformerPlan {
  readonly kind: Kind;
  readonly labelSelector?: string | undefined;
  readonly keepParsed: boolean;
  readonly useWatchList: boolean;
  readonly watchListPageSize: number;
  readonly resyncPeriodMs: number;
  readonly watchIdleLimitMs?: number | undefined;
  readonly maxInternalErrorRetryDurationMs: number;
  readonly isImpatient: boolean;
  readonly transforms: boolean;
  readonly handlers: readonly HandlerPlan[];
}

/** A controller of the first informer, which waits for the others. */
export interface ControllerPlan {
  readonly workers: number;
  readonly maxRetries: number;
  readonly reconcileMs: number;
  readonly fails: number;
  readonly requeues: number;
  readonly enqueues: number;
}

/** A queue whose items are added and worked on at random. */
export interface DrillPlan {
  readonly workers: number;
  readonly operations: number;
}

/** The effects of the server, or of a proxy in front of it, on all requests of the process. */
export interface ServerPlan {
  readonly lag?: LagOptions | undefined;
  /** The number of changes that are kept. */
  readonly historyLimit: number;
  /** The least lifetime of a watch without a timeout; watches of informers ask for one. */
  readonly knowsStreamingLists: boolean;
  readonly sendsBookmarks: boolean;
  /** The size of the pages that the server sends whatever is asked for; 0 if it does what is asked for. */
  readonly pageSize: number;
  /** How long each further page of a list takes, in milliseconds. */
  readonly pageMs: number;
  /** Within how many milliseconds the network makes one chunk of several; 0 if it does not. */
  readonly joinMs: number;
  /** Whether the network splits chunks. */
  readonly splits: boolean;
  readonly shuffles: boolean;
}

/** Which requests a fault affects. */
export interface Target {
  readonly verb: "list" | "watch" | "page" | "any";
  readonly kind: Kind | "any";
  readonly times?: number | undefined;
}

/** One thing that happens in a plan. */
export type Action =
  | { readonly do: "write"; readonly kind: Kind; readonly name: string; readonly delete: boolean }
  | { readonly do: "fail"; readonly code: number; readonly on: Target; readonly forMs: number }
  | { readonly do: "throttle"; readonly seconds: number; readonly on: Target }
  | {
    readonly do: "drop";
    readonly how: "refused" | "reset";
    readonly on: Target;
    readonly forMs: number;
  }
  | {
    readonly do: "cut" | "truncate";
    readonly afterLines: number;
    readonly afterBytes?: number | undefined;
    readonly on: Target;
  }
  | {
    readonly do: "expire";
    readonly asStatus: boolean;
    readonly leaveOpen: boolean;
    readonly on: Target;
    readonly forMs: number;
  }
  | {
    readonly do: "text";
    readonly text: string;
    readonly leaveOpen: boolean;
    readonly on: Target;
  }
  | { readonly do: "delay"; readonly ms: number; readonly on: Target; readonly forMs: number }
  | { readonly do: "restart server" }
  | { readonly do: "compact"; readonly watches: boolean }
  | { readonly do: "close watches"; readonly broken: boolean; readonly kind: Kind | "any" }
  | {
    readonly do: "hold";
    readonly scope: "watch" | "resource";
    readonly kind: Kind | "any";
    readonly forMs: number;
  }
  | { readonly do: "coalesce"; readonly kind: Kind | "any"; readonly times: number }
  | {
    readonly do: "freeze";
    readonly kind: Kind | "any";
    readonly back: number;
    readonly forMs: number;
  }
  | { readonly do: "kill"; readonly forMs: number }
  | { readonly do: "stop"; readonly forMs: number }
  | { readonly do: "pause"; readonly forMs: number }
  | { readonly do: "add handler"; readonly informer: number; readonly handler: HandlerPlan }
  | { readonly do: "remove handler"; readonly informer: number };

/** An action and its time. */
export interface Timed {
  readonly atMs: number;
  readonly action: Action;
}

/** Everything that a run does, from one seed. */
export interface SelfPlan {
  readonly seed: number;
  readonly server: ServerPlan;
  readonly informers: readonly InformerPlan[];
  readonly controller?: ControllerPlan | undefined;
  readonly drill?: DrillPlan | undefined;
  /** The objects that exist before the process starts. */
  readonly before: readonly Timed[];
  /** In the order of their times. */
  readonly actions: readonly Timed[];
  /** When all faults end, in milliseconds. */
  readonly lengthMs: number;
}

const KINDS: readonly Kind[] = ["configmaps", "secrets"];
const LENGTHS_MS = [500, 500, 5_000, 5_000, 30_000, 30_000, 90_000, 300_000];

/** Draws a plan. */
export function drawPlan(seed: number): SelfPlan {
  const draw = new Draw(new SeededRandom(seed).fork("plan"));
  const lengthMs = draw.pick(LENGTHS_MS);
  const names = ["a", "b", "c", "d", "e", "f"].slice(0, draw.int(1, 6));
  const informers = Array.from(
    { length: draw.pick([1, 1, 2, 2, 3]) },
    () => drawInformer(draw, lengthMs),
  );
  const kinds = [...new Set(informers.map(({ kind }) => kind))];
  const write = () => drawWrite(draw, kinds, names, 0.3);
  const before = Array.from({ length: draw.int(0, 6) }, () => ({ atMs: 0, action: write() }));
  const actions: Timed[] = [];
  for (let bursts = draw.int(1, 6); bursts > 0; bursts--) {
    const atMs = draw.int(0, lengthMs);
    const spreadMs = draw.pick([0, 1, 20, 2_000, lengthMs]);
    for (let writes = draw.int(1, 4); writes > 0; writes--) {
      actions.push({ atMs: Math.min(lengthMs, atMs + draw.int(0, spreadMs)), action: write() });
    }
  }
  // Faults come alone, or many at the same moment as the writes around them.
  for (let faults = draw.pick([0, 1, 2, 3, 5, 8]); faults > 0; faults--) {
    const near = draw.chance(0.5) ? draw.pick(actions).atMs : draw.int(0, lengthMs);
    const atMs = Math.max(0, Math.min(lengthMs, near + draw.int(-20, 20)));
    actions.push({
      atMs,
      action: drawFault(draw, { kinds, lengthMs, informers: informers.length }),
    });
  }
  if (draw.chance(0.2)) actions.push(...drawBrokenList(draw, lengthMs, { kinds, names }));
  actions.sort((a, b) => a.atMs - b.atMs);
  return {
    seed,
    server: drawServer(draw),
    informers,
    controller: draw.chance(0.6) ? drawController(draw) : undefined,
    drill: draw.chance(0.4) ? { workers: draw.int(1, 3), operations: draw.int(1, 30) } : undefined,
    before,
    actions,
    lengthMs,
  };
}

/** Draws a list whose pages take long and expire, while objects change. */
function drawBrokenList(
  draw: Draw,
  lengthMs: number,
  about: { readonly kinds: readonly Kind[]; readonly names: readonly string[] },
): Timed[] {
  const atMs = draw.int(0, lengthMs);
  const write = () => drawWrite(draw, about.kinds, about.names, 0.6);
  const on = { verb: "page", kind: "any" } as const;
  const within = (ms: number) => Math.min(lengthMs, atMs + draw.int(0, ms));
  return [
    { atMs, action: { do: "delay", ms: draw.pick([50, 1_000]), on, forMs: 10_000 } },
    {
      atMs,
      action: {
        do: "expire",
        asStatus: true,
        leaveOpen: false,
        on: { ...on, times: draw.int(1, 2) },
        forMs: 10_000,
      },
    },
    { atMs, action: draw.chance(0.5) ? { do: "restart server" } : { do: "kill", forMs: 0 } },
    ...Array.from({ length: 6 }, () => ({ atMs: within(4_000), action: write() })),
  ];
}

function drawWrite(
  draw: Draw,
  kinds: readonly Kind[],
  names: readonly string[],
  deletes: number,
): Action {
  return {
    do: "write",
    kind: draw.pick(kinds),
    name: draw.pick(names),
    delete: draw.chance(deletes),
  };
}

function drawServer(draw: Draw): ServerPlan {
  return {
    ...(draw.chance(0.25) && { lag: drawLag(draw) }),
    historyLimit: draw.pick([10_000, 10_000, 3, 1]),
    knowsStreamingLists: draw.chance(0.8),
    sendsBookmarks: draw.chance(0.8),
    pageSize: draw.chance(0.2) ? draw.int(1, 3) : 0,
    pageMs: draw.pick([0, 0, 0, 20, 500]),
    joinMs: draw.pick([0, 0, 1, 30, 1_000]),
    splits: draw.chance(0.2),
    shuffles: draw.chance(0.2),
  };
}

function drawLag(draw: Draw): LagOptions {
  return {
    requestMs: draw.pick([0, 20, 3_000]),
    eventMs: draw.pick([0, 100, 5_000]),
    resourceMs: draw.pick([0, 300, 20_000]),
    staleReadMs: draw.pick([0, 1_000, 60_000]),
    pauseRate: draw.pick([0, 0.01, 0.2]),
  };
}

function drawInformer(draw: Draw, lengthMs: number): InformerPlan {
  // Long plans with many resyncs would show little else.
  const resyncPeriodMs = draw.pick([0, 0, 2_000, 7_000]);
  const handlers = Array.from({ length: draw.pick([1, 1, 2, 3]) }, () => drawHandler(draw));
  return {
    kind: draw.pick(KINDS),
    ...(draw.chance(0.2) && { labelSelector: "group=x" }),
    keepParsed: draw.chance(0.3),
    useWatchList: draw.chance(0.6),
    watchListPageSize: draw.pick([0, 0, 1, 2, 3]),
    resyncPeriodMs: resyncPeriodMs === 0 ? 0 : Math.max(resyncPeriodMs, lengthMs / 20),
    ...(draw.chance(0.3) && { watchIdleLimitMs: draw.pick([15_000, 30_000]) }),
    maxInternalErrorRetryDurationMs: draw.pick([0, 0, 20_000]),
    isImpatient: draw.chance(0.5),
    transforms: draw.chance(0.15),
    handlers,
  };
}

function drawHandler(draw: Draw): HandlerPlan {
  const wantsObjects = draw.chance(0.5);
  return {
    ...(wantsObjects && { resyncPeriodMs: draw.pick([0, 2_000, 5_000]) }),
    ...(draw.chance(0.3) && { slowMs: draw.pick([0, 10, 200]) }),
    wantsObjects,
    throws: draw.pick([0, 0, 0.1]),
  };
}

function drawController(draw: Draw): ControllerPlan {
  return {
    workers: draw.int(1, 4),
    maxRetries: draw.pick([Infinity, Infinity, 2]),
    reconcileMs: draw.pick([-1, 0, 10, 200, 3_000]),
    fails: draw.pick([0, 0.1, 0.5]),
    requeues: draw.pick([0, 0, 0.2]),
    enqueues: draw.pick([0, 0, 0.2]),
  };
}

function drawTarget(draw: Draw, kinds: readonly Kind[]): Target {
  return {
    verb: draw.pick(["list", "watch", "watch", "page", "any"]),
    kind: draw.chance(0.5) ? draw.pick(kinds) : "any",
    ...(draw.chance(0.8) && { times: draw.pick([1, 1, 2, 4, 8]) }),
  };
}

/** Answers that are not watches, or that end in the middle. */
const TEXTS = [
  "",
  "\n\n",
  "{",
  "<html>\n",
  '{"type":"ERROR","object":{"kind":"Status","code":500,"reason":"InternalError","message":"x"}}\n',
  '{"type":"ERROR","object":{"kind":"Status","code":429,"reason":"TooManyRequests"}}\n',
  '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Gone"}}\n',
  '{"type":"BOOKMARK","object":{"metadata":{}}}\n',
];

function drawFault(
  draw: Draw,
  about: {
    readonly kinds: readonly Kind[];
    readonly lengthMs: number;
    readonly informers: number;
  },
): Action {
  const { kinds, lengthMs } = about;
  const on = drawTarget(draw, kinds);
  const kind = draw.chance(0.5) ? draw.pick(kinds) : "any";
  const forMs = 1 + draw.time(Math.min(lengthMs, 120_000));
  const informer = draw.int(0, about.informers - 1);
  switch (draw.int(0, 20)) {
    case 0:
      return { do: "fail", code: draw.pick([400, 403, 404, 409, 422]), on, forMs };
    case 1:
    case 2:
      return { do: "fail", code: draw.pick([500, 502, 503, 504, 429]), on, forMs };
    case 3:
      return { do: "throttle", seconds: draw.int(0, 5), on: { times: 2, ...on } };
    case 4:
      return { do: "drop", how: draw.pick(["refused", "reset"]), on, forMs };
    case 5:
    case 6: {
      const afterBytes = draw.chance(0.5) ? draw.int(0, 3) : undefined;
      const how = draw.chance(0.5) ? "cut" : "truncate";
      const times = draw.pick([1, 2, 4]);
      return { do: how, afterLines: draw.int(0, 3), afterBytes, on: { ...on, times } };
    }
    case 7:
    case 8: {
      const [asStatus, leaveOpen] = [draw.chance(0.5), draw.chance(0.3)];
      return { do: "expire", asStatus, leaveOpen, on, forMs };
    }
    case 9: {
      const times = draw.pick([1, 1, 2, 6]);
      if (draw.chance(0.4)) {
        // A watch that is silent.
        return { do: "text", text: "", leaveOpen: true, on: { kind, verb: "watch", times } };
      }
      const text = draw.pick(TEXTS);
      return { do: "text", text, leaveOpen: draw.chance(0.5), on: { ...on, times } };
    }
    case 10:
      return { do: "delay", ms: draw.pick([5, 500, 20_000, 100_000]), on, forMs };
    case 11:
      return { do: "restart server" };
    case 12:
      return { do: "compact", watches: draw.chance(0.7) };
    case 13:
    case 14:
      return { do: "close watches", broken: draw.chance(0.5), kind };
    case 15:
      return { do: "hold", scope: draw.chance(0.6) ? "watch" : "resource", kind, forMs };
    case 16:
      return { do: "coalesce", kind, times: draw.int(1, 4) };
    case 17:
      return { do: "freeze", kind, back: draw.pick([0, 0, 1, 2, 4]), forMs };
    case 18:
      return draw.chance(0.7)
        ? { do: "kill", forMs: draw.time(10_000) }
        : { do: "stop", forMs: draw.time(10_000) };
    case 19:
      return { do: "pause", forMs };
    default:
      return draw.chance(0.6)
        ? { do: "add handler", informer, handler: drawHandler(draw) }
        : { do: "remove handler", informer };
  }
}

/** Returns an action in words. */
export function describeAction(action: Action): string {
  if (action.do === "write") {
    return `${action.delete ? "delete" : "write"} ${action.kind} ${action.name}`;
  }
  const { do: what, ...rest } = action;
  return Object.keys(rest).length === 0 ? what : `${what} ${JSON.stringify(rest)}`;
}
