import type { StepScenario } from "../../step.ts";
import { deletions } from "./deletions.ts";
import { discovery } from "./discovery.ts";
import { events } from "./events.ts";
import { leases } from "./leases.ts";
import { lists } from "./lists.ts";
import { patching } from "./patching.ts";
import { refusals } from "./refusals.ts";
import { resources } from "./resources.ts";
import { spelling } from "./spelling.ts";
import { views } from "./views.ts";

/** Most verbs, headers and errors, on few kinds. */
export const wire: StepScenario = {
  name: "wire",
  setting: {},
  steps: [
    ...discovery,
    ...lists,
    ...refusals,
    ...patching,
    ...deletions,
    ...views,
    ...resources,
    ...leases,
    ...events,
    ...spelling,
  ],
};
