import type { Json, JsonObject } from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { V3 } from "./dialect.ts";
import { groupIdentifier, metaName } from "./names.ts";

/** The operation of a path above the resources. */
interface RootOperation {
  /** The tag. */
  readonly tag: string;
  readonly id: string;
  /** The definition of the answer; undefined if the answer is a text. */
  readonly definition?: string;
  readonly types: readonly string[];
}

const TYPES = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"];

const INFO = "io.k8s.apimachinery.pkg.version.Info";

const ROOTS: Readonly<Record<string, RootOperation>> = {
  ".well-known/openid-configuration": {
    tag: "WellKnown",
    id: "getServiceAccountIssuerOpenIDConfiguration",
    types: ["application/json"],
  },
  "api": {
    tag: "core",
    id: "getCoreAPIVersions",
    definition: metaName("APIVersions"),
    types: TYPES,
  },
  "apis": {
    tag: "apis",
    id: "getAPIVersions",
    definition: metaName("APIGroupList"),
    types: TYPES,
  },
  "openid/v1/jwks": {
    tag: "openid",
    id: "getServiceAccountIssuerOpenIDKeyset",
    types: ["application/jwk-set+json"],
  },
  "version": {
    tag: "version",
    id: "getCodeVersion",
    definition: INFO,
    types: ["application/json"],
  },
};

/** The paths of the documents without resources, except the documents of groups. */
export const ROOT_PATHS: readonly string[] = Object.keys(ROOTS);

/**
 * Returns the paths and the definitions of the document of a path above the resources, such as `api` or `apis/apps`,
 * or undefined for a path without a document.
 *
 * @param groups The built-in groups.
 */
export function rootDocument(
  path: string,
  groups: readonly string[],
  release: Release,
): { paths: JsonObject; definitions: JsonObject | undefined } | undefined {
  const root = Object.hasOwn(ROOTS, path) ? ROOTS[path]! : groupOperation(path, groups);
  if (root === undefined) return undefined;
  const { tag, id, definition, types } = root;
  const schema = definition === undefined ? { type: "string" } : { $ref: V3.reference(definition) };
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  const responses = {
    200: { description: "OK", content },
    401: { description: "Unauthorized" },
  };
  return {
    paths: { [`/${path}/`]: { get: { tags: [tag], operationId: id, responses } } },
    definitions: definition === undefined ? undefined : definitionsOf(definition, release),
  };
}

function groupOperation(path: string, groups: readonly string[]): RootOperation | undefined {
  const group = path.startsWith("apis/") ? path.slice("apis/".length) : "";
  if (group === "" || !groups.includes(group)) return undefined;
  const tag = groupIdentifier(group, false);
  const id = `get${groupIdentifier(group, true)}APIGroup`;
  return { tag, id, definition: metaName("APIGroup"), types: TYPES };
}

/** Returns the definition with this name, and those to which it refers. */
function definitionsOf(name: string, release: Release): JsonObject {
  const hasZeros = release.has({ until: "1.36" });
  const text: JsonObject = { type: "string" };
  const always: JsonObject = { type: "string", default: "" };
  const list = (items: JsonObject): JsonObject => ({
    type: "array",
    items,
    "x-kubernetes-list-type": "atomic",
  });
  const listOf = (kind: string) => list(V3.item(metaName(kind), hasZeros ? { default: {} } : {}));
  const kind = (name: string, required: Json[], properties: JsonObject): JsonObject => ({
    type: "object",
    required,
    properties: { apiVersion: text, kind: text, ...properties },
    "x-kubernetes-group-version-kind": [{ group: "", kind: name, version: "v1" }],
  });
  const struct = (properties: JsonObject, optional: JsonObject = {}): JsonObject => ({
    type: "object",
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
  });
  const addresses = { serverAddressByClientCIDRs: listOf("ServerAddressByClientCIDR") };
  const address = struct({ clientCIDR: always, serverAddress: always });
  const version = struct({ groupVersion: always, version: always });
  const group = kind("APIGroup", ["name", "versions"], {
    name: always,
    preferredVersion: V3.property(metaName("GroupVersionForDiscovery"), { default: {} }),
    ...addresses,
    versions: listOf("GroupVersionForDiscovery"),
  });
  const inGroup = {
    [metaName("APIGroup")]: group,
    [metaName("GroupVersionForDiscovery")]: version,
    [metaName("ServerAddressByClientCIDR")]: address,
  };
  switch (name) {
    case metaName("APIGroup"):
      return inGroup;
    case metaName("APIGroupList"):
      return {
        ...inGroup,
        [name]: kind("APIGroupList", ["groups"], { groups: listOf("APIGroup") }),
      };
    case metaName("APIVersions"):
      return {
        [name]: kind("APIVersions", ["versions", "serverAddressByClientCIDRs"], {
          ...addresses,
          versions: list(hasZeros ? always : text),
        }),
        [metaName("ServerAddressByClientCIDR")]: address,
      };
    default: {
      const all = (names: string, schema: JsonObject): JsonObject =>
        Object.fromEntries(names.split(" ").map((one) => [one, schema]));
      return {
        [INFO]: struct(
          all(
            "major minor gitVersion gitCommit gitTreeState buildDate goVersion compiler platform",
            always,
          ),
          all("emulationMajor emulationMinor minCompatibilityMajor minCompatibilityMinor", text),
        ),
      };
    }
  }
}
