import { assertEquals } from "@std/assert";
import { ScalingMemory } from "../../../../src/testing/actors/autoscaling/scaling_rules.ts";

type Spec = Parameters<ScalingMemory["decide"]>[0];

function spec(behavior?: object, rest: object = {}): Spec {
  return { minReplicas: 1, maxReplicas: 100, behavior, ...rest } as unknown as Spec;
}

/** Decides once, without a past, and returns the replicas and the reason of the limit. */
function decide(of: Spec, current: number, desired: number): string {
  const { limit, replicas } = new ScalingMemory().decide(of, current, desired, 0);
  return `${replicas} ${limit.reason}${limit.isLimited ? "!" : ""}`;
}

Deno.test("ScalingMemory doubles the replicas at most, or takes four", () => {
  assertEquals(decide(spec(), 1, 4), "4 DesiredWithinRange");
  assertEquals(decide(spec(), 1, 5), "4 ScaleUpLimit!");
  assertEquals(decide(spec(), 10, 20), "20 DesiredWithinRange");
  assertEquals(decide(spec(), 10, 21), "20 ScaleUpLimit!");
  assertEquals(decide(spec(undefined, { maxReplicas: 20 }), 10, 21), "20 TooManyReplicas!");
  assertEquals(decide(spec(undefined, { maxReplicas: 15 }), 10, 15), "15 DesiredWithinRange");
  assertEquals(decide(spec(undefined, { minReplicas: 3 }), 5, 2), "3 TooFewReplicas!");
  assertEquals(decide(spec(undefined, { minReplicas: 3 }), 5, 3), "3 DesiredWithinRange");
  assertEquals(decide(spec(undefined, { minReplicas: undefined }), 5, 0), "1 TooFewReplicas!");
});

Deno.test("ScalingMemory applies the policies of both directions", () => {
  const pods = { type: "Pods", value: 4, periodSeconds: 60 };
  const percent = { type: "Percent", value: 15, periodSeconds: 60 };
  const up = (policies: object[], selectPolicy?: string) =>
    decide(spec({ scaleUp: { policies, selectPolicy } }), 10, 50);
  assertEquals(up([pods]), "14 ScaleUpLimit!");
  assertEquals(up([percent]), "12 ScaleUpLimit!");
  assertEquals(up([pods, percent]), "14 ScaleUpLimit!");
  assertEquals(up([pods, percent], "Max"), "14 ScaleUpLimit!");
  assertEquals(up([pods, percent], "Min"), "12 ScaleUpLimit!");
  assertEquals(up([pods], "Disabled"), "10 ScaleUpLimit!");
  const down = (policies: object[], selectPolicy?: string) =>
    decide(spec({ scaleDown: { policies, selectPolicy } }), 10, 2);
  assertEquals(down([pods]), "6 ScaleDownLimit!");
  assertEquals(down([percent]), "8 ScaleDownLimit!");
  assertEquals(down([pods, percent]), "6 ScaleDownLimit!");
  assertEquals(down([pods, percent], "Min"), "8 ScaleDownLimit!");
  assertEquals(down([pods], "Disabled"), "10 ScaleDownLimit!");
});

Deno.test("ScalingMemory counts the changes of the period, and never goes back for them", () => {
  const policies = [{ type: "Pods", value: 4, periodSeconds: 60 }];
  const memory = new ScalingMemory();
  const behavior = {
    scaleUp: { policies },
    scaleDown: { policies, stabilizationWindowSeconds: 0 },
  };
  const at = (second: number, current: number, desired: number) =>
    memory.decide(spec(behavior), current, desired, 1000 * second).replicas;
  memory.changed(0, 3);
  assertEquals(at(59, 10, 50), 11);
  assertEquals(at(60, 10, 50), 14);
  memory.changed(60_000, 9);
  assertEquals(at(61, 10, 50), 10);
  memory.changed(61_000, -12);
  assertEquals(at(62, 10, 1), 9);
  memory.changed(62_000, -12);
  assertEquals(at(63, 10, 1), 10);
});

Deno.test("ScalingMemory waits for its windows: the lowest proposal up, the highest down", () => {
  const memory = new ScalingMemory();
  const at = (second: number, current: number, desired: number, behavior?: object) => {
    const { able, replicas } = memory.decide(spec(behavior), current, desired, 1000 * second);
    return `${replicas} ${able.reason}`;
  };
  assertEquals(at(0, 5, 9), "9 ReadyForNewScale");
  assertEquals(at(1, 9, 4), "9 ScaleDownStabilized");
  assertEquals(at(299, 9, 3), "9 ScaleDownStabilized");
  assertEquals(at(300, 9, 3), "4 ScaleDownStabilized");
  assertEquals(at(700, 4, 3), "3 ReadyForNewScale");
  const policies = [{ type: "Pods", value: 99, periodSeconds: 1 }];
  const slow = { scaleUp: { stabilizationWindowSeconds: 60, policies } };
  assertEquals(at(759, 3, 6, slow), "3 ScaleUpStabilized");
  assertEquals(at(760, 3, 6, slow), "6 ReadyForNewScale");
  const quick = { scaleDown: { stabilizationWindowSeconds: 10, policies } };
  assertEquals(at(769, 6, 2, quick), "6 ScaleDownStabilized");
  assertEquals(at(770, 6, 2, quick), "2 ReadyForNewScale");
  const hours = { scaleDown: { stabilizationWindowSeconds: 99_999, policies } };
  assertEquals(at(780, 2, 8, hours), "4 ReadyForNewScale");
  assertEquals(at(780 + 3599, 8, 2, hours), "8 ScaleDownStabilized");
  assertEquals(at(780 + 3600, 8, 2, hours), "2 ReadyForNewScale");
});
