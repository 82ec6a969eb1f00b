/** A flag, for completion. */
export interface KnownFlag {
  readonly name: string;
  readonly short: string | undefined;
  readonly help: string;
  /** Whether the flag takes a value. */
  readonly hasValue: boolean;
  /** The allowed values; empty for any. */
  readonly values: readonly string[];
}

/** A command, for completion. */
export interface KnownCommand {
  readonly name: string;
  readonly summary: string;
  readonly takes: "resources" | "files" | "shells" | "nothing";
  readonly flags: readonly KnownFlag[];
}

/** The supported shells. */
export const SHELLS = ["bash", "zsh", "fish"] as const;

/** A supported shell. */
export type Shell = typeof SHELLS[number];

/** The shell command that prints the resources of the server, or nothing if the server cannot be reached. */
const RESOURCES = "kubeloop completion resources 2>/dev/null";

/** The fish command that keeps only valid names of resources. */
const FISH_FILTER = 'string match -r "^[a-z0-9][a-z0-9.-]*\\z"';

/**
 * Returns the completion script of a shell. It contains the commands, flags and their values, and requests the resources from
 * the server on completion.
 *
 * Names of resources and files are untrusted: the scripts never expand them, and skip or quote names with special characters.
 * Files are completed by the shell itself, which quotes them.
 */
export function completionScript(shell: Shell, commands: readonly KnownCommand[]): string {
  switch (shell) {
    case "bash":
      return bash(commands);
    case "zsh":
      return zsh(commands);
    case "fish":
      return fish(commands);
  }
}

function bash(commands: readonly KnownCommand[]): string {
  const cases = commands.map(({ name, flags, takes }) => {
    const valued = flags.filter(({ values }) => values.length > 0).map((flag) =>
      `        ${spellings(flag).join("|")}) ${bashOffer(flag.values)} ;;\n`
    );
    const free = flags.filter(({ values, hasValue }) => hasValue && values.length === 0);
    const files = free.filter(isFile).flatMap(spellings);
    const others = free.filter((flag) => !isFile(flag)).flatMap(spellings);
    const filesCase = files.length === 0 ? "" : `        ${files.join("|")}) _kubeloop_files ;;\n`;
    const othersCase = others.length === 0 ? "" : `        ${others.join("|")}) ;;\n`;
    return `    ${name})
      case $before in
${valued.join("")}${filesCase}${othersCase}        *)
          if [[ $word == -* ]]; then
            ${bashOffer([...flags.map(({ name }) => `--${name}`), "--help"])}
          else
            ${bashArguments(takes)}
          fi ;;
      esac ;;
`;
  });
  return `# bash: source <(kubeloop completion bash)

# Offers those of the lines on standard input that begin with the word at the cursor. Nothing expands a line, unlike
# compgen -W, which would run a command that is in one. Lines with other characters than those of names are left out.
_kubeloop_offer() {
  local LC_ALL=C line
  while IFS= read -r line; do
    if [[ $line == "$word"* && $line != *[!a-z0-9.-]* && ($line != -* || $word == -*) ]]; then
      COMPREPLY+=("$line")
    fi
  done
}

# Offers files. Readline quotes what it inserts of them. Bash itself completes a word that has quotes already.
_kubeloop_files() {
  local line
  if [[ $word == *[\\\\\\'\\"]* ]] || ! type compopt &>/dev/null; then
    compopt -o default 2>/dev/null
    return
  fi
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$word")
}

_kubeloop() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  # Bash 3.2 has no compopt: there, files are offered wherever nothing else is.
  compopt +o default 2>/dev/null
  if ((COMP_CWORD == 1)); then
    ${bashOffer(commands.map(({ name }) => name))}
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join("")}  esac
}
complete -o default -F _kubeloop kubeloop
`;
}

function bashOffer(words: readonly string[]): string {
  return `_kubeloop_offer < <(printf '%s\\n' ${words.map((word) => `'${word}'`).join(" ")})`;
}

function bashArguments(takes: KnownCommand["takes"]): string {
  if (takes === "resources") return `_kubeloop_offer < <(${RESOURCES})`;
  if (takes === "files") return "_kubeloop_files";
  return takes === "shells" ? bashOffer(SHELLS) : ":";
}

function zsh(commands: readonly KnownCommand[]): string {
  const cases = commands.map(({ name, flags, takes }) => {
    const specs = flags.map((flag) => {
      const value = flag.values.length > 0
        ? `:value:(${flag.values.join(" ")})`
        : flag.hasValue
        ? (isFile(flag) ? ":file:_files" : ":value:")
        : "";
      const help = flag.help.replace(/[[\]:']/g, " ");
      return spellings(flag).map((one) => `        '${one}[${help}]${value}'`).join(" \\\n");
    });
    return `    ${name})
      _arguments -S \\
${[...specs, `        '*:argument:${zshArguments(takes)}'`].join(" \\\n")} ;;
`;
  });
  const described = commands.map(({ name, summary }) =>
    `    '${name}:${summary.replace(/'/g, "")}'`
  );
  return `#compdef kubeloop
# zsh: source <(kubeloop completion zsh)

# Offers the resources of the server. Nothing expands their names, and names with other characters are left out.
_kubeloop_resources() {
  emulate -L zsh
  local LC_ALL=C
  local -a found
  found=("\${(@f)$(${RESOURCES})}")
  found=("\${(@)found:#(|-*|*[^a-z0-9.-]*)}")
  compadd -a found
}

_kubeloop() {
  local -a commands
  commands=(
${described.join("\n")}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${cases.join("")}  esac
}
compdef _kubeloop kubeloop
`;
}

function zshArguments(takes: KnownCommand["takes"]): string {
  if (takes === "resources") return "_kubeloop_resources";
  if (takes === "files") return "_files";
  return takes === "shells" ? `(${SHELLS.join(" ")})` : "";
}

function fish(commands: readonly KnownCommand[]): string {
  const lines = ["# fish: kubeloop completion fish | source", "complete -c kubeloop -f"];
  for (const { name, summary, flags, takes } of commands) {
    lines.push(
      `complete -c kubeloop -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    );
    const start = `complete -c kubeloop -n '__fish_seen_subcommand_from ${name}'`;
    for (const flag of flags) {
      const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
      const values = flag.values.length > 0
        ? ` -x -a ${quoted(flag.values.join(" "))}`
        : flag.hasValue
        ? (isFile(flag) ? " -r -F" : " -x")
        : "";
      lines.push(`${start} -l ${flag.name}${short}${values} -d ${quoted(flag.help)}`);
    }
    if (takes === "resources") lines.push(`${start} -a '(${RESOURCES} | ${FISH_FILTER})'`);
    if (takes === "files") lines.push(`${start} -F`);
    if (takes === "shells") lines.push(`${start} -a ${quoted(SHELLS.join(" "))}`);
  }
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

function spellings({ name, short }: KnownFlag): string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

/** Reports whether the value of a flag is a file. */
function isFile({ name }: KnownFlag): boolean {
  return ["kubeconfig", "token-file", "certificate-authority", "filename"].includes(name);
}
