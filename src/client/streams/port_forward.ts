import { describeValue, isRecord, requireOptions } from "../../base/mod.ts";
import { podPath, type PodReference, type Requester } from "../request/mod.ts";
import type {
  ForwardedPort,
  ForwardPlan,
  PortForward,
  PortForwardOptions,
  PortInput,
} from "./forward_options.ts";
import { FORWARD_CHECKS } from "./option_checks.ts";
import { requirePort } from "./port_connection.ts";

/** Listens on local ports, and forwards each connection to a port of a Pod. */
export async function portForward(
  requester: Requester,
  pod: PodReference,
  ports: PortInput | readonly PortInput[],
  options: PortForwardOptions,
): Promise<PortForward> {
  requireOptions("portForward()", options, FORWARD_CHECKS);
  const { namespace, address = "127.0.0.1", waitForPodMs = 0, maxConnections = 1000 } = options;
  podPath(pod, namespace, "portforward");
  const list: readonly PortInput[] = Array.isArray(ports) ? ports : [ports as PortInput];
  if (list.length === 0) throw new TypeError("Cannot forward no port: give at least one");
  const plan: ForwardPlan = {
    pod,
    ports: list.map(portOf),
    namespace,
    address,
    waitForPodMs,
    maxConnections,
    logger: requester.logger,
  };
  // Only this form listens: a program that opens single connections needs no node:net of its own.
  const { PortListener } = await import("./port_listener.ts");
  return await PortListener.start(requester, plan, options.signal);
}

function portOf(input: PortInput): ForwardedPort {
  if (typeof input !== "number" && !isRecord(input)) {
    throw new TypeError(
      `port must be a number, or { port, localPort }: received ${describeValue(input)}`,
    );
  }
  const { port, localPort = 0 } = typeof input === "number" ? { port: input } : input;
  requirePort("port", port, 1);
  requirePort("localPort", localPort, 0);
  return { port, localPort };
}
