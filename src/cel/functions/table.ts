import { AUTHORIZERS } from "./authorizer.ts";
import { CONVERSIONS } from "./conversions.ts";
import { NAMED_FORMATS } from "./formats.ts";
import { JSON_PATCHES } from "./json_patch.ts";
import { LISTS } from "./lists.ts";
import { NETWORKS } from "./network.ts";
import { OPTIONALS } from "./optional.ts";
import type { Overload } from "./overload.ts";
import { QUANTITIES } from "./quantity.ts";
import { SEMVERS } from "./semver.ts";
import { STANDARD } from "./standard.ts";
import { STRINGS } from "./strings.ts";
import { TIMES } from "./time.ts";
import { URLS } from "./url.ts";

/** All functions, by name. */
export const FUNCTIONS: ReadonlyMap<string, readonly Overload[]> = Map.groupBy(
  [
    ...STANDARD,
    ...CONVERSIONS,
    ...TIMES,
    ...OPTIONALS,
    ...STRINGS,
    ...LISTS,
    ...NETWORKS,
    ...URLS,
    ...QUANTITIES,
    ...SEMVERS,
    ...NAMED_FORMATS,
    ...AUTHORIZERS,
    ...JSON_PATCHES,
  ],
  ({ name }) => name,
);
