import { once } from 'node:events';
import type { Attack } from './attack.ts';
import { bystanderOf } from './bystander.ts';
import { compareWithCalm, roundsOf, tooMuchTaken } from './compare-with-calm.ts';
import { forkAttacker } from './fork-attacker.ts';
import { hostilePackages } from './hostile-packages.ts';
import type { ImportLoops } from './import-process.ts';
import { Importer } from './importer.ts';
import { createTenant } from './tenant.ts';

/** The package that is imported: the search of its pages takes time in proportion to them. */
const importedPackage = 'scripts';

/** More than the provider keeps uploads of one application. */
const loopCount = 30;
/** Packages of the flood. The others take so long that they would go on after the attack. */
const floodPackages = ['elements', 'attributes', 'texts', 'depth'];

/** An application imports packages that take as much memory and time as they can. */
export const hostileManifests: Attack = {
  name: 'hostile-manifests',
  tried: `packages whose manifests have too many elements, attributes, texts or levels in 4 MiB, and ${loopCount} loops of imports by one application`,
  async run(target, options) {
    const { providerPair } = await createTenant(target, 'manifests');
    const { sc_app_id: user, sc_secret_key: password } = providerPair;
    const access = {
      url: `${target.providerUrl}/api/v2/courses/importJobs`,
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    };
    const packages = await hostilePackages();
    const importer = new Importer(access);
    const violations: string[] = [];
    const details: string[] = [];
    for (const [name, zip] of packages) {
      const { status, message } = await importer.import(zip);
      details.push(`${name}, ${zip.length} bytes: ${message}`);
      const isAsPromised =
        name === importedPackage
          ? status === 'COMPLETE'
          : status === 'ERROR' && /^(The package|imsmanifest\.xml) /.test(message);
      if (!isAsPromised) {
        violations.push(`the import of a package of ${name} ended with ${status}: ${message}`);
      }
    }
    importer.close();
    const zips = floodPackages.flatMap((name) => packages.get(name) ?? []);
    const compared = await compareWithCalm(
      await bystanderOf(target),
      roundsOf(options),
      async () => {
        const flood = await startLoops({ access, zips, count: loopCount });
        return async () =>
          void details.push(`imports of a round, by status: ${await flood.stop()}`);
      },
    );
    violations.push(...tooMuchTaken(compared));
    return { violations, bystander: compared, detail: details.join('\n') };
  },
};

async function startLoops(loops: ImportLoops): Promise<{ readonly stop: () => Promise<string> }> {
  const attacker = await forkAttacker('import-process');
  attacker.send(loops);
  return {
    stop: async () => {
      attacker.send('stop');
      const [counts] = (await once(attacker, 'message')) as [Record<string, number>];
      return JSON.stringify(counts);
    },
  };
}
