import { keepBody, keptBody, parseJson } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import {
  answerText,
  type ApiServer,
  describeRequest,
  type FaultRequest,
  WRITE_VERBS,
} from "../../api_server/mod.ts";
import { currentReconcile } from "./ambient.ts";
import type { ClientCalls } from "./client_calls.ts";
import {
  type Details,
  fullName,
  isCompared,
  type Journal,
  keyOf,
  type SentWrite,
} from "../record/mod.ts";
import { type Life, livingBody } from "./life.ts";
import type { Outages } from "./outages.ts";
import type { PlanFault } from "../plans/mod.ts";
import { brokenConnection, notConverted, notServed, refusal, WEBHOOK_IS_DOWN } from "./refusals.ts";

/** The parts of a run that its wires use. */
export interface WireRun {
  readonly server: Pick<ApiServer, "fetch">;
  readonly journal: Journal;
  /** Keeps the lines of the program that send requests; undefined if they are not wanted. */
  readonly details?: Details | undefined;
  /** Returns the faults of the plan that concern a write or a read. */
  faultsOf(name: string): readonly PlanFault[];
  /** Records that a fault has taken effect. */
  takeEffect(fault: PlanFault): void;
  /** Carries out a fault of another client just before `write`. */
  interfere(fault: PlanFault, request: FaultRequest, write: SentWrite): Promise<void>;
  /** Carries out a fault of the server just after a write. */
  disturbServer(fault: PlanFault): void;
  kill(process: string): void;
  pause(process: string, forMs: number): void;
  /** Asks a process to stop. */
  stop(process: string, graceMs: number): void;
  /** The times in which processes do not reach the server, or are refused by it. */
  readonly outages: Pick<Outages, "begin" | "beginDefinition" | "of" | "ofDefinition" | "onCut">;
  /** Counts a request. */
  count(process: string, what: string): void;
  /** Called when a write was answered. */
  answered(write: SentWrite): void;
  /** Reports whether the process is connected to a server without streaming lists. */
  isOld(process: string): boolean;
}

/** Reviews, which are sent with a POST but change nothing. */
const QUESTIONS = /reviews$/;

/** Reports whether a request may change an object. */
export function isWrite({ resource, verb }: FaultRequest): boolean {
  return WRITE_VERBS.has(verb) && resource !== "" && !QUESTIONS.test(resource);
}

/** The delay of an answer while answers are slow, in milliseconds. */
const SLOW_MS = 10_000;

/** The network between one life of a process and the API server, with the faults of the plan. */
export class Wire {
  readonly #run: WireRun;
  readonly #process: string;
  readonly #life: Life;
  readonly #calls: ClientCalls | undefined;

  constructor(run: WireRun, process: string, life: Life, calls?: ClientCalls) {
    this.#calls = calls;
    this.#run = run;
    this.#process = process;
    this.#life = life;
  }

