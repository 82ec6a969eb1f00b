/**
 * The scenarios: requests in an order, with their answers.
 *
 * @module
 */

import type { StepScenario } from "../step.ts";
import { busy } from "./busy.ts";
import { decisions } from "./decisions.ts";
import { restarts } from "./restarts.ts";
import { rules } from "./rules.ts";
import { wire } from "./wire/mod.ts";
import { access } from "./access.ts";
import { admission } from "./admission.ts";
import { applies } from "./applies.ts";
import { autoscalers } from "./autoscalers.ts";
import { bookmarks } from "./bookmarks.ts";
import { certificates } from "./certificates.ts";
import { clusterwide } from "./clusterwide.ts";
import { compactions } from "./compactions.ts";
import { converted } from "./converted.ts";
import { custom } from "./custom.ts";
import { deletes } from "./deletes.ts";
import { details } from "./details.ts";
import { devices } from "./devices.ts";
import { escalation } from "./escalation.ts";
import { flows } from "./flows.ts";
import { impersonation } from "./impersonation.ts";
import { fields } from "./fields.ts";
import { kinds } from "./kinds.ts";
import { limits } from "./limits.ts";
import { lists } from "./lists.ts";
import { merging } from "./merging.ts";
import { patches } from "./patches.ts";
import { ownership } from "./ownership.ts";
import { paths } from "./paths.ts";
import { queries } from "./queries.ts";
import { scales } from "./scales.ts";
import { schemas } from "./schemas.ts";
import { services } from "./services.ts";
import { sources } from "./sources.ts";
import { stored } from "./stored.ts";
import { structure } from "./structure.ts";
import { takeovers } from "./takeovers.ts";
import { numbers } from "./numbers.ts";
import { placement } from "./placement.ts";
import { standards } from "./standards.ts";
import { tokens } from "./tokens.ts";
import { unstored } from "./unstored.ts";
import { updates } from "./updates.ts";
import { versions } from "./versions.ts";
import { watches } from "./watches.ts";
import { workloads } from "./workloads.ts";
import { rollouts } from "./rollouts.ts";
import { networks } from "./networks.ts";
import { volumes } from "./volumes.ts";
import { policies } from "./policies.ts";
import { statuses } from "./statuses.ts";
import { expressions } from "./expressions.ts";
import { writes } from "./writes.ts";
import { mutation_rounds } from "./mutation_rounds.ts";
import { mutations } from "./mutations.ts";
import { newest } from "./newest.ts";
import { numerals } from "./numerals.ts";
import { rarities } from "./rarities.ts";
import { renderings } from "./renderings.ts";
import { owners } from "./owners.ts";
import { podspec } from "./podspec.ts";
import { schemata } from "./schemata.ts";
import { tables } from "./tables.ts";
import { alterations } from "./alterations.ts";
import { encodings } from "./encodings.ts";
import { changes } from "./changes.ts";
import { protobuf } from "./protobuf.ts";
import { shards } from "./shards.ts";
import { inquiries } from "./inquiries.ts";
import { appliers } from "./appliers.ts";
import { tenants } from "./tenants.ts";
import { verdicts } from "./verdicts.ts";
import { doors } from "./doors.ts";
import { antiquities } from "./antiquities.ts";
import { lifecycles } from "./lifecycles.ts";
import { collections } from "./collections.ts";

/** All own scenarios; each uses namespaces and names of its own. */
export const STEP_SCENARIOS: readonly StepScenario[] = [
  watches,
  lists,
  writes,
  deletes,
  patches,
  applies,
  custom,
  kinds,
  access,
  escalation,
  paths,
  clusterwide,
  updates,
  services,
  workloads,
  limits,
  tokens,
  unstored,
  certificates,
  admission,
  versions,
  autoscalers,
  queries,
  merging,
  structure,
  sources,
  impersonation,
  ownership,
  takeovers,
  devices,
  standards,
  placement,
  fields,
  converted,
  bookmarks,
  scales,
  schemas,
  details,
  stored,
  flows,
  rollouts,
  networks,
  volumes,
  policies,
  statuses,
  expressions,
  numbers,
  numerals,
  rarities,
  renderings,
  owners,
  podspec,
  schemata,
  tables,
  alterations,
  wire,
  restarts,
  compactions,
  busy,
  rules,
  decisions,
  mutations,
  mutation_rounds,
  newest,
  encodings,
  changes,
  shards,
  protobuf,
  inquiries,
  appliers,
  tenants,
  verdicts,
  doors,
  antiquities,
  lifecycles,
  collections,
];
