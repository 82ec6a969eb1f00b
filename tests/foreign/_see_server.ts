/**
 * A server of the page over a {@linkcode SeeSource}, for tests of the page alone.
 *
 * @module
 */

import type { SeeSource } from "../../src/see/mod.ts";
import { servedPage } from "../../src/see/page.ts";

export const TOKEN = "a-token-of-a-test";

/** Serves a page and its source on a port of its own. */
export class SeeServer implements AsyncDisposable {
  /** Whether requests for events are refused. */
  isDown = false;
  readonly #source: SeeSource;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #streams = new Set<() => void>();

  constructor(source: SeeSource) {
    this.#source = source;
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => this.#answer(request),
    );
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Ends all streams of events. */
  drop(): void {
    for (const end of this.#streams) end();
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/") {
      const { html, policy } = await servedPage({ mode: "live" });
      const headers = { "content-type": "text/html", "content-security-policy": policy };
      return new Response(html, { headers });
    }
    if (request.headers.get("authorization") !== `Bearer ${TOKEN}`) {
      return Response.json({ error: "The token is missing or wrong." }, { status: 401 });
    }
    const get = (name: string) => searchParams.get(name) ?? "";
    const name = { controller: get("controller"), key: get("key") };
    switch (`${request.method} ${pathname}`) {
      case "GET /see/events":
        return this.isDown
          ? Response.json({ error: "The process is stopping." }, { status: 503 })
          : this.#events();
      case "GET /see/keys": {
        const controller = searchParams.get("controller") ?? undefined;
        const query = { controller, text: get("text"), limit: Number(get("limit")) };
        return Response.json(this.#source.keys(query));
      }
      case "GET /see/stories":
        return Response.json({ stories: this.#source.stories(name) });
      case "GET /see/versions": {
        const versions = this.#source.versions(name);
        return Response.json(versions ?? null);
      }
      case "GET /see/export":
        return new Response(this.#source.export({ ...name, form: get("form") as "json" }));
      case "POST /see/act":
        return Response.json({ text: await this.#source.act(await request.json()) });
      default:
        return Response.json({ error: `There is no ${pathname}.` }, { status: 404 });
    }
  }

  #events(): Response {
    const encoder = new TextEncoder();
    let end = () => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const send = () => {
          const state = JSON.stringify(this.#source.state());
          controller.enqueue(encoder.encode(`event: state\ndata: ${state}\n\n`));
        };
        const unsubscribe = this.#source.subscribe(send);
        end = () => {
          unsubscribe();
          this.#streams.delete(close);
        };
        const close = () => {
          end();
          controller.close();
        };
        this.#streams.add(close);
        controller.enqueue(encoder.encode(": hello\n\n"));
        send();
      },
      cancel: () => end(),
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.drop();
    await this.#server.shutdown();
  }
}
