import { getObject, getString, type JsonObject } from "../../../values/mod.ts";
import { at, defineKind, type KindRecord, STATUS } from "../record/mod.ts";
import { column, fillPointer, immutable, labelsText, NAME, objects } from "../shared/mod.ts";
import { confirmIssue, FINAL } from "./issue_validation.ts";
import { validatePodRequest } from "./pod_request_validation.ts";

/** PodCertificateRequests. */
export const POD_CERTIFICATE_REQUEST: KindRecord = defineKind(
  "certificates.k8s.io/v1",
  "podcertificaterequests",
  "PodCertificateRequest",
  {
    served: { gate: "PodCertificateRequest" },
    storedVersion: "v1beta1",
    namespaceField: false,
    subresources: [STATUS],
    statusKeeps: ["*"],
    allowUnconditionalUpdate: false,
    defaults: (request) => fillPointer(getObject(request, "spec"), "maxExpirationSeconds", 86_400),
    names: "subdomain",
    validate: validatePodRequest,
    validatesAgain: false,
    validateChange: (next, old) => immutable(next, old, "spec"),
    confirm: confirmIssue,
    fields: {
      "spec.signerName": at("spec", "signerName"),
      "spec.podName": at("spec", "podName"),
      "spec.nodeName": at("spec", "nodeName"),
    },
    table: {
      columns: [
        NAME,
        column(
          "PodName",
          "podName is the name of the pod into which the certificate will be mounted.",
        ),
        column(
          "ServiceAccountName",
          "serviceAccountName is the name of the service account the pod is running as.",
        ),
        column("NodeName", "nodeName is the name of the node the pod is assigned to."),
        column(
          "SignerName",
          "signerName indicates the requested signer.\n\nAll signer names beginning with `kubernetes.io` are reserved for use by the Kubernetes project.  There is currently one well-known signer documented by the Kubernetes project, `kubernetes.io/kube-apiserver-client-pod`, which will issue client certificates understood by kube-apiserver.  It is currently unimplemented.",
        ),
        column("State", "Is the request Pending, Issued, Denied, or Failed?"),
        column(
          "UnverifiedUserAnnotations",
          "unverifiedUserAnnotations allow pod authors to pass additional information to the signer implementation.  Kubernetes does not restrict or validate this metadata in any way.\n\nEntries are subject to the same validation as object metadata annotations, with the addition that all keys must be domain-prefixed. No restrictions are placed on values, except an overall size limitation on the entire field.\n\nSigners should document the keys and values they support.  Signers should deny requests that contain keys they do not recognize.",
        ),
      ],
      row: (request) => [
        getString(request, "metadata", "name"),
        ...["podName", "serviceAccountName", "nodeName", "signerName"].map((name) =>
          getString(request, "spec", name)
        ),
        stateOf(request),
        labelsText(getObject(request, "spec", "unverifiedUserAnnotations")),
      ],
    },
  },
);

function stateOf(request: JsonObject): string {
  const types = objects(request, "status", "conditions").map((one) => getString(one, "type"));
  return types.findLast((type) => FINAL.includes(type)) ?? "Pending";
}
