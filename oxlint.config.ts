import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'oxlint';
import { architecture, suites } from './oxlint.architecture.ts';

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

/**
 * Files with decorators. Nest reads the types of decorated parameters, so their imports are values;
 * oxlint does not know that of `emitDecoratorMetadata`.
 */
const filesWithDecorators = globSync('{{apps,libs,tests}/*,benchmarks}/src/**/*.ts', {
  cwd: import.meta.dirname,
}).filter((file) => /^ *@\w/m.test(readFileSync(new URL(file, import.meta.url), 'utf8')));

export default defineConfig({
  plugins: ['typescript', 'import'],
  jsPlugins: ['@nx/oxlint/boundaries-plugin', './oxlint.plugin.js'],
  categories: { correctness: 'error' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  // Generated: the types of the client package.
  ignorePatterns: ['**/dist/', 'coverage/', 'var/', 'libs/client/src/schema.ts'],
  rules: {
    'import/no-cycle': 'error',
    'no-array-constructor': 'error',
    'no-case-declarations': 'error',
    'no-empty': 'error',
    'no-fallthrough': 'error',
    'no-prototype-builtins': 'error',
    'no-regex-spaces': 'error',
    'no-useless-assignment': 'error',
    'preserve-caught-error': 'error',
    'registrar/contract-citations': 'error',
    'registrar/no-former-citations': 'error',
  },
  overrides: [
    {
      files: ['**/*.js'],
      rules: {
        'no-redeclare': ['error', { builtinGlobals: true }],
        'no-undef': 'error',
      },
    },
    {
      // Run by browsers.
      files: [
        'apps/gateway/src/reference/*.js',
        'apps/provider/src/player/*.js',
        'libs/sample-courses/courses/**/*.js',
      ],
      env: { browser: true },
      globals: { SwaggerUIBundle: 'readonly' },
    },
    {
      files: ['**/*.{ts,tsx}'],
      rules: {
        eqeqeq: ['error', 'always', { null: 'ignore' }],
        'no-console': 'error',
        'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
        'no-var': 'error',
        'prefer-const': 'error',
        'prefer-rest-params': 'error',
        'prefer-spread': 'error',
        'typescript/ban-ts-comment': 'error',
        'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
        'typescript/no-empty-object-type': 'error',
        'typescript/no-explicit-any': 'error',
        'typescript/no-misused-promises': 'error',
        'typescript/no-misused-spread': 'off',
        'typescript/no-namespace': 'error',
        'typescript/no-require-imports': 'error',
        'typescript/no-unnecessary-type-assertion': 'error',
        'typescript/no-unnecessary-type-constraint': 'error',
        'typescript/no-unsafe-argument': 'error',
        'typescript/no-unsafe-assignment': 'error',
        'typescript/no-unsafe-call': 'error',
        'typescript/no-unsafe-enum-comparison': 'error',
        'typescript/no-unsafe-function-type': 'error',
        'typescript/no-unsafe-member-access': 'error',
        'typescript/no-unsafe-return': 'error',
        'typescript/only-throw-error': 'error',
        'typescript/prefer-promise-reject-errors': 'error',
        'typescript/require-array-sort-compare': 'off',
        'typescript/restrict-plus-operands': 'error',
        'typescript/switch-exhaustiveness-check': 'error',
      },
    },
    {
      files: filesWithDecorators,
      rules: { 'typescript/consistent-type-imports': 'off' },
    },
    {
      // Bundled for browsers, which must not import the server: of it, there are types alone.
      files: ['apps/console/client/**/*.{ts,tsx}'],
      plugins: ['typescript', 'import', 'react', 'jsx-a11y'],
      env: { browser: true },
      rules: {
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
        'react/jsx-key': 'error',
        'react/no-array-index-key': 'off',
        'react/react-in-jsx-scope': 'off',
        'typescript/no-import-type-side-effects': 'error',
      },
    },
    {
      files: ['apps/**/*.ts', 'libs/**/*.ts'],
      // The client has no suites that step its clock: Chromium's own is stepped.
      excludeFiles: [
        ...suites,
        'apps/console/client/**',
        'libs/testing/**',
        'libs/platform/src/clock.ts',
      ],
      rules: { 'registrar/use-clock': 'error' },
    },
    {
      files: [...suites, 'tests/**/*.ts'],
      plugins: ['typescript', 'import', 'vitest'],
      rules: {
        // The type of Vitest's asymmetric matchers, such as expect.any(Number), is any.
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-return': 'off',
        'vitest/valid-title': [
          'error',
          {
            ignoreTypeOfDescribeName: true,
            ignoreTypeOfTestName: true,
            // The name of the group is what a report says first.
            mustNotMatch: { it: `^(?<halfSentence>(${halfSentence})\\b|${halfPhrase})` },
          },
        ],
      },
    },
    ...architecture,
  ],
});
