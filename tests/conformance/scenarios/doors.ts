import { get, request, type RequestStep, type StepScenario } from "../step.ts";

const accepting = (path: string, accept: string): RequestStep => get(path, { headers: { accept } });
const AGGREGATED = "g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const PROTOBUF = "application/com.github.proto-openapi.spec";

/** Paths that are not resources: indexes, health, discovery, documents, and paths that name no resource. */
export const doors: StepScenario = {
  name: "doors",
  // The indexes must not have the groups of other scenarios.
  setting: {},
  steps: [
    get("/"),
    get("/index.html"),
    ...["healthz", "livez", "readyz"].flatMap((path) => [
      get(`/${path}?verbose`),
      get(`/${path}?verbose=false`),
      get(`/${path}?exclude=etcd&exclude=none&verbose`),
      get(`/${path}/`),
      get(`/${path}/etcd`),
      get(`/${path}/log?verbose`),
      get(`/${path}/loopback-serving-certificate`),
      get(`/${path}/poststarthook/storage-readiness`),
      get(`/${path}/poststarthook/none`),
      get(`/${path}/informer-sync`),
      get(`/${path}/shutdown`),
      request("HEAD", `/${path}`),
    ]),
    get("/statusz"),
    accepting("/flagz", "application/yaml"),
    ...["/api/v1/proxy", "/api/v1/watch", "/api/v1/watch/", "/apis/apps/v1/watch?a=<b>&c"].flatMap(
      (path) => [get(path), request("POST", path, {}), get(path, { as: "anonymous" })],
    ),
    ...[
      "/api/v1/watch/none",
      "/api/v1/proxy/none",
      "/api/watch",
      "/apis/watch",
      "/apis/apps/watch",
      "/apis/none/v1/watch",
      "/api/v1/watch/namespaces/default",
      "/api/v1/watch/nodes/none?timeoutSeconds=0",
    ].map((path) => request("DELETE", path)),
    // OpenAPI.
    ...["api", "version", "apis", "logs", "x", "api/", "api/v2", "apis/none", "apis/apps/v2", ""]
      .flatMap((path) => [
        request("HEAD", `/openapi/v3/${path}`),
        accepting(`/openapi/v3/${path}`, "text/html"),
      ]),
    ...["api/v1", "apis/apps", "openid/v1/jwks"].flatMap((path) => [
      request("HEAD", `/openapi/v3/${path}?hash=`),
      accepting(`/openapi/v3/${path}`, "application/yaml"),
      accepting(`/openapi/v3/${path}`, `${PROTOBUF}.v2@v1.0+protobuf`),
      accepting(`/openapi/v3/${path}`, "nothing"),
      request("HEAD", `/openapi/v3/${path}`, undefined, { headers: { "if-none-match": "*" } }),
    ]),
    get("/openapi/v3", { headers: { "if-none-match": "*" } }),
    request("HEAD", "/openapi/v3", undefined, { headers: { accept: "text/html" } }),
    accepting("/openapi/v2", "text/html"),
    accepting("/openapi/v2", `${PROTOBUF}.v3@v1.0+protobuf`),
    get("/openapi/v2/x"),
    get("/openapi/v1"),
    get("/openapi"),
    // Discovery.
    ...["/api", "/apis", "/api/", "/apis/"].flatMap((path) => [
      accepting(path, `application/json;${AGGREGATED}`),
      accepting(path, `application/yaml;${AGGREGATED}`),
      accepting(path, `application/json;${AGGREGATED};profile=nopeer`),
      accepting(path, `application/json;${AGGREGATED.replace("v2", "v2beta1")}`),
      accepting(path, `application/json;${AGGREGATED.replace("v2", "v2beta1")},application/json`),
      accepting(path, `application/json;q=0.1,application/yaml;${AGGREGATED}`),
      accepting(path, `application/cbor;${AGGREGATED}`),
      accepting(path, `text/html;${AGGREGATED},*/*`),
      accepting(path, "application/json;as=APIGroupDiscoveryList"),
      get(path, {
        headers: { "if-none-match": "*", accept: `application/json;${AGGREGATED}` },
      }),
      request("HEAD", path, undefined, { headers: { accept: `application/json;${AGGREGATED}` } }),
      request("POST", path, {}, { headers: { accept: `application/json;${AGGREGATED}` } }),
    ]),
    ...["/api/v1", "/apis/apps", "/apis/apps/v1", "/apis/apps/v2", "/apis/none", "/version"]
      .flatMap((path) => [
        accepting(path, `application/json;${AGGREGATED}`),
        accepting(path, "application/yaml"),
        accepting(path, "application/json;as=Table;v=v1;g=meta.k8s.io"),
        get(path, { headers: { "user-agent": "curl/8" } }),
        get(`${path}?pretty=true`),
        request("OPTIONS", path),
        request("PUT", path, {}),
      ]),
  ],
};
