import { assertEquals, assertNotEquals } from "@std/assert";
import { Cluster } from "../cluster.ts";
import { crdWithSpec, type Loose } from "../support.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const DOCUMENT = "/openapi/v3/apis/a.example/v1";

const SUBRESOURCES = {
  status: {},
  scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
};

/** Returns the OpenAPI v3 document that a server publishes of a CRD. */
async function documentOf(crd: Loose): Promise<Loose> {
  await using cluster = new Cluster();
  const created = await cluster.call("POST", CRDS, crd);
  assertEquals(created.status, 201, created.text);
  return (await cluster.get(DOCUMENT)).json;
}

/** Returns the last part of a reference. */
function target(schema: Loose): string {
  return schema.$ref.replace(/^.*[./]/, "");
}

/** Returns an operation in one line. */
function lineOf(method: string, operation: Loose): string {
  const { operationId, description, parameters = [], requestBody, responses } = operation;
  const sent = Object.values<Loose>(requestBody?.content ?? {}).map(({ schema }) => target(schema));
  const answers = Object.entries<Loose>(responses).map(([code, { description, content = {} }]) => {
    const types = Object.values<Loose>(content).map(({ schema }) => target(schema));
    return [code, description, ...new Set(types)].join(" ");
  });
  const names = parameters.map(({ name }: Loose) => name);
  const body = [...new Set(sent), requestBody?.required ? "required" : ""].join(" ");
  const action = operation["x-kubernetes-action"];
  return [method, action, operationId, description, names, body, answers].join(" | ");
}

// The answer is that of a real server (1.35.4).
Deno.test("/openapi/v2 leaves out what kubectl does not understand in a custom schema", async () => {
  const spec = {
    "type": "object",
    "required": ["a"],
    "properties": {
      "a": { "type": "string", "nullable": true, "description": "d" },
      "b": { "x-kubernetes-int-or-string": true },
      "b2": {
        "x-kubernetes-int-or-string": true,
        "anyOf": [{ "type": "integer" }, { "type": "string" }],
      },
      "c": {
        "type": "object",
        "x-kubernetes-preserve-unknown-fields": true,
        "properties": { "x": { "type": "string" } },
        "required": ["x"],
      },
      "d": {
        "type": "array",
        "items": {
          "type": "object",
          "nullable": true,
          "properties": { "y": { "type": "string" } },
        },
      },
      "e": { "type": "object", "additionalProperties": { "type": "string", "nullable": true } },
      "f": { "type": "integer", "oneOf": [{ "minimum": 1 }, { "maximum": 0 }], "default": 2 },
      "g": { "type": "object", "additionalProperties": true },
      "h": { "type": "array", "nullable": true, "items": { "type": "string" } },
      "i": { "type": "string", "format": "date" },
    },
  };
  await using cluster = new Cluster();
  const created = await cluster.call("POST", CRDS, crdWithSpec(spec));
  assertEquals(created.status, 201, created.text);
  const { definitions } = (await cluster.get("/openapi/v2")).json;
  assertEquals(definitions["example.a.v1.Thing"].properties.spec, {
    "type": "object",
    "properties": {
      "a": { "description": "d" },
      "b": { "x-kubernetes-int-or-string": true },
      "b2": { "x-kubernetes-int-or-string": true },
      "c": { "required": ["x"], "x-kubernetes-preserve-unknown-fields": true },
      "d": { "type": "array", "items": {} },
      "e": { "type": "object", "additionalProperties": {} },
      "f": { "type": "integer" },
      "g": { "type": "object", "additionalProperties": true },
      "h": {},
      "i": { "type": "string", "format": "date" },
    },
  });
});

Deno.test("/openapi/v2 publishes no fields of a custom resource that keeps unknown fields", async () => {
  const crd = crdWithSpec({ "type": "object" });
  crd.spec.versions[0].schema.openAPIV3Schema = {
    "type": "object",
    "description": "d",
    "x-kubernetes-preserve-unknown-fields": true,
    "properties": { "spec": { "type": "object" } },
  };
  await using cluster = new Cluster();
  const created = await cluster.call("POST", CRDS, crd);
  assertEquals(created.status, 201, created.text);
  const { definitions } = (await cluster.get("/openapi/v2")).json;
  assertEquals(definitions["example.a.v1.Thing"], {
    "type": "object",
    "x-kubernetes-group-version-kind": [{ "group": "a.example", "kind": "Thing", "version": "v1" }],
  });
});

