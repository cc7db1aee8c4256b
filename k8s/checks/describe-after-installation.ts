import type { IPod } from 'kubernetes-models/v1/Pod';
import { describe, expect, it } from 'vitest';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseOutput } from './chart-fixture.ts';
import { type Manifest, ofKind } from './manifests.ts';
import { allowedEdges, podsOf } from './network.ts';

/**
 * Declares the suites of what Helm prints and runs after an installation: `NOTES.txt` and `helm test`.
 *
 * @param helm runs a command of helm with values; returns its output
 */
export function describeAfterInstallation(
  helm: (command: readonly string[], values: object) => string,
): void {
  describe('helm test', () => {
    const rendered = () => parseOutput(helm(['template', '--namespace', 'registrar'], {}));
    const tester = (manifests: readonly Manifest[]) =>
      ofKind<IPod>(manifests, 'Pod')[0]!.spec!.containers[0]!;

    it('the network policies let its pod reach what it asks', () => {
      const manifests = rendered();
      const { name, labels = {} } = ofKind(manifests, 'Pod')[0]!.metadata;
      const pod = { name, pod: { namespace: 'registrar', labels }, ports: [] };
      const reached = allowedEdges(manifests, [...podsOf(manifests), pod])
        .filter((edge) => edge.startsWith(name))
        .map((edge) => edge.replace(/.* -> /, ''));
      const asked = tester(manifests).args!.map((url) => new URL(url).host);
      // Port 80 of the gateway's Service is 8080 of its pods.
      expect(reached).toEqual(
        expect.arrayContaining(asked.map((host) => host.replace(/^gateway$/, 'gateway:8080'))),
      );
    });

    it.each([
      { title: 'its pod succeeds when every app is ready', answer: 200, status: 0 },
      { title: 'its pod fails when an app is not ready', answer: 503, status: 1 },
    ])('$title', async ({ answer, status }) => {
      const server = createServer(({ url }, response) =>
        response.writeHead(url === '/ready' ? 200 : answer).end(),
      );
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const [, ...command] = tester(rendered()).command!;
      const program = spawn(process.execPath, [...command, `${origin}/ready`, `${origin}/other`]);
      const [code] = (await once(program, 'exit')) as [number];
      server.close();
      expect(code).toBe(status);
    });
  });

  describe('NOTES.txt', () => {
    const notes = (values: object) => helm(['install', '--dry-run=client'], values);

    it('names the values that are still those of an example', () => {
      const values = ['contentHost', 'image.repository', 'objectStore.endpointURL', 'publicHost'];
      expect(notes({})).toContain(
        `still those of an example: ${[...values, 'runbooks', 'secretStore.provider'].join(', ')}`,
      );
      expect(
        notes({
          image: { repository: 'images.test/registrar' },
          publicHost: 'api.test',
          contentHost: '*.content.test',
          runbooks: 'https://pages.test',
          externalSecrets: false,
          backups: false,
        }),
      ).not.toContain('example');
    });

    it('says where the console is and how to sign in, where there is one', () => {
      const text = notes({ publicHost: 'api.test' });
      expect(text).toMatch(/^Console: +https:\/\/api\.test\/console$/m);
      expect(text).toContain('exec deploy/console -- node apps/console/dist/main.js sign-in-link');
      expect(notes({ console: false })).not.toMatch(/^Console:|sign-in-link/m);
    });

    it('says that the operator of RabbitMQ must trust its authority, where there is one', () => {
      const trust = /until the Messaging Topology Operator trusts/;
      expect(notes({})).toMatch(trust);
      expect(notes({ broker: { address: 'mq.test:5671/registrar' } })).not.toMatch(trust);
    });

    it('says what to create for existing stores and without External Secrets', () => {
      const text = notes({
        externalSecrets: false,
        database: { address: 'db.test:5432/registrar' },
        broker: { address: 'mq.test:5671/registrar' },
      });
      expect(text).toContain('Create the Secrets yourself');
      expect(text).toMatch(/PostgreSQL at db\.test:5432\/registrar: .*grants postgresql/);
      expect(text).toMatch(/RabbitMQ at mq\.test:5671\/registrar: .*grants rabbitmq/);
    });
  });
}
