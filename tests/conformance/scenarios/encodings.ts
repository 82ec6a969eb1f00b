import { del, get, post, put, type RequestStep, type StepScenario } from "../step.ts";
import { configMap, core, namespaced } from "./_objects.ts";

const NS = "suite-encodings";
const MAPS = core(NS, "configmaps");
const shard = (a: string, b: string) =>
  encodeURIComponent(`shardRange(object.metadata.uid, '${a}', '${b}')`);
/** Encodings and list options of newer releases, which are refused or ignored where their feature gates are off. */
export const encodings: StepScenario = {
  name: "encodings",
  steps: [
    namespaced(NS),
    post(MAPS, configMap("a")),
    post(MAPS, configMap("b")),
    get(`${MAPS}?shardSelector=x`),
    get(`${MAPS}?shardSelector=`),
    get(`${MAPS}?shardSelector=${shard("0x0000000000000000", "0x10000000000000000")}`),
    get(`${MAPS}?shardSelector=${shard("0x0", "0x8")}`),
    get(
      `${MAPS}?shardSelector=${
        encodeURIComponent(
          "shardRange(object.metadata.name, '0x0000000000000000', '0x8000000000000000')",
        )
      }`,
    ),
    get(`${MAPS}?watch=1&shardSelector=x&resourceVersion=abc`),
    del(`${MAPS}?shardSelector=x&dryRun=All`),
    get(
      `${MAPS}?shardSelector=${
        encodeURIComponent(
          "shardRange(object.metadata.namespace, '0x0000000000000000', '0x10000000000000000')",
        )
      }`,
    ),
    get(`${MAPS}?limit=1&shardSelector=${shard("0x0000000000000000", "0x8000000000000000")}`),
    ...[
      "application/json;drop=metadata.managedFields",
      "application/json;drop=x",
      "application/yaml;drop=metadata.managedFields",
      "application/json;as=Table;v=v1;g=meta.k8s.io;drop=metadata.managedFields",
      "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io;drop=metadata.managedFields",
    ].flatMap((
      accept,
    ) => [
      get(`${MAPS}/a`, { headers: { accept } }),
      get(MAPS, { headers: { accept } }),
      post(`${MAPS}?dryRun=All`, configMap("c"), { headers: { accept } }),
    ]),
    ...[
      "application/cbor",
      "application/cbor-seq",
      "application/cbor,application/json;q=0.5",
      "application/cbor;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
      "application/json,application/cbor",
    ].flatMap((
      accept,
    ) => [
      get(`${MAPS}/a`, { headers: { accept } }),
      get(MAPS, { headers: { accept } }),
      get(`${MAPS}?watch=1&resourceVersion=abc`, { headers: { accept } }),
      get("/api/v1", { headers: { accept } }),
      get("/apis/apps", { headers: { accept } }),
      get("/openapi/v3", { headers: { accept } }),
      del(`${MAPS}/none`, undefined, { headers: { accept } }),
    ]).filter((s) => !/openapi|^\/api\/v1$/.test(s.path)),
    ...["application/cbor", "application/apply-patch+cbor", "application/cbor-seq"].flatMap((
      type,
    ) => [
      post(MAPS, configMap("d"), { headers: { "content-type": type } }),
      put(`${MAPS}/a`, configMap("a"), { headers: { "content-type": type } }),
      {
        method: "PATCH",
        path: `${MAPS}/a?fieldManager=m`,
        body: configMap("a"),
        headers: { "content-type": type },
      },
      del(`${MAPS}/none`, { propagationPolicy: "Orphan" }, { headers: { "content-type": type } }),
      post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {}, {
        headers: { "content-type": type },
      }),
    ]),
  ] as RequestStep[],
};
