import type { KubeObject } from "@kubeloop/controller/types";
import type { ByteSocket } from "@kubeloop/controller/websocket";
import {
  badRequest,
  getArray,
  getObject,
  getString,
  internalFailure,
  type JsonObject,
  notImplemented,
} from "../../values/mod.ts";
import {
  findProgram,
  refuseContainer,
  requireSubprotocol,
  serveContainer,
  type ServedPod,
  servePorts,
  serveTunnel,
  TUNNEL,
  V5,
} from "../programs/mod.ts";
import type { Exchange, ServerContext } from "./exchange.ts";

/** A connection that is taken over after its response. */
export interface AcceptedUpgrade {
  /** The subprotocol of the WebSocket. */
  readonly protocol: string;
  /** Serves the connection until it ends. */
  serve(socket: ByteSocket): Promise<void>;
}

/** The accepted upgrades by their placeholder responses, because no Response can have the status 101. */
const accepted = new WeakMap<Response, AcceptedUpgrade>();

/** Returns what takes over the connection after `response`; undefined if nothing does. */
export function upgradeOf(response: Response): AcceptedUpgrade | undefined {
  return accepted.get(response);
}

/**
 * Accepts a request for the streams of a Pod, if a program runs in it. Returns undefined if none does.
 *
 * @param exchange The request.
 * @param pod The Pod, which has a node.
 * @param container The container; undefined for ports.
 * @throws {ApiError} 400 or 501, if the request is not a WebSocket upgrade.
 */
export function openPodStream(
  exchange: Exchange,
  pod: JsonObject,
  container: string | undefined,
): Response | undefined {
  const { info, query, request, server } = exchange;
  const part = container === undefined ? "ports" : info.subresource as "exec" | "attach";
  const object = pod as unknown as KubeObject;
  if (findProgram(server.programs, object, part, container) === undefined) return undefined;
  const upgrade = request.headers.get("upgrade")?.toLowerCase();
  if (upgrade === undefined) throw badRequest("Upgrade request required");
  if (upgrade !== "websocket") {
    throw notImplemented(`This server does not speak ${upgrade}: use a WebSocket`);
  }
  const offered = request.headers.get("sec-websocket-protocol") ?? "";
  const protocol = requireSubprotocol(offered, container === undefined ? "ports" : "container");
  const served = servedPod(server, object);
  if (container === undefined) {
    if (!isRunning(pod, undefined)) {
      return ofKubelet(`pod not found ("${info.name}_${info.namespace}")`);
    }
    if (protocol === TUNNEL) {
      return accept(protocol, (socket) => serveTunnel(socket, protocol, served));
    }
    const ports = portsOf(query).map(Number);
    if (ports.length === 0) throw badRequest('query parameter "port" is required');
    return accept(protocol, (socket) => servePorts(socket, protocol, { ...served, ports }));
  }
  if (isRunning(pod, container)) {
    return accept(
      protocol,
      (socket) => serveContainer(socket, protocol, { ...served, container, query }),
    );
  }
  // With version 5, a real server opens the WebSocket before it calls the kubelet.
  const message = `container not found (${JSON.stringify(container)})`;
  if (protocol !== V5) return ofKubelet(message);
  const { status } = internalFailure(`unable to upgrade connection: ${message}`);
  return accept(protocol, (socket) => refuseContainer(socket, protocol, served, status));
}

/** Returns the ports that a query names, in one parameter or in several, as texts. */
export function portsOf(query: URLSearchParams): string[] {
  return query.getAll("ports").flatMap((text) => text.split(","));
}

/** Returns the error of a kubelet, which a real server passes on unchanged. */
function ofKubelet(message: string): Response {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return new Response(message, { status: 500, headers });
}

function accept(protocol: string, serve: AcceptedUpgrade["serve"]): Response {
  const response = new Response(null, { status: 204 });
  accepted.set(response, { protocol, serve });
  return response;
}

function servedPod(
  { clock, logger, programs, storage, streams }: ServerContext,
  pod: KubeObject,
): ServedPod {
  const { uid } = pod.metadata;
  return {
    programs,
    pod,
    streams,
    clock,
    logger,
    onDeleted: (callback) =>
      storage.onWrite((_resource, { type, object }) => {
        if (type === "DELETED" && object.uid === uid) callback();
      }),
  };
}

/** Reports whether a Pod runs, and the container in it. */
function isRunning(pod: JsonObject, container: string | undefined): boolean {
  if (getString(pod, "status", "phase") !== "Running") return false;
  const status = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"]
    .flatMap((list) => getArray(pod, "status", list))
    .find((one) => container !== undefined && getString(one, "name") === container);
  return status === undefined || "running" in getObject(status, "state");
}
