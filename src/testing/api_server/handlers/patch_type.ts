import { requireConsumed, unknownBodyFormat } from "../http/mod.ts";
import type { ResourceInfo } from "../kinds/mod.ts";
import type { PatchType } from "../patch/mod.ts";

/** The patch types by media type. */
const PATCH_TYPES: ReadonlyMap<string, PatchType | "apply"> = new Map<string, PatchType | "apply">([
  ["application/json-patch+json", "json"],
  ["application/merge-patch+json", "merge"],
  ["application/strategic-merge-patch+json", "strategic"],
  ["application/apply-patch+yaml", "apply"],
]);

/**
 * Refuses a patch that the router for built-in resources does not pass on.
 *
 * @throws {ApiError} 415
 */
export function requireRoutablePatch(request: Request): void {
  requireConsumed(request, PATCH_TYPES.keys());
}

/** Reports whether a request is a server-side apply. */
export function isApply(request: Request): boolean {
  return request.method === "PATCH" && PATCH_TYPES.get(contentType(request)) === "apply";
}

/** Returns the Content-Type header without parameters. Unlike other media types, that of a patch is case-sensitive. */
function contentType(request: Request): string {
  const header = request.headers.get("content-type") ?? "";
  const end = header.indexOf(";");
  return end > 0 ? header.slice(0, end) : header;
}

/**
 * Returns the type of a patch of the resource. Custom resources have no Go types, which a strategic merge patch needs.
 *
 * @throws {ApiError} 415, if the resource has no patches of this type.
 */
export function requirePatchType(
  request: Request,
  { custom }: ResourceInfo,
): PatchType | "apply" {
  const type = PATCH_TYPES.get(contentType(request));
  if (type !== undefined && !(custom && type === "strategic")) return type;
  const accepted = [...PATCH_TYPES].filter(([, one]) => !custom || one !== "strategic");
  throw unknownBodyFormat(accepted.map(([name]) => name).join(", "));
}
