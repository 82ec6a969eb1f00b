import { PAGE_DATA, PAGE_HTML } from "./page_text.ts";

/** Returns the page with embedded data. The `mode` of the data says what the page shows. */
export function pageHtml(data: { readonly mode: string }): string {
  // A value such as "</script>" cannot end the element, and a function keeps "$" as it is written.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return PAGE_HTML.replace(PAGE_DATA, () => PAGE_DATA.replace(/\{.*\}/, () => json));
}
