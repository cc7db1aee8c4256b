import type { BusClient } from '#libs/bus';
import type { RecordDescription, Row } from '#libs/formats';
import type * as z from 'zod';
import type { GrantedAccess } from '../access/access.ts';
import type { GivenParameters } from '../parameters/given-parameters.ts';
import { parseParameters } from '../parameters/parse-parameters.ts';

/** What an operation has to work with. */
export interface Call<Parameters> extends GrantedAccess {
  readonly bus: BusClient;
  readonly parameters: Parameters;
  /** The named part of the path, such as `:registration_guid`; empty when it has none. */
  readonly path: Readonly<Record<string, string>>;
  /** The package that came with the request and waits in the catalog, if one did. */
  readonly uploadId: string | null;
}

/** One record, or the pages of a list. */
export type Answer = { readonly record: Row } | { readonly pages: AsyncIterable<Row[]> };

interface Traits {
  /** The operation's name in the contract and in the log. */
  readonly name: string;
  /** The paths below the API root, without suffix, each with its method. */
  readonly routes: readonly { readonly method: 'GET' | 'POST'; readonly path: string }[];
  readonly record: RecordDescription;
  /** The status of success. */
  readonly status: 200 | 201;
  /** How long it may take: milliseconds. */
  readonly time?: number;
  /** The provider pair may stand beside another access mode (decision 13). */
  readonly providerBeside?: boolean;
  /** It takes a package as the multipart field `file`. */
  readonly takesPackage?: boolean;
}

/** An operation of the API: the one description that routes, checks and answers follow. */
export interface Operation extends Traits {
  readonly parameters: z.ZodObject;
  /** @throws {Failure} for what is wrong with the parameters or became of the request */
  answer(call: Omit<Call<never>, 'parameters'>, given: GivenParameters): Promise<Answer>;
}

/** Describes an operation; its parameters are parsed before `answer` is called. */
export function defineOperation<Parameters extends z.ZodObject>(
  parts: Traits & {
    readonly parameters: Parameters;
    answer(call: Call<z.output<Parameters>>): Promise<Answer>;
  },
): Operation {
  return {
    ...parts,
    answer: (call, given) =>
      parts.answer({ ...call, parameters: parseParameters(parts.parameters, given) }),
  };
}
