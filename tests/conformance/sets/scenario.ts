import { playSteps } from "../play_steps.ts";
import type { RecordedSet } from "../recorded_set.ts";
import type { StepScenario } from "../step.ts";

/** Returns the set of a scenario. The id of an entry has the number of its step. */
export function scenarioSet(scenario: StepScenario): RecordedSet {
  const { name, webhooks } = scenario;
  const setting = webhooks === undefined ? scenario.setting : { ...scenario.setting, webhooks };
  return {
    name: `scenarios/${name}`,
    ...(setting === undefined ? {} : { setting }),
    async play(server) {
      const results = await playSteps(server, scenario);
      return results.map(({ step, ...answer }, index) => ({ id: `${index} ${step}`, ...answer }));
    },
  };
}
