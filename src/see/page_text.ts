/**
 * The page. A stand-in until the built page replaces it.
 *
 * @module
 */

/** The text in the page in whose place the data is put. */
export const DATA_PLACEHOLDER = "{{data}}";

/** The whole page. */
export const PAGE_HTML =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>kubeloop</title><style>body{font:16px sans-serif}</style>' +
  `<script id="data" type="application/json">${DATA_PLACEHOLDER}</script><body>kubeloop</body></html>`;
