import {
  type ApiError,
  forbidden,
  getObject,
  getOwn,
  getString,
  jsonEqual,
  type JsonObject,
} from "../../../values/mod.ts";
import type { Confirmation } from "../record/mod.ts";

/**
 * Refuses what a user may do with requests, but not with those for this signer: to approve or deny them, and to sign
 * them.
 *
 * @throws {ApiError} 403
 */
export function confirmRights(
  request: JsonObject,
  old: JsonObject | undefined,
  { subresource, isAllowed }: Confirmation,
): void {
  const signer = getString(request, "spec", "signerName");
  const requireVerb = (verb: string) => {
    const [domain = ""] = signer.split("/");
    const has = [signer, `${domain}/*`].some((name) =>
      isAllowed({
        verb,
        group: "certificates.k8s.io",
        resource: "signers",
        subresource: "",
        namespace: "",
        name,
      })
    );
    const what = `requests with signerName ${JSON.stringify(signer)}`;
    if (!has) throw refused(request, `user not permitted to ${verb} ${what}`);
  };
  if (subresource === "approval") requireVerb("approve");
  if (subresource === "status" && old !== undefined && isSigned(request, old)) requireVerb("sign");
}

/** Reports whether a write of the status changes what a signer writes. */
function isSigned(request: JsonObject, old: JsonObject): boolean {
  return ["certificate", "conditions"].some((name) =>
    !jsonEqual(
      getOwn(getObject(request, "status"), name) ?? null,
      getOwn(getObject(old, "status"), name) ?? null,
    )
  );
}

function refused(request: JsonObject, why: string): ApiError {
  const resource = { group: "certificates.k8s.io", plural: "certificatesigningrequests" };
  return forbidden(resource, getString(request, "metadata", "name"), why);
}
