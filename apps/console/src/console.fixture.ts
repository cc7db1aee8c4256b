import { inProcessTransport } from '@registrar/bus';
import { startStubContext, type StubbedReply, stubReply } from '@registrar/bus/testing';
import { type Context, Failure, findRealmScope, listRealmNames } from '@registrar/contracts';
import { currentRequestContext } from '@registrar/platform';
import { createTestDatabase, highRequestLimits, testLogger, testScope } from '@registrar/testing';
import { ConsoleDatabase } from './console-database.ts';
import { createSignInLink, consoleSettings, startConsole } from './index.ts';
import type { CallInput, CallName, CallReply } from './calls/calls.ts';
import { type ConsoleRoles, operatorRoles, type RealmRole } from './sessions/roles.ts';
import { Sessions } from './sessions/sessions.ts';

/** The realms of the installation. */
export const [ownRealm, foreignRealm] = ['own', 'foreign'] as const;
const disabledRealm = 'disabled';

export type ConsoleFixture = Awaited<ReturnType<typeof startConsoleFixture>>;

/** Starts the console beside a stub of identity, and stubs of other contexts. */
export async function startConsoleFixture({
  environment = {},
  stubs = {},
}: {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stubs?: Partial<Record<Context, readonly StubbedReply[]>>;
} = {}) {
  const database = await createTestDatabase();
  const log = testLogger('console');
  const on = { transport: inProcessTransport(), logger: log.logger };
  /** The names of users that requests came with. */
  const users: (string | undefined)[] = [];
  const identity = [
    stubReply(findRealmScope, async ({ realmGuid, permissions }) => {
      users.push(currentRequestContext()?.consoleUser);
      if (realmGuid === disabledRealm) throw new Failure('unauthenticated', 'it is disabled');
      return testScope({ mode: 'realm', applicationIds: [1], wholeRealm: true, permissions });
    }),
    stubReply(listRealmNames, async ({ guids }) => {
      users.push(currentRequestContext()?.consoleUser);
      const all = [ownRealm, foreignRealm, disabledRealm];
      const found = all.filter((guid) => guids === null || guids.includes(guid));
      return {
        items: found.map((guid) => ({ guid, name: `Realm ${guid}`, disabled_at: null })),
        next: null,
      };
    }),
  ];
  const given = { ...stubs, identity: [...identity, ...(stubs.identity ?? [])] };
  const others = await Promise.all(
    Object.entries(given).map(([context, replies]) =>
      startStubContext(context as Context, replies, on),
    ),
  );
  const settings = consoleSettings.parse({
    CONSOLE_PORT: '0',
    DATABASE_URL: database.url,
    ...highRequestLimits,
    ...environment,
  });
  const app = await startConsole(settings, on);
  const base = app.url!;
  const path = settings.CONSOLE_URL
    ? new URL(settings.CONSOLE_URL).pathname.replace(/\/$/, '')
    : '';
  const ownHeaders = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
  const fetchPath = (given: string, init: RequestInit = {}) =>
    fetch(base + path + given, { redirect: 'manual', ...init });
  const post = (given: string, body: unknown, headers: Record<string, string> = {}) =>
    fetchPath(given, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...ownHeaders, ...headers },
    });
  return {
    app,
    base,
    users,
    settings,
    database: app.get(ConsoleDatabase),
    lines: () => log.lines(),
    fetch: fetchPath,
    post,
    createLink: () => createSignInLink(app),
    /** Begins a session, and returns the header that has its cookie. */
    async signIn(roles: ConsoleRoles, name = 'ada@example.com', account = name) {
      const token = await app.get(Sessions).begin({ account, name, roles });
      return { cookie: `registrar_console=${token}` };
    },
    call: (name: string, input: unknown, headers: Record<string, string>) =>
      post(`/api/calls/${name}`, input, headers),
    /** Makes a call about the own realm, as a user with a role there. */
    async callInOwnRealm(name: string, input: object, role: RealmRole = 'reader') {
      const cookie = await this.signIn({ operator: false, realms: { [ownRealm]: role } });
      const response = await this.call(name, { realm: ownRealm, ...input }, cookie);
      const body = (await response.json()) as Record<string, unknown>;
      return { status: response.status, body };
    },
    /**
     * Makes a call as a user with these roles, by default the operator.
     *
     * @throws {CallFailure}
     */
    async make<Name extends CallName>(
      name: Name,
      input: CallInput<Name>,
      roles: ConsoleRoles = operatorRoles,
    ): Promise<CallReply<Name>> {
      const token = await app
        .get(Sessions)
        .begin({ account: 'ada', name: 'ada@example.com', roles });
      const cookie = `registrar_console=${token}`;
      const response = await post(`/api/calls/${name}`, input, { cookie });
      const reply: unknown = await response.json();
      if (!response.ok) throw reply;
      return reply as CallReply<Name>;
    },
    async stop() {
      await app.stop();
      for (const other of others) await other.stop();
      await database.drop();
    },
  };
}

/** The value of a cookie that a response sets; undefined when it sets none. */
export const cookieOf = (response: Response, name: string): string | undefined =>
  response.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0]!)
    .find((each) => each.startsWith(`${name}=`));
