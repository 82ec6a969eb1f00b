import {
  getObject,
  getOwn,
  givenOf,
  isObject,
  type Json,
  type JsonObject,
} from "../../values/mod.ts";
import { INTERNAL_TYPES } from "./internal_types.ts";

/** The fields that the internal type of a Pod's security context has, and the API has in the spec. */
const MOVED = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

/** Returns a part of an object as the real server's internal Go type of that name is encoded as JSON. */
export function internalJson(value: JsonObject, type: string): JsonObject {
  const result: JsonObject = {};
  addFields(result, value, type);
  return result;
}

function addFields(result: JsonObject, value: JsonObject, type: string): void {
  // Names differ in case only, but for a few volumes that nobody uses.
  const keys = new Map(Object.keys(value).map((key) => [key.toLowerCase(), key]));
  for (const field of INTERNAL_TYPES[type]!.split(" ")) {
    if (field === "~meta") Object.assign(result, getObject(value, "metadata"));
    else if (field.startsWith("~")) addFields(result, value, field.slice(1));
    else {
      const [name = "", shape = ""] = field.split(":");
      const key = keys.get(name.toLowerCase());
      const own = key === undefined ? emptyOf(value, name) : givenOf(value, key) ?? undefined;
      const isContext = type === "PodSpec" && name === "SecurityContext";
      result[name] = shown(isContext ? withMoved(own, value) : own, shape);
    }
  }
}

/** Returns the empty list or map that a request gave for a field. */
function emptyOf(value: JsonObject, name: string): Json | undefined {
  return givenOf(value, name.charAt(0).toLowerCase() + name.slice(1)) ?? undefined;
}

function withMoved(context: Json | undefined, spec: JsonObject): Json | undefined {
  const moved = Object.fromEntries(
    MOVED.filter((name) => getOwn(spec, name) !== undefined).map((name) => [name, spec[name]!]),
  );
  return context === undefined && Object.keys(moved).length === 0
    ? undefined
    : { ...getObject(context), ...moved };
}

function shown(value: Json | undefined, shape: string): Json {
  if (shape.startsWith("?")) return value === undefined ? null : shown(value, shape.slice(1));
  if (shape.startsWith("[]")) {
    return Array.isArray(value) ? value.map((one) => shown(one, shape.slice(2))) : null;
  }
  if (Object.hasOwn(INTERNAL_TYPES, shape)) return internalJson(getObject(value), shape);
  if (value !== undefined) return shape === "{}" && isObject(value) ? sorted(value) : value;
  return shape === "s" ? "" : shape === "n" ? 0 : shape === "b" ? false : null;
}

function sorted(map: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(map).sort().map((key) => [key, map[key]!]));
}
