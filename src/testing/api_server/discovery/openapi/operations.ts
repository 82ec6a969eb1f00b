import { ALL_VERBS, type ResourceInfo, type SubresourceDefinition } from "../../kinds/mod.ts";
import type { Json, JsonObject } from "../../../values/mod.ts";
import type { Dialect } from "./dialect.ts";
import { capital, metaName } from "./names.ts";
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

/** The names of the definitions that the operations of a resource refer to. */
export interface ResourceNames {
  readonly object: string;
  readonly list: string;
  /** Returns the definition of the objects of a subresource. */
  readonly ofSubresource: (subresource: SubresourceDefinition) => string;
}

/** The properties of the operation of a verb. */
interface Verb {
  readonly method: string;
  /** The beginning of the name of the operation. */
  readonly word: string;
  readonly action: string;
  readonly parameters: readonly Parameter[];
}

const VERBS: Readonly<Record<string, Verb>> = {
  get: { method: "get", word: "read", action: "get", parameters: [] },
  list: { method: "get", word: "list", action: "list", parameters: LIST },
  create: { method: "post", word: "create", action: "post", parameters: WRITE },
  update: { method: "put", word: "replace", action: "put", parameters: WRITE },
  patch: { method: "patch", word: "patch", action: "patch", parameters: PATCH },
  delete: { method: "delete", word: "delete", action: "delete", parameters: DELETE },
  deletecollection: {
    method: "delete",
    word: "deleteCollection",
    action: "deletecollection",
    parameters: [...DELETE, ...LIST.filter(([name]) => !/^(?:allowW|w)atch/.test(name))].sort(),
  },
};

/** Returns the paths of a resource with their operations. */
export function pathsOf(
  resource: ResourceInfo,
  names: ResourceNames,
  dialect: Dialect,
): JsonObject {
  const { definition } = resource;
  const { group, version, plural, namespaced, kind } = definition;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = `${root}${namespaced ? "/namespaces/{namespace}" : ""}/${plural}`;
  const verbs = definition.verbs ?? ALL_VERBS;
  const own = { group, version, kind };
  const operations = (chosen: readonly string[], scope: string, suffix = "") =>
    Object.fromEntries(
      chosen.filter((verb) => verbs.includes(verb)).map((verb) => {
        const name = verb === "list" ? names.list : names.object;
        const id = idOf(VERBS[verb]!.word, resource, `${scope}${kind}${suffix}`);
        return [VERBS[verb]!.method, operation(verb, { id, name, dialect, kind: own, resource })];
      }),
    );
  const scope = namespaced ? "Namespaced" : "";
  const paths: JsonObject = {};
  const add = (path: string, found: JsonObject, parameters: readonly string[]) => {
    if (Object.keys(found).length === 0) return;
    paths[path] = { ...found, parameters: pathParameters(parameters, dialect) };
  };
  const place = namespaced ? ["namespace"] : [];
  if (namespaced) add(`${root}/${plural}`, operations(["list"], "", "ForAllNamespaces"), []);
  add(collection, operations(["list", "create", "deletecollection"], scope), place);
  const item = `${collection}/{name}`;
  add(item, operations(["get", "update", "delete", "patch"], scope), ["name", ...place]);
  for (const part of definition.subresources ?? []) {
    if (part.connects === true) continue;
    const gvk = part.kind === undefined
      ? own
      : { group: part.group ?? "", version: part.version ?? version, kind: part.kind };
    const found = part.verbs.filter((verb) => Object.hasOwn(VERBS, verb)).map((verb) => {
      const id = idOf(VERBS[verb]!.word, resource, `${scope}${kind}${capital(part.name)}`);
      const name = names.ofSubresource(part);
      return [VERBS[verb]!.method, operation(verb, { id, name, dialect, kind: gvk, resource })];
    });
    add(`${item}/${part.name}`, Object.fromEntries(found), ["name", ...place]);
  }
  return paths;
}

function idOf(word: string, { definition }: ResourceInfo, rest: string): string {
  const { group, version } = definition;
  const parts = (group === "" ? "core" : group.replace(/\.k8s\.io$/, "")).split(".");
  return `${word}${parts.map(capital).join("")}${capital(version)}${rest}`;
}

interface OperationParts {
  readonly id: string;
  /** The definition of what is sent and returned. */
  readonly name: string;
  readonly dialect: Dialect;
  readonly kind: Readonly<Record<"group" | "version" | "kind", string>>;
  readonly resource: ResourceInfo;
}

function operation(
  verb: string,
  { id, name, dialect, kind, resource }: OperationParts,
): JsonObject {
  const { action, parameters } = VERBS[verb]!;
  const group = resource.group === "" ? "core" : resource.group.split(".")[0]!;
  const deletes = verb === "delete" || verb === "deletecollection";
  const body = deletes
    ? metaName("DeleteOptions")
    : verb === "patch"
    ? metaName("Patch")
    : verb === "create" || verb === "update"
    ? name
    : undefined;
  const answer = deletes ? metaName("Status") : name;
  const codes = verb === "create" ? ["200", "201", "202"] : deletes ? ["200", "202"] : ["200"];
  const own: JsonObject = {
    tags: [`${group}_${resource.definition.version}`],
    operationId: id,
    parameters: queryParameters(parameters, resource.kind.release, dialect),
  };
  const schemaOf = (target: string): JsonObject => ({ $ref: dialect.reference(target) });
  const responses: JsonObject = Object.fromEntries(
    codes.map((code) => [code, response(schemaOf(answer), dialect)]),
  );
  responses["401"] = { description: "Unauthorized" };
  if (dialect.isRich && body !== undefined) {
    own["requestBody"] = {
      content: { "*/*": { schema: schemaOf(body) } },
      ...(deletes ? {} : { required: true }),
    };
  } else if (body !== undefined) {
    const sent: JsonObject = { name: "body", in: "body", schema: schemaOf(body) };
    own["parameters"] = [
      ...own["parameters"] as Json[],
      deletes ? sent : { ...sent, required: true },
    ];
  }
  return {
    ...own,
    responses,
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { ...kind },
  };
}

function response(schema: JsonObject, { isRich }: Dialect): JsonObject {
  if (!isRich) return { description: "OK", schema };
  const types = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];
  return {
    description: "OK",
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  };
}

function pathParameters(names: readonly string[], dialect: Dialect): Json[] {
  const inPath = names.map((name): JsonObject => {
    const schema = { type: "string", uniqueItems: true };
    const place = { name, in: "path", required: true };
    return dialect.isRich ? { ...place, schema } : { ...place, ...schema };
  });
  return [...inPath, queryParameter(PRETTY, dialect)];
}
