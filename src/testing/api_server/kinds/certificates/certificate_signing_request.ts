import { defineKind, STATUS } from "../define_kind.ts";
import { at } from "../field_labels.ts";
import type { KindRecord } from "../kind_record.ts";

/** CertificateSigningRequests. */
export const CERTIFICATE_SIGNING_REQUEST: KindRecord = defineKind(
  "certificates.k8s.io/v1",
  "certificatesigningrequests",
  "CertificateSigningRequest",
  {
    namespaced: false,
    shortNames: ["csr"],
    subresources: [{ name: "approval", verbs: ["get", "patch", "update"] }, STATUS],
    names: "subdomain",
    fields: { "spec.signerName": at("spec", "signerName") },
  },
);
