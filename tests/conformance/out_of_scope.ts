/** Exchanges that this server is not expected to reproduce, with the reason. */
export const OUT_OF_SCOPE: ReadonlyMap<string, string> = new Map([
  ["0103", "lists the groups of a whole cluster; ours lists the groups it serves"],
  ["0104", "lists the resources of a whole cluster; ours lists the resources it serves"],
  ["0105", "lists the resources of a whole cluster; ours lists the resources it serves"],
  ["0106", "lists the resources of a whole cluster; ours lists the resources it serves"],
  ["0108", "lists the resources of a whole cluster; ours lists the resources it serves"],
  [
    "0110",
    "lists the OpenAPI documents of a whole cluster; ours lists those of the groups it serves",
  ],
  [
    "0111",
    "describes the kinds of a whole cluster; ours describes the kinds it serves: tests/testing/api_server/openapi_test.ts",
  ],
  ["0113", "names the internal checks of the real server's processes"],
  ["0114", "names the internal checks of the real server's processes"],
  ["0116", "lists the paths of a whole cluster"],
  ["0912", "shows the revisions at which a whole cluster wrote its namespaces"],
  ["1001", "compression belongs to the socket: tests/testing/api_server/serve_test.ts"],
  ["1004", "compression belongs to the socket: tests/testing/api_server/serve_test.ts"],
  ["1141", "the real server sent its last bookmark twice; when it does is a matter of chance"],
  ["1206", "a definition is served at once here, so the moment of 429 does not exist"],
  ["1511", "a client certificate, which needs TLS"],
  ["1622", "a server that has stopped listening"],
  ["1623", "a server that has stopped listening"],
  ["1801", "a storage that is down"],
  ["1802", "a storage that is down"],
  ["1803", "a storage that is down"],
  ["1804", "a storage that is down"],
  ["1805", "a storage that is down"],
  ["1807", "a storage that is down"],
  ["1909", "the rules of system:node are a whole cluster's"],
  ["1910", "the rules of system:node are a whole cluster's"],
  ["1914", "URL parsers resolve dot segments before a server sees them"],
  ["1926", "lists the cluster roles of a whole cluster"],
  ["1951", "needs the namespace controller"],
  ["1952", "needs the namespace controller"],
]);

/** Exchanges that this server should reproduce but does not, with the difference. */
export const KNOWN_DIFFERENCES: ReadonlyMap<string, string> = new Map();

/** Steps of the suite's own scenarios that this server should answer equally but does not, with the difference. */
export const KNOWN_STEP_DIFFERENCES: ReadonlyMap<string, string> = new Map([
  ["structure 205", "shows the errors of the first part of anyOf, not of the part that fits best"],
  ["ownership 55", "the type of a port is checked before it is decoded"],
  ["autoscalers 77", "a Table in autoscaling/v1 shows only the first of several targets for CPU"],
  ...[69, 70, 72, 76, 84, 102, 103, 119, 122, 126, 134, 146, 153, 154, 155, 156, 157, 158, 162, 163]
    .concat([164, 165, 166, 167, 168, 170, 172, 174, 176, 177])
    .map((step) => [`sources ${step}`, "a rare mistake in YAML has another message"] as const),
]);
