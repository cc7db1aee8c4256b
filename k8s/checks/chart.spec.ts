import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkOf, codeBlocksOf, documentedCommands } from '@registrar/testing';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { credentials } from '../chart/components.ts';
import { descriptions } from '../chart/descriptions.ts';
import { type Overlay, renderProduction } from '../chart/overlay.ts';
import type { ObjectStore } from './backups.ts';
import {
  byName,
  describeChart,
  helm,
  helmEnvironment,
  helmTemplate,
  isHook,
  parseOutput,
  withoutMarks,
} from './chart-fixture.ts';
import { describeAfterInstallation } from './describe-after-installation.ts';
import { describePlatforms } from './describe-platforms.ts';
import { type Manifest, ofKind, renderChanged, restoreOverlay } from './manifests.ts';

/** An installation as values of the chart, and as changes of the overlay `production`. */
interface Installation {
  readonly title: string;
  readonly namespace: string;
  readonly values: object;
  readonly change: (overlay: Overlay) => void;
}

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

const installations: readonly Installation[] = [
  {
    title: 'the overlay production with the default values',
    namespace: 'registrar',
    values: {},
    change: () => undefined,
  },
  {
    title: 'another namespace with other hosts, another image, the Gateway API and no KEDA',
    // Digits alone: YAML would read a number.
    namespace: '2027',
    values: {
      image: { repository: 'images.test/registrar', digest },
      publicHost: 'evening.test',
      contentHost: '*.content.evening.test',
      runbooks: 'https://pages.test',
      edge: 'gateway-api',
      keda: false,
      priorityClasses: false,
      settings: { registrar: { LOG_LEVEL: 'debug' } },
      apps: { identity: { replicas: { max: 9 } } },
    },
    change: (overlay) => {
      overlay.namespace = '2027';
      overlay.images = [{ name: 'registrar', newName: 'images.test/registrar', digest }];
      overlay.components = overlay.components
        .filter((path) => !/\/(ingress|traefik|keda|keda-requests|priority)$/.test(path))
        .toSpliced(0, 0, '../../components/gateway-api');
      overlay.configMapGenerator = [
        { name: 'registrar', behavior: 'merge', literals: ['LOG_LEVEL=debug'] },
        {
          name: 'gateway',
          behavior: 'merge',
          literals: ['PUBLIC_URL=https://evening.test', 'TRUSTED_PROXIES=uniquelocal'],
        },
        {
          name: 'provider',
          behavior: 'merge',
          literals: [
            'PROVIDER_CONTENT_URL=https://*.content.evening.test',
            'TRUSTED_PROXIES=uniquelocal',
          ],
        },
      ];
      for (const each of overlay.patches)
        each.patch &&= each.patch.replace(/https:\/\/\S+\/manual/, 'https://pages.test');
      overlay.patches.push({
        target: { kind: 'HorizontalPodAutoscaler', name: 'identity' },
        patch: JSON.stringify([{ op: 'replace', path: '/spec/maxReplicas', value: 9 }]),
      });
    },
  },
  {
    title: 'an installation without optional components',
    namespace: 'small',
    values: {
      edge: 'none',
      console: false,
      externalSecrets: false,
      backups: false,
      networkPolicies: false,
      monitoring: false,
    },
    change: (overlay) => {
      overlay.namespace = 'small';
      overlay.resources = ['../../base'];
      overlay.components = [
        'rabbitmq-cluster-operator',
        'cloudnative-pg',
        'keda',
        'keda-requests',
        'priority',
      ].map((name) => `../../components/${name}`);
      overlay.patches = overlay.patches.filter(
        ({ path, patch }) => path !== 'backups.yaml' && !patch?.includes('runbooks'),
      );
      overlay.replacements = overlay.replacements.filter(
        ({ source }) => source.kind !== 'PrometheusRule',
      );
    },
  },
];

