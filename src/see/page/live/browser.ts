/// <reference lib="dom" />

/** The name under which a tab keeps the token, so that a reload needs no new URL. */
const KEPT = "kubeloop.see.token";

/** Takes the token out of the URL of a page, so that neither the history nor a bookmark has it. */
export function takeToken(view: Window): string {
  const url = new URL(view.location.href);
  const token = url.searchParams.get("token");
  try {
    if (token === null) return view.sessionStorage.getItem(KEPT) ?? "";
    view.sessionStorage.setItem(KEPT, token);
  } catch {
    // The browser keeps nothing for this page, so a reload needs the URL with the token.
  }
  url.searchParams.delete("token");
  view.history.replaceState(null, "", url);
  return token ?? "";
}

/** Calls `then` after a delay, until the returned function is called. */
export function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

/** Sends a request to the process that has served the page. */
export function send(path: string, init: RequestInit): Promise<Response> {
  return fetch(path, init);
}

/** Offers a text as a file. */
export function download(page: Document, name: string, text: string, type: string): void {
  const link = page.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // The browser has begun the download when `click()` returns.
  URL.revokeObjectURL(link.href);
}
