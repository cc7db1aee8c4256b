import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { changed } from './change.ts';
import { describeManifests } from './describe-manifests.ts';
import { gitOps } from './gitops.ts';
import { components, nameOf, overlays, render, renderWith, restoreOverlay } from './manifests.ts';
import { schemaFaults } from './schemas.ts';

/** These components only patch other objects, so they cannot be rendered alone. */
const patches = components.filter(
  (each) =>
    !/^(resources|configMapGenerator):/m.test(readFileSync(`${each}/kustomization.yaml`, 'utf8')),
);
const folders = [
  ...overlays,
  restoreOverlay,
  ...components.filter((each) => !patches.includes(each)),
  'k8s/base',
  'k8s/cluster',
];
const production = 'k8s/overlays/production';
const container = ['spec', 'template', 'spec', 'containers', 0];

/** Unknown fields and invalid values, at least one for each package of schemas. */
const mistakes: readonly [string, (string | number)[], unknown][] = [
  ['Deployment gateway', ['spec', 'minReadySecond'], 5],
  ['Deployment gateway', [...container, 'securityContext', 'readonlyRootFilesystem'], true],
  ['Deployment gateway', [...container, 'ports', 0, 'containerPort'], '8080'],
  ['Deployment gateway', ['spec', 'template', 'spec', 'containers'], {}],
  ['HorizontalPodAutoscaler identity', ['spec', 'maxReplica'], 4],
  ['PodDisruptionBudget gateway', ['spec', 'unhealthyPodEvictionPolicy'], 'Never'],
  ['NetworkPolicy gateway', ['spec', 'ingress', 0, 'form'], []],
  ['Job migrate', ['spec', 'backOffLimit'], 1],
  ['Service gateway', ['spec', 'port'], []],
  ['Ingress registrar', ['spec', 'rules', 0, 'hosts'], []],
  ['Certificate registrar', ['spec', 'dnsName'], 'example.com'],
  ['Certificate registrar', ['spec', 'dnsNames'], 'example.com'],
  ['ExternalSecret master-key', ['spec', 'refreshIntervall'], '1h'],
  ['SecretStore registrar', ['spec', 'provider', 'vault', 'version'], 'v3'],
  ['ScaledObject crawler', ['spec', 'triggers', 0, 'authenticationref'], {}],
  ['ScaledObject crawler', ['spec', 'minReplicaCount'], 'two'],
  ['Middleware limits', ['spec', 'chian'], {}],
  ['ServiceMonitor registrar', ['spec', 'endpoints', 0, 'paths'], '/'],
  ['PrometheusRule registrar', ['spec', 'groups', 0, 'rules', 0, 'expression'], 'up'],
  ['Cluster database', ['spec', 'managed', 'roles', 0, 'logn'], true],
  ['Cluster database', ['spec', 'plugins', 0, 'walArchiver'], true],
  ['Database registrar', ['spec', 'schemas', 0, 'owners'], 'identity'],
  ['ScheduledBackup database', ['spec', 'method'], 'barman'],
  ['ObjectStore backups', ['spec', 'configuration', 'serverName'], 'database'],
  ['ObjectStore backups', ['spec', 'configuration', 'data', 'compression'], 'zstd'],
  ['RabbitmqCluster rabbitmq', ['spec', 'replica'], 3],
  ['RabbitmqCluster rabbitmq', ['spec', 'resources', 'limits', 'memory'], 'much'],
  ['Vhost registrar', ['spec', 'name'], 1],
  ['Exchange rpc', ['spec', 'type'], 'topics'],
  ['Permission crawler', ['spec', 'permissions', 'writes'], '.*'],
];

describeManifests('in Kubernetes, schemas', () => {
  const rendered = new Map([
    ...folders.map((folder) => [folder, render(folder)] as const),
    ...patches.map((each) => [each, renderWith(each, production)] as const),
  ]);

  describe('the manifests', () => {
    it.each([...rendered.keys()])('render from %s', (folder) => {
      expect(rendered.get(folder)).not.toEqual([]);
    });

    it('the manifests are valid by the schemas of their kinds', async () => {
      const all = [...[...rendered.values()].flat(), ...gitOps];
      const different = new Map(all.map((manifest) => [JSON.stringify(manifest), manifest]));
      expect(await schemaFaults([...different.values()])).toEqual([]);
    });

    it('the manifests are invalid after each of the mistakes', async () => {
      const mistaken = mistakes.map(([name, path, value], index) => {
        const manifest = rendered.get(production)!.find((each) => nameOf(each) === name)!;
        return changed(changed(manifest, path, value), ['metadata', 'name'], `mistake-${index}`);
      });
      const faults = (await schemaFaults(mistaken)).join('\n');
      const taken = mistaken.map(nameOf).filter((name) => !faults.includes(`${name}:`));
      expect(taken).toEqual([]);
    });
  });
});
