import * as z from 'zod';

const keyOfSecret = z.strictObject({ name: z.string(), key: z.string() });
const quantities = z.strictObject({ cpu: z.string(), memory: z.string() });
const encryption = z.enum(['AES256', 'aws:kms']).optional();
const s3Credentials = z.union([
  z.strictObject({ accessKeyId: keyOfSecret, secretAccessKey: keyOfSecret }),
  z.strictObject({ inheritFromIAMRole: z.literal(true) }),
]);
const azureCredentials = z.union([
  z.strictObject({ storageAccount: keyOfSecret, storageKey: keyOfSecret }),
  z.strictObject({ inheritFromAzureAD: z.literal(true) }),
]);
const googleCredentials = z.union([
  z.strictObject({ applicationCredentials: keyOfSecret }),
  z.strictObject({ gkeEnvironment: z.literal(true) }),
]);

const objectStore = z.strictObject({
  apiVersion: z.string(),
  kind: z.literal('ObjectStore'),
  metadata: z.strictObject({ name: z.string(), namespace: z.string().optional() }),
  spec: z.strictObject({
    retentionPolicy: z.string().regex(/^[1-9]\d*[dwm]$/),
    configuration: z.strictObject({
      destinationPath: z.string().min(1),
      endpointURL: z.url().optional(),
      s3Credentials: s3Credentials.optional(),
      azureCredentials: azureCredentials.optional(),
      googleCredentials: googleCredentials.optional(),
      data: z.strictObject({
        compression: z.enum(['bzip2', 'gzip', 'snappy']),
        encryption,
        jobs: z.int().min(1),
      }),
      wal: z.strictObject({
        compression: z.enum(['bzip2', 'gzip', 'lz4', 'snappy', 'xz', 'zstd']),
        encryption,
        maxParallel: z.int().min(1),
      }),
    }),
    instanceSidecarConfiguration: z.strictObject({
      resources: z.strictObject({ requests: quantities, limits: quantities }),
    }),
  }),
});

/**
 * The kinds of CloudNativePG's Barman Cloud plugin, for which no package has schemas, by version of the
 * API: of their documented fields (cloudnative-pg.io/plugin-barman-cloud) those that the manifests use,
 * and no others.
 */
export const barmanCloudSchemas: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  'barmancloud.cnpg.io/v1': { ObjectStore: objectStore },
};
