/**
 * A page in a real browser, by the DevTools protocol.
 *
 * @module
 */

import { assert } from "@std/assert";
import type { Browser } from "./browser.ts";

/** An entry of the console, an exception, or a violation of the content security policy. */
export interface Complaint {
  readonly kind: string;
  readonly text: string;
}

/** A node of the accessibility tree. */
export interface AxNode {
  readonly role: string;
  readonly name: string;
  /** The level of a heading. */
  readonly level?: number | undefined;
}

// deno-lint-ignore no-explicit-any -- the answers of the protocol have no types here
type Answer = any;

/** The keys of {@linkcode Page.press} that are not characters. */
const KEY_CODES: Readonly<Record<string, number>> = { Enter: 13, Escape: 27, Tab: 9, " ": 32 };

/** A page of a {@linkcode Browser}. */
export class Page implements AsyncDisposable {
  /** Errors of the page. */
  readonly complaints: Complaint[] = [];
  /** The method and the URL of each request, except of data and blobs. */
  readonly requests: string[] = [];
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, PromiseWithResolvers<Answer>>();
  readonly #loads: (() => void)[] = [];
  #session: string | undefined;
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
  }

  /** Opens an empty page. */
  static async open(browser: Browser): Promise<Page> {
    const socket = new WebSocket(await browser.devTools());
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = reject;
    });
    const page = new Page(socket);
    const { targetId } = await page.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await page.send("Target.attachToTarget", { targetId, flatten: true });
    page.#session = sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network", "Audits", "Accessibility"]) {
      await page.send(`${domain}.enable`);
    }
    return page;
  }

  /** Sends a command, and returns its result. */
  async send(method: string, params: Record<string, unknown> = {}): Promise<Answer> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Answer>();
    this.#answers.set(id, answer);
    this.#socket.send(JSON.stringify({ id, method, params, sessionId: this.#session }));
    return await answer.promise;
  }

  /** Shows a URL, until its load event. */
  async goto(url: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.#loads.push(resolve));
    const { errorText } = await this.send("Page.navigate", { url });
    assert(errorText === undefined, `${url}: ${errorText}`);
    await loaded;
  }

  /** Returns the JSON value of an expression, or of the promise that it returns. */
  async evaluate<Value = unknown>(expression: string): Promise<Value> {
    const { exceptionDetails, result } = await this.send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    assert(exceptionDetails === undefined, exceptionDetails?.exception?.description ?? expression);
    return result.value;
  }

  /** Waits until an expression is true, for up to ten seconds. */
  async until(expression: string): Promise<void> {
    const isTrue = await this.evaluate(`new Promise((resolve) => {
      const end = setTimeout(() => resolve(false), 10_000);
      const look = () => (${expression}) ? (clearTimeout(end), resolve(true)) : setTimeout(look, 15);
      look();
    })`);
    assert(isTrue, `Not true in ten seconds: ${expression}\n${await this.text()}`);
  }

  /** Returns the text that the page shows. */
  text(): Promise<string> {
    return this.evaluate("document.body.innerText");
  }

  /** Presses a key: a character, `Enter`, `Escape` or `Tab`. */
  async press(key: string): Promise<void> {
    const code = KEY_CODES[key] ?? key.toUpperCase().charCodeAt(0);
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    const event = { key, windowsVirtualKeyCode: code, ...(text !== undefined && { text }) };
    const type = text === undefined ? "rawKeyDown" : "keyDown";
    await this.send("Input.dispatchKeyEvent", { type, ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  /** Returns the nodes of the accessibility tree that a screen reader reads, in order. */
  async axTree(): Promise<AxNode[]> {
    const { nodes } = await this.send("Accessibility.getFullAXTree");
    const byId = new Map<string, Answer>(nodes.map((node: Answer) => [node.nodeId, node]));
    const found: AxNode[] = [];
    const visit = (id: string) => {
      const node = byId.get(id);
      if (node === undefined) return;
      if (!node.ignored) {
        found.push({
          role: node.role?.value ?? "",
          name: node.name?.value ?? "",
          level: node.properties?.find((one: Answer) => one.name === "level")?.value.value,
        });
      }
      for (const child of node.childIds ?? []) visit(child);
    };
    visit(nodes[0].nodeId);
    return found;
  }

  /** Sets features of the user's system, such as `prefers-color-scheme`. */
  async setMedia(features: Readonly<Record<string, string>>): Promise<void> {
    const list = Object.entries(features).map(([name, value]) => ({ name, value }));
    await this.send("Emulation.setEmulatedMedia", { features: list });
  }

  /** Sets the size of the page, in CSS pixels. */
  async setViewport(width: number, height: number, scale = 1): Promise<void> {
    await this.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: scale,
      mobile: false,
    });
  }

  /** Returns the page as a PNG. */
  async screenshot(isWhole = false): Promise<Uint8Array> {
    const { data } = await this.send("Page.captureScreenshot", {
      format: "png",
      captureBeyondViewport: isWhole,
    });
    return Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#socket.onclose = resolve);
    this.#socket.close();
    await closed;
  }

  #receive({ error, id, method, params, result }: Answer): void {
    if (id !== undefined) {
      const answer = this.#answers.get(id);
      this.#answers.delete(id);
      if (error === undefined) answer?.resolve(result);
      else answer?.reject(new Error(error.message));
      return;
    }
    const complain = (kind: string, text: string) => void this.complaints.push({ kind, text });
    switch (method) {
      case "Page.loadEventFired":
        this.#loads.shift()?.();
        break;
      case "Network.requestWillBeSent":
        if (/^(https?|wss?|file):/.test(params.request.url)) {
          this.requests.push(`${params.request.method} ${params.request.url}`);
        }
        break;
      case "Runtime.exceptionThrown":
        complain("exception", params.exceptionDetails.exception?.description ?? "");
        break;
      case "Runtime.consoleAPICalled":
        complain(params.type, params.args.map((one: Answer) => one.value).join(" "));
        break;
      case "Log.entryAdded":
        complain(params.entry.level, `${params.entry.text} ${params.entry.url ?? ""}`);
        break;
      case "Audits.issueAdded":
        complain(params.issue.code, JSON.stringify(params.issue.details));
        break;
      default:
    }
  }
}
