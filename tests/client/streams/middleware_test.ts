import { assertEquals, assertRejects } from "@std/assert";
import type { Middleware } from "../../../src/client/mod.ts";
import { StatusError } from "../../../src/types/mod.ts";
import { NAMESPACE, PodWorld, shell } from "./_pods.ts";

const namespace = NAMESPACE;

for (const over of ["process", "socket"] as const) {
  Deno.test(`a middleware sees the request for a WebSocket over a ${over}, and its refusal`, async () => {
    await using world = await PodWorld.create([shell], { over });
    const lines: string[] = [];
    const client = world.client.use(async (request, next) => {
      const response = await next(request);
      const { pathname } = new URL(request.url);
      lines.push(`${request.method} ${pathname} ${response.status} ${response.ok}`);
      return response;
    });
    assertEquals((await client.exec("web", ["echo", "a"], { namespace })).stdout, "a\n");
    await assertRejects(() => client.exec("missing", ["echo"], { namespace }), StatusError);
    const path = `/api/v1/namespaces/${namespace}/pods`;
    assertEquals(lines, [`GET ${path}/web/exec 101 false`, `GET ${path}/missing/exec 404 false`]);
    await world.untilQuiet();
  });

  Deno.test(`no connection over a ${over} stays open that a middleware does not return`, async () => {
    await using world = await PodWorld.create([shell], { over });
    const exec = (middleware: Middleware) =>
      world.client.use(middleware).exec("web", ["cat"], { namespace, stdin: "x" });
    await assertRejects(
      () =>
        exec(async (request, next) => {
          await next(request);
          return new Response("not today", { status: 403 });
        }),
      StatusError,
      "not today",
    );
    await assertRejects(
      () =>
        exec(async (request, next) => {
          await next(request);
          throw new Error("broken");
        }),
      Error,
      "broken",
    );
    const twice = await exec(async (request, next) => {
      await next(request);
      return await next(request);
    });
    assertEquals(twice.stdout, "x");
    await world.untilQuiet();
  });
}
