/** @jsxImportSource preact */
/// <reference lib="dom" />
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascript } from "@codemirror/lang-javascript";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  WidgetType,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A remark below a line. */
export interface Remark {
  /** The line, from 1. */
  readonly line: number;
  readonly text: string;
  readonly tone: "red" | "amber";
}

/** The properties of {@linkcode Editor}. */
export interface EditorProps {
  /** The text; a new one replaces what the editor shows, in its history of changes. */
  readonly text: string;
  readonly remarks: readonly Remark[];
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
  readonly onSimulate: () => void;
}

const setRemarks = StateEffect.define<readonly Remark[]>();

class RemarkWidget extends WidgetType {
  readonly #remark: Remark;

  constructor(remark: Remark) {
    super();
    this.#remark = remark;
  }

  override eq(other: RemarkWidget): boolean {
    const { text, tone } = this.#remark;
    return text === other.#remark.text && tone === other.#remark.tone;
  }

  override toDOM(): HTMLElement {
    const line = document.createElement("div");
    line.className = `line-remark ${this.#remark.tone}`;
    line.textContent = this.#remark.text;
    return line;
  }
}

const remarkField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setRemarks)) return decorationsOf(transaction.state, effect.value);
    }
    return shown.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorationsOf({ doc }: EditorState, remarks: readonly Remark[]): DecorationSet {
  const known = remarks.filter(({ line }) => line >= 1 && line <= doc.lines);
  return Decoration.set(
    known.flatMap((remark) => {
      const { from, to } = doc.line(remark.line);
      return [
        Decoration.line({ class: `line-marked ${remark.tone}` }).range(from),
        Decoration.widget({ widget: new RemarkWidget(remark), block: true, side: 1 }).range(to),
      ];
    }),
    true,
  );
}

const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--green)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--amber)" },
  { tag: [tags.lineComment, tags.blockComment], color: "var(--soft)", fontStyle: "italic" },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName)],
    color: "var(--blue)",
  },
  { tag: [tags.typeName, tags.className], color: "var(--code-type)" },
]);

/** The editor of the program. Tab leaves it; Ctrl-Enter runs, Ctrl-Shift-Enter simulates. */
export function Editor(props: EditorProps): VNode {
  const { remarks, text } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  latest.current = props;

  useEffect(() => {
    const pressed = (run: () => void) => () => {
      run();
      return true;
    };
    view.current = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          keymap.of([
            { key: "Mod-Shift-Enter", run: pressed(() => latest.current.onSimulate()) },
            { key: "Mod-Enter", run: pressed(() => latest.current.onRun()) },
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          lineNumbers(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          javascript({ typescript: true }),
          syntaxHighlighting(HIGHLIGHT),
          remarkField,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": "Program", spellcheck: "false" }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange(state.doc.toString());
          }),
        ],
      }),
    });
    return () => view.current?.destroy();
  }, []);

  useEffect(() => {
    const { state } = view.current!;
    if (state.doc.toString() === text) return;
    view.current!.dispatch({ changes: { from: 0, to: state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const first = remarks[0];
    const { doc } = view.current!.state;
    view.current!.dispatch({ effects: setRemarks.of(remarks) });
    if (first !== undefined && first.line >= 1 && first.line <= doc.lines) {
      const { from } = doc.line(first.line);
      view.current!.dispatch({ effects: EditorView.scrollIntoView(from, { y: "center" }) });
    }
  }, [remarks]);

  return <div class="editor" ref={place} />;
}
