import { createHash } from "node:crypto";
import type { ResourceInfo, ResourceRegistry, SubresourceDefinition } from "../../kinds/mod.ts";
import { SCHEMAS, type Schemas, schemasOf } from "../../schema/mod.ts";
import { encodeJson, type Json, type JsonObject } from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { customDefinition } from "./custom_definition.ts";
import { customDocument } from "./custom_document.ts";
import { listSchema } from "./custom_fields.ts";
import { Definitions } from "./definitions.ts";
import { type Dialect, V2, V3 } from "./dialect.ts";
import { customName, metaName } from "./names.ts";
import { pathsOf, type ResourceNames } from "./operations.ts";
import { ROOT_PATHS, rootDocument } from "./root_documents.ts";

/** A document with the hash of its content. */
export interface Document {
  readonly text: string;
  /** A hash of what it is made from, in upper-case hexadecimal digits. */
  readonly hash: string;
}

/** The OpenAPI documents of a server. They are made when they are first asked for, and again when the CRDs change. */
export class Documents {
  readonly #registry: ResourceRegistry;
  readonly #known = new Map<string, Document>();
  #revision: number;

  /** Creates the documents of the resources of a registry. */
  constructor(registry: ResourceRegistry) {
    this.#registry = registry;
    this.#revision = registry.revision;
  }

  /** The paths of the documents: group versions, as in `apis/apps/v1`, groups, and paths above them. */
  get paths(): string[] {
    const groups = this.#builtInGroups.map((group) => `apis/${group}`);
    return [...new Set([...this.#registry.all().map(pathOf), ...groups, ...ROOT_PATHS])].sort();
  }

  /** Returns the OpenAPI v3 document of one of the paths, as in `apis/apps/v1`; undefined if nothing is served there. */
  ofPath(path: string): Document | undefined {
    const { release } = this.#registry;
    const resources = this.#registry.all().filter((resource) => pathOf(resource) === path);
    if (resources.length === 0) {
      const root = rootDocument(path, this.#builtInGroups, release);
      if (root === undefined) return undefined;
      return this.#make(path, this.#hash(path, []), () => documentOf(root, release));
    }
    return this.#make(path, this.#hash(path, resources), () => {
      if (resources.every(({ custom }) => custom)) {
        return customDocument(resources, release);
      }
      return documentOf(this.#describe(resources, V3), release);
    });
  }

  get #builtInGroups(): readonly string[] {
    return this.#registry.groups().filter((group) => !this.#registry.isCustomGroup(group));
  }

  /** Returns the OpenAPI v2 document of all resources. */
  whole(): Document {
    const all = this.#registry.all();
    return this.#make("v2", this.#hash("v2", all), () => {
      const { paths, definitions } = this.#describe(all, V2);
      return {
        swagger: "2.0",
        info: { title: "Kubernetes", version: this.#registry.release.minor },
        paths,
        definitions,
        securityDefinitions: { BearerToken: BEARER },
        security: [{ BearerToken: [] }],
      };
    });
  }

  /** Returns the hash of the document of a group version. */
  hashOf(path: string): string {
    return this.#hash(path, this.#registry.all().filter((resource) => pathOf(resource) === path));
  }

  /** Returns a hash of what a document is made from, so that it need not be made first. */
  #hash(name: string, resources: readonly ResourceInfo[]): string {
    const parts = resources.map(({ definition, kind: { custom } }) =>
      custom === undefined
        ? definition.plural
        : [definition, custom.openApi, custom.selectableFields]
    );
    return hashOf(JSON.stringify([this.#registry.release.version, name, parts]));
  }

  #make(name: string, hash: string, value: () => JsonObject): Document {
    if (this.#revision !== this.#registry.revision) {
      this.#known.clear();
      this.#revision = this.#registry.revision;
    }
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const document = { text: encodeJson(value()), hash };
    this.#known.set(name, document);
    return document;
  }

  #describe(resources: readonly ResourceInfo[], dialect: Dialect) {
    const { release } = this.#registry;
    const schemas = schemasOf(release.minor);
    const definitions = new Definitions(dialect, release);
    const paths: JsonObject = {};
    for (const resource of resources) {
      const names = resource.custom
        ? customNames(resource, definitions, dialect)
        : builtinNames(resource, definitions, schemas);
      Object.assign(paths, pathsOf(resource, names, dialect));
    }
    definitions.addMeta();
    return { paths: sorted(paths), definitions: sorted(definitions.all) };
  }
}

const BEARER: JsonObject = {
  description: "Bearer Token authentication",
  type: "apiKey",
  name: "authorization",
  in: "header",
};

/** Returns a document in OpenAPI v3. */
function documentOf(
  { paths, definitions }: { paths: JsonObject; definitions: JsonObject | undefined },
  release: Release,
): JsonObject {
  return {
    openapi: "3.0.0",
    info: { title: "Kubernetes", version: release.minor },
    paths,
    components: {
      ...(definitions === undefined ? {} : { schemas: definitions }),
      securitySchemes: { BearerToken: BEARER },
    },
  };
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(object).sort().map((key) => [key, object[key]!]));
}

/** Returns the path of the document that describes a resource. */
function pathOf({ group, definition }: ResourceInfo): string {
  return group === "" ? `api/${definition.version}` : `apis/${group}/${definition.version}`;
}

function builtinNames(
  { kind, definition }: ResourceInfo,
  definitions: Definitions,
  schemas: Schemas,
): ResourceNames {
  const { group, version, listKind } = definition;
  const add = (of: { group: string; version: string; kind: string }) => {
    const struct = schemas.kind(of.group, of.version, of.kind);
    return struct && definitions.add(struct);
  };
  const object = add({ group, version, kind: kind.kind }) ?? metaName("Status");
  return {
    object,
    list: add({ group, version, kind: listKind }) ?? object,
    ofSubresource: (part: SubresourceDefinition) =>
      part.kind === undefined
        ? object
        : add({ group: part.group ?? "", version: part.version ?? "v1", kind: part.kind }) ??
          object,
  };
}

function customNames(
  resource: ResourceInfo,
  definitions: Definitions,
  dialect: Dialect,
): ResourceNames {
  const { kind, definition } = resource;
  const { group, version, listKind } = definition;
  const own = (name: string): Json => [{ group, kind: name, version }];
  const object = definitions.addOther(customName(group, version, kind.kind), {
    ...customDefinition(kind.custom!.openApi, dialect),
    "x-kubernetes-group-version-kind": own(kind.kind),
  });
  const list = definitions.addOther(customName(group, version, listKind), {
    ...listSchema(resource, object, dialect),
    "x-kubernetes-group-version-kind": own(listKind),
  });
  return {
    object,
    list,
    ofSubresource: (part) => {
      if (part.kind !== "Scale") return object;
      return definitions.add(SCHEMAS.struct("autoscaling.Scale"));
    },
  };
}

/** Returns the hash of a text, by which clients know whether they have it already. */
export function hashOf(text: string): string {
  return createHash("sha512").update(text).digest("hex").toUpperCase();
}
