import type { Simulation } from "./simulation.ts";

/** A simulation that a module exports. */
export interface Exported {
  /** The name of the export. */
  readonly name: string;
  readonly simulation: Simulation<unknown>;
}

/**
 * Returns the simulation that a module exports, by the name of the export if it has several.
 *
 * @throws {TypeError} If the module exports no simulation, or several and `name` chooses none of them.
 */
export async function exportedSimulation(
  module: string,
  name: string | undefined,
): Promise<Exported> {
  const exports: Record<string, unknown> = await import(module);
  const found = Object.entries(exports)
    .flatMap(([name, value]) => isSimulation(value) ? [{ name, simulation: value }] : []);
  const different = new Set(found.map(({ simulation }) => simulation));
  const chosen = name === undefined
    ? different.size === 1 ? found[0] : undefined
    : found.find((exported) => exported.name === name);
  if (chosen !== undefined) return chosen;
  const names = found.map(({ name }) => JSON.stringify(name)).join(", ");
  throw new TypeError(
    found.length === 0
      ? `${module} must export a simulation, as simulation() returns it`
      : name === undefined
      ? `${module} exports several simulations: choose one with the option "simulation": ${names}`
      : `${module} exports no simulation ${JSON.stringify(name)}, but ${names}`,
  );
}

/** Compares methods, because a module that comes with a copy of this library has another class. */
function isSimulation(value: unknown): value is Simulation<unknown> {
  const { explore, plans, replay } = (value ?? {}) as Partial<Simulation<unknown>>;
  return [explore, plans, replay].every((method) => typeof method === "function");
}
