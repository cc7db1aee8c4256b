import { beforeAll, describe, expect, it } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { storeAuthorities } from './accounts.ts';
import type { Manifest } from './manifests.ts';
import { platformClaims } from './platform-claims.ts';
import { hardened, probes, resources, restricted } from './pods.ts';
import { disruptionBudgets, oneScaler, requestedProcessors } from './scaling.ts';
import { schemaFaults } from './schemas.ts';
import { settings } from './settings.ts';
import { accessLogs, images, noSecrets } from './supply.ts';

const folder = 'k8s/chart/platforms';

/** The policies that hold for every platform. */
const policies = {
  restricted,
  hardened,
  probes,
  resources,
  settings,
  images,
  noSecrets,
  accessLogs,
  oneScaler,
  requestedProcessors,
  disruptionBudgets,
  storeAuthorities,
};

/**
 * Declares the suite of the files of values for platforms.
 *
 * @param render renders the chart with values
 */
export function describePlatforms(render: (values: object) => Manifest[]): void {
  const names = readdirSync(folder).map((file) => file.replace('.yaml', ''));

  describe('the files of values for platforms', () => {
    const rendered = new Map<string, Manifest[]>();
    beforeAll(() => {
      for (const name of names)
        rendered.set(name, render(parse(readFileSync(`${folder}/${name}.yaml`, 'utf8')) as object));
    });

    it('have objects that are valid by the schemas of their kinds', async () => {
      const all = [...rendered.values()].flat();
      const different = new Map(all.map((each) => [JSON.stringify(each), each]));
      expect(different.size).toBeGreaterThan(200);
      expect(await schemaFaults([...different.values()])).toEqual([]);
    });

    it.each(Object.entries(policies))('meet the policy %s', (_name, policy) => {
      const faults = names.flatMap((name) =>
        policy(rendered.get(name)!).map((fault) => `${name}: ${fault}`),
      );
      expect(faults).toEqual([]);
    });

    it.each(
      names.flatMap((name) =>
        (platformClaims[name] ?? []).map(([title, facts, expected]) => ({
          name,
          title,
          facts,
          expected,
        })),
      ),
    )('$name $title', ({ name, facts, expected }) => {
      expect(facts(rendered.get(name)!)).toEqual(expected);
    });

    it('each has what it is for', () => {
      expect(Object.keys(platformClaims).toSorted()).toEqual(names);
    });

    it('schemas reject unknown fields in values that are passed on', async () => {
      const manifests = render({
        edge: 'gateway-api',
        secretStore: { provider: { vault: { servers: [] } } },
        pods: { affinity: { nodeAffinities: {} }, tolerations: [{ keys: 'a' }] },
        database: { storage: { capacity: '1Gi' }, inheritedMetadata: { label: {} } },
        broker: { persistence: { storageClass: 'fast' } },
        network: { ingress: [{ nameSpaceSelector: {} }] },
        certificateIssuer: { issuer: 'letsencrypt' },
      });
      const faults = (await schemaFaults(manifests)).join('\n');
      const missed = [
        'servers',
        'nodeAffinities',
        'keys',
        'capacity',
        'label',
        'storageClass',
        'nameSpaceSelector',
        'issuer',
      ].filter((field) => !new RegExp(`['"]${field}['"]`).test(faults));
      expect(missed).toEqual([]);
    });
  });
}
