import type { ICluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster';
import { expect, it } from 'vitest';
import { backups } from './backups.ts';
import { describeManifests } from './describe-manifests.ts';
import {
  type Manifest,
  nameOf,
  ofKind,
  render,
  renderChanged,
  restoreOverlay,
} from './manifests.ts';
import { stopped } from './stopped.ts';

const byName = (manifests: readonly Manifest[]) =>
  new Map(manifests.map((manifest) => [nameOf(manifest), manifest]));

describeManifests('in Kubernetes, the overlay for a restore', () => {
  const production = byName(render('k8s/overlays/production'));
  const restore = byName(render(restoreOverlay));
  const [database] = ofKind<ICluster>([...restore.values()], 'Cluster');
  const [before] = ofKind<ICluster>([...production.values()], 'Cluster');

  it('the overlay of a restore has no Job that migrates, and every other object of production', () => {
    expect([...restore.keys()].toSorted()).toEqual(
      [...production.keys()].filter((name) => name !== 'Job migrate').toSorted(),
    );
  });

  it('changes the apps, what scales them, and the database alone', () => {
    const changed = [...restore.keys()].filter(
      (name) => JSON.stringify(restore.get(name)) !== JSON.stringify(production.get(name)),
    );
    const apps = ['catalog', 'console', 'crawler', 'enrolment', 'gateway', 'identity', 'provider'];
    expect(changed.toSorted()).toEqual([
      'Cluster database',
      ...apps.map((app) => `Deployment ${app}`),
      ...['crawler', 'enrolment', 'gateway'].map((app) => `ScaledObject ${app}`),
    ]);
  });

  const probed = renderChanged(restoreOverlay, (kustomization) =>
    kustomization.set('components', ['../../components/probe']),
  );

  it('runs no app and nothing that starts one, also with the probe', () => {
    expect(stopped(probed)).toEqual([]);
  });

  it('restores to a moment from where production archives, and archives to another place', () => {
    const archiveOf = (cluster: ICluster | undefined) => cluster?.spec?.plugins?.[0]?.parameters;
    const { bootstrap, externalClusters } = database?.spec ?? {};
    expect(bootstrap).toEqual({
      recovery: {
        source: 'backups',
        database: 'registrar',
        owner: 'registrar',
        recoveryTarget: { targetTime: expect.stringMatching(/Z$/) },
      },
    });
    expect(externalClusters).toMatchObject([
      { name: 'backups', plugin: { parameters: archiveOf(before) } },
    ]);
    expect(archiveOf(database)?.['barmanObjectName']).toBe(archiveOf(before)?.['barmanObjectName']);
    expect(archiveOf(database)?.['serverName']).not.toBe(archiveOf(before)?.['serverName']);
    expect(backups([...restore.values()])).toEqual([]);
  });
});
