import {
  type Clock,
  delay,
  describeError,
  type Logger,
  type Timer,
} from "../../../src/base/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import type { ApiServer } from "../../../src/testing/api_server/mod.ts";
import type { SeededRandom } from "../../../src/testing/mod.ts";
import { Life } from "../../../src/testing/simulation/world/mod.ts";
import { mostInTenSeconds } from "../../support/request_rate.ts";
import { Draw } from "./draw.ts";
import type { SelfPlan } from "./plan.ts";
import { ProcessWire } from "./process_wire.ts";
import { TestedController } from "./tested_controller.ts";
import { TestedInformer } from "./tested_informer.ts";
import { runDrill } from "./queue_drill.ts";
import type { Written } from "./written.ts";

/** The most requests that one life may make. */
const MAX_REQUESTS = 5_000;
/** How many requests for one selection a reflector may make in ten seconds, besides further pages. */
const MAX_RATE = 10;

/** The options and callbacks of a process. */
export interface ProcessContext {
  readonly plan: SelfPlan;
  readonly clock: Clock;
  readonly random: SeededRandom;
  readonly server: ApiServer;
  readonly written: Written;
  readonly wrong: (text: string) => void;
  readonly tell: (text: string) => void;
  readonly isCalm: () => boolean;
}

/** One life of the process under test: informers, a controller of them, and a queue. */
export class TestedProcess {
  readonly life: Life;
  readonly informers: readonly TestedInformer[];
  readonly #context: ProcessContext;
  readonly #client: Client;
  readonly #controller: TestedController | undefined;
  readonly #wire: ProcessWire;
  readonly #timers = new Set<Timer>();
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>[] = [];
  #hasStopped = false;

  constructor(context: ProcessContext) {
    this.#context = context;
    const { plan, random, server, tell, wrong, written, isCalm } = context;
    this.life = new Life(context.clock);
    const { life } = this;
    const clock = this.#countingClock();
    const draw = new Draw(random.fork("choices"));
    const isPunctual = !plan.actions.some(({ action }) => action.do === "pause");
    const sleep = (ms: number) => delay(ms, { clock });
    const logger = this.#logger();
    this.#wire = new ProcessWire({
      server,
      clock: context.clock,
      draw: new Draw(random.fork("network")),
      life,
      plan: plan.server,
      tell,
    });
    this.#client = new Client({
      fetch: this.#wire.fetch,
      clock,
      random: random.fork("client"),
      logger,
    });
    this.informers = plan.informers.map((informer, i) =>
      new TestedInformer(`informer ${i + 1}`, informer, {
        client: this.#client,
        draw,
        logger,
        random: random.fork(`informer ${i}`),
        written,
        wrong,
        tell,
        sleep,
        isCalm,
        onEvent: (key) => {
          if (i > 0) this.#controller?.enqueue(key);
        },
      })
    );
    if (plan.controller !== undefined) {
      this.#controller = new TestedController(plan.controller, this.informers, {
        clock,
        draw,
        logger,
        wrong,
        tell,
        sleep,
        isPunctual,
        isCalm,
      });
      this.#run(
        "the controller",
        (signal) => this.#controller!.controller.run({ workers: plan.controller!.workers, signal }),
      );
    } else {
      for (const { informer, name } of this.informers) {
        this.#run(name, (signal) => informer.run({ signal }));
      }
    }
    if (plan.drill !== undefined) {
      const { drill } = plan;
      this.#run(
        "the drill",
        (signal) =>
          runDrill(drill, {
            clock,
            draw: new Draw(random.fork("drill")),
            signal,
            wrong,
            sleep,
            isPunctual,
          }),
      );
    }
  }

  /** Returns what is not as it should be in the end, in words; empty if there is nothing. */
  difference(): string {
    for (const informer of this.informers) {
      const difference = informer.difference();
      if (difference !== "") return difference;
    }
    return this.#controller?.difference() ?? "";
  }

  /** When every key that waits now must have been reconciled, in milliseconds; 0 without a controller. */
  get restAtMs(): number {
    return this.#controller?.queue.restAtMs ?? 0;
  }

  /** Stops the process gracefully. Everything that it has started must end. */
  async stop(): Promise<void> {
    if (this.#hasStopped || this.life.isDead) return;
    this.#hasStopped = true;
    const { tell, wrong } = this.#context;
    tell("the process stops");
    this.#stop.abort(new Error("The process is to stop"));
    await Promise.allSettled(this.#running);
    for (const informer of this.informers) informer.end();
    await this.#client.close();
    await Promise.resolve();
    if (this.#timers.size > 0) wrong(`${this.#timers.size} timers are left after the stop`);
    this.checkRequests();
  }

  /** Ends the process without any clean-up. */
  kill(): void {
    if (this.life.isDead) return;
    this.#context.tell("the process is killed");
    this.life.kill();
    this.checkRequests();
  }

  /** Checks that no informer has made requests without a pause. */
  checkRequests(): void {
    const { wrong } = this.#context;
    const { requests } = this.#wire;
    if (requests.length > MAX_REQUESTS) wrong(`the process has made ${requests.length} requests`);
    const times = new Map<string, number[]>();
    for (const { atMs, isPage, what } of requests) {
      if (isPage) continue;
      const others = times.get(what);
      if (others === undefined) times.set(what, [atMs]);
      else others.push(atMs);
    }
    for (const [what, atMs] of times) {
      // Two informers may have the same selection.
      const sharers = this.informers.filter(({ plan }) =>
        what === `/api/v1/${plan.kind} ${plan.labelSelector ?? ""}`
      ).length;
      const most = mostInTenSeconds(atMs);
      if (most > MAX_RATE * sharers) {
        wrong(`${most} requests within ten seconds for ${what}`);
      }
    }
  }

  /** The number of requests so far. */
  get requests(): number {
    return this.#wire.requests.length;
  }

  /** Runs a part of the process, which must not end before the process does. */
  #run(name: string, run: (signal: AbortSignal) => Promise<unknown>): void {
    const { signal } = this.#stop;
    const report = (how: string) => {
      if (!signal.aborted) this.#context.wrong(`${name} has ended by itself: ${how}`);
    };
    this.#running.push(
      run(signal).then(() => report("without an error"), (error) => report(describeError(error))),
    );
  }

  #countingClock(): Clock {
    const { clock } = this.life;
    return {
      now: () => clock.now(),
      wallNow: () => clock.wallNow(),
      setTimer: (callback, delayMs) => {
        const timer = clock.setTimer(() => {
          this.#timers.delete(counted);
          callback();
        }, delayMs);
        const counted: Timer = {
          cancel: () => {
            this.#timers.delete(counted);
            timer.cancel();
          },
        };
        this.#timers.add(counted);
        return counted;
      },
    };
  }

  #logger(): Logger {
    const { tell, wrong } = this.#context;
    const line = (level: string) => (text: string) => tell(`${level}: ${text}`);
    return {
      debug: () => {},
      info: line("info"),
      warn: line("warn"),
      error: (text) => {
        tell(`error: ${text}`);
        if (!/injected|giving up/.test(text)) wrong(`an error was logged: ${text}`);
      },
    };
  }
}