describeChart('the Helm chart', (directory) => {
  it.each(installations)(
    'renders the same objects as Kustomize: $title',
    ({ namespace, values, change }) => {
      const rendered = parseOutput(template(namespace, values).stdout);
      const expected = renderProduction(change).filter(({ kind }) => kind !== 'Namespace');
      expect(expected.length).toBeGreaterThan(80);
      expect(byName(rendered.filter((each) => !isHook(each)).map(withoutMarks))).toEqual(
        byName(expected),
      );
    },
  );

  describe('what it adds', () => {
    const settings = { settings: { catalog: { MAX_PACKAGE_BYTES: '1' } } };
    const render = (values: object) => parseOutput(template('registrar', values).stdout);
    const marksOf = (manifests: readonly Manifest[]) =>
      Object.fromEntries(
        ofKind<IDeployment>(manifests, 'Deployment').map((each) => [
          each.metadata.name,
          each.spec?.template.metadata?.annotations?.['checksum/settings'],
        ]),
      );
    const jobOf = (manifests: readonly Manifest[]) => ofKind(manifests, 'Job')[0]?.metadata.name;

    it('a changed setting restarts the pods that read it, and no others', () => {
      const [before, after] = [marksOf(render({})), marksOf(render(settings))];
      expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual([
        'catalog',
      ]);
    });

    it('the migration Job has the same name for the same values alone', () => {
      expect(jobOf(render({}))).toMatch(/^migrate-[0-9a-f]{10}$/);
      expect(jobOf(render({}))).toBe(jobOf(render({})));
      expect(jobOf(render(settings))).not.toBe(jobOf(render({})));
    });
  });

  describeAfterInstallation((command, values) => helm(directory(), command, values).stdout);

  it.each(
    credentials.map((kind) => {
      const [provider = '', by = ''] = kind.split('-');
      return { kind, provider, secrets: by === 'key' ? 1 : 0 };
    }),
  )('authenticates backups by $kind', ({ kind, provider, secrets }) => {
    const { stdout } = template('registrar', {
      objectStore: { credentials: kind, endpointURL: '' },
    });
    const manifests = parseOutput(stdout).filter(({ metadata }) => metadata.name === 'backups');
    const [store] = ofKind<ObjectStore>(manifests, 'ObjectStore');
    const fields = Object.keys(store!.spec.configuration);
    expect(fields.filter((field) => field.endsWith('Credentials'))).toEqual([
      `${provider}Credentials`,
    ]);
    expect(ofKind(manifests, 'ExternalSecret')).toHaveLength(secrets);
  });

  it.each([
    { title: 'a misspelt name', values: { publicHots: 'a.test' }, message: /publicHots/ },
    {
      title: 'a host with a scheme',
      values: { publicHost: 'https://a.test' },
      message: /publicHost/,
    },
    {
      title: 'a content host without a wildcard',
      values: { contentHost: 'a.test' },
      message: /contentHost/,
    },
    { title: 'an unknown edge', values: { edge: 'nginx' }, message: /edge/ },
    {
      title: 'a setting that is a list',
      values: { settings: { crawler: { CRAWL_CONCURRENCY: [8] } } },
      message: /CRAWL_CONCURRENCY/,
    },
    {
      title: 'an address of a store without a database',
      values: { database: { address: 'db.test:5432' } },
      message: /address/,
    },
    {
      title: 'a policy that lets in everything',
      values: { network: { ingress: [] } },
      message: /network/,
    },
    { title: 'an unknown app', values: { apps: { mail: {} } }, message: /mail/ },
  ])('refuses $title', ({ values, message }) => {
    const { status, stderr } = template('registrar', values);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(message);
  });

  describePlatforms((values, ...options) =>
    parseOutput(helmTemplate(directory(), 'registrar', values, ...options).stdout),
  );

  it('its README describes every value, and no other', () => {
    const readme = readFileSync(join(directory(), 'var', 'chart', 'README.md'), 'utf8');
    const rows = [...readme.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
    expect(rows).toEqual(Object.keys(descriptions));
  });

  describe('the documentation', () => {
    const commands = documentedCommands().filter((command) => checkOf(command) === 'helm');
    const blocks = codeBlocksOf('docs/kubernetes.md').filter(({ language }) => language === 'yaml');
    const values = blocks.find(({ text }) => text.includes('publicHost:'))!.text;
    const restore = blocks.find(({ section }) => section === 'A restore with Helm')!.text;
    beforeAll(() => {
      writeFileSync(join(directory(), 'var', 'values.yaml'), values);
      writeFileSync(join(directory(), 'var', 'restore.yaml'), restore);
    });

    it('its values of a restore render the Cluster of the overlay for a restore', () => {
      const rendered = parseOutput(template('registrar', parse(restore) as object).stdout);
      const expected = renderChanged(restoreOverlay, () => undefined);
      expect(ofKind(rendered, 'Cluster').map(withoutMarks)).toEqual(ofKind(expected, 'Cluster'));
    });

    it.each(commands)('$page: helm understands $text', ({ text, form }) => {
      const { status, stderr } = spawnSync('sh', ['-c', text], {
        cwd: directory(),
        encoding: 'utf8',
        env: helmEnvironment(directory()),
        maxBuffer: 2 ** 26,
      });
      if (form === 'sentence') expect(stderr).toMatch(/requires (at least )?\d/);
      else if (text.startsWith('helm template'))
        expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      else expect(stderr).toMatch(/cluster unreachable/);
    });
  });

  const template = (namespace: string, values: object) =>
    helmTemplate(directory(), namespace, values);
});
