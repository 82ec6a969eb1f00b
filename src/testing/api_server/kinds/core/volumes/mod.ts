/**
 * PersistentVolumes and PersistentVolumeClaims.
 *
 * @module
 */

export { PERSISTENT_VOLUME } from "./persistent_volume.ts";
export { PERSISTENT_VOLUME_CLAIM } from "./persistent_volume_claim.ts";
export { defaultClaimSpec } from "./volume_text.ts";
