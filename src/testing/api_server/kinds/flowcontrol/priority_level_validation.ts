import {
  child,
  type FieldError,
  forbiddenField,
  getObject,
  getOwn,
  getString,
  invalidValue,
  isObject,
  type JsonObject,
  notSupported,
  required,
} from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { getNumber } from "../shared/mod.ts";

/** The name of the level whose requests never wait. */
const EXEMPT = "exempt";
/** The annotation that only an earlier version of the kind has. */
const PRESERVE_ZERO = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares";
const MAX_QUEUES = 10_000_000;
/** The bits of a hash that may choose a hand of queues. */
const MAX_HASH_BITS = 60;

/** Reports whether a PriorityLevelConfiguration is the one whose requests never wait. */
export function isExempt(level: JsonObject): boolean {
  return getString(level, "metadata", "name") === EXEMPT;
}

/** Returns the errors of a PriorityLevelConfiguration apart from its metadata. */
export function validatePriorityLevel(level: JsonObject, release: Release): FieldError[] {
  const errors: FieldError[] = [];
  if (getOwn(getObject(level, "metadata", "annotations"), PRESERVE_ZERO) !== undefined) {
    const reason = `annotation '${PRESERVE_ZERO}' is forbidden`;
    errors.push(forbiddenField("metadata.annotations", reason));
  }
  const spec = getObject(level, "spec");
  const type = getString(spec, "type");
  if (isExempt(level) !== (type === "Exempt")) {
    const reason = "must be 'Exempt' if and only if `name` is 'exempt'";
    errors.push(invalidValue("spec.type", type, reason));
  }
  const limited = getOwn(spec, "limited");
  const exempt = getOwn(spec, "exempt");
  if (type === "Exempt") {
    if (isObject(limited)) {
      errors.push(forbiddenField("spec.limited", "must be nil if the type is not Limited"));
    }
    if (isObject(exempt)) {
      errors.push(
        ...sharesErrors(exempt, "spec.exempt"),
        ...lendableErrors(exempt, "spec.exempt"),
      );
    }
  } else if (type === "Limited") {
    if (isObject(exempt)) {
      errors.push(forbiddenField("spec.exempt", "must be nil if the type is Limited"));
    }
    if (isObject(limited)) errors.push(...validateLimited(limited, "spec.limited", release));
    else errors.push(required("spec.limited", "must not be empty when type is Limited"));
  } else errors.push(unknownType("spec.type", type, ["Exempt", "Limited"], release));
  return errors;
}

function unknownType(
  field: string,
  type: string,
  known: readonly string[],
  release: Release,
): FieldError {
  return type === "" && release.has({ since: "1.36" })
    ? required(field)
    : notSupported(field, type, known);
}

function validateLimited(limited: JsonObject, field: string, release: Release): FieldError[] {
  const borrowing = getNumber(limited, "borrowingLimitPercent");
  const reason = "if specified, must be a non-negative integer";
  const at = child(field, "borrowingLimitPercent");
  return [
    ...sharesErrors(limited, field),
    ...validateResponse(
      getObject(limited, "limitResponse"),
      child(field, "limitResponse"),
      release,
    ),
    ...lendableErrors(limited, field),
    ...(borrowing < 0 ? [invalidValue(at, borrowing, reason)] : []),
  ];
}

function sharesErrors(level: JsonObject, field: string): FieldError[] {
  const shares = getNumber(level, "nominalConcurrencyShares");
  const at = child(field, "nominalConcurrencyShares");
  return shares < 0 ? [invalidValue(at, shares, "must be a non-negative integer")] : [];
}

function lendableErrors(level: JsonObject, field: string): FieldError[] {
  const percent = getNumber(level, "lendablePercent");
  if (percent >= 0 && percent <= 100) return [];
  const reason = "must be between 0 and 100, inclusive";
  return [invalidValue(child(field, "lendablePercent"), percent, reason)];
}

function validateResponse(response: JsonObject, field: string, release: Release): FieldError[] {
  const type = getString(response, "type");
  const queuing = getOwn(response, "queuing");
  const at = child(field, "queuing");
  if (type === "Reject") {
    const reason = "must be nil if limited.limitResponse.type is not Limited";
    return isObject(queuing) ? [forbiddenField(at, reason)] : [];
  }
  if (type !== "Queue") {
    return [unknownType(child(field, "type"), type, ["Queue", "Reject"], release)];
  }
  if (isObject(queuing)) return validateQueuing(queuing, at);
  return [required(at, "must not be empty if limited.limitResponse.type is Limited")];
}

function validateQueuing(queuing: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (name: string, why: string) =>
    errors.push(invalidValue(child(field, name), getNumber(queuing, name), why));
  const queues = getNumber(queuing, "queues");
  const hand = getNumber(queuing, "handSize");
  if (getNumber(queuing, "queueLengthLimit") <= 0) refuse("queueLengthLimit", "must be positive");
  if (queues <= 0) refuse("queues", "must be positive");
  else if (queues > MAX_QUEUES) refuse("queues", `must not be greater than ${MAX_QUEUES}`);
  if (hand <= 0) refuse("handSize", "must be positive");
  else if (hand > queues) refuse("handSize", `should not be greater than queues (${queues})`);
  else if (Math.ceil(Math.log2(queues) * hand) > MAX_HASH_BITS) {
    const reason =
      `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${MAX_HASH_BITS}`;
    refuse("handSize", reason);
  }
  return errors;
}
