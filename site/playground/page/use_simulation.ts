/// <reference lib="dom" />
import { useRef, useState } from "preact/hooks";
import type { PlanView } from "../../../src/see/mod.ts";
import type { CheckResult, SimulationProgress, SimulationResult } from "../protocol.ts";
import { Session } from "./session.ts";

const PROGRESS_MS = 300;

/** The state of the simulation. */
export type SimulationState =
  | { readonly is: "idle" }
  | { readonly is: "running"; readonly progress: SimulationProgress }
  | { readonly is: "failed"; readonly message: string }
  | { readonly is: "done"; readonly result: SimulationResult; readonly program: string };

/** Simulations in workers, one at a time. */
export interface Simulations {
  readonly state: SimulationState;
  /** Returns the result; undefined if it was stopped. Rejects with the problem of the program. */
  run(program: string): Promise<SimulationResult | undefined>;
  /** Runs a plan of the last simulation again. */
  check(plan: PlanView): Promise<CheckResult>;
  stop(): void;
}

/** Runs simulations. The worker of the last one stays, so that its plans can be run again. */
export function useSimulation(worker: string): Simulations {
  const [state, setState] = useState<SimulationState>({ is: "idle" });
  const current = useRef<Session | undefined>(undefined);
  const stop = () => {
    current.current?.end();
    current.current = undefined;
    setState({ is: "idle" });
  };
  const run = async (program: string) => {
    current.current?.end();
    const session = new Session(worker, () => {});
    current.current = session;
    const isCurrent = () => current.current === session;
    setState({ is: "running", progress: { plans: 0, findings: 0 } });
    const timer = setInterval(async () => {
      const progress = await session.call({ do: "progress" }).catch(() => undefined);
      if (progress === undefined || !isCurrent()) return;
      setState((old) =>
        old.is === "running" ? { is: "running", progress: progress as SimulationProgress } : old
      );
    }, PROGRESS_MS);
    try {
      const result = await session.call({ do: "simulate", program }) as SimulationResult;
      if (!isCurrent()) return undefined;
      setState({ is: "done", result, program });
      return result;
    } catch (error) {
      session.end();
      if (!isCurrent()) return undefined;
      setState({ is: "failed", message: (error as Error).message });
      throw error;
    } finally {
      clearInterval(timer);
    }
  };
  const check = async (plan: PlanView) =>
    await current.current!.call({ do: "check", plan }) as CheckResult;
  return { state, run, check, stop };
}
