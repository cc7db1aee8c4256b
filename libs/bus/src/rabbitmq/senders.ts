import { type BusApp, busApps } from '@registrar/contracts';
import { SettingsError } from '@registrar/platform';
import type { ConsumeMessage } from 'amqplib';
import { type ArrivingEvent, arrivingEvents, isPublishedBy } from '../event-message.ts';
import { readJson } from '../message-content.ts';
import { MessageRejected } from '../rejected-messages.ts';
import type { RequestRoute } from './topology.ts';

/**
 * The accounts of an installation at RabbitMQ: one for each app, whose name ends with the app's, or one
 * that all apps share, for development. With a shared account nobody verifies who sent a message.
 */
export type BusAccounts = 'per-app' | 'shared';

/** The properties of a message that say who sent it, as amqplib has them. */
interface SenderProperties {
  readonly userId: string;
  readonly appId: string;
}

/**
 * Knows the senders of messages by the AMQP property `user-id`: RabbitMQ accepts no message with
 * another value than the account that publishes it (RabbitMQ manual, Validated User-ID;
 * docs/decisions/0013-verified-senders.md).
 */
export class Senders {
  /** The properties of the messages that this app sends. */
  readonly own: SenderProperties;
  /** What the names of all accounts begin with; null for a shared account. */
  readonly #prefix: string | null;

  /** @throws {SettingsError} when each app has an account, and that of `url` is not the app's */
  constructor(app: string, url: string, accounts: BusAccounts) {
    const account = decodeURIComponent(new URL(url).username) || 'guest';
    if (accounts === 'per-app' && !account.endsWith(app)) {
      throw new SettingsError(
        `AMQP_URL has the account ${account}, which is not that of ${app}: its name must end with ` +
          `${app} (registrar grants rabbitmq). BUS_ACCOUNTS=shared lets all apps share an account, ` +
          'for development: then nobody verifies who sent a message',
      );
    }
    this.own = { userId: account, appId: app };
    this.#prefix = accounts === 'per-app' ? account.slice(0, -app.length) : null;
  }

  /**
   * Returns the app that sent a message. The property `app-id` counts only in messages of the
   * receiver's own account: an app that publishes a received message again, to a queue of its own,
   * keeps the first sender there ({@link Senders.again}).
   *
   * @throws {MessageRejected} when the account is missing or not that of an app
   */
  senderOf({ properties }: ConsumeMessage): string {
    const { userId, appId } = properties as Partial<Record<keyof SenderProperties, unknown>>;
    if (typeof userId !== 'string') throw new MessageRejected('anonymous');
    const sender = userId === this.own.userId ? appId : this.#appOf(userId);
    if (!isApp(sender)) throw new MessageRejected('unknown-sender', userId);
    return sender;
  }

  /** The properties of a received message that this app publishes again, to a queue of its own. */
  again(message: ConsumeMessage): SenderProperties {
    return { ...this.own, appId: this.senderOf(message) };
  }

  #appOf(account: string): string | null {
    const prefix = this.#prefix;
    return prefix !== null && account.startsWith(prefix) ? account.slice(prefix.length) : null;
  }
}

/** Returns the route of the requests of an app. */
export const requestRouteOf = (sender: string): RequestRoute =>
  sender === 'operator' ? 'operator' : 'requests';

const isApp = (name: unknown): name is BusApp => busApps.some((app) => app === name);

/**
 * Returns the events of a message; null if the message has none.
 *
 * @throws {MessageRejected} when the sender is unknown, or not the context of an event
 */
export function receivedEvents(
  senders: Senders,
  message: ConsumeMessage,
): readonly ArrivingEvent[] | null {
  const sender = senders.senderOf(message);
  const events = readJson(arrivingEvents, message.content);
  if (events?.some((event) => !isPublishedBy(event, sender))) {
    throw new MessageRejected('forbidden', sender);
  }
  return events;
}
