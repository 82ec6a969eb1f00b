import {
  getObject,
  getOwn,
  getPath,
  getString,
  humanDuration,
  type Json,
  type JsonObject,
  withPath,
} from "../../../values/mod.ts";

import { AGE, column, NAME, named, objects } from "../shared/mod.ts";
import {
  at,
  defineKind,
  type KindPart,
  type KindRecord,
  STATUS,
  userInfo,
  type Writer,
} from "../record/mod.ts";
import { validateRequest } from "./request_validation.ts";
import { confirmRights } from "./signers.ts";
import { validateProgress } from "./progress_validation.ts";

/** The subresource by which a request is approved or denied: it writes the conditions only. */
const APPROVAL: KindPart = {
  prepare: (next, old, writer) => {
    const conditions = getPath(timed(next, old, writer), "status", "conditions");
    const kept = withPath(next, ["spec"], getOwn(old, "spec"));
    const status = withPath(kept, ["status"], getOwn(old, "status"));
    return withPath(status, ["status", "conditions"], conditions);
  },
  validate: (next, old) => validateProgress(next, old, "approval"),
};

/** CertificateSigningRequests. */
export const CERTIFICATE_SIGNING_REQUEST: KindRecord = defineKind(
  "certificates.k8s.io/v1",
  "certificatesigningrequests",
  "CertificateSigningRequest",
  {
    namespaced: false,
    shortNames: ["csr"],
    subresources: [{ name: "approval", verbs: ["get", "patch", "update"] }, STATUS],
    resets: {
      "": [["spec"], ["status"]],
      status: [["spec"], ["status", "conditions"]],
      approval: [["spec"], ["status", "certificate"]],
    },
    prepareCreate,
    // The request is immutable, and only the subresources write the status.
    prepareUpdate: (next, old) => withPath(next, ["spec"], getOwn(old, "spec")),
    prepareStatus,
    parts: { approval: APPROVAL },
    names: "pathSegment",
    confirm: confirmRights,
    validate: validateRequest,
    validateStatus: (next, old) => validateProgress(next, old, "status"),
    fields: { "spec.signerName": at("spec", "signerName") },
    table: {
      columns: [
        NAME,
        AGE,
        column(
          "SignerName",
          'Requested signer for the request. It is a qualified name in the form: `scope-hostname.io/name`. If empty, it will be defaulted:\n 1. If it\'s a kubelet client certificate, it is assigned\n    "kubernetes.io/kube-apiserver-client-kubelet".\n 2. If it\'s a kubelet serving certificate, it is assigned\n    "kubernetes.io/kubelet-serving".\n 3. Otherwise, it is assigned "kubernetes.io/legacy-unknown".\nDistribution of trust for signers happens out of band. You can select on this field using `spec.signerName`.',
        ),
        column("Requestor", "Base64-encoded PKCS#10 CSR data"),
        column(
          "RequestedDuration",
          "expirationSeconds is the requested duration of validity of the issued certificate. The certificate signer may issue a certificate with a different validity duration so a client must check the delta between the notBefore and and notAfter fields in the issued certificate to determine the actual duration.\n\nThe v1.22+ in-tree implementations of the well-known Kubernetes signers will honor this field as long as the requested duration is not greater than the maximum duration they will honor per the --cluster-signing-duration CLI flag to the Kubernetes controller manager.\n\nCertificate signers may not honor this field for various reasons:\n\n  1. Old signer that is unaware of the field (such as the in-tree\n     implementations prior to v1.22)\n  2. Signer whose configured maximum is shorter than the requested duration\n  3. Signer whose configured minimum is longer than the requested duration\n\nThe minimum valid value for expirationSeconds is 600, i.e. 10 minutes.",
        ),
        column("Condition", "Conditions applied to the request, such as approval or denial."),
      ],
      row: named(() => [], requestCells),
    },
  },
);

/** Notes who has made the request. */
function prepareCreate(request: JsonObject, { user }: Writer): JsonObject {
  const spec = { ...getObject(request, "spec") };
  for (const name of ["username", "uid", "groups", "extra"]) delete spec[name];
  return { ...request, spec: { ...spec, ...userInfo(user) } };
}

function prepareStatus(next: JsonObject, old: JsonObject, writer: Writer): JsonObject {
  // A signer cannot change what an approver has said. Validation refuses to add or remove it.
  const kept = ["Approved", "Denied"].reduce((status, type) => {
    const before = conditionsOf(old, type);
    if (conditionsOf(next, type).length !== before.length) return status;
    const conditions = objects(status, "status", "conditions").map((condition) =>
      getString(condition, "type") === type ? before.shift()! : condition
    );
    return conditions.length === 0
      ? status
      : withPath(status, ["status", "conditions"], conditions);
  }, next);
  return timed(kept, old, writer);
}

function conditionsOf(request: JsonObject, type: string): JsonObject[] {
  return objects(request, "status", "conditions").filter((one) => getString(one, "type") === type);
}

/** Sets the times of conditions that have none. */
function timed(next: JsonObject, old: JsonObject, { now }: Writer): JsonObject {
  const conditions = objects(next, "status", "conditions").map((condition) => {
    const same = conditionsOf(old, getString(condition, "type")).find((one) =>
      getString(one, "status") === getString(condition, "status")
    );
    const since = getString(condition, "lastTransitionTime") ||
      getString(same, "lastTransitionTime") || now;
    const lastUpdateTime = getString(condition, "lastUpdateTime") || now;
    return { ...condition, lastUpdateTime, lastTransitionTime: since };
  });
  return conditions.length === 0 ? next : withPath(next, ["status", "conditions"], conditions);
}

function requestCells(request: JsonObject): Json[] {
  const seconds = getPath(request, "spec", "expirationSeconds");
  return [
    getString(request, "spec", "signerName") || "<none>",
    getString(request, "spec", "username"),
    seconds === undefined ? "<none>" : humanDuration(Number(seconds) * 1000),
    progressOf(request),
  ];
}

function progressOf(request: JsonObject): string {
  const has = (type: string) => conditionsOf(request, type).length > 0;
  const decided = has("Denied") ? "Denied" : has("Approved") ? "Approved" : "Pending";
  const failed = has("Failed") ? ",Failed" : "";
  return `${decided}${failed}${
    getString(request, "status", "certificate") === "" ? "" : ",Issued"
  }`;
}
