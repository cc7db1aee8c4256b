import type { ICertificate } from '@kubernetes-models/cert-manager/cert-manager.io/v1/Certificate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkOf, documentedCommands, markdownFiles } from '@registrar/testing';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describeManifests } from './describe-manifests.ts';
import { ofKind, overlays, render, renderWith } from './manifests.ts';
import { workloads } from './pods.ts';

const all = documentedCommands().filter((command) => checkOf(command) === 'kubectl');
const commands = [...new Map(all.map((command) => [command.text, command])).values()];

/** A cluster that does not answer: kubectl gets as far as its first request. */
const unreachable = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'none', cluster: { server: 'http://127.0.0.1:1' } }],
  contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
  'current-context': 'none',
};

describeManifests('the commands for kubectl in the documentation', () => {
  let directory: string;
  /** The objects of all overlays, and of the component that the pages say must be added. */
  const objects = [
    ...overlays.flatMap(render),
    ...renderWith('k8s/components/probe', 'k8s/overlays/production'),
  ];
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'registrar-kubectl-'));
    symlinkSync(resolve('k8s'), join(directory, 'k8s'));
    writeFileSync(join(directory, 'master.key'), 'key');
    mkdirSync(join(directory, 'var'));
    writeFileSync(join(directory, 'var', 'client-secret'), 'secret');
    const written = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'any' } };
    writeFileSync(join(directory, 'var', 'database.yaml'), JSON.stringify(written));
    writeFileSync(join(directory, 'config'), JSON.stringify(unreachable));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const scripts = commands.filter(({ form }) => form !== 'sentence');
  it.each(scripts)('$page: kubectl understands $text', ({ text }) => {
    const { stderr } = run(text.replace(/ &$/, ''));
    const errors = stderr.split('\n').filter((line) => /^(error|Error|sh): ?/.test(line));
    const refused =
      /The connection to the server 127\.0\.0\.1:1 was refused|connect: connection refused/;
    expect(errors.filter((line) => !refused.test(line))).toEqual([]);
    if (!text.includes('kustomize')) expect(stderr).toMatch(refused);
  });

  const sentences = commands.filter(({ form }) => form === 'sentence');
  it.each(sentences)('$page: kubectl has the command and the options of $text', ({ text }) => {
    expect(run(text).stderr).not.toMatch(/unknown (command|flag|shorthand)/);
  });

  it('the objects that they name are in the manifests', () => {
    const created: Record<string, string> = {
      // What operators create from an object has its name.
      ExternalSecret: 'secret',
      RabbitmqCluster: 'service',
    };
    const known = new Set(
      objects.flatMap(({ kind, metadata: { name } }) => [
        `${kind.toLowerCase()}/${name}`,
        `${created[kind] ?? ''}/${name}`,
      ]),
    );
    for (const { spec } of ofKind<ICertificate>(objects, 'Certificate')) {
      known.add(`secret/${spec!.secretName}`);
    }
    // CloudNativePG's name for the Service of the primary.
    for (const { metadata } of ofKind(objects, 'Cluster')) {
      known.add(`service/${metadata.name}-rw`);
    }
    // Installed with its operator, in a namespace of its own.
    known.add('deployment/messaging-topology-operator');
    const named = commands.flatMap(({ text }) =>
      [
        ...text.matchAll(
          /\b(deployment|deploy|service|job|cronjob|secret|externalsecret|scaledobject|(?:certificates?|clusters|scheduledbackups|users)(?:\.[a-z.-]+)?|issuer)[/ ](?!generic )([a-z][\w-]+)/g,
        ),
      ].map(([, kind = '', name]) => {
        const [plural = ''] = kind.split('.');
        return `${plural === 'deploy' ? 'deployment' : plural.replace(/s$/, '')}/${name}`;
      }),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('the labels that they select are those of pods and Jobs', () => {
    const labels = new Set([
      ...workloads(objects).flatMap(({ spec }) =>
        Object.entries(spec!.template.metadata?.labels ?? {}).map((pair) => pair.join('=')),
      ),
      // Of the pods and volumes that operators create for these objects.
      ...ofKind(objects, 'RabbitmqCluster').map(
        ({ metadata }) => `app.kubernetes.io/name=${metadata.name}`,
      ),
      ...ofKind(objects, 'Cluster').map(({ metadata }) => `cnpg.io/cluster=${metadata.name}`),
    ]);
    const selected = markdownFiles().flatMap((page) =>
      readFileSync(page, 'utf8')
        .replaceAll(/\\\n\s*/g, '')
        .split('\n')
        .filter((line) => line.includes('kubectl '))
        .flatMap((line) => [...line.matchAll(/(?:--selector|-l)[ =]([^\s`]+)/g)])
        .flatMap(([, selector = '']) => selector.split(',')),
    );
    expect(selected.length).toBeGreaterThan(10);
    expect(selected.filter((label) => !labels.has(label))).toEqual([]);
  });

  function run(command: string) {
    const { PATH } = process.env;
    const env = { PATH, HOME: directory, KUBECONFIG: join(directory, 'config') };
    return spawnSync('sh', ['-c', command], {
      cwd: directory,
      env,
      encoding: 'utf8',
      timeout: 120_000,
    });
  }
});
