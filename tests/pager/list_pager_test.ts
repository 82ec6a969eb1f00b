import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { ListPager } from "../../src/pager/mod.ts";
import { type KubeList, type ListOptions, StatusError } from "../../src/types/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";

const expired = () => new StatusError({ code: 410, reason: "Expired" });

/** A server with `total` objects. The n-th request fails with `fails.get(n)`. */
class PagedServer {
  readonly requests: ListOptions[] = [];
  readonly #total: number;
  readonly #fails: ReadonlyMap<number, Error>;

  constructor(total: number, fails: ReadonlyMap<number, Error> = new Map()) {
    this.#total = total;
    this.#fails = fails;
  }

  readonly page = (options: ListOptions): Promise<KubeList> => {
    this.requests.push(options);
    const failure = this.#fails.get(this.requests.length);
    if (failure !== undefined) return Promise.reject(failure);
    const start = Number(options.continue ?? 0);
    const end = Math.min(this.#total, start + (options.limit || this.#total));
    const items = [];
    for (let i = start; i < end; i++) items.push({ metadata: { name: `o${i}` } });
    return Promise.resolve({
      kind: "PodList",
      metadata: {
        resourceVersion: String(100 + this.requests.length),
        ...(end < this.#total ? { continue: String(end), remainingItemCount: 1 } : {}),
      },
      items,
    });
  };
}

const namesOf = (list: KubeList) => list.items.map((item) => item.metadata.name);
const namesUpTo = (total: number) => Array.from({ length: total }, (_, i) => `o${i}`);

Deno.test("ListPager.list() returns a list that fits into the first page unchanged", async () => {
  const page: KubeList = { metadata: { resourceVersion: "5" }, items: [{ metadata: {} }] };
  const { list, paginated } = await new ListPager(() => Promise.resolve(page)).list({});
  assertStrictEquals(list, page);
  assertEquals(paginated, false);
});

Deno.test("ListPager.list() requests 500 items a page, or options.limit", async () => {
  const server = new PagedServer(1);
  await new ListPager(server.page).list({});
  await new ListPager(server.page).list({ limit: 7 });
  await new ListPager(server.page, { pageSize: 0 }).list({});
  assertEquals(server.requests.map((request) => request.limit), [500, 7, 0]);
});

Deno.test("ListPager.list() merges pages at the first page's resource version and keeps the selectors", async () => {
  const server = new PagedServer(5);
  const pager = new ListPager(server.page, { pageSize: 2 });
  const { list, paginated } = await pager.list({
    resourceVersion: "9",
    resourceVersionMatch: "NotOlderThan",
    labelSelector: "a=b",
  });
  assertEquals(namesOf(list), namesUpTo(5));
  assertEquals(list.metadata, { resourceVersion: "101" });
  assertEquals(list.kind, "PodList");
  assertEquals(paginated, true);
  assertEquals(server.requests, [
    { limit: 2, resourceVersion: "9", resourceVersionMatch: "NotOlderThan", labelSelector: "a=b" },
    { limit: 2, continue: "2", labelSelector: "a=b" },
    { limit: 2, continue: "4", labelSelector: "a=b" },
  ]);
});

Deno.test("ListPager.list() falls back to one request at the original resource version if a later page expired", async () => {
  const server = new PagedServer(5, new Map([[2, expired()]]));
  const pager = new ListPager(server.page, { pageSize: 2 });
  const { list, paginated } = await pager.list({
    resourceVersion: "9",
    resourceVersionMatch: "Exact",
  });
  assertEquals(namesOf(list), namesUpTo(5));
  assertEquals(list.metadata.resourceVersion, "103");
  assertEquals(paginated, true);
  assertEquals(server.requests[2], {
    limit: 0,
    resourceVersion: "9",
    resourceVersionMatch: "Exact",
  });
});

Deno.test("ListPager.list() falls back to the whole list even if the options have a continue token", async () => {
  const server = new PagedServer(5, new Map([[2, expired()]]));
  const { list } = await new ListPager(server.page, { pageSize: 2 }).list({ continue: "1" });
  assertEquals(namesOf(list), namesUpTo(5));
  assertEquals(server.requests[2], { limit: 0 });
});

Deno.test("ListPager.list() does not fall back on page 1, on a bare Gone, or if fullListIfExpired is false", async () => {
  const gone = new StatusError({ code: 410, reason: "Gone" });
  const first = new PagedServer(5, new Map([[1, expired()]]));
  await assertRejects(() => new ListPager(first.page, { pageSize: 2 }).list({}), StatusError);
  const bare = new PagedServer(5, new Map([[2, gone]]));
  await assertRejects(() => new ListPager(bare.page, { pageSize: 2 }).list({}), StatusError);
  const off = new PagedServer(5, new Map([[2, expired()]]));
  const options = { pageSize: 2, fullListIfExpired: false };
  await assertRejects(() => new ListPager(off.page, options).list({}), StatusError);
  assertEquals([first, bare, off].map((server) => server.requests.length), [1, 2, 2]);
});

Deno.test("ListPager.list() stops between pages with the signal's reason", async () => {
  const server = new PagedServer(5);
  const stop = new AbortController();
  const reason = new Error("enough");
  const error = await assertRejects(() =>
    new ListPager(server.page, { pageSize: 2 }).list({}, {
      signal: stop.signal,
      afterPage: () => stop.abort(reason),
    })
  );
  assertStrictEquals(error, reason);
  assertEquals(server.requests.length, 1);
});

Deno.test("ListPager.list() awaits afterPage after every page", async () => {
  const server = new PagedServer(5);
  let turns = 0;
  const afterPage = async () => {
    await Promise.resolve();
    turns++;
  };
  await new ListPager(server.page, { pageSize: 2 }).list({}, { afterPage });
  assertEquals(turns, 3);
});

Deno.test("ListPager.list() rejects if the server repeats an empty page", async () => {
  const page = () => Promise.resolve({ metadata: { continue: "again" }, items: [] });
  await assertRejects(() => new ListPager(page).list({}), Error, "List does not end");
});

Deno.test("ListPager.eachListItem() gets every item in order and requests later pages without a resource version", async () => {
  const server = new PagedServer(5);
  const seen: unknown[] = [];
  await new ListPager(server.page, { pageSize: 2 })
    .eachListItem({ resourceVersion: "9" }, (item) => void seen.push(item.metadata.name));
  assertEquals(seen, namesUpTo(5));
  assertEquals(server.requests.map((request) => request.resourceVersion), [
    "9",
    undefined,
    undefined,
  ]);
});

Deno.test("ListPager.eachListItem() delivers the items before an expired page, then rejects", async () => {
  const server = new PagedServer(5, new Map([[3, expired()]]));
  const seen: unknown[] = [];
  await assertRejects(
    () =>
      new ListPager(server.page, { pageSize: 2 })
        .eachListItem({}, (item) => void seen.push(item.metadata.name)),
    StatusError,
  );
  assertEquals(seen, namesUpTo(4));
});

Deno.test("ListPager.eachListItem() rejects with the same error as fn", async () => {
  const server = new PagedServer(50);
  const failure = new RangeError("no more");
  let calls = 0;
  const error = await assertRejects(() =>
    new ListPager(server.page, { pageSize: 2 }).eachListItem({}, () => {
      if (++calls === 3) throw failure;
    })
  );
  assertStrictEquals(error, failure);
  assertEquals(calls, 3);
});

Deno.test("ListPager.eachListItem() finishes the current page after an abort, then rejects", async () => {
  const server = new PagedServer(30);
  const stop = new AbortController();
  let calls = 0;
  await assertRejects(() =>
    new ListPager(server.page, { pageSize: 10 }).eachListItem({}, () => {
      if (++calls === 3) stop.abort(new Error("enough"));
    }, { signal: stop.signal })
  );
  assertEquals(calls, 10);
});

Deno.test("ListPager.eachListItem() rejects on abort even if the page function ignores the signal", async () => {
  const stop = new AbortController();
  const hanging = new ListPager(() => new Promise<KubeList>(() => {}))
    .eachListItem({}, () => {}, { signal: stop.signal });
  stop.abort(new Error("enough"));
  await assertRejects(() => hanging, Error, "enough");
});

for (
  const { pageBufferSize, ahead } of [
    { pageBufferSize: 0, ahead: 1 },
    { pageBufferSize: 1, ahead: 2 },
    { pageBufferSize: 3, ahead: 4 },
  ]
) {
  Deno.test(`ListPager.eachPage() lists ${ahead} pages ahead with a buffer of ${pageBufferSize}`, async () => {
    const server = new PagedServer(20);
    let first = true;
    let listed = 0;
    await new ListPager(server.page, { pageSize: 1, pageBufferSize }).eachPage({}, async () => {
      if (!first) return;
      first = false;
      // More turns than there are pages, so that the pager lists as far ahead as the buffer allows.
      for (let i = 0; i < 200; i++) await Promise.resolve();
      listed = server.requests.length;
    });
    assertEquals(listed, 1 + ahead);
    assertEquals(server.requests.length, 20);
  });
}

for (
  const [options, message] of [
    [{ pageSize: -1 }, "pageSize must be a whole number of at least 0: received -1"],
    [{ pageSize: 1.5 }, "pageSize must be a whole number"],
    [{ pageSize: NaN }, "pageSize must be a whole number"],
    [{ pageSize: Infinity }, "pageSize must be a whole number"],
    [{ pageBufferSize: -1 }, "pageBufferSize must be a whole number of at least 0: received -1"],
    [{ pageBufferSize: NaN }, "pageBufferSize must be a whole number"],
  ] as const
) {
  Deno.test(`new ListPager() rejects ${Object.entries(options).join()}`, () => {
    assertThrows(() => new ListPager(new PagedServer(1).page, options), RangeError, message);
  });
}

Deno.test("ListPager rejects an invalid limit before it requests a page", async () => {
  for (const limit of [-1, 0.5, NaN, Infinity]) {
    const server = new PagedServer(1);
    const pager = new ListPager(server.page);
    await assertRejects(() => pager.list({ limit }), RangeError, "limit must be a whole number");
    await assertRejects(() => pager.eachListItem({ limit }, () => {}), RangeError, "limit");
    assertEquals(server.requests, []);
  }
});

Deno.test("ListPager treats undefined options as not set", async () => {
  const server = new PagedServer(1);
  const options = { pageSize: undefined, pageBufferSize: undefined, fullListIfExpired: undefined };
  await new ListPager(server.page, options).list({ limit: undefined, continue: undefined });
  assertEquals(server.requests.map(({ limit }) => limit), [500]);
});

Deno.test("ListPager.list() returns the same items for any page size and any expired page", async () => {
  await assertProperty(fc.asyncProperty(
    fc.nat(60),
    fc.integer({ min: 1, max: 20 }),
    fc.option(fc.integer({ min: 2, max: 10 }), { nil: undefined }),
    async (total, pageSize, expiresAt) => {
      const fails = new Map(expiresAt === undefined ? [] : [[expiresAt, expired()] as const]);
      const pager = new ListPager(new PagedServer(total, fails).page, { pageSize });
      assertEquals(namesOf((await pager.list({})).list), namesUpTo(total));
      const seen: unknown[] = [];
      const each = new ListPager(new PagedServer(total).page, { pageSize, pageBufferSize: 2 });
      await each.eachListItem({}, (item) => void seen.push(item.metadata.name));
      assertEquals(seen, namesUpTo(total));
    },
  ));
});

/** Answers with `pages` in turn, for ever. */
function endless(pages: readonly { readonly names: readonly string[]; readonly token: unknown }[]) {
  let asked = 0;
  const page = () => {
    const { names, token } = pages[asked++ % pages.length]!;
    return Promise.resolve({
      metadata: { continue: (typeof token === "function" ? token(asked) : token) as string },
      items: names.map((name) => ({ metadata: { name } })),
    });
  };
  return { page, asked: () => asked };
}

const ENDLESS = {
  "two tokens in turn": [{ names: ["a"], token: "1" }, { names: ["b"], token: "2" }],
  "ever new tokens for one page": [{ names: ["a", "b"], token: (n: number) => `t${n}` }],
  "ever new tokens for empty pages": [{ names: [], token: (n: number) => `t${n}` }],
  "the items in turn": [{ names: ["a", "b"], token: "1" }, { names: ["b", "a"], token: "2" }],
};

for (const [what, pages] of Object.entries(ENDLESS)) {
  Deno.test(`ListPager ends a list with ${what}`, async () => {
    const a = endless(pages);
    await assertRejects(() => new ListPager(a.page).list({}), Error, "without a new object");
    assert(a.asked() <= 14, `${a.asked()} pages`);
    const b = endless(pages);
    const each = () => new ListPager(b.page).eachListItem({}, () => {});
    await assertRejects(each, Error, "without a new object");
    assert(b.asked() <= 14, `${b.asked()} pages`);
  });
}

for (const token of [1, true, {}, ["a"], { toString: 1 }]) {
  Deno.test(`ListPager does not take a list with the token ${JSON.stringify(token)} for complete`, async () => {
    const { page } = endless([{ names: ["a"], token }]);
    await assertRejects(() => new ListPager(page).list({}), TypeError, "continue token");
  });
}

Deno.test("ListPager reads on if the list that replaces an expired one has pages too, and not for ever", async () => {
  let isExpired = true;
  const page = ({ continue: token, limit }: ListOptions) => {
    if (token === "2" && isExpired) {
      return Promise.reject(new StatusError({ code: 410, reason: "Expired" }));
    }
    const names = token === undefined ? ["a"] : ["b"];
    const next = token === undefined ? { continue: "2" } : {};
    if (token === undefined && limit === 0) isExpired = false;
    return Promise.resolve({
      metadata: next,
      items: names.map((name) => ({ metadata: { name } })),
    });
  };
  const { list } = await new ListPager(page).list({});
  assertEquals(list.items.length, 2);
  const always = ({ continue: token }: ListOptions) =>
    token === undefined
      ? Promise.resolve({ metadata: { continue: "2" }, items: [{ metadata: { name: "a" } }] })
      : Promise.reject(new StatusError({ code: 410, reason: "Expired" }));
  await assertRejects(() => new ListPager(always).list({}), StatusError);
});

Deno.test("ListPager counts the pages of the list that replaces an expired one anew", async () => {
  // Each page has one object, and the last page of the first list has expired.
  let isWhole = false;
  const page = ({ continue: token, limit }: ListOptions): Promise<KubeList> => {
    isWhole ||= limit === 0;
    const index = Number(token ?? 0);
    if (index === 12 && !isWhole) return Promise.reject(expired());
    return Promise.resolve({
      metadata: index < 12 ? { continue: `${index + 1}` } : {},
      items: [{ metadata: { name: `o${index}` } }],
    });
  };
  assertEquals(namesOf((await new ListPager(page).list({})).list), namesUpTo(13));
});

Deno.test("ListPager gives up after ten pages without a new object, not earlier", async () => {
  for (const [repeats, ends] of [[9, true], [10, false]] as const) {
    let asked = 0;
    const page = (): Promise<KubeList> => {
      asked++;
      const isLast = asked > repeats + 1;
      return Promise.resolve({
        metadata: isLast ? {} : { continue: `${asked}` },
        items: [{ metadata: { name: isLast ? "last" : "a" } }],
      });
    };
    const list = new ListPager(page).list({});
    if (ends) assertEquals((await list).list.items.length, repeats + 2);
    else await assertRejects(() => list, Error, "10 pages in a row without a new object");
  }
});

Deno.test("ListPager.eachPage() requests nothing if the signal has aborted already", async () => {
  const server = new PagedServer(3);
  const signal = AbortSignal.abort(new Error("too late"));
  await assertRejects(
    () => new ListPager(server.page).eachPage({}, () => {}, { signal }),
    Error,
    "too late",
  );
  assertEquals(server.requests, []);
});

Deno.test("ListPager ends with its signal, whatever its functions do", async () => {
  const never = () => new Promise<never>(() => {});
  const page = { metadata: {}, items: [{ metadata: { name: "a" } }, { metadata: { name: "b" } }] };
  const stop = new AbortController();
  const { signal } = stop;
  const pager = new ListPager(() => Promise.resolve(page));
  const deaf = new ListPager(never);
  let calls = 0;
  const ends = [
    deaf.list({}, { signal }),
    deaf.eachPage({}, () => {}, { signal }),
    pager.list({}, { signal, afterPage: never }),
    pager.eachPage({}, never, { signal }),
    pager.eachListItem({}, () => {
      calls++;
      return never();
    }, { signal }),
  ].map((end) => assertRejects(() => end, Error, "enough"));
  for (let i = 0; i < 20; i++) await undefined;
  stop.abort(new Error("enough"));
  await Promise.all(ends);
  assertEquals(calls, 1);
});
