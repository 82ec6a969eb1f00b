import { describeError, silentLogger, TextHash } from "../../../src/base/mod.ts";
import {
  ApiServer,
  type FaultRequest,
  type FaultTarget,
  type ServerState,
} from "../../../src/testing/api_server/mod.ts";
import { SeededRandom, VirtualClock } from "../../../src/testing/mod.ts";
import { ConfigMaps, type Resource, Secrets } from "../../../src/types/mod.ts";
import {
  type Action,
  describeAction,
  drawPlan,
  type Kind,
  type SelfPlan,
  type Target,
} from "./plan.ts";
import { TestedProcess } from "./tested_process.ts";
import { Written } from "./written.ts";

const RESOURCES = { configmaps: ConfigMaps, secrets: Secrets };
/** How long everything may take to be right again after the last fault. */
const RECOVERY_MS = 240_000;
/** More than the longest pause of the events of a late world. */
const PAUSE_MS = 2_000;
const POLL_MS = 1_000;
/** Longer than the slowest handler takes for all objects. */
const SLOW_MS = 2_000;
/** How much longer than their period resyncs may take. */
const QUIET_MS = 1_000;
const MAX_VIRTUAL_MS = 7_200_000;
/** More than the longest delay of a reflector's backoff. */
const LIST_AGAIN_MS = 100_000;
/** The header by which the requests of the workload pass all faults. */
const USER = "x-user";

/** The result of one plan. */
export interface SelfResult {
  readonly seed: number;
  /** The error in words; empty if there is none. */
  readonly wrong: readonly string[];
  /** A hash of everything that happened, in order. */
  readonly trace: string;
  readonly faults: number;
  readonly requests: number;
  readonly events: number;
  readonly virtualMs: number;
  /** The story, line by line, if it was requested. */
  readonly story: readonly string[];
}

let state: ServerState | undefined;

/** The state of a cluster with its namespaces and nothing else, which is quick to start from. */
async function emptyCluster(): Promise<ServerState> {
  if (state !== undefined) return state;
  const server = new ApiServer({ clock: new VirtualClock(), random: new SeededRandom(0) });
  const { objects, resourceVersion } = server.state();
  await server.close();
  const namespaces = objects.filter(({ resource }) => resource === "namespaces");
  return state = { resourceVersion, objects: namespaces };
}

/** Runs the plan of a seed. */
export async function runSeed(
  seed: number,
  options: { readonly tells?: boolean | undefined } = {},
): Promise<SelfResult> {
  const run = new SelfRun(drawPlan(seed), await emptyCluster(), options.tells ?? false);
  current = run;
  try {
    return await run.execute();
  } finally {
    current = undefined;
  }
}

let current: SelfRun | undefined;

/** Takes an unhandled rejection as an error of the plan that is running. Returns whether a plan is running. */
export function blameCurrentRun(reason: unknown): boolean {
  current?.wrong(`a rejection was not handled: ${describeError(reason)}`);
  return current !== undefined;
}

/** One run of a plan. */
class SelfRun {
  readonly #plan: SelfPlan;
  readonly #clock = new VirtualClock();
  readonly #server: ApiServer;
  readonly #random: SeededRandom;
  readonly #written = new Written();
  readonly #hash = new TextHash();
  readonly #wrong: string[] = [];
  readonly #story: string[] | undefined;
  readonly #writes = new Set<Promise<void>>();
  readonly #endings: Promise<void>[] = [];
  #process: TestedProcess | undefined;
  #lives = 0;
  #requests = 0;
  #events = 0;
  #faults = 0;
  #isCalm = false;
  #content = 0;

