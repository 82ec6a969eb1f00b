import { assertEquals } from "@std/assert";
import { podQosClass } from "../../../../../../src/testing/api_server/kinds/core/pod/pod_qos.ts";

Deno.test("podQosClass() looks at the containers, or at the Pod if it says itself what it needs", () => {
  const all = { cpu: "1", memory: "1Gi" };
  const same = { requests: all, limits: all };
  const less = { requests: { cpu: "500m", memory: "1Gi" }, limits: all };
  const pod = (containers: object[], own?: object) => ({
    containers: containers.map((resources) => ({ name: "a", resources })),
    ...(own === undefined ? {} : { resources: own }),
  });
  const cases = [
    [pod([]), "BestEffort"],
    [pod([{}]), "BestEffort"],
    [pod([{ requests: { cpu: "0" } }]), "BestEffort"],
    [pod([{ requests: { "example.com/gpu": "1" } }]), "BestEffort"],
    [pod([same]), "Guaranteed"],
    [pod([same, same]), "Guaranteed"],
    [{ ...pod([same]), initContainers: [{ resources: less }] }, "Burstable"],
    [pod([same, {}]), "Burstable"],
    [pod([less]), "Burstable"],
    [pod([{ limits: { cpu: "1" } }]), "Burstable"],
    [pod([{}], same), "Guaranteed"],
    [pod([{}], less), "Burstable"],
    [pod([{}], { requests: { cpu: "1" } }), "Burstable"],
    [pod([less], same), "Guaranteed"],
    [pod([same], {}), "BestEffort"],
  ] as const;
  for (const [spec, qosClass] of cases) {
    assertEquals([spec, podQosClass(spec as never)], [spec, qosClass]);
  }
});