// The keywords and their order are as in a real server (1.37.2).
Deno.test("/openapi/v3 publishes a custom schema with the fields that every object has", async () => {
  const either = [{ type: "integer" }, { type: "string" }];
  const spec = {
    "type": "object",
    "title": "What & how",
    "default": {},
    "minProperties": 0,
    "x-kubernetes-map-type": "granular",
    "x-kubernetes-validations": [{ "rule": "!has(self.size)", "message": "big" }],
    "properties": {
      "size": { "type": "integer", "format": "int32", "minimum": 0, "exclusiveMinimum": true },
      "color": { "type": "string", "enum": ["red"], "nullable": true, "default": "red" },
      "port": { "x-kubernetes-int-or-string": true, "pattern": "^.+$" },
      "other": {
        "x-kubernetes-int-or-string": true,
        "anyOf": [{ "maximum": 3 }, { "minLength": 2 }],
      },
      "told": { "x-kubernetes-int-or-string": true, "anyOf": either },
      "told2": { "x-kubernetes-int-or-string": true, "allOf": [{ "anyOf": either }] },
      "list": {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        "maxItems": 3,
        "items": {
          "type": "object",
          "required": ["k"],
          "properties": { "k": { "type": "string", "description": "The key." } },
          "not": { "required": ["z"] },
          "oneOf": [{ "properties": { "k": { "maxLength": 1 } } }],
        },
      },
      "map": { "type": "object", "additionalProperties": { "type": "boolean", "default": false } },
      "any": { "type": "object", "additionalProperties": true },
      "free": { "x-kubernetes-preserve-unknown-fields": true, "description": "" },
      "inner": {
        "type": "object",
        "x-kubernetes-embedded-resource": true,
        "required": ["kind"],
        "properties": { "spec": { "type": "object", "properties": {} } },
      },
    },
  };
  const { components, ...rest } = await documentOf(
    crdWithSpec(spec, { selectableFields: [{ jsonPath: ".spec.color" }] }),
  );
  const more = (description: string, anchor: string) =>
    `${description} More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md${anchor}`;
  const meta = (name: string, description: string, anchor: string) => ({
    "description": more(description, anchor),
    "allOf": [{ "$ref": `#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.${name}` }],
  });
  const text = (description: string, anchor: string) => ({
    "description": more(description, anchor),
    "type": "string",
  });
  const metadata = meta("ObjectMeta", "Standard object's metadata.", "#metadata");
  const types = {
    "apiVersion": text(
      "APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values.",
      "#resources",
    ),
    "kind": text(
      "Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase.",
      "#types-kinds",
    ),
  };
  const published = {
    "type": "object",
    "properties": {
      ...types,
      "metadata": metadata,
      "spec": {
        "type": "object",
        "title": "What & how",
        "default": {},
        "minProperties": 0,
        "properties": {
          "any": { "type": "object", "additionalProperties": true },
          "color": { "type": "string", "nullable": true, "default": "red", "enum": ["red"] },
          "free": { "x-kubernetes-preserve-unknown-fields": true },
          "inner": {
            "type": "object",
            "required": ["kind", "apiVersion"],
            "properties": {
              "apiVersion": text(
                "apiVersion defines the versioned schema of this representation of an object.",
                "#resources",
              ),
              "kind": text(
                "kind is a string value representing the type of this object. In CamelCase.",
                "#types-kinds",
              ),
              "metadata": metadata,
              "spec": { "type": "object" },
            },
            "x-kubernetes-embedded-resource": true,
          },
          "list": {
            "type": "array",
            "maxItems": 3,
            "items": {
              "type": "object",
              "required": ["k"],
              "oneOf": [{ "properties": { "k": { "maxLength": 1 } } }],
              "not": { "required": ["z"] },
              "properties": { "k": { "description": "The key.", "type": "string" } },
            },
            "x-kubernetes-list-map-keys": ["k"],
            "x-kubernetes-list-type": "map",
          },
          "map": {
            "type": "object",
            "additionalProperties": { "type": "boolean", "default": false },
          },
          "other": {
            "allOf": [{ "anyOf": either }],
            "anyOf": [{ "maximum": 3 }, { "minLength": 2 }],
            "x-kubernetes-int-or-string": true,
          },
          "port": { "pattern": "^.+$", "anyOf": either, "x-kubernetes-int-or-string": true },
          "size": { "type": "integer", "format": "int32", "minimum": 0, "exclusiveMinimum": true },
          "told": { "anyOf": either, "x-kubernetes-int-or-string": true },
          "told2": { "allOf": [{ "anyOf": either }], "x-kubernetes-int-or-string": true },
        },
        "x-kubernetes-map-type": "granular",
        "x-kubernetes-validations": [{ "rule": "!has(self.size)", "message": "big" }],
      },
    },
    "x-kubernetes-group-version-kind": [{ "group": "a.example", "kind": "Thing", "version": "v1" }],
    "x-kubernetes-selectable-fields": [{ "fieldPath": "spec.color" }],
  };
  const schemas = components.schemas;
  const format = (value: unknown) => JSON.stringify(value, null, 1);
  assertEquals(format(schemas["example.a.v1.Thing"]), format(published));
  assertEquals(schemas["example.a.v1.ThingList"], {
    "description": "ThingList is a list of Thing",
    "type": "object",
    "required": ["items"],
    "properties": {
      ...types,
      "items": {
        "description": more("List of things.", ""),
        "type": "array",
        "items": { "$ref": "#/components/schemas/example.a.v1.Thing" },
      },
      "metadata": meta("ListMeta", "Standard list metadata.", "#types-kinds"),
    },
    "x-kubernetes-group-version-kind": [{
      "group": "a.example",
      "kind": "ThingList",
      "version": "v1",
    }],
    "x-kubernetes-selectable-fields": [{ "fieldPath": "spec.color" }],
  });
  assertEquals(Object.keys(rest), ["openapi", "info", "paths"]);
  assertEquals(rest.info, { title: "Kubernetes CRD Swagger", version: "v0.1.0" });
  assertEquals(Object.keys(components), ["schemas"]);
  assertEquals(Object.keys(schemas).map((name) => name.replace(/^.*\./, "")), [
    "Thing",
    "ThingList",
    ..."DeleteOptions FieldsV1 ListMeta ManagedFieldsEntry ObjectMeta OwnerReference".split(" "),
    ..."Patch Preconditions ShardInfo Status StatusCause StatusDetails Time".split(" "),
  ]);
});

