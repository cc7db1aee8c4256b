import type { FastifyReply } from 'fastify';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogues, type Language } from '../languages/languages.ts';
import type { Catalogue } from '../languages/texts.ts';
import { htmlPage } from './html-page.ts';
import { escapeHtml, jsonForHtml } from './html.ts';
import { styledPageHeaders } from './page-headers.ts';
import { playerDirectory, playerPath } from './player-files.ts';
import { reloadScript } from './reload-script.ts';

/** The pages of a course window: the player, and the page that opens it in a window of its own. */
export type PlayerPage = 'player' | 'opener';

/** The pages in each language, with the texts that their scripts show. */
const pages = { player: inAllLanguages('player'), opener: inAllLanguages('opener') };

function inAllLanguages(page: PlayerPage): ReadonlyMap<Language, string> {
  const body = readFileSync(join(playerDirectory, `${page}.html`), 'utf8').trimEnd();
  const languages = Object.keys(catalogues) as Language[];
  return new Map(languages.map((language) => [language, pageIn(language, page, body)]));
}

function pageIn(language: Language, page: PlayerPage, body: string): string {
  const texts = catalogues[language].texts.player;
  const root = '../..';
  return htmlPage({
    language,
    root,
    title: texts.course,
    head: `
    <script>${reloadScript}</script>
    <script type="application/json" id="texts">${jsonForHtml(texts)}</script>
    <script type="module" src="${root}/${playerPath}/${page}.js"></script>`,
    body: fill(body, texts),
  });
}

function fill(body: string, texts: Catalogue['texts']['player']): string {
  const fields: Readonly<Record<string, string>> = {
    course: texts.course,
    contents: texts.contents,
    previous: texts.previous,
    continue: texts.continue,
    endCourse: texts.endCourse,
    exit: texts.exit,
    openCourse: texts.opener.open,
    needsJavaScript: texts.needsJavaScript,
  };
  return body.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const field = fields[name];
    if (field === undefined)
      throw new Error(`a page of the player names an unknown field: ${name}`);
    return escapeHtml(field);
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
