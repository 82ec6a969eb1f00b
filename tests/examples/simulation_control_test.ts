/** The negative control of `examples/simulation/`: a report that does not hold. */

import { assertClean } from "@kubeloop/testing/simulation";
import { scaled } from "../support/seeded_runs.ts";
import { control } from "../../examples/simulation/opensearch_operator_1471.ts";
import { nightlyTest } from "../support/kinds_of_tests.ts";

nightlyTest("opensearch_operator_1471.ts: the control has no findings", async () => {
  assertClean(await control().explore({ budget: { plans: scaled(25), ms: 3_600_000 } }));
});
