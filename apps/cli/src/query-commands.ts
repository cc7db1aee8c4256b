import {
  dropStoredQuery,
  guid,
  listStoredQueries,
  putStoredQuery,
  type QueryScope,
  queryScope,
  readQueryResult,
  runQuery,
} from '@registrar/contracts';
import { InvalidArgumentError } from 'commander';
import { argumentOf, idArgument, readInput } from './arguments.ts';
import { addCommand, type OperatorCommand } from './command.ts';
import { findRealm, reachOfRealm } from './find-realm.ts';
import { UsageError } from './terminal.ts';

type Parameters = Readonly<Record<string, string>>;

interface PutOptions {
  readonly realm: string;
  readonly application?: number;
  readonly sqlFile: string;
}

interface RunOptions {
  readonly realm: string;
  readonly queryScope?: QueryScope;
  readonly param: Parameters;
}

/** `registrar query`: stored queries. */
export function addQueryCommands(program: OperatorCommand): void {
  const query = program.command('query').description('keep stored queries, and run them');

  addCommand(query, 'list', {
    description: 'list all stored queries; with --json their SQL too',
    examples: ['query list', 'query list --json'],
  }).handle(({ list }) => {
    const owners = ['realm_id', 'provider_application_id'] as const;
    return list(listStoredQueries, {}, ['id', 'name', 'query_scope', ...owners, 'parameters']);
  });

  addCommand(query, 'put', {
    description: 'store a query for a realm; one of the same name and scope is replaced',
    examples: [
      'query put finished --realm 3fe5e9b6-… --sql-file finished.sql',
      'query put finished --realm 3fe5e9b6-… --application 1 --sql-file - < finished.sql',
    ],
  })
    .argument('<name>', 'what run names it by', argumentOf(putStoredQuery.input.shape.name))
    .requiredOption('--realm <guid>', 'the guid of the realm', argumentOf(guid))
    .option('--application <id>', 'for this provider application of it alone', idArgument)
    .requiredOption(
      '--sql-file <file>',
      'a file that holds one SELECT, with parameters as :name; - for standard input',
    )
    .handle(async ({ terminal, output, ask }, name: string, options: PutOptions) => {
      const sql = putStoredQuery.input.shape.sql.safeParse(
        await readInput(options.sqlFile, terminal),
      );
      if (!sql.success) throw new UsageError('the SQL is empty, or longer than 65536 characters');
      await ask(async (bus) => {
        const realmId = await findRealm(bus, options.realm);
        const applicationId = options.application ?? null;
        const wanted = { name, realmId, applicationId, sql: sql.data };
        const { sql: _, ...kept } = await bus.request(putStoredQuery, wanted);
        await output.record(kept);
      });
    });

  addCommand(query, 'drop', {
    description: 'remove a stored query that is not built in',
    examples: ['query drop 4'],
  })
    .argument('<id>', 'the id of the query, as list shows it', idArgument)
    .handle(async ({ output, ask }, id: number) => {
      await ask((bus) => bus.request(dropStoredQuery, { storedQueryId: id }));
      await output.record({ id, dropped: true });
    });

  addCommand(query, 'run', {
    description: 'run a stored query over the rows of a realm',
    examples: [
      'query run finished --realm 3fe5e9b6-…',
      'query run finished --realm 3fe5e9b6-… --param since=2026-01-01 --json',
    ],
  })
    .argument('<name>', 'the name of the query')
    .requiredOption('--realm <guid>', 'the guid of the realm', argumentOf(guid))
    .option('--query-scope <scope>', 'bright, realm or provider', argumentOf(queryScope))
    .option('--param <name=value>', 'a parameter; may be repeated', addParameter, {})
    .handle(async ({ output, ask }, name: string, options: RunOptions) => {
      await ask(async (bus) => {
        const scope = await reachOfRealm(bus, options.realm);
        const { resultId, columns } = await bus.request(runQuery, {
          scope,
          name,
          queryScope: options.queryScope ?? null,
          parameters: options.param,
          ignoreUnknown: false,
        });
        const rows = bus.pages(readQueryResult, { scope, resultId });
        await output.list(
          rows,
          columns.map((column) => column.name),
        );
      });
    });
}

function addParameter(text: string, before: Parameters): Parameters {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('It is not name=value.');
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
}
