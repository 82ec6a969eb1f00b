import { mainScenario } from "./main_scenario.ts";
import type { Scenario } from "./replay.ts";
import { limitsScenario, restartScenario } from "./restart_scenario.ts";

/** All recorded scenarios. */
export const SCENARIOS: readonly Scenario[] = [mainScenario, restartScenario, limitsScenario];
