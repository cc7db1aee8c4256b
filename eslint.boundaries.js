/**
 * Who may import whom (docs/architecture.md). Projects meet only through `#libs/name` and
 * `#apps/name`; this table is the whole rule. A library names the lower libraries that it may
 * use; an app may use every library but `testing`, benchmarks and suites that one too; only the
 * assembly imports apps, and they the assembly.
 */
const lowerLibraries = {
  contracts: [],
  'sample-courses': [],
  formats: ['contracts'],
  platform: ['contracts'],
  persistence: ['contracts', 'platform'],
  bus: ['contracts', 'platform', 'persistence'],
  'course-provider': ['contracts', 'platform', 'bus'],
  testing: [
    'contracts',
    'sample-courses',
    'formats',
    'platform',
    'course-provider',
    'persistence',
    'bus',
  ],
};
const assemblies = ['standalone'];
const libraries = Object.keys(lowerLibraries);

const message = 'Not allowed by the table of eslint.boundaries.js.';
const intoAnotherProject = { regex: '^(\\.\\./)+([^.]+/)?src/|^[./].*/(libs|apps)/', message };
const except = (prefix, allowed) => ({
  regex: `^#${prefix}/(?!(${allowed.join('|') || '-'})$)`,
  message,
});
const restrict = (files, ...patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [intoAnotherProject, ...patterns] }] },
});
const applicationLibraries = libraries.filter((name) => name !== 'testing');

export const boundaries = [
  ...Object.entries(lowerLibraries).map(([name, lower]) =>
    restrict([`libs/${name}/**/*.ts`], except('libs', lower), except('apps', [])),
  ),
  restrict(['apps/**/*.ts'], except('libs', applicationLibraries), except('apps', [])),
  ...assemblies.map((name) =>
    restrict([`apps/${name}/**/*.ts`], except('libs', applicationLibraries)),
  ),
  restrict(['benchmarks/**/*.ts'], except('libs', libraries), except('apps', assemblies)),
  // From outside, but for the broker's queues and the databases that it looks into.
  restrict(['chaos/**/*.ts'], except('libs', libraries), except('apps', [])),
  // The models put apps together as they need them, and break them.
  restrict(['models/**/*.ts'], except('libs', libraries)),
  // The conformance suite knows the API alone.
  restrict(['conformance/**/*.ts'], except('libs', ['sample-courses']), except('apps', [])),
  // The checks of the manifests know the settings of every app.
  restrict(['k8s/**/*.ts'], except('libs', libraries)),
  // A suite and its fixtures may use the tools of `testing`, wherever they stand.
  restrict(
    ['**/*.spec.ts', '**/*.fixture.ts'],
    except('libs', libraries),
    except('apps', assemblies),
  ),
];
