import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { PostgreSQL, sql } from '@codemirror/lang-sql';
import { syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { useEffect, useEffectEvent, useRef } from 'react';
import classes from './SqlEditor.module.css';

/** How long the text has to rest before it is checked: milliseconds. */
const checkAfterMs = 600;

/** A fault of the text, at an offset where its place is known. */
export interface SqlFault {
  readonly message: string;
  readonly offset: number | null;
}

interface Props {
  /** The id of the element that names the editor. */
  readonly labelledBy: string;
  readonly initial: string;
  /** The nonce of the editor's styles. */
  readonly nonce: string;
  readonly onChange: (text: string) => void;
  /** Finds the fault of a text, which is marked at its place. Called when the text rests. */
  readonly check: (text: string) => Promise<SqlFault | null>;
}

/** An editor for the text of a stored query. It has nothing of the client's, whose first page is smaller so. */
export default function SqlEditor({ labelledBy, initial, nonce, onChange, check }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const change = useEffectEvent(onChange);
  const checkText = useEffectEvent(check);
  const create = useEffectEvent(
    (parent: HTMLElement) =>
      new EditorView({
        parent,
        state: EditorState.create({
          doc: initial,
          extensions: [
            EditorView.cspNonce.of(nonce),
            EditorView.contentAttributes.of({ 'aria-labelledby': labelledBy }),
            EditorView.lineWrapping,
            lineNumbers(),
            history(),
            // The key Tab leaves the editor.
            keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
            sql({ dialect: PostgreSQL }),
            syntaxHighlighting(classHighlighter),
            lintGutter(),
            linter(({ state }) => diagnosticsOf(state, checkText), { delay: checkAfterMs }),
            EditorView.updateListener.of(({ docChanged, state }) => {
              if (docChanged) change(state.doc.toString());
            }),
          ],
        }),
      }),
  );
  useEffect(() => {
    const view = create(host.current!);
    return () => view.destroy();
  }, []);
  return <div ref={host} className={classes.editor} />;
}

async function diagnosticsOf(state: EditorState, check: Props['check']): Promise<Diagnostic[]> {
  const { length } = state.doc;
  const fault = await check(state.doc.toString());
  if (fault?.offset == null) return [];
  const from = Math.min(fault.offset, length);
  const to = state.wordAt(from)?.to ?? Math.min(from + 1, length);
  return [{ from, to, severity: 'error', message: fault.message }];
}
