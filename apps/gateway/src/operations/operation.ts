import type { BusClient } from '#libs/bus';
import type { RecordDescription, Row } from '#libs/formats';
import type * as z from 'zod';
import type { GrantedAccess } from '../access/access.ts';
import type { GivenParameters } from '../parameters/given-parameters.ts';
import {
  type ParameterRules,
  type ParsedParameters,
  parseParameters,
} from '../parameters/parse-parameters.ts';

/** What an operation has to work with, beside its parameters. */
export interface Surroundings extends GrantedAccess {
  readonly bus: BusClient;
  /** The named parts of the path, such as `:id`; empty when it has none. */
  readonly path: Readonly<Record<string, string>>;
  /** The package that came with the request and waits in the catalog, if one did. */
  readonly uploadId: string | null;
}

export type Call<Values> = Surroundings &
  ParsedParameters<Values> & { readonly given: GivenParameters };

/** One record, or the pages of a list; `described` where only the answer tells what is in it. */
export type Answer = ({ readonly record: Row } | { readonly pages: AsyncIterable<Row[]> }) & {
  readonly described?: RecordDescription;
};

export type Method = 'GET' | 'POST' | 'PUT';

interface Traits {
  /** The operation's name in the contract and in the log. */
  readonly name: string;
  /** What it does, in a sentence for the reference. */
  readonly summary: string;
  /** The paths below the API root, without suffix, each with its method. */
  readonly routes: readonly { readonly method: Method; readonly path: string }[];
  /** What it answers: a function where parameters or access decide, null where only the answer tells. */
  readonly record:
    | RecordDescription
    | ((given: GivenParameters, granted: GrantedAccess) => RecordDescription)
    | null;
  /** All that a function for `record` may answer, for the reference. */
  readonly variants?: readonly RecordDescription[];
  /** It answers a list. */
  readonly list?: boolean;
  /** The status of success. */
  readonly status: 200 | 201;
  /** The statuses of its own refusals, beside those that every operation has. */
  readonly refusals?: readonly number[];
  /** How long it may take: milliseconds. */
  readonly time?: number;
  /** The provider pair may stand beside another access mode (decision 13). */
  readonly providerBeside?: boolean;
  /** It takes a package as the multipart field `file`. */
  readonly takesPackage?: boolean;
  /** The parameter `format` wins over the suffix (decision 3). */
  readonly formatWins?: boolean;
}

/** An operation of the API: the one description that routes, checks and answers follow. */
export interface Operation extends Traits, ParameterRules {
  /** @throws {Failure} for what is wrong with the parameters or became of the request */
  answer(surroundings: Surroundings, given: GivenParameters): Promise<Answer>;
}

/** Describes an operation; its parameters are parsed before `answer` is called. */
export function defineOperation<Schema extends z.ZodObject>(
  parts: Traits &
    ParameterRules<Schema> & { answer(call: Call<z.output<Schema>>): Promise<Answer> },
): Operation {
  return {
    ...parts,
    answer: (surroundings, given) =>
      parts.answer({ ...surroundings, ...parseParameters(parts, given), given }),
  };
}
