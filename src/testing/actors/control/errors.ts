import { isConflict, isForbidden, isNotFound, StatusError } from "@kubeloop/controller/types";

/** Throws the error again, unless it says that the object does not exist. */
export function unlessNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

/** Throws the error again, unless the object does not exist or another object has its name: the uid differs. */
export function unlessGone(error: unknown): void {
  if (!isConflict(error)) unlessNotFound(error);
}

/** Reports whether a creation failed because the namespace is being deleted, so that every other one will fail too. */
export function whenTerminating(error: unknown): boolean {
  return isForbidden(error) && StatusError.is(error) &&
    (error.status.details?.causes ?? []).some(({ reason }) => reason === "NamespaceTerminating");
}
