/**
 * Streams to and from the containers of a Pod: exec, attach and port-forward, over WebSockets.
 *
 * A requester that opens WebSockets enters; streams, results and listeners leave. Imports `request` and `websocket`. The
 * client loads this room with its first stream.
 *
 * @module
 */

export { attachTo, execIn, openAttach, openExec } from "./containers.ts";
export type {
  AttachOptions,
  AttachResult,
  ExecOptions,
  ExecResult,
  OpenAttachOptions,
  OpenExecOptions,
  StdinSource,
} from "./options.ts";
export type { ContainerStreams, TerminalSize } from "./container_streams.ts";
export { openPort, type PortConnection } from "./port_connection.ts";
export type {
  ForwardedPort,
  OpenPortOptions,
  PortForward,
  PortForwardOptions,
  PortInput,
} from "./forward_options.ts";
export { portForward } from "./port_forward.ts";
