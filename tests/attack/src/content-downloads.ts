import { makeManifest, makeZip } from '@registrar/provider/testing';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Attack } from './attack.ts';
import { bystanderOf } from './bystander.ts';
import { compareWithCalm, roundsOf, tooMuchTaken } from './compare-with-calm.ts';
import type { DownloadLoops } from './download-process.ts';
import { forkAttacker, killAttacker } from './fork-attacker.ts';
import { HttpClient } from './http-client.ts';
import { contentUrl, launchCourse, openLink } from './launch-course.ts';
import { openConnections } from './open-connections.ts';
import type { Target } from './target.ts';
import { courseUpload, createTenant } from './tenant.ts';

const fileBytes = 4 * 1024 * 1024;
const loopCount = 16;
const unreadCount = 60;
const readCount = 200;
const windowCount = 20;

const loopAddress = '127.0.1.1';
const unreadAddress = '127.0.1.2';
const readAddress = '127.0.1.3';

/** Learners of one realm download large files, some of them without reading. */
export const contentDownloads: Attack = {
  name: 'content-downloads',
  tried: `${loopCount} loops of downloads of ${fileBytes / 1024 / 1024} MiB by one window, ${unreadCount} downloads that nobody reads, from one address, and ${readCount} of ${windowCount} windows`,
  async run(target, options) {
    const [first = '', ...others] = await openWindows(target);
    const file = (url: string) => {
      const { host, pathname: path } = new URL(url);
      return { port: Number(new URL(target.providerUrl).port), host, path };
    };
    const begin = async () => {
      const loops = [
        { ...file(first), address: loopAddress, count: loopCount },
        ...others.map((url) => ({
          ...file(url),
          address: readAddress,
          count: readCount / others.length,
        })),
      ];
      const readers = await startLoops(loops);
      const { host, path } = file(first);
      const unread = await openConnections(target.providerUrl, {
        addresses: [unreadAddress],
        perAddress: unreadCount,
        bytes: `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`,
      });
      return async () => {
        await Promise.all([unread.close(), killAttacker(readers)]);
      };
    };
    const compared = await compareWithCalm(await bystanderOf(target), roundsOf(options), begin);
    return { violations: tooMuchTaken(compared), bystander: compared };
  },
};

/**
 * Imports a course with a large file, and opens windows of it: each with a learner of its own.
 *
 * @returns the URLs of the file
 */
async function openWindows(target: Target): Promise<string[]> {
  const tenant = await createTenant(target, 'downloads');
  const courseGuid = 'course-with-a-large-file';
  const client = new HttpClient(target, loopAddress);
  const body = courseUpload(tenant, courseGuid, await largePackage());
  const { status } = await client.call('/course.json', { body });
  if (status !== 201) throw new Error(`course create returned ${status}`);
  const files: string[] = [];
  for (let opened = 0; opened <= windowCount; opened += 1) {
    const { link } = await launchCourse(client, tenant, courseGuid);
    const window = await openLink(client, link);
    if (!window) throw new Error('a launch link opens nothing');
    files.push(await contentUrl(client, window, 'large.bin'));
  }
  client.close();
  return files;
}

const largePackage = () =>
  makeZip({
    'imsmanifest.xml': makeManifest(
      '<item identifier="item" identifierref="page"><title>Page</title></item>',
      '<resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="page.html"/>',
    ),
    'page.html': '<!doctype html><title>Page</title>',
    'large.bin': randomBytes(fileBytes),
  });

async function startLoops(loops: readonly DownloadLoops[]): Promise<ChildProcess> {
  const attacker = await forkAttacker('download-process');
  for (const each of loops) attacker.send(each);
  return attacker;
}
