import {
  child,
  duplicate,
  type FieldError,
  getArray,
  getObject,
  getOwn,
  getPath,
  getString,
  invalidValue,
  isNumber,
  item,
  type Json,
  jsonEqual,
  type JsonObject,
  notSupported,
  withPath,
} from "../../../values/mod.ts";
import { AGE, column, fill, fillPointer, immutable, NAME, named, objects } from "../shared/mod.ts";
import type { Release } from "../../release/mod.ts";
import { defineKind, type KindRecord } from "../record/mod.ts";

/** CSIDrivers. */
export const CSI_DRIVER: KindRecord = defineKind("storage.k8s.io/v1", "csidrivers", "CSIDriver", {
  namespaced: false,
  allowUnconditionalUpdate: false,
  defaults: defaultDriver,
  warnings: driverWarnings,
  prepareUpdate: countChange,
  validate: validateDriver,
  wholeFirst: true,
  validateChange: (next, old) => [
    // The real server calls the field so.
    ...immutable(next, old, "spec", "attachRequired").map((error) => ({
      ...error,
      field: "spec.attachedRequired",
    })),
    ...immutable(next, old, "spec", "volumeLifecycleModes"),
  ],
  names: "subdomain",
  deletion: { returnsObject: true },
  table: {
    columns: [
      NAME,
      column(
        "AttachRequired",
        "attachRequired indicates this CSI volume driver requires an attach operation (because it implements the CSI ControllerPublishVolume() method), and that the Kubernetes attach detach controller should call the attach volume interface which checks the volumeattachment status and waits until the volume is attached before proceeding to mounting. The CSI external-attacher coordinates with CSI volume driver and updates the volumeattachment status when the attach operation is complete. If the value is specified to false, the attach operation will be skipped. Otherwise the attach operation will be called.\n\nThis field is immutable.",
        0,
        "boolean",
      ),
      column(
        "PodInfoOnMount",
        'podInfoOnMount indicates this CSI volume driver requires additional pod information (like podName, podUID, etc.) during mount operations, if set to true. If set to false, pod information will not be passed on mount. Default is false.\n\nThe CSI driver specifies podInfoOnMount as part of driver deployment. If true, Kubelet will pass pod information as VolumeContext in the CSI NodePublishVolume() calls. The CSI driver is responsible for parsing and validating the information passed in as VolumeContext.\n\nThe following VolumeContext will be passed if podInfoOnMount is set to true. This list might grow, but the prefix will be used. "csi.storage.k8s.io/pod.name": pod.Name "csi.storage.k8s.io/pod.namespace": pod.Namespace "csi.storage.k8s.io/pod.uid": string(pod.UID) "csi.storage.k8s.io/ephemeral": "true" if the volume is an ephemeral inline volume\n                                defined by a CSIVolumeSource, otherwise "false"\n\n"csi.storage.k8s.io/ephemeral" is a new feature in Kubernetes 1.16. It is only required for drivers which support both the "Persistent" and "Ephemeral" VolumeLifecycleMode. Other drivers can leave pod info disabled and/or ignore this field. As Kubernetes 1.15 doesn\'t support this field, drivers can only support one mode when deployed on such a cluster and the deployment determines which mode that is, for example via a command line parameter of the driver.\n\nThis field was immutable in Kubernetes < 1.29 and now is mutable.',
        0,
        "boolean",
      ),
      column(
        "StorageCapacity",
        "storageCapacity indicates that the CSI volume driver wants pod scheduling to consider the storage capacity that the driver deployment will report by creating CSIStorageCapacity objects with capacity information, if set to true.\n\nThe check can be enabled immediately when deploying a driver. In that case, provisioning new volumes with late binding will pause until the driver deployment has published some suitable CSIStorageCapacity object.\n\nAlternatively, the driver can be deployed with the field unset or false and it can be flipped later when storage capacity information has been published.\n\nThis field was immutable in Kubernetes <= 1.22 and now is mutable.",
        0,
        "boolean",
      ),
      column(
        "TokenRequests",
        'tokenRequests indicates the CSI driver needs pods\' service account tokens it is mounting volume for to do necessary authentication. Kubelet will pass the tokens in VolumeContext in the CSI NodePublishVolume calls. The CSI driver should parse and validate the following VolumeContext: "csi.storage.k8s.io/serviceAccount.tokens": {\n  "<audience>": {\n    "token": <token>,\n    "expirationTimestamp": <expiration timestamp in RFC3339>,\n  },\n  ...\n}\n\nNote: Audience in each TokenRequest should be different and at most one token is empty string. To receive a new token after expiry, RequiresRepublish can be used to trigger NodePublishVolume periodically.',
      ),
      column(
        "RequiresRepublish",
        "requiresRepublish indicates the CSI driver wants `NodePublishVolume` being periodically called to reflect any possible change in the mounted volume. This field defaults to false.\n\nNote: After a successful initial NodePublishVolume call, subsequent calls to NodePublishVolume should only update the contents of the volume. New mount points will not be seen by a running container.",
        0,
        "boolean",
      ),
      column(
        "Modes",
        'volumeLifecycleModes defines what kind of volumes this CSI volume driver supports. The default if the list is empty is "Persistent", which is the usage defined by the CSI specification and implemented in Kubernetes via the usual PV/PVC mechanism.\n\nThe other mode is "Ephemeral". In this mode, volumes are defined inline inside the pod spec with CSIVolumeSource and their lifecycle is tied to the lifecycle of that pod. A driver has to be aware of this because it is only going to get a NodePublishVolume call for such a volume.\n\nFor more information about implementing this mode, see https://kubernetes-csi.github.io/docs/ephemeral-local-volumes.html A driver can support one or more of these modes and more modes may be added in the future.\n\nThis field is beta. This field is immutable.',
      ),
      AGE,
    ],
    row: named(driverCells),
  },
});

