import { catalogues, type Language } from '../languages/languages.ts';
import { escapeHtml } from './html.ts';
import { playerPath } from './player-files.ts';

interface HtmlPage {
  readonly language: Language;
  /** The relative URL of the provider's root, such as `..`. */
  readonly root: string;
  readonly title: string;
  /** HTML for the end of the head. */
  readonly head?: string;
  /** The element `body`. */
  readonly body: string;
}

/** Writes a page with the style of the player. */
export const htmlPage = ({
  language,
  root,
  title,
  head = '',
  body,
}: HtmlPage): string => `<!doctype html>
<html lang="${language}" dir="${catalogues[language].direction}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${root}/${playerPath}/player.css" />${head}
  </head>
  ${body}
</html>
`;
