import type { FastifyReply } from 'fastify';
import { pageHeaders } from './page-headers.ts';
import { playerPath } from './player-files.ts';

/** Why a course is not opened. */
const notices = {
  ended: {
    status: 410,
    title: 'This window has ended',
    text: 'The course was left here. Go back to where you opened the course, and open it again there.',
  },
  expired: {
    status: 410,
    title: 'This link has expired',
    text: 'A link to a course works for a short time only. Go back to where you opened the course, and open it again there.',
  },
  used: {
    status: 410,
    title: 'This link has been used',
    text: 'A link to a course opens one window. Go back to where you opened the course, and open it again there.',
  },
  invalid: {
    status: 403,
    title: 'This link does not open a course',
    text: 'Go back to where you opened the course, and open it again there.',
  },
};

/**
 * Sends the page that is shown instead of a course. It contains nothing about the course, the
 * learner or the technical cause.
 *
 * @param root the relative URL of the provider's root, such as `..`
 * @param redirectUrl the page to which the learner can go back, if it is known
 */
export function sendNotice(
  reply: FastifyReply,
  notice: keyof typeof notices,
  root: string,
  redirectUrl: string | null,
): void {
  const { status, title, text } = notices[notice];
  const html = `<!doctype html>
<html lang="en">
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
      <p>${text}</p>${redirectUrl === null ? '' : linkTo(redirectUrl)}
    </main>
  </body>
</html>
`;
  void reply.status(status).headers(pageHeaders).type('text/html; charset=utf-8').send(html);
}

const linkTo = (url: string) => `
      <a class="primary" href="${escape(url)}">Go back</a>`;

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
