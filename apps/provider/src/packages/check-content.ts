import { type CourseStructure, launchablesOf } from './course-structure.ts';
import { withItems } from './check-sequencing.ts';
import { findApiUsers } from './find-api-users.ts';
import type { Findings } from './findings.ts';
import type { CoursePackage } from './open-package.ts';

/** What is searched of a package: beyond that, nothing is concluded from what was not found. */
const searched = { files: 1_000, fileBytes: 4 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };
/** Larger files are not searched for addresses: they are no pages that somebody wrote. */
const addressedBytes = 512 * 1024;

const pageName = /\.x?html?$/i;
const styleName = /\.css$/i;
const scriptName = /\.[cm]?js$/i;

/** What browsers do not show or run, and this provider neither. */
const unplayable =
  /\.(?:swf|flv|exe|bat|cmd|com|msi|dll|php\d?|phtml|aspx?|jsp|cfm|cgi|pl|jar|class)$/i;
const systemFile = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i;

/** The names under which content finds the API, and its first call. */
const apiNames = ['LMSInitialize', 'API_1484_11'];
/** What a page loads. Links that a learner follows are none of it. */
const insecureAddresses = {
  page: /<(?:(?:script|img|iframe|frame|audio|video|source|embed|track|object)\b|link\b(?=[^<>]{0,1000}?\srel\s*=\s*["']?[^"'<>]{0,100}?(?:stylesheet|icon)))[^<>]{0,1000}?\s(?:src|href|data|poster)\s*=\s*["']?(http:\/\/[^"'\s>]{1,200})/i,
  style: /(?:url\(|@import)\s*["']?(http:\/\/[^"')\s]{1,200})/i,
};
const externalScript = /<script\b[^<>]{0,1000}?\ssrc\s*=\s*["']?(?:https?:)?\/\//i;

/** Finds what will not work in the files of a course. */
export async function checkContent(
  { root }: CourseStructure,
  coursePackage: CoursePackage,
  findings: Findings,
): Promise<void> {
  checkNames(coursePackage, findings);
  const launchables = launchablesOf(root);
  const assets = launchables.filter(({ resource }) => resource.type === 'ASSET');
  const users = await findApiUsers(assets, coursePackage);
  if (users.length > 0) {
    const message = 'Marked as an asset, but calls the API: completed as soon as it is opened';
    const ids = users.map(({ id }) => id);
    findings.add('asset-calls-api', withItems(message, ids), placeOf(users[0]?.resource.href));
  }
  const callsApi = await searchFiles(coursePackage, findings);
  const [sco] = launchables.filter(({ resource }) => resource.type === 'SCO');
  if (sco && callsApi === false) {
    const message =
      'No file of the package calls the SCORM API: nothing that learners do is recorded.';
    findings.add('no-api-use', message, placeOf(sco.resource.href));
  }
}

const placeOf = (href: string | undefined) =>
  href === undefined ? undefined : { file: decodeURIComponent(href.replace(/[?#].*$/s, '')) };

function checkNames({ sizes }: CoursePackage, findings: Findings): void {
  for (const path of sizes.keys()) {
    if (systemFile.test(path)) {
      findings.add('system-files', `${path} is no part of the course.`, { file: path });
    } else if (unplayable.test(path)) {
      const message = `${path} neither runs in a browser nor on the server of the course.`;
      findings.add('file-type', message, { file: path });
    }
  }
}

/**
 * Searches pages, styles and scripts.
 *
 * @returns whether one of them calls the API; null if that cannot be told
 */
async function searchFiles(
  coursePackage: CoursePackage,
  findings: Findings,
): Promise<boolean | null> {
  let [files, totalBytes] = [0, 0];
  let callsApi = false;
  let isWhole = true;
  for (const [path, size] of coursePackage.sizes) {
    const [isPage, isStyle] = [pageName.test(path), styleName.test(path)];
    if (!isPage && !isStyle && !scriptName.test(path)) continue;
    files += 1;
    totalBytes += size;
    if (files > searched.files || totalBytes > searched.totalBytes) return callsApi || null;
    if (size > searched.fileBytes) {
      isWhole = false;
      continue;
    }
    const bytes = await coursePackage.read(path, searched.fileBytes);
    if (!bytes) continue;
    callsApi ||= !isStyle && apiNames.some((name) => bytes.includes(name));
    if ((!isPage && !isStyle) || size > addressedBytes) continue;
    const text = bytes.toString('latin1');
    if (isPage && externalScript.test(text)) isWhole = false;
    findAddresses(text, isPage ? 'page' : 'style', path, findings);
  }
  return callsApi || (isWhole ? false : null);
}

function findAddresses(
  text: string,
  kind: keyof typeof insecureAddresses,
  path: string,
  findings: Findings,
): void {
  const first = insecureAddresses[kind].exec(text);
  const [, address] = first ?? [];
  if (!first || address === undefined) return;
  // Of a text in Latin-1, whose characters are the bytes of the file.
  const line = text.slice(0, first.index).split('\n').length + lineBreaks(first[0]);
  const shown = Buffer.from(address, 'latin1').toString();
  const message = `${path} loads ${shown}, which browsers block on a page that came by https.`;
  findings.add('mixed-content', message, { file: path, line });
}

const lineBreaks = (text: string): number => text.split('\n').length - 1;