  constructor(plan: SelfPlan, state: ServerState, tells: boolean) {
    this.#plan = plan;
    this.#random = new SeededRandom(plan.seed);
    this.#server = new ApiServer({
      clock: this.#clock,
      random: this.#random.fork("server"),
      logger: { ...silentLogger, error: (text) => this.wrong(`the server failed: ${text}`) },
      state,
      historyLimit: plan.server.historyLimit,
      ...(plan.server.lag && { lag: plan.server.lag }),
    });
    this.#server.onWrite((write) => {
      this.#written.add(write);
      this.#tell(`${write.type} ${write.resource} ${write.name} ${write.resourceVersion}`);
    });
    if (tells) this.#story = [];
  }

  async execute(): Promise<SelfResult> {
    this.#story?.push(...describePlan(this.#plan));
    try {
      await this.#clock.run(this.#drive(), MAX_VIRTUAL_MS);
    } catch (error) {
      this.wrong(`the run did not come to an end: ${describeError(error)}`);
    }
    this.#process?.life.kill();
    await this.#server.close();
    return {
      seed: this.#plan.seed,
      wrong: this.#wrong,
      trace: this.#hash.hex(),
      faults: this.#faults,
      requests: this.#requests,
      events: this.#events,
      virtualMs: this.#clock.now(),
      story: this.#story ?? [],
    };
  }

  wrong(text: string): void {
    this.#tell(`WRONG: ${text}`);
    if (this.#wrong.length < 5) this.#wrong.push(text);
  }

  #tell(text: string): void {
    this.#events++;
    const line = `${this.#clock.now()} ${text}`;
    this.#hash.add(line);
    this.#story?.push(line);
  }

  async #drive(): Promise<void> {
    const { actions, before, lengthMs, server } = this.#plan;
    for (const { action } of before) await this.#do(action);
    if (server.shuffles) this.#server.lag.shuffle();
    this.#start();
    for (const { action, atMs } of actions) {
      if (atMs > this.#clock.now()) await this.#sleep(atMs - this.#clock.now());
      if (action.do !== "write") {
        this.#faults++;
        this.#tell(`FAULT ${describeAction(action)}`);
      }
      this.#do(action);
      this.#checkVersions();
    }
    if (lengthMs > this.#clock.now()) await this.#sleep(lengthMs - this.#clock.now());
    await this.#calm();
    await this.#recover();
    await this.#checkRest();
    await this.#end();
  }

  /** Ends all faults. */
  async #calm(): Promise<void> {
    this.#tell("all faults end");
    this.#isCalm = true;
    this.#server.faults.clear();
    this.#server.lag.clear();
    this.#process?.life.resume();
    await Promise.all(this.#writes);
    await Promise.all(this.#endings);
    if (this.#process === undefined) this.#start();
    // Sent events and delayed ones are still on their way.
    const { joinMs, lag } = this.#plan.server;
    const { eventMs = 0, requestMs = 0, resourceMs = 0 } = lag ?? {};
    const lateMs = lag === undefined ? 0 : 2 * (eventMs + requestMs + resourceMs + PAUSE_MS);
    await this.#sleep(lateMs + 2 * joinMs + 1);
  }

  /** Waits until caches, handlers and reconciles have caught up. */
  async #recover(): Promise<void> {
    const untilMs = this.#clock.now() + RECOVERY_MS;
    let pollMs = 10;
    while (this.#process!.difference() !== "" && this.#clock.now() < untilMs) {
      await this.#sleep(pollMs);
      pollMs = Math.min(2 * pollMs, POLL_MS);
      this.#checkVersions();
    }
    const difference = this.#process!.difference();
    if (difference !== "") this.wrong(`after ${RECOVERY_MS / 1000} s, ${difference}`);
    else this.#tell("everything is right");
  }

  #checkVersions(): void {
    // A watch without some of its events skips versions that it says it is past.
    if (this.#plan.actions.some(({ action }) => action.do === "coalesce")) return;
    for (const informer of this.#process?.informers ?? []) informer.checkVersion();
  }

  /** Checks that everything stays right when nothing happens, and that handlers get their resyncs. */
  async #checkRest(): Promise<void> {
    if (this.#wrong.length > 0) return;
    const process = this.#process!;
    for (const informer of process.informers) informer.rest();
    await this.#sleep(SLOW_MS);
    for (const informer of process.informers) informer.forgetReplays();
    const quietMs = QUIET_MS + Math.max(...process.informers.map(({ replayMs }) => replayMs));
    await this.#sleep(Math.max(quietMs, process.restAtMs - this.#clock.now()));
    for (
      const { informer, kind } of process.informers.map((informer) => ({
        informer,
        kind: informer.plan.kind,
      }))
    ) {
      informer.checkCache(this.#server.objects(RESOURCES[kind] as Resource));
      informer.checkReplays();
    }
    // A resync may just be on its way through the handlers and the queue, or a list after silent watches be backing off.
    const untilMs = this.#clock.now() + LIST_AGAIN_MS;
    while (process.difference() !== "" && this.#clock.now() < untilMs) await this.#sleep(50);
    const difference = process.difference();
    if (difference !== "") this.wrong(`after a rest, ${difference}`);
  }

  async #end(): Promise<void> {
    const process = this.#process!;
    const stopping = process.stop();
    let isStopped = false;
    stopping.then(() => isStopped = true);
    await this.#sleep(30_000);
    if (!isStopped) return this.wrong("the process does not stop within 30 s");
    this.#requests += process.requests;
    if (this.#server.openWatches > 0) {
      this.wrong(`${this.#server.openWatches} watches are left open`);
    }
  }

  #start(): void {
    const { random } = { random: this.#random.fork(`life ${++this.#lives}`) };
    this.#tell("the process starts");
    this.#process = new TestedProcess({
      plan: this.#plan,
      clock: this.#clock,
      random,
      server: this.#server,
      written: this.#written,
      wrong: (text) => this.wrong(text),
      tell: (text) => this.#tell(text),
      isCalm: () => this.#isCalm,
    });
  }

  #do(action: Action): Promise<void> | void {
    const { faults, lag } = this.#server;
    switch (action.do) {
      case "write": {
        const writing: Promise<void> = this.#write(action.kind, action.name, action.delete);
        this.#writes.add(writing);
        writing.then(() => this.#writes.delete(writing));
        return writing;
      }
      case "fail":
        return this.#until(action.forMs, faults.fail(action.code, targetOf(action.on)));
      case "throttle":
        faults.throttle(action.seconds, targetOf(action.on));
        return;
      case "drop":
        return this.#until(action.forMs, faults.drop(action.how, targetOf(action.on)));
      case "cut":
      case "truncate": {
        const { afterBytes, afterLines, on } = action;
        faults[action.do]({ afterLines, afterBytes, ...targetOf(on) });
        return;
      }
      case "expire": {
        const { asStatus, forMs, leaveOpen, on } = action;
        return this.#until(forMs, faults.expire({ asStatus, leaveOpen, ...targetOf(on) }));
      }
      case "text":
        faults.watchText(action.text, { leaveOpen: action.leaveOpen, ...targetOf(action.on) });
        return;
      case "delay":
        return this.#until(action.forMs, faults.delay(action.ms, targetOf(action.on)));
      case "restart server":
        return this.#server.restart();
      case "compact":
        return this.#server.compact({ watches: action.watches });
      case "close watches": {
        const { broken, kind } = action;
        return this.#server.closeWatches({ broken, resource: kind === "any" ? undefined : kind });
      }
      case "hold": {
        const { forMs, kind, scope } = action;
        lag.hold({ scope, forMs, times: 1, when: (watch) => isOf(watch, kind) });
        return;
      }
      case "coalesce": {
        const { kind, times } = action;
        lag.coalesce({ times, withinMs: 20_000, when: (watch) => isOf(watch, kind) });
        return;
      }
      case "freeze":
        return this.#freeze(action.kind, action.back, action.forMs);
      case "kill":
        this.#endLife(action.forMs, (process) => {
          this.#requests += process.requests;
          process.kill();
        });
        return;
      case "stop":
        this.#endLife(action.forMs, async (process) => {
          process.life.resume();
          await process.stop();
          this.#requests += process.requests;
        });
        return;
      case "pause": {
        const life = this.#process?.life;
        life?.pause();
        this.#clock.setTimer(() => life?.resume(), action.forMs);
        return;
      }
      case "add handler":
        this.#process?.informers[action.informer]?.addHandler(action.handler);
        return;
      case "remove handler":
        this.#process?.informers[action.informer]?.removeHandler();
    }
  }

  #until(forMs: number, fault: { remove(): void }): void {
    this.#clock.setTimer(() => fault.remove(), forMs);
  }

  #freeze(kind: Kind | "any", back: number, forMs: number): void {
    const at = String(Math.max(1, Number(this.#server.resourceVersion) - back));
    const resource = kind === "any" ? undefined : kind;
    try {
      const freeze = this.#server.lag.freeze({ at, resource });
      this.#clock.setTimer(() => freeze.release(), forMs);
    } catch (error) {
      // The history of the server may not reach back that far.
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /** Ends the process, and starts it again after a while. */
  #endLife(forMs: number, end: (process: TestedProcess) => void | Promise<void>): void {
    const process = this.#process;
    if (process === undefined) return;
    this.#process = undefined;
    this.#endings.push((async () => {
      await end(process);
      await this.#sleep(forMs);
      this.#start();
    })());
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.setTimer(resolve, ms));
  }

  /** Creates, changes or deletes an object: it is created if there is none, and changed or deleted if there is. */
  async #write(kind: Kind, name: string, deletes: boolean): Promise<void> {
    const collection = `http://cluster/api/v1/namespaces/default/${kind}`;
    const exists = this.#server.get(RESOURCES[kind] as Resource, name, "default") !== undefined;
    const n = ++this.#content;
    const labels = n % 3 === 0 ? {} : { group: n % 3 === 1 ? "x" : "y" };
    const body = JSON.stringify({ metadata: { name, labels, annotations: { n: String(n) } } });
    const [method, path] = !exists
      ? ["POST", collection]
      : deletes
      ? ["DELETE", `${collection}/${name}`]
      : ["PUT", `${collection}/${name}`];
    const response = await this.#server.fetch(path, {
      method,
      headers: { "content-type": "application/json", [USER]: "user" },
      ...(method !== "DELETE" && { body }),
    });
    await response.body?.cancel();
    // Another write may have come first.
    if (!response.ok && response.status !== 404 && response.status !== 409) {
      this.wrong(`a write was answered with ${response.status}`);
    }
  }
}

function targetOf({ kind, times, verb }: Target): FaultTarget {
  return {
    times,
    when: (request) => {
      if (request.headers.has(USER)) return false;
      if (kind !== "any" && request.resource !== kind) return false;
      const isPage = request.url.searchParams.has("continue");
      if (verb === "page") return isPage;
      return verb === "any" || request.verb === verb;
    },
  };
}

function isOf(watch: FaultRequest, kind: Kind | "any"): boolean {
  return kind === "any" || watch.resource === kind;
}

function describePlan({ controller, drill, informers, seed, server }: SelfPlan): string[] {
  return [
    `seed ${seed}`,
    `server ${JSON.stringify(server)}`,
    ...informers.map((informer, i) => `informer ${i + 1} ${JSON.stringify(informer)}`),
    ...(controller === undefined ? [] : [`controller ${JSON.stringify(controller)}`]),
    ...(drill === undefined ? [] : [`queue ${JSON.stringify(drill)}`]),
  ];
}
