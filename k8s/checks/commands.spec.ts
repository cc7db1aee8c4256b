import type { ICertificate } from '@kubernetes-models/cert-manager/cert-manager.io/v1/Certificate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkOf, documentedCommands } from '@registrar/testing';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describeManifests } from './describe-manifests.ts';
import { ofKind, overlays, render } from './manifests.ts';

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
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'registrar-kubectl-'));
    symlinkSync(resolve('k8s'), join(directory, 'k8s'));
    writeFileSync(join(directory, 'master.key'), 'key');
    mkdirSync(join(directory, 'var'));
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
      overlays
        .flatMap(render)
        .flatMap(({ kind, metadata: { name } }) => [
          `${kind.toLowerCase()}/${name}`,
          `${created[kind] ?? ''}/${name}`,
        ]),
    );
    for (const { spec } of ofKind<ICertificate>(overlays.flatMap(render), 'Certificate')) {
      known.add(`secret/${spec!.secretName}`);
    }
    // CloudNativePG's name for the Service of the primary.
    for (const { metadata } of ofKind(overlays.flatMap(render), 'Cluster')) {
      known.add(`service/${metadata.name}-rw`);
    }
    // Installed with its operator, in a namespace of its own.
    known.add('deployment/messaging-topology-operator');
    const named = commands.flatMap(({ text }) =>
      [
        ...text.matchAll(
          /\b(deployment|service|job|secret|externalsecret)[/ ](?!generic )([a-z][\w-]+)/g,
        ),
      ].map(([, kind, name]) => `${kind}/${name}`),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
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
