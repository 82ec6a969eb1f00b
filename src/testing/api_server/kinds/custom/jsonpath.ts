import { getOwn, isObject, type Json } from "../../../values/mod.ts";

/** One step of a path: maps values to the values they contain. Returns undefined where the real server fails. */
type Step = (values: readonly Json[]) => Json[] | undefined;

const FIELD = /^\.?((?:\\.|[^.[\]\\])+)/;
const WILDCARD = /^\.?(?:\*|\[\*\])/;
const SLICE = /^\[(-?\d*)(?:(:)(-?\d*))?\]/;
const FILTER_START = "[?(@";
const OPERATOR = /==|!=|<=|>=|<|>/;

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
  if (/^\[['"]/.test(text)) {
    const end = text.indexOf(`${text[1]}]`, 2);
    if (end >= 0) {
      const step = chain(`.${text.slice(2, end)}`);
      return step && { step, length: end + 2 };
    }
  }
  const slice = SLICE.exec(text);
  if (slice !== null && slice[0] !== "[]") return { step: sliceOf(slice), length: slice[0].length };
  if (text.startsWith(FILTER_START)) return readFilter(text);
  const name = FIELD.exec(text);
  if (name === null) return undefined;
  return { step: field(name[1]!.replace(/\\(.)/g, "$1")), length: name[0].length };
}

/** Reads `[?(@PATH)]` or `[?(@PATH OPERATOR LITERAL)]`. */
function readFilter(text: string): { step: Step; length: number } | undefined {
  const start = FILTER_START.length;
  let end = text.indexOf(")]", start + 1);
  if (end < 0) return undefined;
  const operator = OPERATOR.exec(text.slice(start + 1, end));
  if (operator === null) {
    const step = filterOf(text.slice(start, end).trimEnd(), undefined, undefined);
    return step && { step, length: end + 2 };
  }
  const at = start + 1 + operator.index;
  const right = at + operator[0].length;
  // The literal may contain the end of a filter as its first character.
  end = text.indexOf(")]", right + 1);
  if (end < 0) return undefined;
  const literal = text.slice(right, end).trim();
  const step = filterOf(text.slice(start, at).trimEnd(), operator[0], literal);
  return step && { step, length: end + 2 };
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
  if (/^['"]/.test(text) && text.length > 1 && text.endsWith(text[0]!)) return text.slice(1, -1);
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
