import S3rver from '@20minutes/s3rver';
import { mkdir } from 'node:fs/promises';

/** An S3 server of the drill's own, with its objects as files in a directory. */
export interface ObjectStore {
  /** The arguments by which every program of barman-cloud reaches the store. */
  readonly arguments: readonly string[];
  /** The bucket. */
  readonly url: string;
  /** The credentials, as barman-cloud takes them. */
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const bucket = 'backups';

/** Starts an S3 server on a free port of the loopback interface. */
export async function startObjectStore(directory: string): Promise<ObjectStore> {
  await mkdir(directory);
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  const { port } = await server.run();
  return {
    arguments: ['--endpoint-url', `http://127.0.0.1:${port}`],
    url: `s3://${bucket}`,
    // The package's only account.
    environment: {
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
      AWS_DEFAULT_REGION: 'us-east-1',
    },
    close: () => server.close(),
  };
}
