/**
 * The objects of a fresh cluster: what a kube-apiserver creates when it starts on an empty etcd. Tables hold the roles,
 * bindings and priority levels; `fill_storage.ts` makes objects of them when they are needed. The Lease by which a real
 * server shows that it is alive is left out, because it is renewed every ten seconds.
 *
 * Imports `access`, `handlers`, `kinds`, `storage` and `values`.
 *
 * @module
 */

export { fillStorage } from "./fill_storage.ts";
