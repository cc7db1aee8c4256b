import process from 'node:process';
import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import { architecture } from './eslint.architecture.js';
import { citationPlugin } from './eslint.contract-citations.js';

const { NX_TASK_TARGET_PROJECT: task = 'registrar' } = process.env;

// Nx lints one project with the types that its own tsconfig.json reaches. Whoever lints the whole
// repository, or any part of it by hand, has one program for it: one per project takes 4 GB.
const types =
  task === 'registrar'
    ? { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname }
    : { projectService: true };

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
  ...architecture,
  prettier,
);
