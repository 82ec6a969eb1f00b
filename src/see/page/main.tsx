/** @jsxImportSource preact */
/// <reference lib="dom" />

/**
 * The program of the page. The mode in its embedded data says what it shows.
 *
 * @module
 */

import { render, type VNode } from "preact";
import { App } from "./live/app.tsx";
import { after, download, send, takeToken } from "./live/browser.ts";
import { httpSource } from "./live/http_source.ts";

/** The data that is embedded into the page. */
interface PageData {
  /** `live`: a process that has served the page. */
  readonly mode: "live";
}

function pageOf({ mode }: PageData): VNode {
  switch (mode) {
    case "live":
      return (
        <App
          source={httpSource({ token: takeToken(window), send, after })}
          view={window}
          download={(name, text, type) => download(document, name, text, type)}
        />
      );
    default:
      return <p>This page does not know the mode {JSON.stringify(mode)}.</p>;
  }
}

render(
  pageOf(JSON.parse(document.getElementById("data")!.textContent!)),
  document.getElementById("page")!,
);
