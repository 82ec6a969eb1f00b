import type { JsonObject } from "./json.ts";

/**
 * The schema of the conditions of a status: that of `metav1.Condition`, except that the reason and the message may be
 * left out, as in this library's `Condition`.
 */
export const CONDITIONS: JsonObject = {
  description: "The conditions of the object, one of each type.",
  items: {
    properties: {
      lastTransitionTime: { format: "date-time", type: "string" },
      message: { maxLength: 32768, type: "string" },
      observedGeneration: { format: "int64", minimum: 0, type: "integer" },
      reason: {
        maxLength: 1024,
        minLength: 1,
        pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
        type: "string",
      },
      status: { enum: ["False", "True", "Unknown"], type: "string" },
      type: {
        maxLength: 316,
        pattern:
          "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
        type: "string",
      },
    },
    required: ["lastTransitionTime", "status", "type"],
    type: "object",
  },
  type: "array",
  "x-kubernetes-list-map-keys": ["type"],
  "x-kubernetes-list-type": "map",
};

/** The schema of the generation that a status is based on. */
export const OBSERVED_GENERATION: JsonObject = {
  description: "The generation of the object that the status is based on.",
  format: "int64",
  type: "integer",
};
