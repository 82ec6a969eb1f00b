/// <reference lib="dom" />
import { useRef, useState } from "preact/hooks";
import type { SimulationProgress, SimulationResult } from "../protocol.ts";
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
  stop(): void;
}

/** Runs simulations. */
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
      setState({ is: "running", progress: progress as SimulationProgress });
    }, PROGRESS_MS);
    try {
      const result = await session.call({ do: "simulate", program }) as SimulationResult;
      if (!isCurrent()) return undefined;
      current.current = undefined;
      setState({ is: "done", result, program });
      return result;
    } catch (error) {
      if (!isCurrent()) return undefined;
      current.current = undefined;
      setState({ is: "failed", message: (error as Error).message });
      throw error;
    } finally {
      clearInterval(timer);
      session.end();
    }
  };
  return { state, run, stop };
}
