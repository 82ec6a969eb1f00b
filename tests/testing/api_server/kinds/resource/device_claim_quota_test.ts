import { assertEquals } from "@std/assert";
import { DEVICE_CLAIM_QUOTA } from "../../../../../src/testing/api_server/kinds/resource/device_claim_quota.ts";

const GPU = "gpu.deviceclass.resource.k8s.io/devices";
const NIC = "nic.deviceclass.resource.k8s.io/devices";

const ask = (deviceClassName: string, allocationMode: string, count?: number) => ({
  deviceClassName,
  allocationMode,
  ...(count === undefined ? {} : { count }),
});

Deno.test("DEVICE_CLAIM_QUOTA counts the most devices of each class that a claim can get", () => {
  const cases = [
    [[], {}],
    [[{ exactly: ask("gpu", "ExactCount", 2) }], { [GPU]: "2" }],
    [[{ exactly: ask("gpu", "ExactCount", 2) }, { exactly: ask("gpu", "ExactCount", 3) }], {
      [GPU]: "5",
    }],
    [[{ exactly: ask("gpu", "All") }], { [GPU]: "32" }],
    [[{ exactly: ask("gpu", "Later", 2) }], { [GPU]: "0" }],
    [
      [{
        firstAvailable: [
          ask("gpu", "ExactCount", 4),
          ask("gpu", "ExactCount", 1),
          ask("nic", "ExactCount", 2),
        ],
      }],
      { [GPU]: "4", [NIC]: "2" },
    ],
  ] as const;
  for (const [requests, devices] of cases) {
    const claim = { spec: { devices: { requests } } } as never;
    assertEquals(DEVICE_CLAIM_QUOTA.usage(claim, 0), {
      "count/resourceclaims.resource.k8s.io": "1",
      ...devices,
    });
  }
});

Deno.test("DEVICE_CLAIM_QUOTA counts under the names of ResourceClaims only", () => {
  const names = ["count/resourceclaims.resource.k8s.io", GPU, "count/resourceclaims", "pods"];
  assertEquals(names.filter(DEVICE_CLAIM_QUOTA.counts), names.slice(0, 2));
  const grows = (part: string) => DEVICE_CLAIM_QUOTA.grows?.({}, {}, part);
  assertEquals(["", "status"].map(grows), [true, false]);
});
