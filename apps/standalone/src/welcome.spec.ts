import { describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { welcome } from './welcome.ts';

const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
const [tour = ''] = readme.split('\n## Your page');

describe('the welcome', () => {
  it('the welcome has the commands of README.md to paste, and no secret', () => {
    const facts = {
      base_url: 'http://localhost:8080/api/v2',
      realm_guid: 'realm',
      realm_secret_key: 'realm secret',
      sc_app_id: 'application',
      sc_secret_key: 'application secret',
      course_guid: 'first-aid-basics',
      provider_url: 'http://localhost:8090',
    };
    const printed = welcome(facts, {
      providerUrl: 'http://localhost:8090',
      signInLink: 'http://localhost:8070/sign-in#token',
      dataDirectory: '/data',
      log: '/data/registrar.log',
      quickstartFile: 'var/quickstart.json',
      notices: [],
    });
    const commands = [...tour.matchAll(/^```sh\n((?!npm)[^]*?)\n```$/gm)].map(([, block]) => block);
    expect(commands.length).toBeGreaterThan(3);
    expect(printed.replaceAll(/^ {2}/gm, '')).toContain(`\n${commands.join('\n')}\n`);
    expect(printed).toContain('\n  Console    http://localhost:8070/sign-in#token\n');
    expect(printed).not.toMatch(/(realm|application) secret/);
  });
});
