import { describe, expect, it } from 'vitest';
import { type DocumentedCommand, documentedCommands } from '@registrar/testing';
import { basename } from 'node:path';
import { describeManifests } from './describe-manifests.ts';
import { gitOps } from './gitops.ts';
import { afterCommand, selectorOf } from './kubectl-commands.ts';
import { components, type Manifest, nameOf, ofKind, renderChanged } from './manifests.ts';
import { deployments, workloads } from './pods.ts';
import { stopped } from './stopped.ts';

/** Components in the place of others that `production` lists. */
const alternatives = /^(existing-|backups-)/;

/** The production overlay with every component, except for those that exclude each other. */
const productionWithout = (...excluded: readonly string[]): readonly Manifest[] =>
  renderChanged('k8s/overlays/production', (kustomization) => {
    const { components: listed } = kustomization.toJS() as { components: string[] };
    const all = components.map((folder) => `../../components/${basename(folder)}`);
    kustomization.set(
      'components',
      [...new Set([...listed, ...all])].filter(
        (each) => !excluded.includes(basename(each)) && !alternatives.test(basename(each)),
      ),
    );
  });

const scripts = documentedCommands().filter(({ form }) => form === 'script');
const textsOf = (commands: readonly DocumentedCommand[]) => commands.map(({ text }) => text);
const follow = (objects: readonly Manifest[], commands: readonly string[]) =>
  commands.reduce(afterCommand, objects);

const recovery = textsOf(
  scripts.filter(
    ({ page, section }) => page === 'docs/kubernetes.md' && section === 'Point-in-time recovery',
  ),
);
const replacement = recovery.findIndex((text) => text.includes(' delete clusters.postgresql'));
const before = recovery.slice(0, replacement);
const isOfNamespace = (text: string) => text.startsWith('kubectl --namespace registrar ');

describeManifests('in Kubernetes, the runbooks', () => {
  describe.each([
    ['Argo CD, Ingress and Traefik', ['certificate', 'flux', 'gateway-api']],
    ['Flux and the Gateway API', ['certificate', 'argo-cd', 'ingress', 'traefik']],
  ])('point-in-time recovery with %s', (_name, excluded) => {
    const objects = [...productionWithout(...excluded), ...gitOps];

    it('before the database is replaced, everything is stopped that would start pods or undo the restore', () => {
      expect(replacement).toBeGreaterThan(0);
      expect(stopped(objects).length).toBeGreaterThan(10);
      expect(stopped(follow(objects, before))).toEqual([]);
    });

    it('each command that changes an object stops something that no other command stops', () => {
      const idle = before.filter((text) => {
        if (follow(objects, [text]) === objects) return false;
        const others = before.filter((each) => each !== text);
        return stopped(follow(objects, others)).length === 0;
      });
      expect(idle).toEqual([]);
    });

    it('the GitOps tools are stopped before anything in the namespace is changed', () => {
      const first = before.findIndex(isOfNamespace);
      expect(stopped(follow(gitOps, before.slice(0, first)))).toEqual([]);
    });

    it('KEDA is paused, and the migrations are deleted, before the apps are scaled to nothing', () => {
      const scaling = before.findIndex((text) => text.includes(' scale '));
      const left = follow(objects, before.slice(0, scaling)).filter(
        ({ kind }) => kind !== 'Deployment',
      );
      expect(stopped(left)).toEqual([]);
    });

    it('the pods whose end is awaited are those of the apps and of the migrations', () => {
      const wanted = Object.entries(selectorOf(before.find((text) => text.includes(' wait '))!));
      const awaited = workloads(objects).filter(({ spec }) =>
        wanted.every(([key, value]) => spec?.template.metadata?.labels?.[key] === value),
      );
      const expected = [...deployments(objects), ...ofKind(objects, 'Job')];
      expect(awaited.map(({ metadata }) => metadata?.name).toSorted()).toEqual(
        expected.map(({ metadata }) => metadata?.name).toSorted(),
      );
    });

    it('at the end, the GitOps tools work as before', () => {
      const changed = recovery.filter((text) => !isOfNamespace(text));
      expect(follow(gitOps, changed)).toMatchObject(gitOps);
      expect(stopped(follow(gitOps, changed))).toEqual(stopped(gitOps));
    });
  });

  describe('on every page', () => {
    const objects = productionWithout('certificate', 'flux', 'gateway-api');
    const toNothing = scripts.filter(({ text }) => / scale .*--replicas[= ]0\b/.test(text));

    it.each(toNothing)('$page: KEDA does not undo $text', (command) => {
      const { page, section } = command;
      const own = scripts.filter((each) => each.page === page && each.section === section);
      const after = follow(
        [...objects, ...gitOps],
        textsOf(own.slice(0, own.indexOf(command) + 1)),
      );
      const scaled = new Set(
        deployments(after).flatMap(({ metadata, spec }) =>
          spec?.replicas === 0 ? metadata.name : [],
        ),
      );
      const scalers = ofKind<{ spec: { scaleTargetRef: { name: string } } }>(
        after,
        'ScaledObject',
      ).filter(({ spec }) => scaled.has(spec.scaleTargetRef.name));
      expect(scalers.map(nameOf)).not.toEqual([]);
      expect(stopped(scalers)).toEqual([]);
    });
  });
});
