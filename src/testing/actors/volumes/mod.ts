/**
 * The controllers of kube-controller-manager that bind PersistentVolumeClaims, and a provisioner that makes volumes for
 * them.
 *
 * @module
 */

export { PersistentVolumeBinder } from "./claim_binder.ts";
export { PersistentVolumeReclaimer } from "./volume_reclaimer.ts";
