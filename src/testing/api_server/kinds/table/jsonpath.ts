import { getOwn, isObject, type Json } from "../../values/mod.ts";

/** One step of a path: maps values to the values they contain. Returns undefined where the real server fails. */
type Step = (values: readonly Json[]) => Json[] | undefined;

const FIELD = /^\.?((?:\\.|[^.[\]\\])+)/;
const WILDCARD = /^\.?(?:\*|\[\*\])/;
const QUOTED = /^\[(['"])(.*?)\1\]/;
const SLICE = /^\[(-?\d*)(?:(:)(-?\d*))?\]/;
const FILTER = /^\[\?\(@(.+?)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?)\s*)?\)\]/;

/**
 * Compiles the JSONPath of a printer column. Supports fields, quoted fields, wildcards, indexes, slices, and filters
 * that test whether a path exists or compare it with a literal.
 *
 * @returns The function that finds the values, which returns an empty list if there are none. Undefined, if this server
 * does not support the path.
 */
export function compileJsonPath(path: string): ((root: Json) => readonly Json[]) | undefined {
  const step = chain(path);
  return step && ((root) => step([root]) ?? []);
}

/** Compiles all steps of a path into one. A dot starts a new field even within a quoted field. */
function chain(path: string): Step | undefined {
  const steps: Step[] = [];
  let rest = path;
  while (rest !== "") {
    const next = readStep(rest);
    if (next === undefined) return undefined;
    steps.push(next.step);
    rest = rest.slice(next.length);
  }
  return (values) => {
    let found: Json[] | undefined = [...values];
    for (const step of steps) found = found && step(found);
    return found;
  };
}

function readStep(text: string): { step: Step; length: number } | undefined {
  const wildcard = WILDCARD.exec(text);
  if (wildcard !== null) return { step: allOf, length: wildcard[0].length };
  const quoted = QUOTED.exec(text);
  if (quoted !== null) {
    const step = chain(`.${quoted[2]!}`);
    return step && { step, length: quoted[0].length };
  }
  const slice = SLICE.exec(text);
  if (slice !== null && slice[0] !== "[]") return { step: sliceOf(slice), length: slice[0].length };
  const filter = FILTER.exec(text);
  if (filter !== null) {
    const step = filterOf(filter[1]!, filter[2], filter[3]);
    return step && { step, length: filter[0].length };
  }
  const name = FIELD.exec(text);
  if (name === null) return undefined;
  return { step: field(name[1]!.replace(/\\(.)/g, "$1")), length: name[0].length };
}

function field(name: string): Step {
  return (values) =>
    values.flatMap((value) => {
      const found = isObject(value) ? getOwn(value, name) : undefined;
      return found === undefined ? [] : [found];
    });
}

const allOf: Step = (values) =>
  values.flatMap((value) =>
    Array.isArray(value) ? value : isObject(value) ? Object.values(value) as Json[] : []
  );

function sliceOf([, from, colon, to]: RegExpExecArray): Step {
  return (values) => {
    const found: Json[] = [];
    for (const value of values) {
      if (!Array.isArray(value)) return undefined;
      const start = from === "" ? 0 : at(Number(from), value.length);
      const end = colon === undefined
        ? start + 1
        : to === "" || to === undefined
        ? value.length
        : at(Number(to), value.length);
      if (start === end) continue;
      if (start < 0 || start > end || end > value.length) return undefined;
      found.push(...value.slice(start, end));
    }
    return found;
  };
}

function at(index: number, length: number): number {
  return index < 0 ? index + length : index;
}

function filterOf(
  left: string,
  operator: string | undefined,
  right: string | undefined,
): Step | undefined {
  const find = compileJsonPath(left);
  const wanted = right === undefined ? undefined : literal(right);
  if (find === undefined || (operator !== undefined && wanted === undefined)) return undefined;
  return (values) => {
    const found: Json[] = [];
    for (const value of values) {
      if (!Array.isArray(value)) return undefined;
      for (const element of value) {
        const [actual] = find(element);
        if (actual === undefined) continue;
        if (operator === undefined || compare(actual, operator, wanted!)) found.push(element);
      }
    }
    return found;
  };
}

function literal(text: string): Json | undefined {
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted !== null) return quoted[2]!;
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function compare(left: Json, operator: string, right: Json): boolean {
  if (typeof left !== typeof right || left === null || right === null) return false;
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    default:
      return left >= right;
  }
}
