import { assertEquals } from "@std/assert";
import { SERVICE_QUOTA } from "../../../../../../src/testing/api_server/kinds/core/service/service_quota.ts";

Deno.test("SERVICE_QUOTA counts load balancers and node ports by the type", () => {
  const ports = [{ port: 80, nodePort: 30080 }, { port: 81 }, { port: 82, nodePort: 0 }];
  const cases = [
    [{ type: "ClusterIP", ports }, "0", "0"],
    [{ type: "ExternalName" }, "0", "0"],
    [{ type: "NodePort", ports }, "0", "3"],
    [{ type: "LoadBalancer", ports }, "1", "3"],
    [{ type: "LoadBalancer", ports, allocateLoadBalancerNodePorts: true }, "1", "3"],
    [{ type: "LoadBalancer", ports, allocateLoadBalancerNodePorts: false }, "1", "1"],
    [{ type: "NodePort", ports, allocateLoadBalancerNodePorts: false }, "0", "3"],
  ] as const;
  for (const [spec, balancers, nodePorts] of cases) {
    assertEquals(SERVICE_QUOTA.usage({ spec: spec as never }, 0), {
      "count/services": "1",
      services: "1",
      "services.loadbalancers": balancers,
      "services.nodeports": nodePorts,
    });
  }
});

Deno.test("SERVICE_QUOTA counts under the names of Services only", () => {
  const names = [
    "count/services",
    "services",
    "services.loadbalancers",
    "services.nodeports",
    "services.others",
    "count/services.example.com",
    "pods",
  ];
  assertEquals(names.filter(SERVICE_QUOTA.counts), names.slice(0, 4));
  assertEquals(["", "status"].map((part) => SERVICE_QUOTA.grows?.({}, {}, part)), [true, false]);
  assertEquals(SERVICE_QUOTA.inScope, undefined);
});
