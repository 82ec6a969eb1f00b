/**
 * Requests that a real server passes on to a kubelet or a proxy: logs, exec, port-forward, proxy.
 *
 * @module
 */

export { requireContainer, requireKubelet } from "./pod_kubelet.ts";
export { refuseNodeProxy, refusePodProxy, refuseServiceProxy } from "./proxies.ts";
