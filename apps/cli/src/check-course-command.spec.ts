import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { InputOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import {
  appendPackagePiece,
  checkPackage,
  discardUpload,
  Failure,
  listProviderApplicationSummaries,
  listRealms,
  type PackageFinding,
} from '@registrar/contracts';
import { findBroker } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { answerOf, type OperatorFixture, startOperatorFixture } from './operator.fixture.ts';

const realm = {
  id: 1,
  guid: 'one',
  name: 'One',
  provider_applications: 0,
  users: 0,
  created_at: '2026-01-01T00:00:00Z',
  disabled_at: null,
  compatibility: null,
  user_licenses: false,
};
const missing: PackageFinding = {
  severity: 'error',
  file: 'imsmanifest.xml',
  line: 14,
  rule: 'launch-missing',
  message: 'The manifest launches les\u001b[31m son.html.',
  remedy: 'Add the file to the package.',
};
const ignored: PackageFinding = {
  severity: 'info',
  file: null,
  line: null,
  rule: 'system-files',
  message: 'The package has files of the operating system.',
  remedy: 'Leave them out.',
};

describeWith(await findBroker(), 'registrar course check', (broker) => {
  let operator: OperatorFixture;
  let file: string;
  let findings: PackageFinding[] | Failure;
  let pieces: InputOf<typeof appendPackagePiece>[] = [];
  let checked: InputOf<typeof checkPackage>[] = [];
  let discarded: InputOf<typeof discardUpload>[] = [];

  beforeAll(async () => {
    operator = await startOperatorFixture(broker, {
      identity: [
        stubReply(listRealms, async () => ({ items: [realm], next: null })),
        stubReply(listProviderApplicationSummaries, async () => ({ items: [], next: null })),
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
      ],
      provider: [
        stubReply(checkPackage, async (input) => {
          checked.push(input);
          if (findings instanceof Failure) throw findings;
          return { findings };
        }),
      ],
    });
    file = await operator.file('course.zip', 'zip');
  });
  beforeEach(() => {
    findings = [];
    pieces = [];
    checked = [];
    discarded = [];
  });
  afterAll(() => operator.stop());

  const check = (...options: string[]) =>
    operator.run(['course', 'check', file, '--realm', 'one', ...options]);

  it('uploads the package for the check, and discards it afterwards', async () => {
    findings = [ignored];
    expect(answerOf(await check('--json'))).toEqual([ignored]);
    const { scope, uploadId, attemptId } = pieces[0]!;
    expect(scope).toMatchObject({ mode: 'realm', realmId: 1, wholeRealm: true, user: null });
    expect(pieces).toMatchObject([{ index: 0, bytes: Buffer.from('zip').toString('base64') }]);
    expect(checked).toEqual([{ scope, uploadId }]);
    expect(discarded).toEqual([{ scope, uploadId, attemptId }]);
  });

  it('shows findings as a table, and fails when an error is among them', async () => {
    findings = [missing, ignored];
    const { code, stdout, stderr } = await check();
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['SEVERITY', 'FILE', 'LINE', 'RULE', 'REMEDY', 'MESSAGE'],
      [
        ...['error', 'imsmanifest.xml', '14', 'launch-missing', 'Add the file to the package.'],
        'The manifest launches les\\u{001b}[31m son.html.',
      ],
      [
        ...['info', '-', '-', 'system-files', 'Leave them out.'],
        'The package has files of the operating system.',
      ],
      [''],
    ]);
    expect(stderr).toBe('registrar: the package cannot be imported\n');
    expect(code).toBe(1);
  });

  it('prints the findings as JSON when it fails because of an error among them', async () => {
    findings = [missing];
    const { code, stdout } = await check('--json');
    expect(JSON.parse(stdout)).toEqual([missing]);
    expect(code).toBe(1);
  });

  it('ends with 0 for a package without findings', async () => {
    expect(await check('--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it('fails with the reason when the package is not checked, and discards the upload', async () => {
    findings = new Failure('over-limit', 'too many packages wait');
    expect(await check()).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'registrar: too many packages wait\n',
    });
    expect(discarded).toHaveLength(1);
  });

  it('course check is misused without a file that can be read', async () => {
    const run = await operator.run(['course', 'check', 'absent.zip', '--realm', 'one']);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(pieces).toEqual([]);
  });
});
