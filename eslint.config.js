import process from 'node:process';
import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import jest from 'eslint-plugin-jest';
import tseslint from 'typescript-eslint';
import { architecture, suites } from './eslint.architecture.js';
import { citationPlugin } from './eslint.contract-citations.js';

const { NX_TASK_TARGET_PROJECT: task = 'registrar' } = process.env;

// Nx lints one project with the types that its own tsconfig.json reaches. Whoever lints the whole
// repository, or any part of it by hand, has one program for it: one per project takes 4 GB.
const types =
  task === 'registrar'
    ? { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname }
    : { projectService: true };

/** Suites can step the process's clock, and nothing else that tells the time. */
const outsideTheClock = [
  "CallExpression[callee.object.name=/^(Date|performance)$/][callee.property.name='now']",
  "NewExpression[callee.name='Date'][arguments.length=0]",
  "ImportDeclaration[source.value='node:timers/promises'] ImportSpecifier[imported.name='setTimeout']",
].map((selector) => ({ selector, message: 'Use `clock` of @registrar/platform.' }));

/** Verbs whose subject would stand in another title (docs/style.md): plural forms, and forms of be, have and do. */
const halfSentence = `
  accept add affect agree allow answer appear apply are arrive ask become begin behave belong
  bring call can cancel cannot carry cause change check claim close come compare complete
  consume contain convert correspond cost count cover create delete deliver depend describe
  differ do does drop end escape exist expire fail filter find follow forget format gain get
  give go grow has have hold ignore import include increase insert is join keep know last lead
  learn leave let limit list load lock log look lose make mark match may mention merge move
  must name need open order own parse pass play post prefer print prune publish put raise reach
  read receive record redact refer refuse reject reload remember remove renew repeat replace
  report request respond restrict resume retry return reuse revoke rotate round run save say
  seal see select send separate serve set share should show skip sort split start stay stop
  store stream succeed survive tag take tell throw time translate treat turn unlock update
  upload use validate vary verify wait wake warn was watch were will win work would write`
  .trim()
  .split(/\s+/)
  .join('|');

/** Words that continue another title, and prepositions that no comma separates from a subject. */
const halfPhrase = '(and|but|of|that|which)\\b|(at|by|for|from|in|on|to|with|without)\\b[^,]*$';

export default tseslint.config(
  { ignores: ['**/dist/', 'coverage/', 'var/', 'node_modules/', '.nx/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: types },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      // Nest handlers and adapters fulfil async signatures without always awaiting.
      '@typescript-eslint/require-await': 'off',
      // Nest modules are classes that only carry a decorator.
      '@typescript-eslint/no-extraneous-class': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.ts', '**/*.js'],
    plugins: { registrar: citationPlugin },
    rules: {
      'registrar/contract-citations': 'error',
      'registrar/no-former-citations': 'error',
    },
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    ignores: [...suites, 'libs/testing/**', 'libs/platform/src/clock.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...outsideTheClock],
    },
  },
  {
    files: [...suites, 'tests/**/*.ts'],
    plugins: { jest },
    rules: {
      'jest/valid-title': [
        'error',
        {
          ignoreTypeOfDescribeName: true,
          ignoreTypeOfTestName: true,
          mustNotMatch: {
            it: [`^((${halfSentence})\\b|${halfPhrase})`, 'A title is a whole claim.'],
          },
        },
      ],
    },
  },
  ...architecture,
  prettier,
);
