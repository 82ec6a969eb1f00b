import { withoutGoTexts } from "./go_texts.ts";
import type { StepResult } from "./play_steps.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const GENERATED = /\b(?:gen-|p1\.)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g;
const TIME = /20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9:]{8}Z/g;
const AGE = /(?<=[[,])"(?:[0-9]+[smhdy]){1,2}"(?=[\],])/g;
const REVISION = /(?<=resourceVersion\\*"?: ?\\*")[0-9]+(?=\\*")/g;
const LIST_REVISION =
  /(?<="metadata":\{(?:"annotations":\{"k8s.io\/initial-events-end":"true"\},|"continue":"[^"]*",(?:"remainingItemCount":[0-9]+,)?|"creationTimestamp":null,)?"resourceVersion":")[0-9]+/g;
/** The same for indented text, where the metadata of items has a deeper indentation. */
const INDENTED_LIST_REVISION = /(?<=^(?: {2}resourceVersion| {4}"resourceVersion"): ")[0-9]+/m;
const MESSAGE_REVISIONS =
  /(?<=too old resource version: )[0-9]+ \([0-9]+\)|(?<=resource version: )[0-9]+, current: [0-9]+|(?<=(?:in record|precondition) \()[0-9]{2,}|(?<=not decodable revision=)[0-9]+/g;
const TOKEN = /eyJ2[A-Za-z0-9_-]+/g;
/** Tokens of service accounts: a head, claims and a signature. */
const ACCOUNT_TOKEN = /eyJhbGciOi[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/g;
const CLUSTER_IP = /\b10\.0\.0\.[0-9]+\b/g;
const NODE_PORT = /(?<="nodePort":|"healthCheckNodePort":|[",][0-9]+:)3[0-9]{4}\b/g;
/** The target port of the Service of the API server: a free port, in tests. */
const SECURE_PORT = /(?<="port":443,"targetPort":)(?!443\b)[0-9]+/g;
/**
 * The time of a condition that a manager changed and does not own: whether it belongs to the change depends on
 * whether the clock ticks between two changes.
 */
const CHANGED_TIME = /(?<=\{)"f:lastTransitionTime":\{\},(?="f:message")/g;
/** The number of a type that CEL makes of a schema. */
const SELF_TYPE = /\bselfType[0-9]+/g;
const BUILD = /(?<="(?:gitCommit|gitTreeState|buildDate|goVersion)": ")[^"]*/g;

/**
 * Replaces the parts of the results that must differ between two servers. Uids and generated names become numbers in
 * order of appearance. Resource versions of objects become their rank. Times, addresses and the resource versions of
 * lists, which change with the writes of other clients, become a word.
 */
export function comparable(results: readonly StepResult[], host: string): StepResult[] {
  const names = new Map<string, string>();
  const texts = results.map(({ body }) =>
    withoutGoTexts(
      ownersSorted(
        yamlOwnersSorted(
          timeless(withoutRepeatedBookmarks(body).join("\n").replaceAll(host, "HOST")),
        ),
      )
        .replace(ACCOUNT_TOKEN, "ACCOUNT-TOKEN")
        .replace(UUID, numbered(names, "uid"))
        .replace(GENERATED, numbered(names, "generated"))
        .replace(AGE, '"AGE"')
        .replace(CLUSTER_IP, "CLUSTER-IP")
        .replace(NODE_PORT, "0")
        .replace(SECURE_PORT, "SECURE-PORT")
        .replace(BUILD, "BUILD")
        .replace(CHANGED_TIME, "")
        .replace(SELF_TYPE, "selfType")
        .replace(MESSAGE_REVISIONS, "REVISION"),
    )
  );
  const revisions = new Set(texts.flatMap((text) => text.match(REVISION) ?? []).map(Number));
  // Resource versions up to 9 come from requests only, so they stay.
  const ranks = [...revisions].filter((revision) => revision > 9).sort((a, b) => a - b);
  const rank = new Map(ranks.map((revision, i) => [String(revision), `#${i + 1}`]));
  return results.map(({ step, status, headers }, i) => ({
    step,
    status,
    headers,
    body: texts[i]!.replace(REVISION, (found) => rank.get(found) ?? found).split("\n"),
  }));
}

/** Removes bookmarks that repeat the line before: whether a server repeats its last one is a matter of chance. */
function withoutRepeatedBookmarks(lines: readonly string[]): readonly string[] {
  return lines.filter((line, i) => line !== lines[i - 1] || !line.startsWith('{"type":"BOOKMARK"'));
}

function numbered(names: Map<string, string>, what: string): (found: string) => string {
  return (found) => {
    const name = names.get(found) ?? `${what}-${names.size + 1}`;
    names.set(found, name);
    return name;
  };
}

/** Reports whether the text is a list in YAML or in indented JSON. */
function isIndentedList(text: string): boolean {
  return /^items:/m.test(text) || /^ {2}"items": \[/m.test(text);
}

/** Replaces what depends on when a server answers. */
function timeless(text: string): string {
  const first = isIndentedList(text) ? text.replace(INDENTED_LIST_REVISION, "LIST") : text;
  return first.replace(LIST_REVISION, "LIST").replace(TOKEN, (token) => {
    const decoded = atob(token.replaceAll("-", "+").replaceAll("_", "/"));
    return `TOKEN${decoded.replace(/(?<="rv":)[0-9]+/, "0").replaceAll('"', "'")}`;
  }).replace(TIME, "TIME");
}

/**
 * Sorts managed fields, whose times have been replaced: servers order them by time, which depends on whether the clock
 * ticks between two writes.
 */
function ownersSorted(text: string): string {
  const head = '"managedFields":[';
  let result = "";
  let from = 0;
  for (let at = text.indexOf(head); at >= 0; at = text.indexOf(head, from)) {
    const start = at + head.length - 1;
    const end = endOfList(text, start);
    const owners = JSON.parse(text.slice(start, end)) as unknown[];
    result += text.slice(from, start) +
      `[${owners.map((owner) => JSON.stringify(owner)).sort().join(",")}]`;
    from = end;
  }
  return result + text.slice(from);
}

/** The same for the managed fields of text in YAML, which are the entries of a list in block style. */
function yamlOwnersSorted(text: string): string {
  const lists = /(?<=^( *)managedFields:\n)(?:\1- .*\n(?:\1 {2}.*\n)*)+/gm;
  return text.replace(lists, (list, indentation: string) => {
    const owners = list.split(new RegExp(`^(?=${indentation}- )`, "m"));
    return owners.sort().join("");
  });
}

/** Returns the end of the list that begins at `start`. */
function endOfList(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (quoted) {
      if (letter === "\\") at++;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "[") depth++;
    else if (letter === "]" && --depth === 0) return at + 1;
  }
  return text.length;
}
