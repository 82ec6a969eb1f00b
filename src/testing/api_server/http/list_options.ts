import { checkFieldSelector } from "../kinds/mod.ts";
import { badRequest, type FieldError, forbiddenField, notSupported } from "../../values/mod.ts";
import { parseLabelSelector } from "./label_selector.ts";
import { optionsInvalid } from "./write_options.ts";
import { isTrue } from "./request_info.ts";

/** The validated query of a list or watch. An absent text parameter is the same as an empty one. */
export interface ListQuery {
  /** The maximum number of items; 0 means all. */
  readonly limit: number;
  /** The continue token of the page; empty for the first page. */
  readonly continue: string;
  /** The requested resource version, as text; empty if none is requested. */
  readonly resourceVersion: string;
  /** The match rule for the resource version: `Exact`, `NotOlderThan` or empty. */
  readonly resourceVersionMatch: string;
  /** The label selector, as text. */
  readonly labelSelector: string;
  /** The field selector, as text. */
  readonly fieldSelector: string;
  /** The shard selector, as text. It is parsed later than the others, and only if its feature gate is on. */
  readonly shardSelector: string;
  /** The lifetime of a watch, in seconds; 0 leaves it to the server. */
  readonly timeoutSeconds: number;
  /** Whether the watch may send bookmarks. */
  readonly allowWatchBookmarks: boolean;
  /** Whether a watch begins with the current objects; undefined if the query does not say. */
  readonly sendInitialEvents: boolean | undefined;
}

/**
 * Reads and validates the query of a list (`watch` is false) or of a watch.
 *
 * @throws {ApiError} 400, for an invalid number or selector; 422, for options that do not go together.
 */
export function readListQuery(query: URLSearchParams, watch: boolean): ListQuery {
  const options: ListQuery = {
    limit: integer(query, "limit"),
    continue: query.get("continue") ?? "",
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
    labelSelector: query.get("labelSelector") ?? "",
    fieldSelector: query.get("fieldSelector") ?? "",
    shardSelector: query.get("shardSelector") ?? "",
    timeoutSeconds: integer(query, "timeoutSeconds"),
    allowWatchBookmarks: isTrue(query.get("allowWatchBookmarks")),
    sendInitialEvents: query.get("sendInitialEvents") === null
      ? undefined
      : isTrue(query.get("sendInitialEvents")),
  };
  parseLabelSelector(options.labelSelector);
  checkFieldSelector(options.fieldSelector);
  const complete = watch ? withInitialEvents(options) : options;
  const errors = watch ? checkWatch(complete) : checkList(complete);
  if (errors.length > 0) throw optionsInvalid("ListOptions", errors);
  return complete;
}

/**
 * Returns the options with the legacy default: a watch from no resource version, or from "0", without further options
 * begins with the current objects.
 */
function withInitialEvents(options: ListQuery): ListQuery {
  const { resourceVersion, resourceVersionMatch, sendInitialEvents } = options;
  const silent = sendInitialEvents === undefined && resourceVersionMatch === "";
  if (!silent || (resourceVersion !== "" && resourceVersion !== "0")) return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" };
}

function checkList(options: ListQuery): FieldError[] {
  const errors: FieldError[] = [];
  const { resourceVersionMatch: match, resourceVersion } = options;
  const path = "resourceVersionMatch";
  if (match !== "") {
    if (resourceVersion === "") {
      errors.push(
        forbiddenField(
          path,
          "resourceVersionMatch is forbidden unless resourceVersion is provided",
        ),
      );
    }
    if (options.continue !== "") {
      errors.push(
        forbiddenField(path, "resourceVersionMatch is forbidden when continue is provided"),
      );
    }
    if (match !== "Exact" && match !== "NotOlderThan") {
      errors.push(notSupported(path, match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && resourceVersion === "0") {
      errors.push(
        forbiddenField(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
      );
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbiddenField("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return errors;
}

function checkWatch(options: ListQuery): FieldError[] {
  const errors: FieldError[] = [];
  const { resourceVersionMatch: match, sendInitialEvents } = options;
  const path = "resourceVersionMatch";
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    errors.push(
      forbiddenField(
        path,
        "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
      ),
    );
  }
  if (match !== "") {
    if (sendInitialEvents === undefined) {
      errors.push(
        forbiddenField(
          path,
          "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
        ),
      );
    }
    if (match !== "NotOlderThan") {
      errors.push(notSupported(path, match, ["NotOlderThan"]));
    }
    if (options.continue !== "") {
      errors.push(
        forbiddenField(path, "resourceVersionMatch is forbidden when continue is provided"),
      );
    }
  }
  return errors;
}

function integer(query: URLSearchParams, name: string): number {
  return integerParameter(query, name) ?? 0;
}

/**
 * Returns the integer that a parameter is; undefined if it is absent.
 *
 * @throws {ApiError} 400, if it is not a 64-bit integer.
 */
export function integerParameter(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const failed = `strconv.ParseInt: parsing ${JSON.stringify(text)}`;
  if (!/^[+-]?[0-9]+$/.test(text)) throw badRequest(`${failed}: invalid syntax`);
  const value = BigInt(text.replace(/^\+/, ""));
  if (BigInt.asIntN(64, value) !== value) throw badRequest(`${failed}: value out of range`);
  return Number(value);
}

/** Returns the revision that `text` names, or undefined if it is not a number of 64 bits. */
export function parseRevision(text: string): number | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asUintN(64, value) === value ? Number(value) : undefined;
}
