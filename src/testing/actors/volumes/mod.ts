/**
 * The controllers of kube-controller-manager that bind PersistentVolumeClaims, and a provisioner that makes volumes for
 * them. In come the options of an actor; out go actors.
 *
 * @module
 */

export { PersistentVolumeBinder } from "./claim_binder.ts";
export { PersistentVolumeReclaimer } from "./volume_reclaimer.ts";
