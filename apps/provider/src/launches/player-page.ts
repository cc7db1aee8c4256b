import type { FastifyReply } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogues, type Language } from '../languages/languages.ts';
import { escapeHtml, jsonForHtml } from './html.ts';
import { styledPageHeaders } from './page-headers.ts';
import { playerDirectory, playerPath } from './player-files.ts';

const template = readFileSync(join(playerDirectory, 'player.html'), 'utf8').replaceAll(
  '"../../player/',
  `"../../${playerPath}/`,
);

/** The page in each language, with the texts that its script shows. */
const pages = new Map(
  (Object.keys(catalogues) as Language[]).map((language) => [language, pageIn(language)]),
);

function pageIn(language: Language): string {
  const { direction, texts } = catalogues[language];
  const { player } = texts;
  const fields: Readonly<Record<string, string>> = {
    language,
    direction,
    texts: jsonForHtml(player),
    course: escapeHtml(player.course),
    contents: escapeHtml(player.contents),
    previous: escapeHtml(player.previous),
    continue: escapeHtml(player.continue),
    endCourse: escapeHtml(player.endCourse),
    exit: escapeHtml(player.exit),
    needsJavaScript: escapeHtml(player.needsJavaScript),
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const field = fields[name];
    if (field === undefined) throw new Error(`player.html names an unknown field: ${name}`);
    return field;
  });
}

/** Sends the page of a course window. It is never cached, because its URL grants access. */
export function sendPlayerPage(
  reply: FastifyReply,
  language: Language,
  cssUrl: string | null,
): void {
  void reply
    .headers(styledPageHeaders(cssUrl))
    .type('text/html; charset=utf-8')
    .send(pages.get(language));
}
