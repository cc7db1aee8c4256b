import * as contracts from '@registrar/contracts';
import {
  type BusApp,
  busApps,
  type Context,
  issueApiKey,
  type ListContract,
  parkedEventRequests,
  type RequestContract,
} from '@registrar/contracts';
import { requestRoutes } from '@registrar/bus';
import { eventually } from '@registrar/testing';
import * as z from 'zod';
import type { Options } from 'amqplib';
import type { Intruder } from './intruder.ts';
import { expectRejected } from './rejected-messages.ts';
import type { Target } from './target.ts';

export const contexts: readonly Context[] = [
  'identity',
  'catalog',
  'enrolment',
  'crawler',
  'provider',
];

type Request = RequestContract | ListContract;

const exported: readonly unknown[] = [
  ...Object.values(contracts),
  ...Object.values(parkedEventRequests).flatMap((each) => Object.values(each)),
];

/** Every request of the contracts. */
export const allRequests: readonly Request[] = exported.filter((each): each is Request =>
  ['request', 'list'].includes((each as Partial<Request>).kind ?? ''),
);

const replies = z.array(
  z.object({
    reply: z.unknown().optional(),
    failure: z.object({ message: z.string() }).optional(),
  }),
);
type Reply = z.output<typeof replies>[number];

/** Whether a forged request got the only answer that it may get: its sender is known, and is no caller of it. */
const isRefusal = ({ reply, failure }: Reply): boolean =>
  reply === undefined && / is not a caller of /.test(failure?.message ?? '');

/** An exchange and a routing key that lead to a context's queue; the empty exchange leads to queues by their names. */
interface Way {
  readonly exchange: string;
  readonly key: string;
  /** Whether it leads to the queue of the operator's requests, in which those of apps are malformed. */
  readonly isOperators: boolean;
}

/**
 * Sends requests that the app may not send, by all ways that the broker leaves open to it.
 *
 * @returns violations: requests that were answered, or not counted as rejected
 */
export async function sendForgedRequests(target: Target, intruder: Intruder): Promise<string[]> {
  const { app, connection } = intruder;
  const channel = await connection.createChannel();
  const received: Reply[] = [];
  const replyTo = 'amq.rabbitmq.reply-to';
  await channel.consume(
    replyTo,
    (message) => received.push(...replies.parse(JSON.parse(String(message?.content)))),
    { noAck: true },
  );
  const violations: string[] = [];
  let refusals = 0;
  const counted = await expectRejected(target, `forged requests of ${app}`, async () => {
    let sent = 0;
    for (const context of contexts) {
      const ways = await openWays(intruder, context);
      sent += ways.length;
      if (ways.some(({ exchange }) => exchange === intruder.topology.operator)) {
        violations.push(`the broker permits ${app} to send requests as the operator`);
      }
      for (const { exchange, key, isOperators } of ways) {
        const send = (content: Buffer, properties: Options.Publish) => {
          channel.publish(exchange, key, content, { ...properties, replyTo });
          sent += 1;
        };
        const forbidden = forbiddenTo(app, context);
        for (const request of forbidden) {
          send(contentOf(request, {}), intruder.own);
          if (!isOperators) refusals += 1;
        }
        const [request] = forbidden.includes(issueApiKey) ? [issueApiKey] : forbidden;
        if (!request) continue;
        const { realm_guid: realmGuid } = target.quickstart;
        const content = contentOf(request, { realmGuid, userEmail: null, applicationId: null });
        send(content, {});
        for (const sender of busApps.filter((each) => each !== app)) {
          const isPermitted = await intruder.isPermitted((each) =>
            each.publish(exchange, key, content, { userId: sender }),
          );
          if (isPermitted) violations.push(`the broker lets ${app} publish as ${sender}`);
          // The broker checks no claim but that of the account.
          send(content, { ...intruder.own, appId: sender });
          if (!isOperators) refusals += 1;
        }
      }
    }
    return sent;
  });
  const areComplete = await eventually('all arrive', () => received.length >= refusals).catch(
    () => refusals === 0,
  );
  await channel.close();
  const answered = received.filter((reply) => !isRefusal(reply));
  return [
    ...violations,
    ...counted,
    ...(areComplete ? [] : [`${app}: of ${refusals} refusals, ${received.length} arrived`]),
    ...answered.map((reply) => `${app} got the reply ${JSON.stringify(reply).slice(0, 200)}`),
  ];
}

/** The ways to a context that the broker permits to an app. Each has been tried with one message. */
async function openWays(intruder: Intruder, context: Context): Promise<Way[]> {
  const { topology } = intruder;
  const ways = requestRoutes.flatMap((route): Way[] => {
    const isOperators = route === 'operator';
    return [
      { exchange: '', key: topology.requestQueue(context, route), isOperators },
      { exchange: topology.requestExchange(route), key: context, isOperators },
    ];
  });
  const open: Way[] = [];
  for (const way of ways) {
    const isPermitted = await intruder.isPermitted((channel) =>
      channel.publish(way.exchange, way.key, Buffer.from('[]')),
    );
    if (isPermitted) open.push(way);
  }
  return open;
}

/** The requests of a context that an app may not send. A context may send its own requests to itself. */
const forbiddenTo = (app: BusApp, context: Context): Request[] =>
  allRequests.filter(
    (request) => request.context === context && app !== context && !request.callers.includes(app),
  );

/** A message with one request. */
const contentOf = ({ name }: Request, input: unknown): Buffer => {
  const [sentAt, requestId] = [Date.now(), 'attack'];
  const times = { deadline: sentAt + 60_000, sentAt };
  return Buffer.from(
    JSON.stringify([{ id: 1, name, ...times, requestId, idempotencyKey: requestId, input }]),
  );
};
