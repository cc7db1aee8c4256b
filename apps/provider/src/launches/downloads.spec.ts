import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '@registrar/testing';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { partBytes, ReadPackageFile } from '../packages/read-package-file.ts';
import type { Client } from '../provider.fixture.ts';
import { makeManifest, makeZip, smallestPackage } from '../testing/make-package.ts';
import { FindContent } from './find-content.ts';
import {
  type CourseWindow,
  type LaunchesFixture,
  startLaunchesFixture,
} from './launches.fixture.ts';

/** More than the operating system buffers for a connection. */
const large = randomBytes(12 * 1024 * 1024);

const windowMs = 300;

describe('downloads of course content', () => {
  let fixture: LaunchesFixture;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    fixture = await startLaunchesFixture({
      limits: { minDataRate: { windowMs, bytes: 100_000 } },
      downloads: { ofReader: { running: 1, waiting: 1 }, maxWaitMs: 60_000 },
    });
    const item = '<item identifier="item" identifierref="page"><title>Page</title></item>';
    const resource =
      '<resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="page.html"/>';
    const zip = await makeZip({
      'imsmanifest.xml': makeManifest(item, resource),
      'page.html': '<!doctype html>',
      'large.bin': large,
    });
    expect((await fixture.client.import('large', zip)).status).toBe('COMPLETE');
  });
  afterAll(() => fixture.stop());
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  const openWindow = async () => fixture.open(await fixture.client.register('large'));

  /** Requests the large file, and reads nothing. */
  const download = async (window: CourseWindow, method = 'GET'): Promise<Socket> => {
    const { host, port, pathname } = window.url('content/large.bin');
    const socket = connect(Number(port), '127.0.0.1');
    sockets.push(socket.pause().on('error', () => undefined));
    await once(socket, 'connect');
    socket.write(`${method} ${pathname} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    return socket;
  };
  /** Resolves when the response to a download begins. */
  const begun = async (socket: Socket) => once(socket, 'readable');
  const waiting = async () => {
    const registry = fixture.provider.app.get(Registry);
    return (await registry.getSingleMetric('registrar_content_downloads_waiting')!.get()).values[0]
      ?.value;
  };

  it('downloads of one window wait for their turn, get 503 with Retry-After when too many wait, and leave other windows alone', async () => {
    const [window, other] = [await openWindow(), await openWindow()];
    await begun(await download(window));
    const second = await download(window);
    await eventually('the second download waits', async () => (await waiting()) === 1);
    const third = await window.get('content/page.html');
    expect([third.status, third.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await third.text()).toContain('Too many files are being downloaded');
    expect((await other.get('content/page.html')).status).toBe(200);
    // The first one is cut off, because nobody reads it.
    await begun(second);
    const lines = fixture.provider.lines().filter(({ msg }) => msg === 'response aborted');
    expect(lines[0]).toMatchObject({ reason: 'the client reads the response too slowly' });
  });

  it('downloads by the API of one application leave those of another one alone', async () => {
    const { url } = fixture.provider;
    const send = async ({ authorization }: Client, path: string): Promise<Socket> => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      sockets.push(socket.pause().on('error', () => undefined));
      await once(socket, 'connect');
      socket.write(
        `GET /api/v2/${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: ${authorization}\r\n\r\n`,
      );
      return socket;
    };
    const other = await fixture.provider.client();
    await other.import('small', await smallestPackage());
    await begun(await send(fixture.client, 'courses/large/asset?relativePath=large.bin'));
    await send(fixture.client, 'courses/large/zip');
    await eventually('the second download waits', async () => (await waiting()) === 1);
    const asset = await fetch(`${url}/api/v2/courses/small/asset?relativePath=page.html`, {
      headers: { authorization: other.authorization },
    });
    expect(asset.status).toBe(200);
  });

  it('a download that is read is complete, however many windows have one at a time', async () => {
    const windows = [await openWindow(), await openWindow(), await openWindow()];
    const files = windows.map(async (window) => {
      const file = await window.get('content/large.bin');
      return Buffer.from(await file.arrayBuffer()).equals(large);
    });
    expect(await Promise.all(files)).toEqual([true, true, true]);
    const [window] = windows;
    const range = { range: `bytes=${partBytes - 10}-${8 * partBytes + 5}` };
    const part = Buffer.from(await (await window!.get('content/large.bin', range)).arrayBuffer());
    expect(part.equals(large.subarray(partBytes - 10, 8 * partBytes + 6))).toBe(true);
  });

  it('a HEAD request for a file reads none of it', async () => {
    const head = await buffer((await download(await openWindow(), 'HEAD')).resume());
    expect(head.toString()).toMatch(
      new RegExp(`^HTTP/1.1 200 [^]*content-length: ${large.length}\r\n[^]*\r\n\r\n$`),
    );
  });

  it('a file is read part by part, and no part before the one before it is consumed', async () => {
    const window = await openWindow();
    const { host, pathname } = window.url('content/large.bin');
    const [, , registration, key = ''] = pathname.split('/');
    const label = host.split('.')[0]!;
    const access = { of: 'registration', id: Number(registration), key, host: { label } } as const;
    const file = (await fixture.provider.app
      .get(FindContent)
      .find(access, 'large.bin', ['identity']))!;
    const range = { first: 0, last: file.size - 1 };
    const stream = fixture.provider.app.get(ReadPackageFile).stream(file, range, file.reader);
    for (let taken = 0; taken < 3; taken += 1) {
      await once(stream, 'readable');
      await nextTurn();
      expect(stream.readableLength).toBe(partBytes);
      expect(stream.read()).toEqual(large.subarray(taken * partBytes, (taken + 1) * partBytes));
    }
    stream.destroy();
  });
});
