import type { FastifyReply } from 'fastify';
import { catalogues, type Language } from '../languages/languages.ts';
import { escapeHtml } from './html.ts';
import { pageHeaders } from './page-headers.ts';
import { playerPath } from './player-files.ts';

/** Why a course is not opened, with the status of the response. */
const statuses = { ended: 410, expired: 410, used: 410, invalid: 403 };

interface NoticePage {
  /** The relative URL of the provider's root, such as `..`. */
  readonly root: string;
  readonly language: Language;
  /** The page to which the learner can go back, if it is known. */
  readonly redirectUrl: string | null;
}

/**
 * Sends the page that is shown instead of a course. It contains nothing about the course, the
 * learner or the technical cause.
 */
export function sendNotice(
  reply: FastifyReply,
  notice: keyof typeof statuses,
  { root, language, redirectUrl }: NoticePage,
): void {
  const { direction, texts } = catalogues[language];
  const title = escapeHtml(texts.notices[notice].title);
  const goBack =
    redirectUrl === null
      ? ''
      : `
      <a class="primary" href="${escapeHtml(redirectUrl)}">${escapeHtml(texts.player.goBack)}</a>`;
  const html = `<!doctype html>
<html lang="${language}" dir="${direction}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="${root}/${playerPath}/player.css" />
  </head>
  <body>
    <main class="notice">
      <h1>${title}</h1>
      <p>${escapeHtml(texts.notices[notice].text)}</p>${goBack}
    </main>
  </body>
</html>
`;
  void reply
    .status(statuses[notice])
    .headers(pageHeaders)
    .type('text/html; charset=utf-8')
    .send(html);
}
