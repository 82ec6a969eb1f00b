import { assertEquals } from "@std/assert";
import {
  admitLimits,
  confirmClaimLimits,
  confirmPodLimits,
} from "../../../../../../src/testing/api_server/kinds/core/limits/limit_range_admission.ts";
import type { ClusterView } from "../../../../../../src/testing/api_server/kinds/record/kind_record.ts";
import { DEFAULT_RELEASE } from "../../../../../../src/testing/api_server/release/mod.ts";
import { type Loose, refusal } from "../../../support.ts";

/** A namespace with one LimitRange. */
function limited(...limits: Loose[]): ClusterView {
  const range = { metadata: { name: "l" }, spec: { limits } };
  return {
    release: DEFAULT_RELEASE,
    namespace: "default",
    get: () => undefined,
    list: (resource, namespace) =>
      resource === "limitranges" && namespace === "default" ? [range] : [],
  };
}

const container = (requests?: Loose, limits?: Loose, name = "c"): Loose => ({
  name,
  resources: { ...(requests && { requests }), ...(limits && { limits }) },
});
const pod = (containers: Loose[], initContainers?: Loose[]): Loose => ({
  metadata: { name: "p" },
  spec: { containers, ...(initContainers && { initContainers }) },
});

function said(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch {
    return refusal(act).message!.replace(/^\w+ "p" is forbidden: /, "");
  }
}

Deno.test("confirmPodLimits() compares requests and limits with a minimum, a maximum and a ratio", () => {
  const cases: readonly (readonly [Loose, Loose?, Loose?, string?])[] = [
    [{ min: { cpu: "1" } }, { cpu: "1" }],
    [{ min: { cpu: "1" } }, { cpu: "1000m" }, { cpu: "1" }],
    [{ min: { cpu: "1" } }, undefined, { cpu: "2" }, "No request is specified"],
    [{ min: { cpu: "1" } }, { cpu: "999m" }, { cpu: "2" }, "request is 999m"],
    [{ min: { cpu: "1" } }, { cpu: "1" }, { cpu: "999m" }, "limit is 999m"],
    [{ max: { cpu: "1" } }, { cpu: "1" }, { cpu: "1" }],
    [{ max: { cpu: "1" } }, undefined, { cpu: "1" }],
    [{ max: { cpu: "1" } }, { cpu: "1" }, undefined, "No limit is specified"],
    [{ max: { cpu: "1" } }, { cpu: "1" }, { cpu: "1001m" }, "limit is 1001m"],
    [{ max: { cpu: "1" } }, { cpu: "1001m" }, { cpu: "1" }, "request is 1001m"],
    // Amounts are compared in thousandths, rounded up.
    [{ max: { cpu: "1" } }, undefined, { cpu: "1000001u" }, "limit is 1000001u"],
    [{ min: { cpu: "1m" } }, { cpu: "1u" }],
    [{ maxLimitRequestRatio: { cpu: "2" } }, { cpu: "1" }, { cpu: "2" }],
    [{ maxLimitRequestRatio: { cpu: "2" } }, { cpu: "1" }, { cpu: "2500m" }, "ratio is 2.500000"],
    [{ maxLimitRequestRatio: { cpu: "2" } }, { cpu: "0" }, { cpu: "2" }, "request is 0"],
    [{ maxLimitRequestRatio: { cpu: "2" } }, undefined, { cpu: "2" }, "no request is specified"],
    [{ maxLimitRequestRatio: { cpu: "2" } }, { cpu: "1" }, { cpu: "0" }, "limit is 0"],
    [{ maxLimitRequestRatio: { cpu: "2" } }, { cpu: "1" }, undefined, "no limit is specified"],
  ];
  for (const [limit, requests, limits, expected] of cases) {
    const cluster = limited({ type: "Container", ...limit });
    const text = said(() => confirmPodLimits(pod([container(requests, limits)]), cluster));
    const shown = JSON.stringify([limit, requests, limits, text]);
    if (expected === undefined) assertEquals(text, undefined, shown);
    else assertEquals(text?.includes(expected), true, shown);
  }
});

