import type { RecordedSet } from "../recorded_set.ts";
import { callerOf } from "./caller.ts";
import { playExpressions } from "./play_expressions.ts";

/** Each CEL expression as a rule of a custom resource. */
export const expressionSet: RecordedSet = {
  name: "expressions",
  setting: {},
  play: (server) => playExpressions(callerOf(server), () => server.pass(100)),
};