  /** Sends a request; the `fetch` of the process. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const end = this.#life.begin();
    try {
      await this.#life.deliver(undefined);
      const info = describeRequest(request);
      return isWrite(info) ? await this.#write(request, info) : await this.#read(request, info);
    } finally {
      end();
    }
  };

  /** Returns the answer of an outage, if there is one. */
  async #outage(info: FaultRequest): Promise<Response | undefined> {
    const { outages } = this.#run;
    const resource = fullName(info.resource, info.group);
    const failure = outages.ofDefinition(resource);
    if (failure !== undefined) return failure === "unserved" ? notServed() : notConverted(resource);
    switch (outages.of(this.#process)) {
      case "partition":
        return await this.#life.fail(brokenConnection("ECONNREFUSED"));
      case "unauthorized":
        return refusal(401);
      case "webhook":
        return WRITE_VERBS.has(info.verb) && isCompared(resource)
          ? refusal(500, WEBHOOK_IS_DOWN)
          : undefined;
      case "slow":
        await new Promise<void>((resolve) => this.#life.clock.setTimer(resolve, SLOW_MS));
        return undefined;
      default:
        return undefined;
    }
  }

  async #read(request: Request, info: FaultRequest): Promise<Response> {
    const { history } = this.#run.journal;
    const process = this.#process;
    const resource = fullName(info.resource, info.group);
    const what = `${info.verb} ${resource} ${keyOf(info.namespace, info.name)}`;
    this.#run.count(process, what);
    const page = info.url.searchParams.has("continue") ? " page" : "";
    const id = this.#run.journal.occurrences.next(`${process} ${what}${page}`);
    this.#setOrigin(id, info.resource, info.name);
    const asked = (status: number) => history.add({ kind: "asked", process, id, resource, status });
    for (const fault of this.#run.faultsOf(id)) {
      if (fault.fault !== "read") continue;
      this.#run.takeEffect(fault);
      asked(fault.code);
      return refusal(fault.code);
    }
    const refused = await this.#outage(info);
    if (refused !== undefined) return refused;
    if (
      info.verb === "watch" && this.#run.isOld(process) &&
      info.url.searchParams.get("sendInitialEvents") === "true"
    ) {
      return refusal(422, "sendInitialEvents is forbidden: this server is too old");
    }
    let response: Response;
    try {
      response = await this.#run.server.fetch(request);
    } catch (error) {
      return await this.#life.fail(error);
    }
    if (info.verb === "watch" && response.ok && response.body !== null) {
      asked(response.status);
      const { headers, status } = response;
      await this.#life.deliver(undefined);
      const body = livingBody(response.body, this.#life, {
        seen: (bytes) => history.add({ kind: "seen", process, resource, bytes }),
        onCut: (cut) => this.#run.outages.onCut(process, resource, cut),
      });
      return new Response(body, { status, headers });
    }
    const bytes = keptBody(response) ?? await response.bytes();
    await this.#life.deliver(undefined);
    if (info.resource !== "") {
      const text = answerText(response, bytes);
      const { status } = response;
      history.add({ kind: "read", process, id, verb: info.verb, resource, status, text });
    }
    return again(response, bytes);
  }

  async #write(request: Request, info: FaultRequest): Promise<Response> {
    const run = this.#run;
    const kept = keptBody(request);
    const sent = kept ?? await request.bytes();
    const body = new TextDecoder().decode(sent);
    const write = this.#describe(info, body);
    this.#setOrigin(write.id, info.resource, write.name);
    run.count(this.#process, write.id);
    run.journal.history.add({ kind: "sent", write });
    const faults = run.faultsOf(write.id);
    for (const fault of faults) {
      const answer = await this.#before(fault, request, info, write);
      if (answer !== undefined) return answer;
    }
    const refused = await this.#refused(write, () => this.#outage(info));
    if (refused !== undefined) return refused;
    let response: Response;
    let bytes: Uint8Array<ArrayBuffer>;
    try {
      response = await run.server.fetch(kept === undefined ? withBody(request, sent) : request);
      bytes = keptBody(response) ?? await response.bytes();
    } catch (error) {
      return await this.#life.fail(error);
    }
    write.status = response.status;
    if (response.ok) {
      write.version = versionIn(answerText(response, bytes));
    }
    run.journal.history.add({ kind: "answered", write });
    run.answered(write);
    for (const fault of faults) await this.#after(fault, write);
    await this.#life.deliver(undefined);
    return again(response, bytes);
  }

  #setOrigin(id: string, resource: string, name: string): void {
    const { details } = this.#run;
    details?.setOrigin(id, {
      place: this.#calls?.placeOf(resource, name),
      reconcile: currentReconcile(this.#process, details),
    });
  }

  #describe(info: FaultRequest, body: string): SentWrite {
    const process = this.#process;
    const { group, namespace, subresource, verb } = info;
    const resource = fullName(info.resource, group);
    const name = info.name === "" ? nameIn(body) : info.name;
    const what = subresource === "" ? resource : `${resource}/${subresource}`;
    const id = this.#run.journal.occurrences.next(
      `${process} ${verb} ${what} ${keyOf(namespace, name)}`,
    );
    return {
      id,
      process,
      verb,
      resource,
      subresource,
      namespace,
      name,
      body,
      status: 0,
      version: 0,
    };
  }

  /** Returns the answer of an outage to a write, if there is one. */
  async #refused(
    write: SentWrite,
    outage: () => Promise<Response | undefined>,
  ): Promise<Response | undefined> {
    try {
      const response = await outage();
      if (response === undefined) return undefined;
      write.injected = `refused with ${response.status}`;
      return this.#answered(write, response);
    } catch (error) {
      write.injected = "not sent: the server is out of reach";
      throw error;
    }
  }

  /** Records an answer that the server has not given. */
  #answered(write: SentWrite, response: Response): Response {
    write.status = response.status;
    this.#run.journal.history.add({ kind: "answered", write });
    this.#run.answered(write);
    return response;
  }

  /** Applies a fault before the write is sent. Returns the answer, if the fault answers. */
  async #before(
    fault: PlanFault,
    request: Request,
    info: FaultRequest,
    write: SentWrite,
  ): Promise<Response | undefined> {
    const run = this.#run;
    switch (fault.fault) {
      case "crash":
        if (fault.when !== "before") return undefined;
        run.takeEffect(fault);
        write.injected = "not sent: the process is killed";
        run.kill(this.#process);
        return await this.#life.deliver(undefined) as never;
      case "answer":
        run.takeEffect(fault);
        write.injected = `answered with ${fault.code}`;
        return this.#answered(write, refusal(fault.code));
      case "stop":
        run.takeEffect(fault);
        run.stop(this.#process, fault.graceMs);
        return undefined;
      case "outage":
        run.outages.begin(this.#process, fault);
        return undefined;
      case "definition":
        run.outages.beginDefinition(fault);
        return undefined;
      case "pause":
        run.takeEffect(fault);
        run.pause(this.#process, fault.forMs);
        await this.#life.outlast();
        return undefined;
      case "edit":
      case "linger":
      case "revert":
        await run.interfere(fault, info, write);
        request.signal.throwIfAborted();
        return undefined;
      default:
        return undefined;
    }
  }

  async #after(fault: PlanFault, write: SentWrite): Promise<void> {
    const run = this.#run;
    if (fault.fault === "crash") { // A crash before the write has ended the process above.
      run.takeEffect(fault);
      write.injected = "the process is killed before it gets the answer";
      run.kill(this.#process);
    } else if (fault.fault === "lose") {
      run.takeEffect(fault);
      write.injected = "the answer is lost";
      await this.#life.fail(brokenConnection("ECONNRESET"));
    } else if (fault.fault === "server") {
      run.takeEffect(fault);
      run.disturbServer(fault);
    }
  }
}

/** Returns the version of the object in an answer; 0 if the answer has none. */
function versionIn(answer: string): number {
  try {
    return Number((parseJson(answer) as Partial<KubeObject>).metadata?.resourceVersion ?? 0);
  } catch {
    return 0; // The answer of a subresource may be anything.
  }
}

/** Returns the name of the object in the body of a create. A name to be generated is its prefix and a star. */
function nameIn(body: string): string {
  try {
    const { name, generateName } = (parseJson(body) as Partial<KubeObject>).metadata ?? {};
    return name ?? (generateName === undefined ? "" : `${generateName}*`);
  } catch {
    return "";
  }
}

/** Returns a request whose body has been read, for the server. */
function withBody(
  { headers, method, signal, url }: Request,
  sent: Uint8Array<ArrayBuffer>,
): Request {
  const body = sent.length === 0 ? null : sent;
  return keepBody(new Request(url, { method, headers, signal, body }), sent);
}

/** Returns a response whose body has been read, for the process. */
function again(response: Response, body: Uint8Array<ArrayBuffer>): Response {
  if (keptBody(response) !== undefined) return response;
  const { headers, status } = response;
  return keepBody(new Response(body.length === 0 ? null : body, { status, headers }), body);
}
