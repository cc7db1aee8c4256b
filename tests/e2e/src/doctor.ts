import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StartedSystem } from '@registrar/standalone/testing';
import {
  CertificateAuthority,
  type DedicatedBroker,
  eventually,
  freePort,
  programEnvironment,
  SimulatedProvider,
} from '@registrar/testing';
import { Topology } from '@registrar/bus';
import { generateMasterKey, productVersion } from '@registrar/platform';
import { type Channel, connect } from 'amqplib';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import type { DedicatedInstallation } from './dedicated-installation.ts';

const run = promisify(execFile);
const operator = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));

/** Checks the output of `registrar doctor` for a healthy installation and for each fault that it detects. */
export function describeDoctor(installation: () => DedicatedInstallation): void {
  describe('registrar doctor', () => {
    let broker: DedicatedBroker;
    let databaseUrl: string;
    let system: StartedSystem;
    let sql: (statement: string) => Promise<pg.QueryResult>;
    let directory: string;

    beforeAll(async () => {
      ({ broker, databaseUrl, system, sql } = installation());
      directory = await mkdtemp(join(tmpdir(), 'registrar-doctor-'));
    });
    afterAll(() => rm(directory, { recursive: true }));

    const registrar = async (
      words: readonly string[],
      changed: Record<string, string> = {},
      input = '',
    ) => {
      const child = spawn(process.execPath, [operator, ...words], {
        env: { ...programEnvironment(), ...installation().settings, ...changed },
        stdio: 'pipe',
      });
      child.stdin.end(input);
      const output = [text(child.stdout), text(child.stderr), once(child, 'close')] as const;
      const [stdout, stderr] = await Promise.all(output);
      return { code: child.exitCode, stdout, stderr };
    };
    /** Runs the doctor and returns the lines of failed checks. */
    const failures = async (changed: Record<string, string> = {}): Promise<string[]> => {
      const { code, stdout } = await registrar(['doctor'], changed);
      const failed = stdout.split('\n').filter((line) => line.startsWith('fail'));
      expect(code).toBe(failed.length > 0 ? 1 : 0);
      return failed;
    };
    /** Failures while an application belongs to a provider that answers so. */
    const failuresWithProvider = async (
      appId: string,
      intercept: NonNullable<SimulatedProvider['intercept']>,
    ) => {
      const provider = await SimulatedProvider.start();
      const { secretKey } = provider.addAccount(appId);
      provider.intercept = intercept;
      const added = await registrar(
        [
          ...['provider', 'add', '--realm', system.quickstart.realm_guid, '--name', appId],
          ...['--url', provider.url, '--app-id', appId, '--secret-file', '-'],
          ...['--no-check', '--json'],
        ],
        {},
        secretKey,
      );
      const { id } = JSON.parse(added.stdout) as { id: number };
      const failed = await failures();
      await sql(`DELETE FROM identity.provider_applications WHERE id = ${id}`);
      await provider.stop();
      return { id, failed };
    };
    const atBroker = async (work: (channel: Channel) => Promise<unknown>): Promise<void> => {
      const connection = await connect(broker.url);
      await work(await connection.createChannel());
      await connection.close();
    };
    const withUrl = (url: string, change: (url: URL) => void): string => {
      const changed = new URL(url);
      change(changed);
      return changed.href;
    };

    it('reports no failure of a healthy installation', async () => {
      const { code, stdout, stderr } = await registrar(['doctor']);
      const warning =
        'warn  senders of messages: all apps share an account at RabbitMQ: who sent a message is not ' +
        'verified. To do: outside of development, give each app an account (registrar grants ' +
        'rabbitmq), and unset BUS_ACCOUNTS';
      expect(stdout.split('\n').filter((line) => !line.startsWith('ok '))).toEqual([warning, '']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(
        'ok    queue arguments: those of 40 queues are as this version declares them\n' +
          'ok    policies: of 0 in the virtual host /, none conflicts with Registrar\n' +
          `ok    versions: all 6 replicas have ${productVersion}\n` +
          `${warning}\n`,
      );
      expect(stdout).toContain(
        `provider applications: the provider of application 1 (${system.quickstart.sc_app_id}) takes`,
      );
    });

    it('reports a wrong database password', async () => {
      const wrong = withUrl(databaseUrl, (url) => (url.password = 'wrong'));
      const failed = await failures({ DATABASE_URL: wrong });
      const user = new URL(databaseUrl).username;
      expect(failed).toEqual([
        `fail  database: PostgreSQL refuses the password of ${user}. To do: put the right one into ` +
          `DATABASE_URL, or set it: ALTER ROLE ${user} PASSWORD '…'`,
      ]);
      expect(failed.join('')).not.toContain('wrong');
    });

    it('reports a missing PostgreSQL extension', async () => {
      await sql('ALTER EXTENSION pg_trgm SET SCHEMA public; DROP EXTENSION pg_trgm CASCADE');
      const failed = await failures();
      await sql('CREATE EXTENSION pg_trgm SCHEMA public');
      expect(failed).toEqual([
        'fail  extension pg_trgm: it is missing. To do: as a superuser, in this database: ' +
          'CREATE EXTENSION pg_trgm SCHEMA public; then registrar migrate',
      ]);
    });

    it('reports a schema that lacks migrations', async () => {
      const kept = 'CREATE TABLE kept AS SELECT * FROM crawler.migrations';
      await sql(`${kept}; DELETE FROM crawler.migrations WHERE name LIKE 'Crawler17600%'`);
      const failed = await failures();
      await sql(
        'TRUNCATE crawler.migrations; INSERT INTO crawler.migrations TABLE kept; DROP TABLE kept',
      );
      expect(failed).toHaveLength(1);
      expect(failed[0]).toMatch(
        /^fail {2}schema crawler: it is older than this version: it lacks \d+-crawler\. To do: before its app starts: registrar migrate crawler$/,
      );
    });

    it('reports a missing database privilege', async () => {
      const role = 'doctor';
      await sql(
        `CREATE ROLE ${role} LOGIN PASSWORD '${role}'; GRANT CONNECT ON DATABASE registrar TO ${role}`,
      );
      const grant = (schema: string) =>
        `GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role};
       GRANT ALL ON ALL TABLES IN SCHEMA ${schema} TO ${role}`;
      await sql(['identity', 'catalog', 'enrolment', 'crawler', 'provider'].map(grant).join(';'));
      await sql(`REVOKE DELETE ON enrolment.outbox FROM ${role}`);
      const other = withUrl(databaseUrl, (url) => {
        url.username = role;
        url.password = role;
      });
      const failed = await failures({ DATABASE_URL: other });
      await sql(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
      expect(failed).toEqual([
        `fail  rights to enrolment: ${role} lacks DELETE on enrolment.outbox. To do: as a ` +
          'superuser, in this database, run the SQL of: registrar grants postgresql',
      ]);
    });

    it('reports an unreachable broker', async () => {
      const port = await freePort();
      const unused = withUrl(installation().settings['AMQP_URL']!, (url) => {
        url.port = String(port);
      });
      const failed = await failures({ AMQP_URL: unused });
      expect(failed).toEqual([
        `fail  broker: RabbitMQ cannot be reached at localhost:${port} (ECONNREFUSED). To do: ` +
          'start it, or correct AMQP_URL; then see the network between',
      ]);
    });

    describe('over TLS', () => {
      /** Of database, broker and management API: what the doctor finds when all three addresses are changed. */
      const failuresWith = (change: (url: URL) => void) => {
        const { AMQP_URL, AMQP_MANAGEMENT_URL, DATABASE_URL } = installation().settings;
        const changed = Object.entries({ AMQP_URL, AMQP_MANAGEMENT_URL, DATABASE_URL }).map(
          ([name, url]) => [name, withUrl(url!, change)],
        );
        return failures(Object.fromEntries(changed) as Record<string, string>);
      };
      const hostOf = (setting: string) => new URL(installation().settings[setting]!).host;
      const certificates = () => [
        `database: the certificate of PostgreSQL at ${hostOf('DATABASE_URL')}`,
        `broker: the certificate of RabbitMQ at ${hostOf('AMQP_URL')}`,
        `queue arguments: the certificate of RabbitMQ at ${hostOf('AMQP_MANAGEMENT_URL')}`,
      ];

      it('reports certificates of another authority', async () => {
        const other = await CertificateAuthority.create();
        const failed = await failuresWith(({ searchParams }) => {
          for (const name of ['cacertfile', 'sslrootcert']) {
            if (searchParams.has(name)) searchParams.set(name, other.file);
          }
        });
        await other.dispose();
        const finding = 'is from an authority that is not trusted. To do: name the file of the';
        expect(failed.map((line) => line.slice(0, line.indexOf(' authority that issued')))).toEqual(
          certificates().map((certificate) => `fail  ${certificate} ${finding}`),
        );
      });

      it('reports certificates for other hosts', async () => {
        const failed = await failuresWith((url) => (url.hostname = '127.0.0.1'));
        expect(failed.map((line) => line.slice(0, line.indexOf('. To do')))).toEqual(
          certificates().map((each) => {
            const certificate = each.replace('localhost', '127.0.0.1');
            return `fail  ${certificate} is for other hosts: DNS:localhost`;
          }),
        );
      });

      it('reports a file of an authority that does not exist', async () => {
        const failed = await failuresWith(({ searchParams }) => {
          for (const name of ['cacertfile', 'sslrootcert']) {
            if (searchParams.has(name)) searchParams.set(name, '/nowhere/ca.crt');
          }
        });
        expect(failed).toEqual([
          expect.stringContaining('the file of sslrootcert in DATABASE_URL cannot be read: ENOENT'),
          expect.stringContaining('the file of cacertfile in AMQP_URL cannot be read: ENOENT'),
          expect.stringContaining('queue arguments: the file of cacertfile'),
        ]);
      });

      it('reports a broker without TLS', async () => {
        const plain = withUrl(installation().settings['AMQP_URL']!, (url) => {
          url.port = new URL(broker.url).port;
        });
        expect(await failures({ AMQP_URL: plain })).toEqual([
          `fail  broker: RabbitMQ does not offer TLS at ${new URL(plain).host}. To do: give it a ` +
            'certificate, or correct AMQP_URL',
        ]);
      });

      it('reports expired certificates, and accepts renewed ones without a restart', async () => {
        const { authority, postgres } = installation();
        const issue = async (days?: number) => {
          await postgres.presentCertificate(await authority.issue('postgres', days));
          await authority.issue('broker', days);
          await broker.reloadCertificate();
        };
        await issue(-1);
        const failed = await failures();
        await issue();
        expect(failed).toEqual(
          certificates().map((each) => `fail  ${each} has expired. To do: renew it`),
        );
        expect(await failures()).toEqual([]);
      });
    });

    it('reports RabbitMQ policies that change queues', async () => {
      const { namespace } = system;
      const policy = (sort: string, name: string, pattern: string, definition: object) =>
        broker.control(sort, name, pattern, JSON.stringify(definition), '--apply-to', 'queues');
      await policy('set_policy', 'tidy', '^registrar', { expires: 60_000, 'max-length': 10_000 });
      await policy('set_operator_policy', 'quota', 'catalog$', { 'max-length': 10_000 });
      const failed = await failures();
      await broker.control('clear_policy', 'tidy');
      await broker.control('clear_operator_policy', 'quota');
      // Queues of requests have lower limits of their own.
      expect(failed.map((line) => line.replace(/and \d+ more/, 'and more'))).toEqual([
        `fail  policies: the policy tidy sets expires of ${namespace}.parked.provider and more to ` +
          '60000: they vanish, with what waits in them, when nobody takes from them. To do: give it ' +
          'a pattern that leaves them out, or: rabbitmqctl clear_policy --vhost / tidy',
        `fail  policies: the policy tidy sets max-length of ${namespace}.parked.provider and more ` +
          'to 10000: what does not fit is lost or turned away. To do: give it a pattern that leaves ' +
          'them out, or: rabbitmqctl clear_policy --vhost / tidy',
        `fail  policies: the operator policy quota sets max-length of ${namespace}.parked.catalog ` +
          'and more to 10000: what does not fit is lost or turned away. To do: give it a pattern ' +
          'that leaves them out, or: rabbitmqctl clear_operator_policy --vhost / quota',
      ]);
    });

    it('reports a queue with different arguments', async () => {
      const topology = new Topology(system.namespace!);
      const queue = topology.retryQueue('crawler', 1_000);
      await atBroker(async (channel) => {
        await channel.deleteQueue(queue);
        await channel.assertQueue(queue, { maxLength: 7, messageTtl: 1_000 });
      });
      const failed = await failures();
      await atBroker(async (channel) => {
        await channel.deleteQueue(queue);
        await topology.declareEventQueues(channel, 'crawler');
      });
      expect(failed).toEqual([
        expect.stringMatching(/^fail {2}queues of crawler: .*PRECONDITION_FAILED/),
        `fail  queue arguments: ${queue} has the type classic instead of quorum, ` +
          'x-dead-letter-exchange unset instead of "", x-dead-letter-routing-key unset instead of ' +
          `"${topology.eventQueue('crawler')}", x-dead-letter-strategy unset instead of ` +
          '"at-least-once", x-overflow unset instead of "reject-publish", x-max-length 7 instead of ' +
          'unset. To do: another version declared it otherwise: stop the apps, delete it when it is ' +
          'empty, and start them',
      ]);
    });

    it('reports an event queue without a consumer', async () => {
      const topology = new Topology('doctor-half');
      const connection = await connect(broker.url);
      const channel = await connection.createChannel();
      await topology.declareExchange(channel, topology.requests);
      await channel.consume(
        await topology.declareRequestQueue(channel, 'crawler'),
        () => undefined,
      );
      await topology.declareEventQueues(channel, 'crawler');
      const failed = await failures({ BUS_NAMESPACE: 'doctor-half' });
      await connection.close();
      expect(failed).toContain(
        'fail  queues of crawler: nobody takes its events. To do: see in the log of crawler why it ' +
          'does not',
      );
    });

    it('reports a management API that rejects its user, and warns when none is configured', async () => {
      await broker.control('add_user', 'looker', 'password-of-looker');
      await broker.control('set_permissions', 'looker', '^$', '^$', '^$');
      const looking = withUrl(broker.managementUrl!, (url) => {
        url.username = 'looker';
        url.password = 'password-of-looker';
      });
      expect(await failures({ AMQP_MANAGEMENT_URL: looking })).toEqual([
        "fail  queue arguments: RabbitMQ's management API refuses looker: Not management user. To " +
          'do: put the right password into AMQP_MANAGEMENT_URL, let looker into the virtual host /, ' +
          'or: rabbitmqctl set_user_tags looker management',
      ]);
      await broker.control('set_user_tags', 'looker', 'management');
      expect((await registrar(['doctor'], { AMQP_MANAGEMENT_URL: looking })).stdout).toContain(
        'warn  versions: RabbitMQ shows looker no connections of the apps, so that their versions ' +
          'were not compared. To do: start the apps, or let looker see them: rabbitmqctl ' +
          'set_user_tags looker monitoring\n',
      );
      const { code, stdout } = await registrar(['doctor'], { AMQP_MANAGEMENT_URL: '' });
      expect(stdout.split('\n').filter((line) => !line.startsWith('ok '))).toEqual([
        'warn  policies: AMQP tells neither policies nor the arguments of queues, so that they were ' +
          'not checked. To do: set AMQP_MANAGEMENT_URL to the management API of RabbitMQ, such as ' +
          'http://localhost:15672',
        '',
      ]);
      expect(code).toBe(0);
    });

    /** Runs the doctor while the process of an app is stopped (SIGSTOP). */
    const failuresWithout = async (app: string): Promise<string[]> => {
      const pid = system
        .processes()
        .find((each) => readFileSync(`/proc/${each}/cmdline`, 'utf8').includes(`/apps/${app}/`))!;
      process.kill(pid, 'SIGSTOP');
      try {
        return await failures();
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    };

    it('reports a frozen gateway', async () => {
      const port = installation().settings['PORT'];
      expect(await failuresWithout('gateway')).toEqual([
        `fail  PORT: what listens on port ${port} does not respond within 5 s. To do: find it with: ` +
          `ss -ltnp 'sport = :${port}'; if it is an app of ours, it is frozen or overloaded: see ` +
          'its log, or end it',
      ]);
    });

    it('reports a frozen replica', async () => {
      const failed = await failuresWithout('catalog');
      // RabbitMQ closes its connection when it has missed heartbeats, which takes 10 seconds or more.
      const [line = ''] = failed.filter((each) => each.includes('catalog'));
      expect([
        'fail  replies: the replica of catalog does not reply within 3 s. To do: find the process of ' +
          'catalog that is frozen (its /health/live does not respond either) and end it; if each ' +
          'responds, see what its requests wait for: its log, and the checks of locks and connections',
        'fail  queues of catalog: no replica consumes its requests. To do: start catalog; if it runs, ' +
          'see its log, and end it if it is frozen and writes none',
      ]).toContain(line);
      await eventually('it is well again', async () => (await failures()).length === 0);
    });

    it('reports replicas of two versions', async () => {
      const other = {
        connection_name: 'registrar catalog',
        product: 'Registrar',
        version: '0.0.9',
      };
      const connection = await connect(broker.url, {
        clientProperties: { ...other, namespace: 'registrar' },
      });
      const expected =
        'warn  versions: replicas of 2 versions run at once: 0.0.9 (1 of catalog), ' +
        `${productVersion} (1 of catalog, 1 of crawler, 1 of enrolment, 1 of gateway, 1 of ` +
        'identity, 1 of provider). To do: finish the upgrade, or undo it, so that all have one ' +
        'version; during an upgrade this is normal';
      try {
        // RabbitMQ's management API shows a connection some seconds later.
        await eventually('both versions are reported', async () =>
          (await registrar(['doctor'])).stdout.split('\n').includes(expected),
        );
      } finally {
        await connection.close();
      }
    });

    it('reports a full disk', async () => {
      const disk = join(directory, 'disk');
      await run('mkdir', [disk]);
      await run('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]);
      try {
        const failed = await failures({ DATA_DIR: disk });
        expect(failed).toEqual([
          `fail  space for data: the disk of ${disk} is full. To do: make room (64 MB or more), or ` +
            'name another place in DATA_DIR',
        ]);
      } finally {
        await run('umount', [disk]);
      }
    });

    it('reports a master key that cannot decrypt the secrets', async () => {
      const file = join(directory, 'other.key');
      await writeFile(file, generateMasterKey(), { mode: 0o600 });
      const failed = await failures({ MASTER_KEY_FILE: file });
      expect(failed).toEqual([
        'fail  provider applications: MASTER_KEY_FILE does not open the secret of application 1 ' +
          `(${system.quickstart.sc_app_id}). To do: give every app the key that it was sealed ` +
          'with; if that is lost: registrar provider rotate 1',
      ]);
    });

    it('reports a secret key that the provider rejects', async () => {
      await registrar(['provider', 'rotate', '1', '--secret-file', '-', '--no-check'], {}, 'wrong');
      const failed = await failures();
      const right = system.quickstart.sc_secret_key;
      await registrar(['provider', 'rotate', '1', '--secret-file', '-'], {}, right);
      expect(failed).toEqual([
        `fail  provider applications: the provider of application 1 (${system.quickstart.sc_app_id}) ` +
          'refuses its secret key. To do: get the right one from the provider, then: registrar ' +
          'provider rotate 1',
      ]);
    });

    it('reports a provider whose clock is wrong', async () => {
      const { id, failed } = await failuresWithProvider('slow', ({ path }) =>
        path === 'ping'
          ? { status: 200, body: { currentTime: new Date(Date.now() - 600_000).toISOString() } }
          : undefined,
      );
      expect(failed).toHaveLength(1);
      expect(failed[0]).toMatch(
        `fail  provider applications: the clock of the provider of application ${id} (slow) is 6`,
      );
      expect(failed[0]).toContain(
        'behind ours. To do: set both machines by a time service (NTP): crawls would miss changes',
      );
    });

    it('reports a provider that throttles calls', async () => {
      const { failed } = await failuresWithProvider('busy', () => ({
        status: 429,
        body: { message: 'too many calls' },
        headers: { 'retry-after': '60' },
      }));
      expect(failed).toHaveLength(1);
      expect(failed[0]).toMatch(
        /^fail {2}provider applications: the provider of application \d+ \(busy\) throttles calls: .* 429 too many calls\. To do: lower CRAWL_RATE_PER_SECOND/,
      );
    });

    it('reports that no connection to the database is left', async () => {
      await sql(`CREATE ROLE crowded LOGIN PASSWORD 'crowded' CONNECTION LIMIT 0`);
      const crowded = withUrl(databaseUrl, (url) => {
        url.username = 'crowded';
        url.password = 'crowded';
      });
      const failed = await failures({ DATABASE_URL: crowded });
      await sql('DROP ROLE crowded');
      expect(failed).toEqual([
        'fail  database: PostgreSQL has no connection left for crowded: too many connections for role ' +
          '"crowded". To do: end sessions that nobody needs (pg_stat_activity shows them), run fewer ' +
          'replicas, or raise max_connections, or the limit of the role',
      ]);
    });

    it('reports a session that keeps the statements of a pool waiting', async () => {
      const person = new pg.Client({ connectionString: databaseUrl, application_name: 'psql' });
      await person.connect();
      await person.query('CREATE TABLE held (id int)');
      await person.query('BEGIN; LOCK TABLE held IN ACCESS EXCLUSIVE MODE');
      const { rows } = await person.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      const waiting = sql('SELECT count(*) FROM held');
      const waits = `SELECT FROM pg_stat_activity
        WHERE wait_event_type = 'Lock' AND query_start < clock_timestamp() - interval '2 s'`;
      // From another session: a transaction sees the activity as it was at first.
      await eventually('a statement waits', async () => (await sql(waits)).rowCount !== 0);
      const failed = await failures();
      await person.query('ROLLBACK');
      await waiting;
      await person.query('DROP TABLE held');
      await person.end();
      expect(failed.map((line) => line.replace(/for \d+ s\./, 'for … s.'))).toEqual([
        `fail  locks: 1 statement waits for a lock of process ${rows[0]!.pid} (psql), whose transaction ` +
          `has been open for … s. To do: if it should not be open: SELECT pg_terminate_backend(${rows[0]!.pid})`,
      ]);
    });

    it('reports a port that is in use', async () => {
      const server = createServer((socket) => socket.end('not HTTP')).listen(0, '::');
      await once(server, 'listening');
      const { port } = server.address() as { port: number };
      const failed = await failures({ PORT: String(port) });
      server.close();
      expect(failed).toEqual([
        `fail  PORT: port ${port} is in use by another program. To do: end that program (find it ` +
          `with: ss -ltnp 'sport = :${port}'), or set PORT to another port`,
      ]);
    });
  });
}
