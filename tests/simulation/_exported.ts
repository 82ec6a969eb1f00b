/** A module with simulations, for the test of `deno task simulate FILE`. */

import { ConfigMaps } from "../../src/types/mod.ts";
import {
  create,
  type ProcessEnv,
  settle,
  type Simulation,
  simulation,
} from "../../src/testing/simulation/mod.ts";

/** Creates one object; with a new name each time if it is broken. */
function childOnce(isBroken: boolean) {
  return async ({ client }: ProcessEnv): Promise<void> => {
    const call = { namespace: "default" };
    const { items } = await client.list(ConfigMaps, call);
    if (!isBroken && items.some(({ metadata }) => metadata.name === "child")) return;
    const metadata = isBroken ? { generateName: "child-" } : { name: "child" };
    await client.create(ConfigMaps, { metadata }, call);
  };
}

function simulate(isBroken: boolean): Simulation {
  return simulation({
    process: childOnce(isBroken),
    workload: [create(ConfigMaps, "parent"), settle()],
    always: [({ server }) => server.count(ConfigMaps, "default") <= 2 || "two children"],
  });
}

export const repaired: Simulation = simulate(false);
export const bug = {
  upstream: "none",
  simulate: (logic: "broken" | "repaired"): Simulation => simulate(logic === "broken"),
};
export const another = "no simulation";
