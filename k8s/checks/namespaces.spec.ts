import { describe, expect, it } from 'vitest';
import { describeManifests } from './describe-manifests.ts';
import { type Manifest, ofKind, overlays, render, renderChanged } from './manifests.ts';
import { outsidePlaces, ownNamespace } from './namespaces.ts';

/** A copy of the production overlay as a team makes it: another namespace, and hosts of its own. */
const installation = (namespace: string): Manifest[] =>
  renderChanged('k8s/overlays/production', (kustomization) => {
    kustomization.set('namespace', namespace);
    const hosts = { gateway: `https://${namespace}.test`, provider: `https://*.${namespace}.test` };
    kustomization.setIn(
      ['configMapGenerator', 0, 'literals'],
      [`PUBLIC_URL=${hosts.gateway}`, 'TRUSTED_PROXIES=uniquelocal'],
    );
    kustomization.setIn(
      ['configMapGenerator', 1, 'literals'],
      [`PROVIDER_CONTENT_URL=${hosts.provider}`, 'TRUSTED_PROXIES=uniquelocal'],
    );
  });

const placesOf = (manifests: readonly Manifest[]) =>
  new Set(outsidePlaces(manifests).map(({ place }) => place));

describeManifests('in Kubernetes, two installations in one cluster', () => {
  const morning = installation('morning-school');
  const evening = installation('evening-school');

  it('two installations are each in their own namespace, with all that they use outside of it', () => {
    expect(ownNamespace(morning)).toEqual([]);
    expect(ownNamespace(evening)).toEqual([]);
  });

  it('two installations do not name each other', () => {
    expect(JSON.stringify(morning)).toContain('morning-school');
    expect(JSON.stringify(morning)).not.toContain('evening-school');
    expect(JSON.stringify(evening)).not.toContain('morning-school');
  });

  it('two installations share no object of the cluster, address, secret, backup or host', () => {
    const used = placesOf(morning);
    expect(used.size).toBeGreaterThan(20);
    expect([...placesOf(evening)].filter((place) => used.has(place))).toEqual([]);
  });

  it('two installations have a broker and a database of their own', () => {
    for (const kind of ['RabbitmqCluster', 'Cluster']) {
      const namespaces = [morning, evening].map(
        (manifests) => ofKind(manifests, kind)[0]?.metadata['namespace'],
      );
      expect(namespaces).toEqual(['morning-school', 'evening-school']);
    }
  });

  it('two installations would share their hosts if these were not changed with the namespace', () => {
    const [first, second] = ['morning-school', 'evening-school'].map((namespace) =>
      placesOf(
        renderChanged('k8s/overlays/production', (each) => each.set('namespace', namespace)),
      ),
    );
    const shared = [...second!].filter((place) => first!.has(place));
    expect(shared).toEqual(['host registrar.example.com', 'host *.content.example.com']);
  });

  describe('the overlays of this repository', () => {
    const rendered = overlays.map((overlay) => [overlay, render(overlay)] as const);
    const pairs = rendered.flatMap(([name, manifests], index) =>
      rendered
        .slice(index + 1)
        .map(([otherName, other]) => ({ name, manifests, otherName, other })),
    );
    const namespaceOf = (manifests: readonly Manifest[]) =>
      ofKind(manifests, 'Namespace')[0]?.metadata.name;

    it.each(pairs)('$name and $otherName share nothing, or a namespace', (pair) => {
      if (namespaceOf(pair.manifests) === namespaceOf(pair.other)) return;
      const used = placesOf(pair.manifests);
      expect([...placesOf(pair.other)].filter((place) => used.has(place))).toEqual([]);
    });
  });
});
