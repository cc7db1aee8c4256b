import { BusClient } from '@registrar/bus';
import { Failure } from '@registrar/contracts';
import { clock, runInRequestContext } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ConsoleMetrics } from '../metrics/console-metrics.ts';
import { Installation } from '../overview/installation.ts';
import { type ConsoleSettings, consoleSettingsToken } from '../settings.ts';
import { calls } from './calls.ts';
import { type CheckedInput, checkInput } from './check-input.ts';
import type { Call, CallUser, RealmCallContext } from './define-call.ts';
import { RealmScopes } from './realm-scopes.ts';

/** The deadline of a call: milliseconds. */
const callTimeoutMs = 25_000;

/** Where a call comes from. */
export interface CallOrigin {
  readonly requestId: string;
  readonly clientAddress: string | undefined;
}

/** A call whose name, access and input were checked. */
export interface CheckedCall extends CheckedInput<Record<string, unknown>> {
  readonly name: string;
  readonly call: Call;
}

/** The table without the types of each call. */
const table: Readonly<Record<string, Call>> = calls;

/** Checks and makes the calls of users. */
@Injectable()
export class MakeCall {
  constructor(
    private readonly bus: BusClient,
    private readonly scopes: RealmScopes,
    private readonly installation: Installation,
    private readonly metrics: ConsoleMetrics,
    @Inject(consoleSettingsToken) private readonly settings: Pick<ConsoleSettings, 'POSTBACK_URL'>,
  ) {}

  /**
   * Checks who may make a call, and its input.
   *
   * @throws {Failure} `not-found` for an unknown call, `unauthenticated` without the role, `invalid`
   */
  check(name: string, given: unknown, { roles }: CallUser): CheckedCall {
    const call = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!call) throw new Failure('not-found', 'no such call');
    return { name, call, ...checkInput(call, given, { roles }) };
  }

  /** Makes a call in a request context of its own: its requests carry the user, and one idempotency key. */
  make(checked: CheckedCall, user: CallUser, origin: CallOrigin): Promise<unknown> {
    const { requestId, clientAddress } = origin;
    const context = {
      requestId,
      ...(clientAddress !== undefined && { clientAddress }),
      consoleUser: user.name,
      deadline: clock.now() + callTimeoutMs,
      ...(checked.call.changes && { idempotencyKey: randomUUID(), isPrivateKey: true }),
    };
    return runInRequestContext(context, () =>
      this.metrics.timeCall(checked.name, () => this.#handle(checked, user)),
    );
  }

  async #handle({ call, input, role }: CheckedCall, user: CallUser): Promise<unknown> {
    const { bus, installation } = this;
    const postbackBase = this.settings.POSTBACK_URL ?? null;
    const context = { bus, user, installation, postbackBase };
    if (role === null) return call.handle(context as RealmCallContext, input);
    const scope = await this.scopes.find(String(input['realm']), role);
    return call.handle({ ...context, scope, role }, input);
  }
}
