/** @jsxImportSource preact */
/// <reference lib="dom" />

/**
 * The program of the page.
 *
 * @module
 */

import { render } from "preact";
import { App } from "./app.tsx";
import { readPageData } from "./page_data.ts";

render(<App {...readPageData(document)} />, document.getElementById("page")!);
