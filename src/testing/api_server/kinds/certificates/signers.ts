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
 * Refuses a user who approves, denies or signs a request without the right to do that for its signer.
 *
 * @throws {ApiError} 403
 */
export function confirmRights(
  request: JsonObject,
  old: JsonObject | undefined,
  confirmation: Confirmation,
): void {
  const { subresource } = confirmation;
  const signer = getString(request, "spec", "signerName");
  const requireVerb = (verb: string) => {
    const what = `requests with signerName ${JSON.stringify(signer)}`;
    if (!hasRight(confirmation, verb, signer)) {
      throw refused(request, `user not permitted to ${verb} ${what}`);
    }
  };
  if (subresource === "approval") requireVerb("approve");
  if (subresource === "status" && old !== undefined && isSigned(request, old)) requireVerb("sign");
}

/** Reports whether the user of a request has a right for a signer, or for all signers of its domain. */
export function hasRight({ isAllowed }: Confirmation, verb: string, signer: string): boolean {
  const [domain = ""] = signer.split("/");
  return [signer, `${domain}/*`].some((name) =>
    isAllowed({
      verb,
      group: "certificates.k8s.io",
      resource: "signers",
      subresource: "",
      namespace: "",
      name,
    })
  );
}

/** Reports whether a write of the status changes the certificate or the conditions of a signer. */
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
