import { getObject, getOwn, getString, isObject, type JsonObject } from "../../values/mod.ts";
import { defaultClaimSpec } from "../core/volume_text.ts";
import { defaultPodSpec, fill, objects } from "../defaults/pod_defaults.ts";
import { defineKind, SCALE, STATUS } from "../define_kind.ts";
import type { KindRecord } from "../kind_record.ts";
import { selectorText } from "../selector_text.ts";
import { containerCells, getNumber, named } from "../table/cells.ts";
import { AGE, column, NAME } from "../table/column.ts";

/** StatefulSets. */
export const STATEFUL_SET: KindRecord = defineKind("apps/v1", "statefulsets", "StatefulSet", {
  shortNames: ["sts"],
  categories: ["all"],
  subresources: [SCALE, STATUS],
  counts: [["spec"]],
  // Updates of several Pods at a time.
  gated: [["spec", "updateStrategy", "rollingUpdate", "maxUnavailable"]],
  defaults: defaultStatefulSet,
  names: "subdomain",
  validatesAgain: false,
  scale: {
    spec: ["spec", "replicas"],
    status: ["status", "replicas"],
    selector: (one) => selectorText(getObject(one, "spec", "selector")),
  },
  table: {
    columns: [
      NAME,
      column("Ready", "Number of the pod with ready state"),
      AGE,
      column("Containers", "Names of each container in the template.", 1),
      column("Images", "Images referenced by each container in the template.", 1),
    ],
    row: named(
      (set) => [
        `${getNumber(set, "status", "readyReplicas")}/${getNumber(set, "spec", "replicas")}`,
      ],
      containerCells,
    ),
  },
});

function defaultStatefulSet(set: JsonObject): void {
  const spec = getObject(set, "spec");
  fill(spec, "podManagementPolicy", "OrderedReady");
  const strategy = getObject(spec, "updateStrategy");
  if (getString(strategy, "type") === "") {
    strategy["type"] = "RollingUpdate";
    if (!isObject(getOwn(strategy, "rollingUpdate"))) strategy["rollingUpdate"] = {};
  }
  const rolling = getOwn(strategy, "rollingUpdate");
  if (strategy["type"] === "RollingUpdate" && isObject(rolling)) fill(rolling, "partition", 0);
  const retention = { ...getObject(spec, "persistentVolumeClaimRetentionPolicy") };
  fill(retention, "whenDeleted", "Retain");
  fill(retention, "whenScaled", "Retain");
  spec["persistentVolumeClaimRetentionPolicy"] = retention;
  fill(spec, "replicas", 1);
  fill(spec, "revisionHistoryLimit", 10);
  for (const claim of objects(spec, "volumeClaimTemplates")) {
    fill(claim, "kind", "PersistentVolumeClaim");
    fill(claim, "apiVersion", "v1");
    defaultClaimSpec(getObject(claim, "spec"));
    fill(getObject(claim, "status"), "phase", "Pending");
  }
  defaultPodSpec(getObject(spec, "template", "spec"));
}
