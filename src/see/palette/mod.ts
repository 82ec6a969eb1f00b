/**
 * The colours of pages and reports.
 *
 * @module
 */

/**
 * The colours of pages and reports, as CSS variables, for light and dark. Each of `--ink`, `--soft`, `--blue`, `--green`,
 * `--amber` and `--red` is readable as text on `--page`, on `--card`, and on the soft colour of its name: the contrast is at
 * least 4.5.
 */
export const PALETTE: string =
  `:root{color-scheme:light dark;--page:#fbfbfa;--card:#fff;--ink:#1d2129;--soft:#5d6470;--rule:#e4e5e9;--blue:#2159c9;--blue-soft:#e6eeff;--green:#0f7049;--green-soft:#e0f5ec;--amber:#8a5600;--amber-soft:#fff4d6;--red:#bb1f35;--red-soft:#ffe8ea}
@media (prefers-color-scheme:dark){:root{--page:#101318;--card:#171b22;--ink:#e4e7ec;--soft:#9aa3b2;--rule:#2a303b;--blue:#7aaaff;--blue-soft:#1b2740;--green:#4fd0a2;--green-soft:#12302a;--amber:#f0b44c;--amber-soft:#33290f;--red:#ff8290;--red-soft:#401a20}}`;
