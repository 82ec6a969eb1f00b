import { stringifyJson } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { CloudIds } from "./cloud_ids.ts";
import type { Life } from "./life.ts";
import type { PlanFault } from "../plans/mod.ts";

/** The parts of a run that the calls of its external world use. */
export interface CloudRun {
  /** Names a call, counts it, and returns its name with the faults that concern it. */
  begin(what: string): { readonly id: string; readonly faults: readonly PlanFault[] };
  /** Records that a fault has taken effect. */
  takeEffect(fault: PlanFault): void;
  /** Undoes the current step if the fault says so. */
  revert(fault: PlanFault): void;
  /** Kills the process that calls. */
  kill(): void;
  /** Called after each call, which may have changed the external world. */
  called(): void;
  /** Records a call that was not made before, or that has another answer than before. */
  learned(id: string): void;
  /** Records a call that was made before, with the same answer. Default: it is not recorded. */
  readonly repeated?: ((id: string) => void) | undefined;
  /** Records where a call comes from. Default: it is not recorded. */
  readonly placed?: ((id: string) => void) | undefined;
  /** The ids that the external world has issued. */
  readonly ids: CloudIds;
  /** The last answers, by call. */
  readonly answers: Map<string, string>;
}

/** The part of an external world that is for the simulation, not for processes. */
const NOT_CALLS: ReadonlySet<PropertyKey> = new Set(["state", "invariant", "constructor"]);

/** Returns the external world for one life of a process. Its calls are recorded, and faults affect them. */
export function cloudOf<C>(cloud: C, process: string, life: Life, run: CloudRun): C {
  if (typeof cloud !== "object" || cloud === null) return cloud;
  return new Proxy(cloud, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function" || typeof key === "symbol" || NOT_CALLS.has(key)) {
        return typeof value === "function" ? value.bind(target) : value;
      }
      return (...args: unknown[]) => {
        if (life.isDead) return new Promise(() => {});
        const { id, faults } = run.begin(`${process} calls ${key}(${shownArgument(args[0])})`);
        run.placed?.(id);
        run.ids.sent(args);
        const what = { id, text: `${process} ${key} ${textOf(args)}` };
        return call(() => value.apply(target, args), what, faults, life, run);
      };
    },
  });
}

/** A call of the external world. */
interface Call {
  /** The name of the call. */
  readonly id: string;
  /** The method and all arguments. */
  readonly text: string;
}

/**
 * Returns a function that takes the answer of a call, and records the call if it is new or has a new answer. A process may
 * poll: repeated calls neither keep the run from settling nor get plans.
 */
function newsOf({ id, text: call }: Call, run: CloudRun): (answer: unknown) => void {
  const { answers } = run;
  const before = answers.get(call);
  const isNoted = before === undefined;
  if (isNoted) {
    answers.set(call, "");
    run.learned(id);
  }
  return (answer) => {
    const text = textOf(answer);
    if (!isNoted) (answers.get(call) === text ? run.repeated : run.learned)?.(id);
    answers.set(call, text);
  };
}

function textOf(value: unknown): string {
  try {
    return value === undefined ? "" : stringifyJson(value);
  } catch {
    return ""; // It refers to itself.
  }
}

function call(
  make: () => unknown,
  what: Call,
  faults: readonly PlanFault[],
  life: Life,
  run: CloudRun,
): unknown {
  for (const fault of faults) {
    if (fault.fault === "crash" && fault.when === "before") {
      run.takeEffect(fault);
      run.kill();
      return new Promise(() => {});
    }
    if (fault.fault === "answer") {
      run.takeEffect(fault);
      throw new Error(`Injected failure ${fault.code}`);
    }
  }
  const result = make();
  const news = newsOf(what, run);
  const end = (answer: unknown) => {
    run.ids.answered(answer);
    news(answer);
    run.called();
    for (const fault of faults) {
      run.revert(fault);
      if (fault.fault === "crash") { // A crash before the call has ended the process above.
        run.takeEffect(fault);
        run.kill();
      }
      if (fault.fault === "lose") {
        run.takeEffect(fault);
        throw new Error("Connection reset by an injected fault");
      }
    }
  };
  if (!(result instanceof Promise)) {
    end(result);
    return result;
  }
  const over = life.begin();
  return result.then((value) => {
    end(value);
    return life.deliver(value);
  }, (error) => life.fail(error)).finally(over);
}

/** UIDs depend on the seed; the names of calls must not. */
const UID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function shownArgument(argument: unknown): string {
  if (argument === undefined) return "";
  // An object of the cluster is shown by its name.
  const { name } = (argument as Partial<KubeObject> | null)?.metadata ?? {};
  if (name !== undefined) return name;
  const text = typeof argument === "string" ? argument : textOf(argument);
  const shown = text.replace(UID, "UID");
  return shown.length > 60 ? `${shown.slice(0, 59)}…` : shown;
}