// The operations are as in a real server (1.37.2).
Deno.test("/openapi/v3 has the operations of a custom resource and of its subresources", async () => {
  const crd = crdWithSpec({ type: "object" }, { subresources: SUBRESOURCES });
  const { paths, components } = await documentOf(crd);
  const lines = Object.entries<Loose>(paths).flatMap(([path, { parameters, ...operations }]) => [
    `${path.replace("/apis/a.example/v1", "")} | ${parameters.map(({ name }: Loose) => name)}`,
    ...Object.entries(operations).map(([method, operation]) => lineOf(method, operation)),
  ]);
  const listed = "allowWatchBookmarks,continue,fieldSelector,labelSelector,limit,resourceVersion," +
    "resourceVersionMatch,sendInitialEvents,shardSelector,timeoutSeconds,watch";
  const deleted = "dryRun,gracePeriodSeconds,ignoreStoreReadErrorWithClusterBreakingPotential," +
    "orphanDependents,propagationPolicy";
  const written = "dryRun,fieldManager,fieldValidation";
  const item = (part: string, kind: string, what: string) => [
    `/namespaces/{namespace}/things/{name}${what && `/${what}`} | name,namespace,pretty`,
    `get | get | readAExampleV1NamespacedThing${part} | read ${
      what && `${what} of `
    }the specified Thing | ` +
    `resourceVersion |  | 200 OK ${kind},401 Unauthorized`,
    `put | put | replaceAExampleV1NamespacedThing${part} | replace ${
      what && `${what} of `
    }the specified Thing | ` +
    `${written} | ${kind} required | 200 OK ${kind},201 Created ${kind},401 Unauthorized`,
    `patch | patch | patchAExampleV1NamespacedThing${part} | partially update ${
      what && `${what} of `
    }the specified Thing | ` +
    `${written},force | Patch required | 200 OK ${kind},401 Unauthorized`,
  ];
  const [place, get, put, patch] = item("", "Thing", "");
  assertEquals(lines, [
    `/namespaces/{namespace}/things | namespace,pretty`,
    `get | list | listAExampleV1NamespacedThing | list objects of kind Thing | ${listed} |  | ` +
    "200 OK ThingList,401 Unauthorized",
    `post | post | createAExampleV1NamespacedThing | create a Thing | ${written} | Thing required | ` +
    "200 OK Thing,201 Created Thing,202 Accepted Thing,401 Unauthorized",
    "delete | deletecollection | deleteAExampleV1CollectionNamespacedThing | delete collection of Thing | " +
    `${listed} |  | 200 OK Status,401 Unauthorized`,
    place,
    get,
    put,
    `delete | delete | deleteAExampleV1NamespacedThing | delete a Thing | ${deleted} | DeleteOptions  | ` +
    "200 OK Status,202 Accepted Status,401 Unauthorized",
    patch,
    ...item("Scale", "Scale", "scale"),
    ...item("Status", "Thing", "status"),
    `/things | ${listed.replace("limit", "limit,pretty")}`,
    "get | list | listAExampleV1ThingForAllNamespaces | list objects of kind Thing |  |  | " +
    "200 OK ThingList,401 Unauthorized",
  ]);
  const scale = ["Scale", "ScaleSpec", "ScaleStatus"].map((kind) =>
    `io.k8s.api.autoscaling.v1.${kind}`
  );
  assertEquals(Object.keys(components.schemas).filter((name) => name.includes("Scale")), scale);
  const { get: read, patch: patched, parameters } =
    paths["/apis/a.example/v1/namespaces/{namespace}/things/{name}"];
  const schema = { type: "string", uniqueItems: true };
  assertEquals(parameters, [
    { name: "name", in: "path", description: "name of the Thing", required: true, schema },
    { name: "namespace", in: "path", required: true, schema },
    { name: "pretty", in: "query", schema },
  ]);
  assertEquals(patched.parameters[3].schema, { type: "boolean", uniqueItems: true });
  assertEquals(read.tags, ["aExample_v1"]);
  assertEquals(read["x-kubernetes-group-version-kind"], {
    group: "a.example",
    version: "v1",
    kind: "Thing",
  });
  assertEquals(Object.keys(read.responses[200].content), ["application/json", "application/yaml"]);
  assertEquals(Object.keys(patched.requestBody.content), [
    "application/apply-patch+yaml",
    "application/json-patch+json",
    "application/merge-patch+json",
  ]);
});

