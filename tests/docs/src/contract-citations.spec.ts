/* eslint registrar/contract-citations: "off", registrar/no-former-citations: "off" -- The spec holds citations that must not resolve. */
import { describe, expect, it } from '@jest/globals';
import { type ESLint, Linter } from 'eslint';

const file = new URL('../../../eslint.contract-citations.js', import.meta.url).href;
const { citationPlugin } = (await import(file)) as { citationPlugin: ESLint.Plugin };

/** The messages of one rule of the plugin about a text. */
const messagesOf = (rule: string, text: string) =>
  new Linter()
    .verify(text, { plugins: { registrar: citationPlugin }, rules: { [`registrar/${rule}`]: 2 } })
    .map(({ message, line, column }) => `${line}:${column} ${message}`);

describe('registrar/contract-citations', () => {
  const check = (text: string) => messagesOf('contract-citations', text);

  it('accepts citations of rules and sections in comments and strings', () => {
    expect(check('/** Nests registrations (contract/courses#include-registrations). */')).toEqual(
      [],
    );
    expect(check("const rule = 'contract/courses#index';")).toEqual([]);
  });

  it('reports an anchor that the page does not have, where it stands', () => {
    expect(check('const a = 1;\n// See contract/courses#no-such-rule.')).toEqual([
      '2:8 docs/contract/courses.md has no anchor "no-such-rule".',
    ]);
    expect(check("const rule = 'contract/courses#';")).toEqual([
      '1:15 docs/contract/courses.md has no anchor "".',
    ]);
  });

  it('reports a page that does not exist', () => {
    expect(check('// contract/seats#taken')).toEqual(['1:4 docs/contract has no page seats.md.']);
  });

  it('reports any other form of a citation', () => {
    const form =
      'Cite a rule of docs/contract as contract/<page>#<anchor>, without ".md" and "docs/".';
    expect(check('// docs/contract/courses.md#index')).toEqual([`1:4 ${form}`]);
    expect(check('// contract/courses.md#index')).toEqual([`1:4 ${form}`]);
    expect(check('// docs/contract/courses#index')).toEqual([`1:4 ${form}`]);
  });

  it('ignores links to pages as a whole and import paths', () => {
    expect(check("// docs/contract/README.md\nimport './contract/read.js';")).toEqual([]);
  });
});

describe('registrar/no-former-citations', () => {
  const check = (text: string) => messagesOf('no-former-citations', text);

  it('reports citations of documents that are not in the repository', () => {
    const [document, number] = [`api-v${2}.md`, `decision ${14}`];
    expect(check(`// (${document}, Errors; ${number})`)).toEqual([
      '1:5 "api-v2.md" does not resolve. Cite a rule as contract/<page>#<anchor>.',
      '1:24 "decision 14" does not resolve. Cite a rule as contract/<page>#<anchor>.',
    ]);
    expect(check(`// Decisions ${24} and 25`)).toHaveLength(1);
    expect(check(`'api-v${2}: Errors, 404';`)).toHaveLength(1);
  });

  it('ignores decision records and the name of the client package', () => {
    expect(check('// docs/decisions/0002-package-upload-through-the-bus.md')).toEqual([]);
    expect(check("import 'scormcloud-api-v2-client-javascript';")).toEqual([]);
  });
});
