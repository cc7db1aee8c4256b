import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** A part of an OpenAPI document, as far as the sources depend on it. */
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly { readonly name?: string }[];
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const notice =
  '// Generated from the OpenAPI document: npm run client -- --quickstart var/quickstart.json\n';

/** An operation with the records that it returns: the client has one error for all others, and shows no headers. */
const withSuccess = ({ responses, ...operation }: Operation): Operation => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(responses).flatMap(([status, { headers: _, ...response }]) =>
      status.startsWith('2') ? [[status, response]] : [],
    ),
  ),
});

/**
 * Generates the sources of libs/client that depend on the operations: their types, and the table of their methods and
 * paths. Aliases for existing clients are left out.
 *
 * @param document the OpenAPI document of the format JSON
 * @returns the texts by file name
 */
export async function clientSources(document: unknown): Promise<Record<string, string>> {
  const { paths, ...rest } = document as Document;
  const own = Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) => {
      const kept = Object.entries(methods).filter(
        ([, { tags }]) => !tags.includes('existing-clients'),
      );
      const described = kept.map(
        ([method, operation]) => [method, withSuccess(operation)] as const,
      );
      return kept.length > 0 ? [[path, Object.fromEntries(described)] as const] : [];
    }),
  );
  const types = await openapiTS({ ...rest, paths: own } as unknown as OpenAPI3);
  return {
    'schema.ts': `${notice}${astToString(types)}`,
    'operation-table.ts': `${notice}${operationTable(own)}`,
  };
}

function operationTable(paths: Document['paths']): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters }]) => {
      const isPaged = parameters.some(({ name }) => name === 'cursor');
      const columns = [method.toUpperCase(), path, ...(isPaged ? ['paged'] : [])];
      return `  '${operationId}': [${columns.map((column) => `'${column}'`).join(', ')}],\n`;
    }),
  );
  return `
/** The method and path of each operation, and whether its records are read page by page. */
export const operationTable = {
${rows.join('')}} as const;

/** The name of an operation: \`registrations.launchUrl\`. */
export type OperationId = keyof typeof operationTable;
`;
}
