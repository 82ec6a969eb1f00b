import { type JsonObject, quote } from "../../../values/mod.ts";

/** Returns the condition of a FlowSchema that says whether its priority level exists, without its time. */
export function danglingOf(level: string, exists: boolean): JsonObject {
  const subject = `This FlowSchema references the PriorityLevelConfiguration object named ${
    quote(level)
  }`;
  return exists
    ? { type: "Dangling", status: "False", reason: "Found", message: `${subject} and it exists` }
    : {
      type: "Dangling",
      status: "True",
      reason: "NotFound",
      message: `${subject} but there is no such object`,
    };
}
