import { Buffer } from "node:buffer";
import {
  byteLength,
  dnsSubdomain,
  type FieldError,
  forbidden,
  getString,
  invalidValue,
  jsonEqual,
  type JsonObject,
  tooLong,
  withPath,
} from "../../../values/mod.ts";
import { at, type Confirmation, defineKind, type KindRecord } from "../record/mod.ts";
import { column, NAME, type PemBlock, pemBlocks, validateSignerName } from "../shared/mod.ts";
import { hasRight } from "./signers.ts";
import { readCertificate } from "./x509.ts";

/** ClusterTrustBundles. */
export const CLUSTER_TRUST_BUNDLE: KindRecord = defineKind(
  "certificates.k8s.io/v1",
  "clustertrustbundles",
  "ClusterTrustBundle",
  {
    served: { gate: "ClusterTrustBundle" },
    namespaced: false,
    storedVersion: "v1beta1",
    allowUnconditionalUpdate: false,
    names: nameCheck,
    validatesMetaChange: false,
    wholeFirst: true,
    validate: validateSigner,
    validateCreate: (bundle) => validateBundle(getString(bundle, "spec", "trustBundle")),
    validateChange,
    confirm: confirmAttestation,
    fields: { "spec.signerName": at("spec", "signerName") },
    table: {
      columns: [
        NAME,
        column(
          "SignerName",
          "signerName indicates the associated signer, if any.\n\nIn order to create or update a ClusterTrustBundle that sets signerName, you must have the following cluster-scoped permission: group=certificates.k8s.io resource=signers resourceName=<the signer name> verb=attest.\n\nIf signerName is not empty, then the ClusterTrustBundle object must be named with the signer name as a prefix (translating slashes to colons). For example, for the signer name `example.com/foo`, valid ClusterTrustBundle object names include `example.com:foo:abc` and `example.com:foo:v1`.\n\nIf signerName is empty, then the ClusterTrustBundle object's name must not have such a prefix.\n\nList/watch requests for ClusterTrustBundles can filter on this field using a `spec.signerName=NAME` field selector.",
        ),
      ],
      row: (bundle) => [
        getString(bundle, "metadata", "name"),
        getString(bundle, "spec", "signerName") || "<none>",
      ],
    },
  },
);

/** The maximum size of the certificates, in bytes. */
const MAX_BUNDLE_BYTES = 1024 * 1024;

const FIELD = "spec.trustBundle";

/** Returns the check of names: the bundles of a signer have names that begin with the name of the signer. */
function nameCheck(bundle: JsonObject): (name: string) => string[] {
  const signer = getString(bundle, "spec", "signerName");
  if (signer === "") {
    return (name) =>
      name.includes(":")
        ? ['ClusterTrustBundle without signer name must not have ":" in its name']
        : dnsSubdomain(name);
  }
  const prefix = `${signer.replaceAll("/", ":")}:`;
  return (name) =>
    name.startsWith(prefix)
      ? dnsSubdomain(name.slice(prefix.length))
      : [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}`];
}

function validateSigner(bundle: JsonObject): FieldError[] {
  const signer = getString(bundle, "spec", "signerName");
  return signer === "" ? [] : validateSignerName("spec.signerName", signer);
}

function validateChange(next: JsonObject, old: JsonObject): FieldError[] {
  const [bundle, before] = [next, old].map((one) => getString(one, "spec", "trustBundle"));
  const [signer, former] = [next, old].map((one) => getString(one, "spec", "signerName"));
  return [
    ...(bundle === before ? [] : validateBundle(bundle!)),
    ...(signer === former ? [] : [invalidValue("spec.signerName", signer, "field is immutable")]),
  ];
}

/** Returns the errors of certificates of authorities in PEM. */
function validateBundle(text: string): FieldError[] {
  if (byteLength(text) > MAX_BUNDLE_BYTES) return [tooLong(FIELD, MAX_BUNDLE_BYTES)];
  const wrong = (reason: string) => invalidValue(FIELD, "<value omitted>", reason);
  const blocks = pemBlocks(Buffer.from(text));
  const errors = blocks.flatMap((block, index) => {
    const reason = authorityError(block);
    return reason === undefined ? [] : [wrong(`entry ${index} ${reason}`)];
  });
  if (errors.length > 0) return errors;
  if (blocks.length === 0) return [wrong("at least one trust anchor must be provided")];
  const same = Map.groupBy(
    blocks.keys(),
    (index) => Buffer.from(blocks[index]!.bytes).toString("base64"),
  );
  return [...same.values()].filter((indices) => indices.length > 1)
    .map((indices) => wrong(`duplicate trust anchor (indices [${indices.join(" ")}])`));
}

/** Returns why a block of PEM is not the certificate of an authority; undefined if it is. */
function authorityError({ type, hasHeaders, bytes }: PemBlock): string | undefined {
  if (type !== "CERTIFICATE") return `has bad block type: ${type}`;
  if (hasHeaders) return "has PEM block headers";
  const certificate = readCertificate(bytes);
  if (certificate === undefined) return "does not parse as X.509";
  return certificate.ca ? undefined : "does not have the CA bit set";
}

/** The metadata that the garbage collector writes. */
const COLLECTED = ["ownerReferences", "finalizers", "managedFields", "resourceVersion"];

/**
 * Refuses the bundle of a signer for which the user may not attest.
 *
 * @throws {ApiError} 403
 */
function confirmAttestation(
  bundle: JsonObject,
  old: JsonObject | undefined,
  confirmation: Confirmation,
): void {
  const signer = getString(bundle, "spec", "signerName");
  const rest = (object: JsonObject) =>
    COLLECTED.reduce((one, name) => withPath(one, ["metadata", name], undefined), object);
  if (signer === "" || (old !== undefined && jsonEqual(rest(bundle), rest(old)))) return;
  if (hasRight(confirmation, "attest", signer)) return;
  const resource = { group: "certificates.k8s.io", plural: "clustertrustbundles" };
  const why = `user not permitted to attest for signerName ${JSON.stringify(signer)}`;
  throw forbidden(resource, getString(bundle, "metadata", "name"), why);
}
