import type { FastifyReply } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogues, type Language } from '../languages/languages.ts';
import { escapeHtml, jsonForHtml } from './html.ts';
import { styledPageHeaders } from './page-headers.ts';
import { playerDirectory, playerPath } from './player-files.ts';

/** The pages of a course window: the player, and the page that opens it in a window of its own. */
export type PlayerPage = 'player' | 'opener';

const templateOf = (page: PlayerPage) =>
  readFileSync(join(playerDirectory, `${page}.html`), 'utf8').replaceAll(
    '"../../player/',
    `"../../${playerPath}/`,
  );
const languages = Object.keys(catalogues) as Language[];

/** The pages in each language, with the texts that their scripts show. */
const pages = { player: inAllLanguages('player'), opener: inAllLanguages('opener') };

function inAllLanguages(page: PlayerPage): ReadonlyMap<Language, string> {
  const template = templateOf(page);
  return new Map(languages.map((language) => [language, fill(template, language)]));
}

function fill(template: string, language: Language): string {
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
    openCourse: escapeHtml(player.opener.open),
    needsJavaScript: escapeHtml(player.needsJavaScript),
  };
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const field = fields[name];
    if (field === undefined)
      throw new Error(`a page of the player names an unknown field: ${name}`);
    return field;
  });
}

/** Sends the page of a course window. It is never cached, because its URL grants access. */
export function sendPlayerPage(
  reply: FastifyReply,
  page: PlayerPage,
  language: Language,
  cssUrl: string | null,
): void {
  void reply
    .headers(styledPageHeaders(cssUrl))
    .type('text/html; charset=utf-8')
    .send(pages[page].get(language));
}
