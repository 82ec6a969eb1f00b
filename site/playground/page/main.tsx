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

const page = document.getElementById("page")!;
page.replaceChildren();
render(<App {...readPageData(document)} />, page);
