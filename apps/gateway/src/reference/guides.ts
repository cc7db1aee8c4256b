import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';

const directory = fileURLToPath(new URL('../../../../docs/', import.meta.url));

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      const content = this.parser.parseInline(tokens);
      return `<h${depth} id="${headingAnchor(text)}">${content}</h${depth}>\n`;
    },
  },
});

/** The anchor that GitHub gives a heading, which links between the guides use. */
const headingAnchor = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** The guides in docs/ as pages, with the anchors that they link to. Each is rendered once. */
export class Guides {
  readonly #paths = new Set(
    readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.md'),
    ),
  );
  readonly #pages = new Map<string, string>();

  /** The HTML of a guide by its path below docs/; null if there is none. */
  page(path: string): string | null {
    if (!this.#paths.has(path)) return null;
    const known = this.#pages.get(path);
    if (known !== undefined) return known;
    const page = render(readFileSync(join(directory, path), 'utf8'));
    this.#pages.set(path, page);
    return page;
  }
}

function render(markdown: string): string {
  const [, title = 'Guide'] = /^# (.*)$/m.exec(markdown) ?? [];
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title.replace(/[<&]/g, '')} – Registrar</title>
    <link rel="icon" href="data:," />
    <style>
      body { max-width: 60rem; margin: auto; padding: 1rem 20px; font: 16px/1.5 sans-serif }
      pre, code { background: #f2f4f7; font-size: 14px }
      pre { overflow-x: auto; padding: 0.75rem }
      table { border-collapse: collapse }
      td, th { border: 1px solid #ccc; padding: 0.25rem 0.5rem; text-align: left; vertical-align: top }
      :target { background: #fff3bf }
    </style>
  </head>
  <body>
    <p><a href="/docs">API reference</a></p>
${marked.parse(markdown, { async: false })}
  </body>
</html>
`;
}
