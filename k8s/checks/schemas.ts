import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { barmanCloudSchemas } from './barman-cloud-schemas.ts';
import { type Manifest, nameOf } from './manifests.ts';
import { rabbitMqSchemas } from './rabbitmq-schemas.ts';

/** The packages with the schemas of custom resources, by API group. */
const packages: Readonly<Record<string, string>> = {
  'argoproj.io': '@kubernetes-models/argo-cd',
  'cert-manager.io': '@kubernetes-models/cert-manager',
  'external-secrets.io': '@kubernetes-models/external-secrets',
  'generators.external-secrets.io': '@kubernetes-models/external-secrets',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'keda.sh': '@kubernetes-models/keda',
  'kustomize.toolkit.fluxcd.io': '@kubernetes-models/flux-cd',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'postgresql.cnpg.io': '@kubernetes-models/cloudnative-pg',
  'source.toolkit.fluxcd.io': '@kubernetes-models/flux-cd',
  'traefik.io': '@kubernetes-models/traefik',
};

/** The schemas of kinds for which no package has them. */
const ownSchemas = { ...barmanCloudSchemas, ...rabbitMqSchemas };

interface Model {
  new (data: unknown): { validate(): void };
}

/**
 * Validates objects against the schemas of their kinds.
 *
 * The packages' validators accept unknown fields, which the cluster rejects or drops. So the objects
 * are also written as TypeScript and checked against the packages' types. No package has the schemas
 * of RabbitMQ's operators and of the Barman Cloud plugin: see rabbitmq-schemas.ts and
 * barman-cloud-schemas.ts.
 *
 * @returns the violations, one line each
 */
export async function schemaFaults(manifests: readonly Manifest[]): Promise<string[]> {
  const own = manifests.filter(({ apiVersion }) => apiVersion in ownSchemas);
  const others = manifests.filter(({ apiVersion }) => !(apiVersion in ownSchemas));
  const invalid = await Promise.all(others.map(validate));
  return [...own.flatMap(parse), ...invalid.flat(), ...(await unknownFields(others))];
}

function moduleOf({ apiVersion, kind }: Manifest): string {
  const [group = ''] = apiVersion.split('/');
  return `${packages[group] ?? 'kubernetes-models'}/${apiVersion}/${kind}`;
}

async function validate(manifest: Manifest): Promise<string[]> {
  try {
    const models = (await import(moduleOf(manifest))) as Record<string, Model>;
    const Kind = models[manifest.kind]!;
    new Kind(manifest).validate();
    return [];
  } catch (error) {
    return [`${nameOf(manifest)}: ${(error as Error).message}`];
  }
}

function parse(manifest: Manifest): string[] {
  const schema = ownSchemas[manifest.apiVersion]?.[manifest.kind];
  if (!schema) return [`${nameOf(manifest)}: no schema for this kind`];
  const issues = schema.safeParse(manifest).error?.issues ?? [];
  return issues.map(
    ({ path, message }) => `${nameOf(manifest)}: ${path.map(String).join('.')}: ${message}`,
  );
}

const compiler = join(process.cwd(), 'node_modules/typescript-native/bin/tsc');

async function unknownFields(manifests: readonly Manifest[]): Promise<string[]> {
  if (manifests.length === 0) return [];
  const directory = await mkdtemp(join(tmpdir(), 'manifests-'));
  try {
    await mkdir(join(directory, 'objects'));
    await symlink(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'));
    await writeFile(
      join(directory, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          skipLibCheck: true,
          module: 'nodenext',
          target: 'es2024',
          types: [],
        },
        files: manifests.map((_, index) => `objects/${index}.mts`),
      }),
    );
    await Promise.all(
      manifests.map((manifest, index) =>
        writeFile(
          join(directory, `objects/${index}.mts`),
          `import type { I${manifest.kind} } from '${moduleOf(manifest)}';\n` +
            `export const object: I${manifest.kind} = ${JSON.stringify(manifest, null, 1)};\n`,
        ),
      ),
    );
    const lines = await compile(directory);
    return lines.map((line) => {
      const index = /^objects\/(\d+)\.mts/.exec(line)?.[1];
      return index ? `${nameOf(manifests[Number(index)]!)}: ${line}` : line;
    });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Returns the errors of the compiler, one line each. */
function compile(directory: string): Promise<string[]> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [compiler, '--project', directory, '--pretty', 'false'],
      { cwd: directory },
      (error, stdout, stderr) =>
        resolve(error ? `${stdout}${stderr}`.split('\n').filter((line) => /error/.test(line)) : []),
    );
  });
}