/** Counts changes. A driver that was never changed has no generation. */
function countChange(next: JsonObject, old: JsonObject): JsonObject {
  if (jsonEqual(getOwn(next, "spec"), getOwn(old, "spec"))) return next;
  const generation = Number(getPath(old, "metadata", "generation") ?? 0);
  return withPath(next, ["metadata", "generation"], generation + 1);
}

function defaultDriver(driver: JsonObject, release: Release): void {
  const spec = getObject(driver, "spec");
  fill(spec, "attachRequired", true);
  fill(spec, "podInfoOnMount", false);
  fill(spec, "storageCapacity", false);
  fillPointer(spec, "fsGroupPolicy", "ReadWriteOnceWithFSType");
  if (getArray(spec, "volumeLifecycleModes").length === 0) {
    spec["volumeLifecycleModes"] = ["Persistent"];
  }
  fill(spec, "requiresRepublish", false);
  fill(spec, "seLinuxMount", false);
  if (release.isOn("VolumeLimitScaling")) fill(spec, "preventPodSchedulingIfMissing", false);
}

function driverWarnings(driver: JsonObject, old: JsonObject | undefined): string[] {
  const spec = getObject(driver, "spec");
  const requests = objects(spec, "tokenRequests");
  if (requests.length === 0 || getOwn(spec, "serviceAccountTokenInSecrets") !== undefined) {
    return [];
  }
  if (old !== undefined && jsonEqual(requests, objects(old, "spec", "tokenRequests"))) return [];
  return [
    "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes",
  ];
}

function driverCells(driver: JsonObject): Json[] {
  const spec = getObject(driver, "spec");
  const requests = getOwn(spec, "tokenRequests") === undefined
    ? "<unset>"
    : objects(spec, "tokenRequests").map((one) => getString(one, "audience")).join(",");
  return [
    getOwn(spec, "attachRequired") !== false,
    getOwn(spec, "podInfoOnMount") === true,
    getOwn(spec, "storageCapacity") === true,
    requests,
    getOwn(spec, "requiresRepublish") === true,
    getArray(spec, "volumeLifecycleModes").join(",") || "<none>",
  ];
}

const MIN_EXPIRATION_SECONDS = 10 * 60;
const MIN_PERIOD_SECONDS = 10;

function validateDriver(driver: JsonObject): FieldError[] {
  const spec = getObject(driver, "spec");
  const errors: FieldError[] = [];
  const policy = getString(spec, "fsGroupPolicy");
  const policies = ["File", "None", "ReadWriteOnceWithFSType"];
  if (!policies.includes(policy)) errors.push(notSupported("spec.fsGroupPolicy", policy, policies));
  const requests = objects(spec, "tokenRequests");
  const seen = new Set<string>();
  requests.forEach((request, index) => {
    const at = item("spec.tokenRequests", index);
    const audience = getString(request, "audience");
    if (seen.has(audience)) {
      errors.push(duplicate(child(at, "audience"), audience));
      return;
    }
    seen.add(audience);
    const seconds = getOwn(request, "expirationSeconds");
    if (isNumber(seconds) && seconds < MIN_EXPIRATION_SECONDS) {
      const reason = "may not specify a duration less than 10 minutes";
      errors.push(invalidValue(child(at, "expirationSeconds"), seconds, reason));
    }
    if (isNumber(seconds) && seconds > 2 ** 32) {
      const reason = "may not specify a duration larger than 2^32 seconds";
      errors.push(invalidValue(child(at, "expirationSeconds"), seconds, reason));
    }
  });
  const modes = ["Persistent", "Ephemeral"];
  for (const mode of getArray(spec, "volumeLifecycleModes").map(String)) {
    if (!modes.includes(mode)) errors.push(notSupported("spec.volumeLifecycleModes", mode, modes));
  }
  const period = getOwn(spec, "nodeAllocatableUpdatePeriodSeconds");
  if (isNumber(period) && period < MIN_PERIOD_SECONDS) {
    const reason = `must be greater than or equal to ${MIN_PERIOD_SECONDS} seconds`;
    errors.push(invalidValue("spec.nodeAllocatableUpdatePeriodSeconds", period, reason));
  }
  const inSecrets = getOwn(spec, "serviceAccountTokenInSecrets");
  if (inSecrets !== undefined && requests.length === 0) {
    const reason = "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
    errors.push(invalidValue("spec.serviceAccountTokenInSecrets", inSecrets, reason));
  }
  return errors;
}
