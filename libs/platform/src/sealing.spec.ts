import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateMasterKey, Sealing } from './sealing.ts';

describe('sealing', () => {
  let directory: string;
  let sealing: Sealing;

  const keyFile = async (name: string, content: string) => {
    const path = join(directory, name);
    await writeFile(path, content);
    return path;
  };

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sealing-'));
    sealing = Sealing.fromKeyFile(await keyFile('key', generateMasterKey()));
  });
  afterAll(() => rm(directory, { recursive: true }));

  it('opens a secret for the same purpose only', () => {
    const sealed = sealing.seal('gehe!m', 'application:a');
    expect(sealed).not.toContain('gehe!m');
    expect(sealing.open(sealed, 'application:a')).toBe('gehe!m');
    expect(() => sealing.open(sealed, 'application:b')).toThrow();
  });

  it('seals the same secret differently each time', () => {
    expect(sealing.seal('same', 'p')).not.toBe(sealing.seal('same', 'p'));
  });

  it('rejects text that was altered, truncated or sealed under another key', async () => {
    const sealed = sealing.seal('secret', 'p');
    const changed = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
    const other = Sealing.fromKeyFile(await keyFile('other', generateMasterKey()));
    expect(() => sealing.open(changed, 'p')).toThrow();
    expect(() => sealing.open(sealed.slice(0, 20), 'p')).toThrow('not a sealed secret');
    expect(() => sealing.open('plain text', 'p')).toThrow('not a sealed secret');
    expect(() => other.open(sealed, 'p')).toThrow();
  });

  it('seals under the first of several keys and opens under each', async () => {
    const [old, fresh] = [generateMasterKey(), generateMasterKey()];
    const before = Sealing.fromKeyFile(await keyFile('before', old));
    const during = Sealing.fromKeyFile(await keyFile('during', fresh + old));
    const after = Sealing.fromKeyFile(await keyFile('after', fresh));
    const sealed = before.seal('secret', 'p');
    expect(during.open(sealed, 'p')).toBe('secret');
    expect(sealed.startsWith(during.prefix)).toBe(false);
    const again = during.seal('secret', 'p');
    expect(again.startsWith(during.prefix)).toBe(true);
    expect(after.open(again, 'p')).toBe('secret');
    expect(() => after.open(sealed, 'p')).toThrow('sealed under another master key');
    expect(() => before.open(again, 'p')).toThrow('sealed under another master key');
    expect(during.fingerprints('a')).toEqual([after.fingerprint('a'), before.fingerprint('a')]);
  });

  it('recognizes a presented secret by its fingerprint', async () => {
    const other = Sealing.fromKeyFile(await keyFile('third', generateMasterKey()));
    expect(sealing.fingerprint('a')).toEqual(sealing.fingerprint('a'));
    expect(sealing.fingerprint('a')).not.toEqual(sealing.fingerprint('b'));
    expect(sealing.fingerprint('a')).not.toEqual(other.fingerprint('a'));
  });

  it('names the fault of a key file', async () => {
    const short = await keyFile('short', 'c2hvcnQ=');
    expect(() => Sealing.fromKeyFile(short)).toThrow('does not hold 32 bytes in base64');
    expect(() => Sealing.fromKeyFile(join(directory, 'absent'))).toThrow('MASTER_KEY_FILE: ENOENT');
  });
});
