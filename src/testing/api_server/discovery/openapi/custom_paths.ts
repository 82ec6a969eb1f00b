import type { ResourceInfo } from "../../kinds/mod.ts";
import type { JsonObject } from "../../../values/mod.ts";
import { V3 } from "./dialect.ts";
import { capital, groupIdentifier, identifier, metaName } from "./names.ts";
import {
  DELETE,
  LIST,
  type Parameter,
  PATCH,
  PRETTY,
  queryParameter,
  queryParameters,
  WRITE,
} from "./parameters.ts";

const SCALE = "io.k8s.api.autoscaling.v1.Scale";

/** The types of bodies and answers. */
const TYPES = ["application/json", "application/yaml"];
const PATCH_TYPES = [
  "application/apply-patch+yaml",
  "application/json-patch+json",
  "application/merge-patch+json",
];

const READ: readonly Parameter[] = [["resourceVersion", "string"]];

/** The operation of one method of a path. */
interface Action {
  readonly method: string;
  /** The beginning of the name of the operation. */
  readonly word: string;
  /** The part of the operation's name between group version and scope. */
  readonly what?: string;
  readonly action: string;
  readonly parameters: readonly Parameter[];
  /** The answers besides that of success and that to an unknown user. */
  readonly codes?: readonly string[];
}

const ACTIONS = {
  list: { method: "get", word: "list", action: "list", parameters: LIST },
  create: {
    method: "post",
    word: "create",
    action: "post",
    parameters: WRITE,
    codes: ["201", "202"],
  },
  deleteAll: {
    method: "delete",
    word: "delete",
    what: "Collection",
    action: "deletecollection",
    parameters: LIST,
  },
  get: { method: "get", word: "read", action: "get", parameters: READ },
  update: { method: "put", word: "replace", action: "put", parameters: WRITE, codes: ["201"] },
  delete: {
    method: "delete",
    word: "delete",
    action: "delete",
    parameters: DELETE,
    codes: ["202"],
  },
  patch: { method: "patch", word: "patch", action: "patch", parameters: PATCH },
} satisfies Record<string, Action>;

const CODES: Readonly<Record<string, string>> = { 200: "OK", 201: "Created", 202: "Accepted" };

/** The names of the definitions that the operations of a custom resource refer to. */
interface Names {
  readonly object: string;
  readonly list: string;
}

/** Returns the paths of a custom resource with their operations. */
export function customPaths(resource: ResourceInfo, names: Names): JsonObject {
  const { definition, kind: { kind, custom, release } } = resource;
  const { group, version, plural, namespaced } = definition;
  const root = `/apis/${group}/${version}`;
  const scope = namespaced ? "Namespaced" : "";
  const collection = `${root}${namespaced ? "/namespaces/{namespace}" : ""}/${plural}`;
  const operation = (
    action: Action,
    { part = "", target = names.object, id = "" } = {},
  ): readonly [method: string, JsonObject] => {
    const { word, what = "" } = action;
    const name = id || `${what}${scope}${kind}${capital(part)}`;
    const prefix = groupIdentifier(group, true) + identifier(version, true);
    return [action.method, {
      tags: [`${groupIdentifier(group, false)}_${identifier(version, false)}`],
      description: describe(action, kind, part),
      operationId: `${word}${prefix}${name}`,
      parameters: queryParameters(action.parameters, release, V3),
      ...requestBody(action, target),
      responses: responses(action, target),
      "x-kubernetes-action": action.action,
      "x-kubernetes-group-version-kind": { group, version, kind },
    }];
  };
  const place = namespaced ? [inPath("namespace")] : [];
  const item = [inPath("name", { description: `name of the ${kind}` }), ...place];
  const paths: JsonObject = {};
  const add = (
    path: string,
    operations: readonly (readonly [string, JsonObject])[],
    parameters: readonly JsonObject[],
  ) => {
    paths[path] = {
      ...Object.fromEntries(operations),
      parameters: [...parameters, queryParameter(PRETTY, V3)],
    };
  };
  if (namespaced) {
    // The path has one operation, so all its parameters are listed at the path.
    const [method, { parameters: _, ...rest }] = operation(ACTIONS.list, {
      target: names.list,
      id: `${kind}ForAllNamespaces`,
    });
    const parameters = queryParameters([...LIST, PRETTY].sort(), release, V3);
    paths[`${root}/${plural}`] = { [method]: rest, parameters };
  }
  add(collection, [
    operation(ACTIONS.list, { target: names.list }),
    operation(ACTIONS.create),
    operation(ACTIONS.deleteAll),
  ], place);
  const { get, update, patch } = ACTIONS;
  add(`${collection}/{name}`, [
    operation(get),
    operation(update),
    operation(ACTIONS.delete),
    operation(patch),
  ], item);
  for (const part of ["scale", "status"]) {
    const target = part === "scale" ? SCALE : names.object;
    if (part === "scale" ? custom!.scale === undefined : !custom!.status) continue;
    const operations = [get, update, patch].map((action) => operation(action, { part, target }));
    add(`${collection}/{name}/${part}`, operations, item);
  }
  return paths;
}

function describe({ action, word }: Action, kind: string, part: string): string {
  const of = part === "" ? "" : ` ${part} of`;
  if (action === "list") return `list objects of kind ${kind}`;
  if (action === "deletecollection") return `delete collection of ${kind}`;
  if (action === "patch") return `partially update${of} the specified ${kind}`;
  if (action === "get" || action === "put") return `${word}${of} the specified ${kind}`;
  return `${word}${article(kind)}${kind}`;
}

function article(kind: string): string {
  if (kind.endsWith("s") && !kind.endsWith("ss")) return " ";
  return /^[aeiou]/i.test(kind) ? " an " : " a ";
}

function requestBody({ action }: Action, target: string): JsonObject {
  switch (action) {
    case "post":
    case "put":
      return { requestBody: { content: content(TYPES, target), required: true } };
    case "patch":
      return { requestBody: { content: content(PATCH_TYPES, metaName("Patch")), required: true } };
    case "delete":
      return { requestBody: { content: content(TYPES, metaName("DeleteOptions")) } };
    default:
      return {};
  }
}

function responses({ action, codes = [] }: Action, target: string): JsonObject {
  const answer = action.startsWith("delete") ? metaName("Status") : target;
  const result: JsonObject = {};
  for (const code of ["200", ...codes]) {
    result[code] = { description: CODES[code]!, content: content(TYPES, answer) };
  }
  result["401"] = { description: "Unauthorized" };
  return result;
}

function content(types: readonly string[], target: string): JsonObject {
  return Object.fromEntries(
    types.map((type) => [type, { schema: { $ref: V3.reference(target) } }]),
  );
}

function inPath(name: string, rest: JsonObject = {}): JsonObject {
  const schema = { type: "string", uniqueItems: true };
  return { name, in: "path", ...rest, required: true, schema };
}
