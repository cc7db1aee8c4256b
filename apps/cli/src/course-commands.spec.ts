import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InputOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import {
  appendPackagePiece,
  createCourse,
  discardUpload,
  Failure,
  listProviderApplicationSummaries,
  listRealms,
} from '@registrar/contracts';
import { join } from 'node:path';
import { answerOf, type OperatorFixture, startOperatorFixture } from './operator.fixture.ts';

const warnings = ['Prerequisites are not obeyed (intro).', 'Rollup\u001b[31m rules (quiz).'];
const course = {
  id: 7,
  course_guid: 'fire-safety',
  course_provider_id: 3,
  title: 'Fire safety',
  size: 600_000,
  versions: 0,
};
const at = '2026-01-01T00:00:00Z';
const realm = {
  id: 1,
  guid: 'one',
  name: 'One',
  provider_applications: 1,
  users: 0,
  created_at: at,
  disabled_at: null,
  compatibility: null,
  user_licenses: false,
};
const application = {
  id: 3,
  name: 'Main',
  sc_app_id: 'app',
  url: 'http://provider:8090',
  realm_id: 1,
  realm_guid: 'one',
  created_at: at,
  updated_at: at,
};

describe('registrar course upload', () => {
  let operator: OperatorFixture;
  const pieces: InputOf<typeof appendPackagePiece>[] = [];
  const created: InputOf<typeof createCourse>[] = [];
  const discarded: InputOf<typeof discardUpload>[] = [];

  beforeAll(async () => {
    operator = await startOperatorFixture(null, {
      identity: [
        stubReply(listRealms, async () => ({ items: [realm], next: null })),
        stubReply(listProviderApplicationSummaries, async () => ({
          items: [application],
          next: null,
        })),
      ],
      catalog: [
        stubReply(appendPackagePiece, async (input) => {
          pieces.push(input);
          return {};
        }),
        stubReply(discardUpload, async (input) => {
          discarded.push(input);
          return {};
        }),
        stubReply(createCourse, async (input) => {
          created.push(input);
          if (input.title === 'refused') throw new Failure('invalid', 'it is no package');
          const rest = { registrations: 0, created_at: at, updated_at: at, custom: null };
          return { ...course, ...rest, metadata: '{}', warnings };
        }),
      ],
    });
  });
  afterAll(() => operator.stop());

  it('sends the package in pieces and shows the course with its warnings', async () => {
    const text = 'p'.repeat(600_000);
    const file = await operator.file('course.zip', text);
    const { code, stdout, stderr } = await operator.run([
      ...['course', 'upload', file, '--realm', 'one', '--guid', 'fire-safety', '--title', 'Fire'],
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^course_guid +fire-safety$/m);
    expect(stdout).toMatch(/^warnings +2$/m);
    expect(stderr).toBe(
      'Warning: Prerequisites are not obeyed (intro).\nWarning: Rollup\\u{001b}[31m rules (quiz).\n',
    );
    expect(pieces.map(({ index }) => index)).toEqual([0, 1]);
    const sent = pieces.map(({ bytes }) => Buffer.from(bytes, 'base64').toString()).join('');
    expect(sent).toBe(text);
    const { uploadId, scope } = pieces[0] ?? {};
    expect(scope).toMatchObject({ mode: 'realm', realmId: 1, applicationIds: [3], user: null });
    expect(created).toEqual([
      {
        scope,
        applicationId: null,
        title: 'Fire',
        custom: null,
        source: { kind: 'package', uploadId, courseGuid: 'fire-safety' },
      },
    ]);
  });

  it('shows the course and its warnings as JSON', async () => {
    const file = await operator.file('course.zip', 'zip');
    const args = ['course', 'upload', file, '--realm', 'one', '--application', '3', '--json'];
    expect(answerOf(await operator.run(args))).toEqual({ ...course, warnings });
    expect(created.at(-1)).toMatchObject({ applicationId: 3, source: { courseGuid: null } });
  });

  it('fails with the reason when the package is refused, and discards the upload', async () => {
    const file = await operator.file('course.zip', 'zip');
    expect(
      await operator.run(['course', 'upload', file, '--realm', 'one', '--title', 'refused']),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining('it is no package') });
    const { scope, uploadId, attemptId } = pieces.at(-1) ?? {};
    expect(discarded.at(-1)).toEqual({ scope, uploadId, attemptId });
  });

  it('registrar course upload is misused without a file that can be read, or with an empty one', async () => {
    const empty = await operator.file('empty.zip', '');
    for (const file of [join('absent', 'course.zip'), empty]) {
      const ended = await operator.run(['course', 'upload', file, '--realm', 'one']);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
    }
  });
});
