/* oxlint-disable registrar/contract-citations, registrar/no-former-citations -- The spec holds citations that must not resolve. */
import { describe, it } from 'vitest';
import { RuleTester } from 'oxlint/plugins-dev';

type Rule = Parameters<RuleTester['run']>[1];

const file = new URL('../../../oxlint.contract-citations.js', import.meta.url).href;
const { contractCitations, formerCitations } = (await import(file)) as Record<
  'contractCitations' | 'formerCitations',
  Rule
>;

RuleTester.describe = describe;
RuleTester.it = it;
const tester = new RuleTester({ eslintCompat: true });

const form = 'Cite a rule of docs/contract as contract/<page>#<anchor>, without ".md" and "docs/".';

tester.run('registrar/contract-citations', contractCitations, {
  valid: [
    {
      name: 'A citation of a section in a comment is accepted',
      code: '/** Nests registrations (contract/courses#include-registrations). */',
    },
    {
      name: 'A citation of a rule in a string is accepted',
      code: "const rule = 'contract/courses#index';",
    },
    {
      name: 'Links to pages as a whole and import paths are ignored',
      code: "// docs/contract/README.md\nimport './contract/read.js';",
    },
  ],
  invalid: [
    {
      name: 'An anchor that the page does not have is reported where it stands',
      code: 'const a = 1;\n// See contract/courses#no-such-rule.',
      errors: [
        {
          message: 'docs/contract/courses.md has no anchor "no-such-rule".',
          line: 2,
          column: 8,
        },
      ],
    },
    {
      name: 'An empty anchor is reported',
      code: "const rule = 'contract/courses#';",
      errors: [{ message: 'docs/contract/courses.md has no anchor "".', line: 1, column: 15 }],
    },
    {
      name: 'A page that does not exist is reported',
      code: '// contract/seats#taken',
      errors: [{ message: 'docs/contract has no page seats.md.', line: 1, column: 4 }],
    },
    ...[
      'docs/contract/courses.md#index',
      'contract/courses.md#index',
      'docs/contract/courses#index',
    ].map((citation) => ({
      name: `A citation of another form is reported: ${citation}`,
      code: `// ${citation}`,
      errors: [{ message: form, line: 1, column: 4 }],
    })),
  ],
});

const former = (text: string) =>
  `"${text}" does not resolve. Cite a rule as contract/<page>#<anchor>.`;

tester.run('registrar/no-former-citations', formerCitations, {
  valid: [
    {
      name: 'Decision records are ignored',
      code: '// docs/decisions/0002-package-upload-through-the-bus.md',
    },
    {
      name: 'The name of the client package is ignored',
      code: "import 'scormcloud-api-v2-client-javascript';",
    },
  ],
  invalid: [
    {
      name: 'Citations of documents that are not in the repository are reported',
      code: '// (api-v2.md, Errors; decision 14)',
      errors: [
        { message: former('api-v2.md'), line: 1, column: 5 },
        { message: former('decision 14'), line: 1, column: 24 },
      ],
    },
    {
      name: 'A citation of several decisions is reported once',
      code: '// Decisions 24 and 25',
      errors: [former('Decisions 24')],
    },
    {
      name: 'A citation in a string is reported',
      code: "'api-v2: Errors, 404';",
      errors: [former('api-v2:')],
    },
  ],
});
