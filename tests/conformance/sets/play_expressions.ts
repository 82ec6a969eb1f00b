/**
 * Plays the expressions as rules of custom resources on a server, and returns what it answers.
 *
 * @module
 */

import type { Entry } from "../recording.ts";
import type { Answer, Call } from "./caller.ts";
import { EXPRESSIONS, SCHEMA, SPEC } from "../requests/expressions.ts";

/** The part of an answer that is compared. */
interface Status {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly Cause[] };
}

interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The number of times that an object is created until its CRD is served. */
const MAX_TRIES = 100;

/** The number of rules of one CRD. */
const BATCH = 40;

/** Returns the rules that show the value of an expression, as a result or in a message. */
function rulesOf(expression: string): readonly object[] {
  const text = `dyn(${expression}) == dyn('never')`;
  return [
    { rule: expression },
    { rule: text, messageExpression: `'%s'.format([${expression}])` },
  ];
}

function definition(index: number, rules: readonly object[]): object {
  const plural = `things${index}`;
  const { spec } = SCHEMA.properties;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.cel.example.com` },
    spec: {
      group: "cel.example.com",
      names: {
        plural,
        singular: `thing${index}`,
        kind: `Thing${index}`,
        listKind: `Thing${index}List`,
      },
      scope: "Cluster",
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            ...SCHEMA,
            properties: { spec: { ...spec, "x-kubernetes-validations": rules } },
          },
        },
      }],
    },
  };
}

/** Returns the code and the causes as texts. */
function causes({ code, text }: Answer): readonly string[] {
  // A resource that is not served is answered with plain text.
  const status: Status = text.startsWith("{") ? JSON.parse(text) : { message: text };
  const list = status.details?.causes ?? [];
  const texts = list.length > 0
    ? list.map(({ reason, message, field }) => `${reason} ${field}: ${message}`)
    : code < 300
    ? []
    : [status.message ?? ""];
  return [String(code), ...texts.map(comparable)];
}

/** Replaces numbers of types, and the details of Go's errors for invalid addresses and versions, which ours does not have. */
function comparable(text: string): string {
  return text.replace(/selfType\d+/g, "selfType")
    .replace(/(?<=ParseAddr\("[^"]*"\): ).*(?= evaluating rule: )/, "…")
    .replace(/(?<="object": ).*(?= evaluating rule: dyn\(semver\()/, "…");
}

/**
 * Plays all expressions. The answers are those to the creation of a definition with the expression as a rule, and to
 * objects of definitions with many rules, in the order of the rules.
 *
 * @param pause Waits a little, until a definition is served.
 */
export async function playExpressions(call: Call, pause: () => Promise<void>): Promise<Entry[]> {
  const entries: Entry[] = [];
  const rules: object[] = [];
  for (const expression of EXPRESSIONS) {
    const path = `${DEFINITIONS}?dryRun=All`;
    const [plain, shown] = rulesOf(expression) as [object, object];
    const answer = await call("POST", path, definition(0, [plain]));
    entries.push({ id: expression, causes: causes(answer) });
    if (answer.code === 201) rules.push(plain);
    else if (answer.text.includes("must evaluate to a bool")) {
      const second = await call("POST", path, definition(0, [shown]));
      if (second.code === 201) rules.push(shown);
      else entries.push({ id: `message of ${expression}`, causes: causes(second) });
    }
  }
  for (let start = 0; start < rules.length; start += BATCH) {
    const batch = rules.slice(start, start + BATCH);
    const number = start / BATCH + 1;
    const found = await playObject(call, pause, number, batch);
    entries.push({ id: `object ${number}`, causes: found });
  }
  return entries;
}

async function playObject(
  call: Call,
  pause: () => Promise<void>,
  number: number,
  rules: readonly object[],
): Promise<readonly string[]> {
  const made = await call("POST", DEFINITIONS, definition(number, rules));
  if (made.code !== 201) throw new Error(`A CRD was refused: ${made.text}`);
  const object = {
    apiVersion: "cel.example.com/v1",
    kind: `Thing${number}`,
    metadata: { name: "a" },
    spec: SPEC,
  };
  const path = `/apis/cel.example.com/v1/things${number}?dryRun=All`;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const answer = await call("POST", path, object);
    if (answer.code !== 404) return causes(answer);
    await pause();
  }
  throw new Error(`${path} is not served`);
}
