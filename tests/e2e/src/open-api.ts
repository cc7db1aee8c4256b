import { beforeAll, describe, expect, it } from 'vitest';
import type { RunningSystem } from '@registrar/standalone/testing';
import { isDeepStrictEqual } from 'node:util';
import type { ApiResponse, Parameters } from '@registrar/conformance';
import { Installation } from '@registrar/conformance';
import { parseCsv, parseXml } from '@registrar/conformance';
import { type DocumentedOperation, OpenApiDocument, type Schema } from './open-api-document.ts';
import { type OpenApiFixture, createOpenApiFixture } from './open-api-fixture.ts';
import {
  encodingsOf,
  generalParameters,
  parametersFor,
  sendDocumented,
  typedValue,
  typedValues,
} from './open-api-requests.ts';
import { errorRequests } from './open-api-errors.ts';

const formats = ['json', 'xml', 'csv'] as const;

/** Checks the responses of every operation against the OpenAPI document. */
export function describeOpenApi(running: () => RunningSystem): void {
  describe('the OpenAPI document', () => {
    let on: Installation;
    let document: OpenApiDocument;
    let facts: OpenApiFixture;
    beforeAll(async () => {
      on = new Installation(running().quickstart);
      document = await OpenApiDocument.read(on.api);
      facts = await createOpenApiFixture(on);
    });

    /** Without those that need a query of an operator: the access matrix sends them. */
    const operations = () =>
      document.operations.filter(({ name }) => name !== 'stored_query delete');

    const send = async (
      operation: DocumentedOperation,
      parameters: Parameters,
      more: { format?: string; carrier?: string; access?: Parameters } = {},
    ) => {
      const { format = 'json', access = await facts.access(operation) } = more;
      const item = await facts.item(operation);
      return sendDocumented(on.api, operation, { item, parameters, ...more, format, access });
    };

    /** Returns the differences between a response and the document, each with its request. */
    const faultsOf = (
      operation: DocumentedOperation,
      answer: ApiResponse,
      complete = true,
    ): string[] => {
      const content = operation.responses[answer.status];
      const say = (fault: string) => `${operation.id}: ${answer.request}: ${fault}`;
      if (answer.status >= 300 || !content) return [say(`answered ${answer.status}`)];
      const described = content[answer.type ?? ''];
      if (!described) return [say(`the type ${answer.type} is not documented`)];
      const value = read(answer, operation.name === 'util reportage_urls');
      const faults = [document.responseFault(described.schema, value, !complete)];
      if (complete && Array.isArray(value) && value.length === 0) faults.push('the list is empty');
      return faults.flatMap((fault) => (fault ? [say(fault)] : []));
    };

    it.each(['needed', 'all'] as const)(
      'describes the response of every operation with %s parameters in JSON, XML and CSV',
      async (which) => {
        const faults: string[] = [];
        for (const operation of operations()) {
          for (const format of formats) {
            const answer = await send(operation, parametersFor(operation, facts, which), {
              format,
            });
            faults.push(...faultsOf(operation, answer));
          }
        }
        expect(faults).toEqual([]);
      },
    );

    it('describes every encoding of parameters, and accepts their values', async () => {
      const faults: string[] = [];
      for (const operation of operations()) {
        for (const carrier of encodingsOf(operation)) {
          const parameters = parametersFor(operation, facts, 'all');
          const answer = await send(operation, parameters, { carrier });
          faults.push(...faultsOf(operation, answer));
          for (const { name, in: place, schema } of operation.parameters) {
            const value = parameters[name];
            if (place === 'path' || value === undefined) continue;
            const fault = document.fault(schema, typedValue(schema, value));
            if (fault) faults.push(`${operation.id}: ${name}: ${fault}`);
          }
          const body = operation.bodies[carrier];
          const fault = body && document.fault(body, typedValues(body, parameters));
          if (fault) faults.push(`${operation.id}: ${carrier}: ${fault}`);
        }
      }
      expect(faults).toEqual([]);
    });

    it('describes the parameters that every operation has', async () => {
      const faults: string[] = [];
      for (const operation of operations()) {
        const names = operation.parameters.map(({ name }) => name);
        expect(names).toEqual(expect.arrayContaining(generalParameters));
        for (const [name, value] of [
          ['template', 'public_minimum'],
          ['api_template', 'extended'],
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
    });

    it('describes the response to a user-bound key', async () => {
      const operation = document.operations.find(({ id }) => id === 'courses.list')!;
      const learner = on.learner();
      await on.register(await on.course(), learner);
      const access = await on.userKey(learner);
      const parameters = { include_registrations: 't' };
      expect(faultsOf(operation, await send(operation, parameters, { access }))).toEqual([]);
    });

    it('describes every error status that a client can cause', async () => {
      const faults: string[] = [];
      for (const operation of document.operations) {
        for await (const [status, request] of errorRequests(operation, facts, on)) {
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
    });
  });
}

/** Parses a response: JSON to its value; XML and CSV are parsed and returned as text. */
function read({ type, text }: ApiResponse, isEmpty: boolean): unknown {
  if (type === 'application/xml') expect(parseXml(text).children.length === 0).toBe(isEmpty);
  if (type === 'text/csv' && !isEmpty) expect(parseCsv(text).length).toBeGreaterThan(0);
  return type === 'application/json' ? (JSON.parse(text) as unknown) : text;
}

/** Returns the fields of the record that an operation returns. */
function fieldsOf(document: OpenApiDocument, { responses }: DocumentedOperation): string[] {
  const content = responses['200'] ?? responses['201'];
  const schema = document.resolve<Schema>(content?.['application/json']?.schema ?? {});
  const { properties = {} } = document.resolve<Schema>(schema.items ?? schema);
  return Object.keys(properties);
}