Deno.test("/openapi/v3 has no namespaces in the operations of a custom resource of the cluster", async () => {
  const crd = crdWithSpec({ type: "object" });
  crd.spec.scope = "Cluster";
  crd.spec.names.kind = "Egg";
  const { paths } = await documentOf(crd);
  assertEquals(
    Object.entries<Loose>(paths).flatMap(([path, { parameters: _, ...operations }]) =>
      Object.values<Loose>(operations).map((one) => [path, one.operationId, one.description])
    ),
    [
      ["/apis/a.example/v1/things", "listAExampleV1Egg", "list objects of kind Egg"],
      ["/apis/a.example/v1/things", "createAExampleV1Egg", "create an Egg"],
      ["/apis/a.example/v1/things", "deleteAExampleV1CollectionEgg", "delete collection of Egg"],
      ["/apis/a.example/v1/things/{name}", "readAExampleV1Egg", "read the specified Egg"],
      ["/apis/a.example/v1/things/{name}", "replaceAExampleV1Egg", "replace the specified Egg"],
      ["/apis/a.example/v1/things/{name}", "deleteAExampleV1Egg", "delete an Egg"],
      [
        "/apis/a.example/v1/things/{name}",
        "patchAExampleV1Egg",
        "partially update the specified Egg",
      ],
    ],
  );
});

Deno.test("the hash of a document changes with the subresources and the selectable fields of a CRD", async () => {
  await using cluster = new Cluster();
  const spec = { type: "object", properties: { color: { type: "string" } } };
  await cluster.call("POST", CRDS, crdWithSpec(spec));
  const etag = async () => (await cluster.get(DOCUMENT)).headers.get("etag");
  const seen = [await etag()];
  const version: Loose = {};
  for (
    const change of [
      { subresources: { status: {} } },
      { subresources: SUBRESOURCES },
      { selectableFields: [{ jsonPath: ".spec.color" }] },
    ]
  ) {
    Object.assign(version, change);
    const path = `${CRDS}/things.a.example`;
    const { metadata } = (await cluster.get(path)).json;
    const answer = await cluster.call("PUT", path, { ...crdWithSpec(spec, version), metadata });
    assertEquals(answer.status, 200, answer.text);
    assertNotEquals(await etag(), seen.at(-1));
    seen.push(await etag());
  }
  assertEquals(new Set(seen).size, 4);
});
