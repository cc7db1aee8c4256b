import type { FastifyReply } from 'fastify';
import { catalogues, type Language } from '../languages/languages.ts';
import { htmlPage } from './html-page.ts';
import { escapeHtml } from './html.ts';
import { pageHeaders } from './page-headers.ts';

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
  const { texts } = catalogues[language];
  const { title, text } = texts.notices[notice];
  const goBack =
    redirectUrl === null
      ? ''
      : `
      <a class="primary" href="${escapeHtml(redirectUrl)}">${escapeHtml(texts.player.goBack)}</a>`;
  const body = `<body>
    <main class="notice">
      <h1>${escapeHtml(title)}</h1>
      <p>${escapeHtml(text)}</p>${goBack}
    </main>
  </body>`;
  void reply
    .status(statuses[notice])
    .headers(pageHeaders)
    .type('text/html; charset=utf-8')
    .send(htmlPage({ language, root, title, body }));
}
