import { beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningSystem } from '#libs/testing';
import { isDeepStrictEqual } from 'node:util';
import type { Answer, Parameters } from '../conformance/client.ts';
import { Installation } from '../conformance/installation.ts';
import { parseCsv, parseXml } from '../conformance/readers.ts';
import { type DocumentedOperation, OpenApiDocument, type Schema } from './open-api-document.ts';
import { type Facts, prepareFacts } from './open-api-facts.ts';
import {
  carriersOf,
  generalParameters,
  parametersFor,
  sendDocumented,
} from './open-api-requests.ts';
import { refusedRequests } from './open-api-refusals.ts';

const formats = ['json', 'xml', 'csv'] as const;

/** What a field set leaves out of an invitation (api-v2.md, Invitation record). */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  public: ['invitation_template_id', 'created_at', 'updated_at'],
};

/** The OpenAPI document tells the truth: every operation in it answers as it says. */
export function describeOpenApi(running: () => RunningSystem): void {
  describe('the OpenAPI document', () => {
    let on: Installation;
    let document: OpenApiDocument;
    let facts: Facts;
    beforeAll(async () => {
      on = new Installation(running().quickstart);
      document = await OpenApiDocument.read(on.api);
      facts = await prepareFacts(on);
    }, 60_000);

    const send = (
      operation: DocumentedOperation,
      parameters: Parameters,
      more: { format?: string; carrier?: string; access?: Parameters } = {},
    ) => {
      // A key makes no keys.
      const usual = operation.name === 'api_key create' ? on.realm : facts.key;
      const { format = 'json', access = usual } = more;
      const item = facts.item(operation);
      return sendDocumented(on.api, operation, { item, parameters, ...more, format, access });
    };

    /** What is wrong with an answer by the document, each with its request. */
    const faultsOf = (
      operation: DocumentedOperation,
      answer: Answer,
      complete = true,
    ): string[] => {
      const content = operation.responses[answer.status];
      const say = (fault: string) => `${operation.id}: ${answer.request}: ${fault}`;
      if (answer.status >= 300 || !content) return [say(`answered ${answer.status}`)];
      const described = content[answer.type ?? ''];
      if (!described) return [say(`the type ${answer.type} is not documented`)];
      const value = read(answer);
      const faults = [document.fault(described.schema, value)];
      if (answer.type === 'application/json' && complete) {
        faults.push(...incomplete(document, described.schema, value, operation));
      }
      return faults.flatMap((fault) => (fault ? [say(fault)] : []));
    };

    it.each(['needed', 'all'] as const)(
      'describes the answer to every operation with %s parameters, in three formats',
      async (which) => {
        const faults: string[] = [];
        for (const operation of document.operations) {
          for (const format of formats) {
            const answer = await send(operation, parametersFor(operation, facts, which), {
              format,
            });
            faults.push(...faultsOf(operation, answer));
          }
        }
        expect(faults).toEqual([]);
      },
      120_000,
    );

    it('describes every way to send parameters, and values that it lets pass', async () => {
      const faults: string[] = [];
      for (const operation of document.operations) {
        for (const carrier of carriersOf(operation)) {
          const parameters = parametersFor(operation, facts, 'all');
          const answer = await send(operation, parameters, { carrier });
          faults.push(...faultsOf(operation, answer));
          for (const { name, in: place, schema } of operation.parameters) {
            const value = parameters[name];
            if (place === 'path' || value === undefined) continue;
            const fault = document.fault(schema, value);
            if (fault) faults.push(`${operation.id}: ${name}: ${fault}`);
          }
          const body = operation.bodies[carrier];
          const fault = body && document.fault(body, { ...facts.key, ...parameters });
          if (fault) faults.push(`${operation.id}: ${carrier}: ${fault}`);
        }
      }
      expect(faults).toEqual([]);
    }, 120_000);

    it('describes the parameters that every operation has', async () => {
      const faults: string[] = [];
      for (const operation of document.operations) {
        const names = operation.parameters.map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining(generalParameters));
        for (const [name, value] of [
          ['template', 'public_minimum'],
          ['api_template', 'extended'],
          ['callback', 'client.take'],
        ] as const) {
          const parameters = { ...parametersFor(operation, facts, 'needed'), [name]: value };
          faults.push(...faultsOf(operation, await send(operation, parameters), false));
        }
        const [field] = fieldsOf(document, operation);
        if (field === undefined) continue;
        const parameters = { ...parametersFor(operation, facts, 'needed'), fields: field };
        const answer = await send(operation, parameters);
        faults.push(...faultsOf(operation, answer, false));
        const shown = [JSON.parse(answer.text) as object].flat().map((each) => Object.keys(each));
        if (!shown.every((each) => isDeepStrictEqual(each, [field]))) {
          faults.push(`${answer.request} shows ${JSON.stringify(shown[0])}`);
        }
      }
      expect(faults).toEqual([]);
    }, 120_000);

    it('describes what a key that is bound to a user gets', async () => {
      const operation = document.operations.find(({ id }) => id === 'get_course')!;
      const learner = on.learner();
      await on.register(await on.course(), learner);
      const access = await on.userKey(learner);
      const parameters = { include_registrations: 't' };
      expect(faultsOf(operation, await send(operation, parameters, { access }))).toEqual([]);
    });

    it('describes every refusal that can be caused from outside', async () => {
      const faults: string[] = [];
      for (const operation of document.operations) {
        for (const [status, request] of refusedRequests(operation, facts, on)) {
          if (!(status in operation.responses)) continue;
          const answer = await sendDocumented(on.api, operation, request);
          if (answer.status !== status || answer.text !== '' || answer.type !== null) {
            const { type, text } = answer;
            faults.push(
              `${operation.id}: ${answer.request}: expected ${status}, got ${answer.status} ${type} ${text.slice(0, 100)}`,
            );
          }
        }
      }
      expect(faults).toEqual([]);
    }, 120_000);
  });
}

/** What the document is to describe: JSON as a value, the others as texts that can be read. */
function read({ type, text }: Answer): unknown {
  if (type === 'application/xml') expect(parseXml(text).children.length).toBeGreaterThan(0);
  if (type === 'text/csv') expect(parseCsv(text).length).toBeGreaterThan(0);
  return type === 'application/json' ? (JSON.parse(text) as unknown) : text;
}

/** The fields of the first kind of record that an operation answers. */
function fieldsOf(document: OpenApiDocument, { responses }: DocumentedOperation): string[] {
  const content = responses['200'] ?? responses['201'];
  const schema = document.resolve<Schema>(content?.['application/json']?.schema ?? {});
  const [first] = document.alternatives(schema.items ?? schema);
  return Object.keys(first?.properties ?? {});
}

/** Without `fields` each record has all properties of one of the schemas; lists are not empty. */
function incomplete(
  document: OpenApiDocument,
  schema: Schema,
  value: unknown,
  { name }: DocumentedOperation,
): string[] {
  const { items } = document.resolve<Schema>(schema);
  const records = items ? (value as object[]) : [value as object];
  if (records.length === 0) return ['the list is empty'];
  const except = name.startsWith('invitation ') ? (leftOut['public'] ?? []) : [];
  const wanted = document
    .alternatives(items ?? schema)
    .map(({ properties = {} }) => Object.keys(properties).filter((each) => !except.includes(each)));
  const whole = (record: object) =>
    wanted.some((names) => names.every((each) => Object.hasOwn(record, each)));
  return records.every(whole) ? [] : ['a documented property is missing'];
}
