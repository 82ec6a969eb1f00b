import type { Life } from "./life.ts";
import type { PlanFault } from "./plan.ts";

/** What the calls of an external world need from the run. */
export interface CloudRun {
  /** Names a call, counts it, and returns its name with the faults that concern it. */
  begin(what: string): { readonly id: string; readonly faults: readonly PlanFault[] };
  /** Notes that a fault has taken effect. */
  took(fault: PlanFault): void;
  /** Kills the process that calls. */
  kill(): void;
  /** Notes that a call was made. */
  called(id: string): void;
}

/** The part of an external world that is for the simulation, not for processes. */
const NOT_CALLS: ReadonlySet<PropertyKey> = new Set(["state", "invariant", "constructor"]);

/** Returns an external world as one life of a process sees it: its calls are part of the story, and faults hit them. */
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
        return call(() => value.apply(target, args), id, faults, life, run);
      };
    },
  });
}

function call(
  make: () => unknown,
  id: string,
  faults: readonly PlanFault[],
  life: Life,
  run: CloudRun,
): unknown {
  for (const fault of faults) {
    if (fault.fault === "crash" && fault.when === "before") {
      run.took(fault);
      run.kill();
      return new Promise(() => {});
    }
    if (fault.fault === "answer") {
      run.took(fault);
      throw new Error(`Injected failure ${fault.code}`);
    }
  }
  const result = make();
  run.called(id);
  const end = () => {
    for (const fault of faults) {
      if (fault.fault === "crash" && fault.when === "after") {
        run.took(fault);
        run.kill();
      }
      if (fault.fault === "lose") {
        run.took(fault);
        throw new Error("Connection reset by an injected fault");
      }
    }
  };
  if (!(result instanceof Promise)) {
    end();
    return result;
  }
  return result.then((value) => {
    end();
    return life.deliver(value);
  }, (error) => life.fail(error));
}

function shownArgument(argument: unknown): string {
  if (argument === undefined) return "";
  const text = typeof argument === "string" ? argument : JSON.stringify(argument) ?? "";
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
