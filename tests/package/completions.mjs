// Prints what an editor completes at places of a program, in the folder of a project. Run by Node:
//   node completions.mjs TOOLS FOLDER '["changed(\"|\");", …]'

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [tools = "", folder = "", places = "[]"] = process.argv.slice(2);
const ts = createRequire(`${tools}/`)("typescript");

const START = `
import { Deployments, type Manager } from "kubeloop";
import { pathIndexFunc } from "kubeloop/cache";
import { allOf, changed } from "kubeloop/operator";
import { type Widget, Widgets } from "./_widgets.ts";
declare const manager: Manager;
`;
const lines = JSON.parse(places);
const program = `${folder}/completed.ts`;
const text = START + lines.map((line) => line.replace("|", "")).join("\n");
writeFileSync(program, text);

const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
const service = ts.createLanguageService({
  ...ts.sys,
  useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
  getScriptFileNames: () => [program],
  getScriptVersion: () => "1",
  getScriptSnapshot: (path) => {
    const file = ts.sys.readFile(path);
    return file === undefined ? undefined : ts.ScriptSnapshot.fromString(file);
  },
  getCurrentDirectory: () => folder,
  getCompilationSettings: () => options,
  getDefaultLibFileName: (all) => ts.getDefaultLibFilePath(all),
});

let start = START.length;
const found = lines.map((line) => {
  const entries = service.getCompletionsAtPosition(program, start + line.indexOf("|"), {})?.entries;
  start += line.length;
  return [line, (entries ?? []).map(({ name }) => name)];
});
console.log(JSON.stringify(Object.fromEntries(found)));
