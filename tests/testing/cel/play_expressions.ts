/**
 * Plays the expressions as rules of custom resources on a server, and returns what it answers.
 *
 * @module
 */

import { EXPRESSIONS, SCHEMA, SPEC } from "./expressions.ts";

/** The answers to all expressions. */
export interface Answers {
  /** For each expression, the answer to the creation of a CRD with it as a rule: the code, and the causes of errors. */
  readonly definitions: Readonly<Record<string, readonly string[]>>;
  /** The answers to objects of CRDs with many rules, in the order of the rules. */
  readonly objects: readonly (readonly string[])[];
}

/** Sends a request; returns the code and the body. */
export type Call = (
  method: string,
  path: string,
  body: unknown,
  type?: string,
) => Promise<{
  readonly code: number;
  readonly body: Status;
  readonly warning?: string | null;
}>;

/** The part of an answer that is compared. */
export interface Status {
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

/** Returns the causes as texts. The number in the name of the type of `self` is not the same twice. */
function causes({ code, body }: { code: number; body: Status }): string[] {
  const list = body.details?.causes ?? [];
  const texts = list.length > 0
    ? list.map(({ reason, message, field }) => `${reason} ${field}: ${message}`)
    : code < 300
    ? []
    : [body.message ?? ""];
  return [String(code), ...texts.map((text) => text.replace(/selfType\d+/g, "selfType"))];
}

/**
 * Plays all expressions.
 *
 * @param pause Waits a little, until a CRD is served.
 */
export async function playExpressions(call: Call, pause: () => Promise<void>): Promise<Answers> {
  const definitions: Record<string, readonly string[]> = {};
  const rules: object[] = [];
  for (const expression of EXPRESSIONS) {
    const path = `${DEFINITIONS}?dryRun=All`;
    const [plain, shown] = rulesOf(expression) as [object, object];
    const answer = await call("POST", path, definition(0, [plain]));
    definitions[expression] = causes(answer);
    if (answer.code === 201) rules.push(plain);
    else if (JSON.stringify(answer.body).includes("must evaluate to a bool")) {
      const second = await call("POST", path, definition(0, [shown]));
      if (second.code === 201) rules.push(shown);
      else definitions[`message of ${expression}`] = causes(second);
    }
  }
  const objects: (readonly string[])[] = [];
  for (let start = 0; start < rules.length; start += BATCH) {
    const batch = rules.slice(start, start + BATCH);
    objects.push(await playObject(call, pause, start / BATCH + 1, batch));
  }
  return { definitions, objects };
}

async function playObject(
  call: Call,
  pause: () => Promise<void>,
  number: number,
  rules: readonly object[],
): Promise<readonly string[]> {
  const made = await call("POST", DEFINITIONS, definition(number, rules));
  if (made.code !== 201) throw new Error(`A CRD was refused: ${JSON.stringify(made.body)}`);
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
