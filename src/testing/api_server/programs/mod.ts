/**
 * The programs of Pods: functions of a test that take the place of containers, for exec, attach and port-forward.
 *
 * A WebSocket, a Pod and a program enter; the streams of the program are served. Imports `values` only.
 *
 * @module
 */

export {
  type ContainerProcess,
  findProgram,
  type OutputWriter,
  type PodProgram,
  type PortStream,
  requirePrograms,
} from "./pod_program.ts";
export {
  OpenStreams,
  refuseContainer,
  requireSubprotocol,
  serveContainer,
  type ServedPod,
  servePorts,
  TUNNEL,
  V5,
} from "./serve_streams.ts";
export { serveTunnel } from "./serve_tunnel.ts";
