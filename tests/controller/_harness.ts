import type { Logger } from "../../src/base/mod.ts";
import { Controller, type ControllerOptions, type Reconcile } from "../../src/controller/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import { FakeInformer } from "./_fake_informer.ts";

/** A controller on a virtual clock, with everything that it uses. */
export interface Harness {
  readonly clock: VirtualClock;
  readonly informer: FakeInformer;
  readonly logger: RecordingLogger;
  readonly controller: Controller;
  readonly abort: AbortController;
  /** Runs the controller and lets it settle. */
  start(workers?: number): Promise<void>;
  /** The promise that `run` returned, once started. */
  running(): Promise<void>;
  /** Aborts and waits until `run` has ended; rejects if `run` rejects. */
  stop(): Promise<void>;
}

/** Creates a {@linkcode Harness}. */
export function harness(
  reconcile: Reconcile,
  options: Partial<ControllerOptions> = {},
  informer: FakeInformer = new FakeInformer(),
): Harness {
  const clock = new VirtualClock();
  const logger = new RecordingLogger();
  const controller = new Controller({ informer, reconcile, clock, logger, ...options });
  const abort = new AbortController();
  let running: Promise<void> | undefined;
  return {
    clock,
    informer,
    logger,
    controller,
    abort,
    async start(workers = 1) {
      running = controller.run({ workers, signal: abort.signal });
      running.catch(() => {});
      await clock.settle();
    },
    running: () => running as Promise<void>,
    async stop() {
      abort.abort();
      await clock.run(running as Promise<void>);
    },
  };
}

/** A logger that throws for every line. */
export const failingLogger: Logger = {
  debug: failToLog,
  info: failToLog,
  warn: failToLog,
  error: failToLog,
};

function failToLog(): never {
  throw new Error("No space left on device");
}
