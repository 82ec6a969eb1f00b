import { isNumber, isObject, type Json, type JsonObject, setOwn } from "../values/mod.ts";

/** The maximum number of smaller objects that are tried. */
const MAX_TRIES = 3000;
/** The most items of a list that are left out one by one. */
const MAX_ITEMS = 50;

/**
 * Makes an object smaller while it keeps a property: fields and items are left out, texts become shorter and numbers
 * smaller. It yields smaller objects, and is resumed with whether an object has the property. It returns the smallest
 * object that was found. The type, the name and the namespace are kept.
 */
export function* shrinking(
  object: JsonObject,
): Generator<JsonObject, JsonObject, boolean> {
  let best = object;
  let left = MAX_TRIES;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const candidate of smallerWholes(best)) {
      if (left-- <= 0) return best;
      if (!(yield candidate)) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best;
}

/**
 * Returns the smallest object that {@linkcode shrinking} finds.
 *
 * @param hasProperty Whether an object has the property.
 */
export function shrink(
  object: JsonObject,
  hasProperty: (object: JsonObject) => boolean,
): JsonObject {
  const steps = shrinking(object);
  let step = steps.next();
  while (!step.done) step = steps.next(hasProperty(step.value));
  return step.value;
}

function* smallerWholes(object: JsonObject): Generator<JsonObject> {
  const { apiVersion, kind, metadata, ...rest } = object;
  for (const smaller of smallerObjects(rest)) yield { apiVersion, kind, metadata, ...smaller };
  const { name, namespace, ...more } = metadata as JsonObject;
  const identity: JsonObject = namespace === undefined ? { name } : { name, namespace };
  for (const smaller of smallerObjects(more)) {
    yield { apiVersion, kind, metadata: { ...identity, ...smaller }, ...rest };
  }
}

function* smallerObjects(object: JsonObject): Generator<JsonObject> {
  const names = Object.keys(object);
  for (const name of names) {
    const { ...copy } = object;
    delete copy[name];
    yield copy;
  }
  for (const name of names) {
    for (const smaller of smallerValues(object[name]!)) {
      const { ...copy } = object;
      setOwn(copy, name, smaller);
      yield copy;
    }
  }
}

function* smallerValues(value: Json): Generator<Json> {
  if (typeof value === "string") yield* smallerTexts(value);
  else if (isNumber(value)) yield* smallerNumbers(Number(value));
  else if (value === true) yield false;
  else if (Array.isArray(value)) yield* smallerLists(value);
  else if (isObject(value)) yield* smallerObjects(value);
}

function* smallerTexts(text: string): Generator<string> {
  if (text === "") return;
  for (const cut of stepsTo(text.length)) yield text.slice(0, text.length - cut);
  if (!/^a*$/.test(text)) yield "a".repeat(text.length);
}

function* smallerNumbers(value: number): Generator<number> {
  if (!Number.isInteger(value)) yield Math.trunc(value);
  else if (value < 0) yield -value;
  const size = Math.abs(Math.trunc(value));
  for (const cut of stepsTo(size)) yield Math.sign(value) * (size - cut) + 0;
}

function* smallerLists(list: Json[]): Generator<Json[]> {
  if (list.length > 1) {
    yield [];
    yield list.slice(0, list.length >> 1);
    yield list.slice(list.length >> 1);
  }
  const count = Math.min(list.length, MAX_ITEMS);
  for (let i = 0; i < count; i++) yield list.filter((_, at) => at !== i);
  for (let i = 0; i < count; i++) {
    for (const smaller of smallerValues(list[i]!)) yield list.with(i, smaller);
  }
}

/** Returns all of a size, half of it, a quarter … and 1. */
function* stepsTo(size: number): Generator<number> {
  for (let step = size; step >= 1; step = Math.floor(step / 2)) yield step;
}
