import { assertEquals } from "@std/assert";
import type { DiscoveredResource } from "../../../src/client/discovery/discovered_resource.ts";
import { ResourceIndex } from "../../../src/client/discovery/resource_index.ts";

function resource(
  [group, version]: readonly [string, string],
  kind: string,
  more: Partial<DiscoveredResource> = {},
): DiscoveredResource {
  const singular = kind.toLowerCase();
  const names = { plural: `${singular}s`, singular, shortNames: [], categories: [] };
  return { group, version, kind, ...names, ...more } as unknown as DiscoveredResource;
}

const [core, apps, acme] = [["", "v1"], ["apps", "v1"], ["acme.io", "v2"]] as const;

const INDEX = new ResourceIndex({
  resources: [
    resource(core, "Pod", { shortNames: ["po"], categories: ["all"] }),
    resource(core, "Service", { shortNames: ["svc"], categories: ["all"] }),
    resource(apps, "Deployment", { shortNames: ["deploy"], categories: ["all"] }),
    resource(["apps", "v1beta1"], "Deployment", { shortNames: ["deploy"], categories: ["all"] }),
    // Other resources have its names, with a closer match.
    resource(acme, "Deploy", { plural: "svc", singular: "pods", shortNames: ["deployment"] }),
    resource(["acme.io", "v1"], "Deploy", { plural: "svc", singular: "pods" }),
    resource(acme, "Pod", { plural: "acmepods", singular: "acmepod" }),
  ],
  missing: ["a.io/v1", "b.io/v1", "c.io/v1", "d.io/v1"],
});

function shown(found: DiscoveredResource | undefined): string | undefined {
  return found && `${found.plural}.${found.version}.${found.group}`;
}

Deno.test("ResourceIndex finds what kubectl would take for a name", () => {
  for (
    const [name, found] of [
      ["pods", "pods.v1."],
      ["POD", "pods.v1."],
      ["po", "pods.v1."],
      ["svc", "svc.v2.acme.io"],
      ["deployment", "deployments.v1.apps"],
      ["deploy", "deployments.v1.apps"],
      ["deploy.acme.io", "svc.v2.acme.io"],
      ["deploy.v1.acme.io", "svc.v1.acme.io"],
      ["deployments.v1beta1.apps", "deployments.v1beta1.apps"],
      // The beginning of a group will do, but a whole one comes first.
      ["deployments.app", "deployments.v1.apps"],
      ["acmepods.acme", "acmepods.v2.acme.io"],
      ["pod.acme.io", "acmepods.v2.acme.io"],
      ["pods.v1.", "pods.v1."],
      ["pods.io", undefined],
      ["deployments.v9.apps", undefined],
      ["none", undefined],
      ["", undefined],
    ] as const
  ) assertEquals(shown(INDEX.ofName(name)), found, name);
});

Deno.test("ResourceIndex finds kinds in their version, and categories in the preferred ones", () => {
  const ofKind = (apiVersion: string, kind: string) => shown(INDEX.ofKind({ apiVersion, kind }));
  assertEquals(ofKind("v1", "Pod"), "pods.v1.");
  assertEquals(ofKind("acme.io/v2", "Pod"), "acmepods.v2.acme.io");
  assertEquals([ofKind("v2", "Pod"), ofKind("v1", "pod")], [undefined, undefined]);
  assertEquals(INDEX.inCategory("all").map(shown), [
    "pods.v1.",
    "services.v1.",
    "deployments.v1.apps",
  ]);
  assertEquals(INDEX.inCategory("none"), []);
});

Deno.test("ResourceIndex names up to three similar ones, the most similar first, and what it could not read", () => {
  const gap = "; the resources of a.io/v1, b.io/v1, c.io/v1 are unavailable";
  assertEquals(
    INDEX.noKind({ apiVersion: "apps/v1", kind: "Pod" }).message,
    `The server has no kind "Pod" of "apps/v1": it has Pod of v1, Pod of acme.io/v2${gap}`,
  );
  assertEquals(
    INDEX.noKind({ apiVersion: "v1", kind: "Deploymnt" }).message,
    `The server has no kind "Deploymnt" of "v1": it has Deployment of apps/v1, ` +
      `Deployment of apps/v1beta1, Deploy of acme.io/v2${gap}`,
  );
  assertEquals(
    INDEX.noName("pos.x").message,
    `The server has no resource "pos.x": it has pods, svc.acme.io${gap}`,
  );
  assertEquals(
    INDEX.noName("elephants").message,
    `The server has no resource "elephants"${gap}`,
  );
  const whole = new ResourceIndex({ resources: [], missing: [] });
  assertEquals(whole.noName("a").message, 'The server has no resource "a"');
});