Deno.test("confirmPodLimits() says what each limit is, once", () => {
  const all = limited({
    type: "Container",
    min: { cpu: "1" },
    max: { memory: "1Gi" },
    maxLimitRequestRatio: { cpu: "2" },
  });
  const low = container({ cpu: "500m" }, { cpu: "2", memory: "2Gi" });
  assertEquals(
    said(() => confirmPodLimits(pod([low, low], [low]), all)),
    "[minimum cpu usage per Container is 1, but request is 500m, " +
      "maximum memory usage per Container is 1Gi, but limit is 2Gi, " +
      "cpu max limit to request ratio per Container is 2, but provided ratio is 4.000000]",
  );
  const one = limited({ type: "Container", min: { cpu: "1" } });
  const what = "minimum cpu usage per Container is 1, but request is 500m";
  const enough = container({ cpu: "1" });
  assertEquals(said(() => confirmPodLimits(pod([low]), one)), what);
  assertEquals(said(() => confirmPodLimits(pod([enough], [low]), one)), what);
  // The containers of a Pod count together; a claim has nothing to do with it.
  const whole = limited({ type: "Pod", max: { cpu: "2" } });
  const half = container(undefined, { cpu: "1" });
  assertEquals(said(() => confirmPodLimits(pod([half, half]), whole)), undefined);
  assertEquals(
    said(() => confirmPodLimits(pod([half, half, half]), whole)),
    "maximum cpu usage per Pod is 2, but limit is 3",
  );
  const claims = limited({ type: "PersistentVolumeClaim", max: { cpu: "0" } });
  assertEquals(said(() => confirmPodLimits(pod([half]), claims)), undefined);
});

Deno.test("confirmClaimLimits() compares the size of a claim", () => {
  const cluster = limited(
    { type: "Container", min: { storage: "1Ti" } },
    { type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } },
  );
  const claim = (storage?: string): Loose => ({
    metadata: { name: "p" },
    spec: { resources: { requests: { storage } } },
  });
  const outcome = (storage?: string) => said(() => confirmClaimLimits(claim(storage), cluster));
  const [least, most] = [["minimum", "1Gi"], ["maximum", "2Gi"]].map(([what, size]) =>
    `${what} storage usage per PersistentVolumeClaim is ${size}`
  );
  assertEquals([outcome("1Gi"), outcome("2Gi")], [undefined, undefined]);
  assertEquals(outcome("1Mi"), `${least}, but request is 1Mi`);
  assertEquals(outcome("3Gi"), `${most}, but request is 3Gi`);
  const none = "No request is specified";
  assertEquals(outcome(), `[${least}.  ${none}, ${most}.  ${none}]`);
});

Deno.test("admitLimits() gives containers what they lack, and says so in an annotation", () => {
  const cluster = limited(
    { type: "Pod", default: { cpu: "9" } },
    { type: "Container", default: { cpu: "2", memory: "1Gi" }, defaultRequest: { cpu: "1" } },
  );
  const given = container({ cpu: "3" }, { memory: "5Gi" }, "given");
  const full = container({ cpu: "1" }, { cpu: "2", memory: "1Gi" }, "full");
  const admitted: Loose = admitLimits(pod([given, full], [container()]), cluster);
  assertEquals(admitted.spec, {
    containers: [container({ cpu: "3" }, { memory: "5Gi", cpu: "2" }, "given"), full],
    initContainers: [container({ cpu: "1" }, { cpu: "2", memory: "1Gi" })],
  });
  assertEquals(admitted.metadata.annotations, {
    "kubernetes.io/limit-ranger": "LimitRanger plugin set: cpu limit for container given; " +
      "cpu request for init container c; cpu, memory limit for init container c",
  });
  const before = pod([full]);
  assertEquals(admitLimits(before, cluster), before);
  assertEquals((admitLimits(pod([given]), cluster) as Loose).spec.initContainers, undefined);
});
