import {
  createHmac,
  createSecretKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { Failure } from '@registrar/contracts';
import type { BusKey, BusKeys } from './bus-keys.ts';
import { ReplayGuard } from './replay-guard.ts';

/** The version of the protocol, which every MAC covers. */
const version = 1;

/**
 * The header with what the message authentication code (MAC) covers beside the content, and the one
 * with the MAC itself.
 */
const authHeader = 'registrar-auth';
const macHeader = 'registrar-mac';

/** The age up to which requests, replies and broadcasts are accepted: longer than any deadline. */
const maxAgeMs = 6 * 60_000;

/** The time by which the sender's clock may be ahead: milliseconds. */
const clockToleranceMs = 60_000;

/** The length of a header: more than any that an app sends. */
const maxHeaderLength = 512;

export type MessageKind = 'request' | 'reply' | 'event' | 'broadcast';

/** Why a message was rejected. */
export const messageFaults = [
  'unsigned',
  'malformed',
  'unknown-sender',
  'wrong-destination',
  'forged',
  'stale',
  'replayed',
  'forbidden',
] as const;
export type MessageFault = (typeof messageFaults)[number];

/** A message was not sent by whom it says, or is not for this app. */
export class MessageRejected extends Error {
  override readonly name = 'MessageRejected';

  constructor(
    readonly reason: MessageFault,
    /** The app that the message names as its sender, if there is such an app. */
    readonly claimedSender: string | null = null,
  ) {
    super(reason);
  }
}

/** An arrived message, as amqplib has it. */
export interface ArrivedMessage {
  readonly content: Buffer;
  readonly fields: { readonly redelivered: boolean };
  readonly properties: { readonly headers?: Readonly<Record<string, unknown>> | undefined };
}

/** Who sent a message, as its MAC proves. */
export interface Authenticated {
  readonly sender: string;
  /** The id of the sender's process, which is random. */
  readonly session: string;
  /** The process of this app whose requests a reply answers; null for other messages. */
  readonly answers: string | null;
  readonly senderKey: string;
  readonly ownKey: string;
}

export type AuthenticationHeaders = Readonly<Record<string, string>>;

/**
 * Authenticates the messages of one app: each carries a MAC, HMAC-SHA256, whose key only its sender
 * and its receiver can compute, from the private key of the one and the public key of the other
 * (docs/decisions/0013-authenticated-messages.md). The MAC covers the content, sender, destination and
 * kind of the message, the time of sending, and its id: the sender's process and a number.
 */
export class MessageAuthenticator {
  /** The id of this process in the messages that it sends. */
  readonly session = randomBytes(16).toString('base64url');
  readonly #secrets = new Map<string, KeyObject>();
  readonly #guard = new ReplayGuard(maxAgeMs + clockToleranceMs);
  #lastNumber = 0;

  constructor(
    private readonly app: string,
    private readonly keys: BusKeys,
  ) {}

  /** @throws {Failure} `unavailable` when no public key of the app is known */
  assertKnows(destination: string): void {
    if (!this.keys.apps.has(destination)) {
      throw new Failure('unavailable', `BUS_PUBLIC_KEYS has no key of ${destination}`);
    }
  }

  /**
   * Returns the headers of a message that this app sends.
   *
   * @throws {Failure} `unavailable` when no public key of the destination is known
   */
  authenticate(
    kind: Exclude<MessageKind, 'reply'>,
    destination: string,
    content: Buffer,
  ): AuthenticationHeaders {
    this.assertKnows(destination);
    const from = { app: this.app, key: this.keys.own[0]! };
    const to = { app: destination, key: this.keys.apps.get(destination)![0]! };
    return this.#headers(kind, from, to, content, '-');
  }

  /** Returns the headers of replies to the sender of a request, under the keys of that request. */
  authenticateReply({ sender, session, senderKey, ownKey }: Authenticated, content: Buffer) {
    const from = { app: this.app, key: named(this.keys.own, ownKey)! };
    const to = { app: sender, key: named(this.keys.apps.get(sender)!, senderKey)! };
    return this.#headers('reply', from, to, content, session);
  }

  /**
   * Returns who sent a message. An event may be of any age and arrive repeatedly: its inbox discards
   * duplicates. Any other message is accepted once, unless the broker says that it delivers it again.
   *
   * @throws {MessageRejected} when the message is not authentic
   */
  verify(kind: MessageKind, { content, fields, properties }: ArrivedMessage): Authenticated {
    const auth: unknown = properties.headers?.[authHeader];
    const mac: unknown = properties.headers?.[macHeader];
    if (auth === undefined || mac === undefined) throw new MessageRejected('unsigned');
    if (typeof auth !== 'string' || typeof mac !== 'string' || auth.length > maxHeaderLength) {
      throw new MessageRejected('malformed');
    }
    // The end of the header would be ambiguous.
    if (/[\r\n]/.test(auth)) throw new MessageRejected('malformed');
    const parts = auth.split(' ');
    const [sentVersion, sentKind, sender, destination, senderKey, ownKey] = parts as Header;
    if (parts.length !== 10 || sentVersion !== String(version) || sentKind !== kind) {
      throw new MessageRejected('malformed');
    }
    const theirs = named(this.keys.apps.get(sender) ?? [], senderKey);
    if (!theirs) {
      throw new MessageRejected('unknown-sender', this.keys.apps.has(sender) ? sender : null);
    }
    const own = named(this.keys.own, ownKey);
    if (destination !== this.app || !own) throw new MessageRejected('wrong-destination', sender);
    const from = { app: sender, key: theirs };
    const to = { app: destination, key: own };
    const expected = macOf(this.#secret(kind, from, to), auth, content);
    const given = Buffer.from(mac, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new MessageRejected('forged', sender);
    }
    const [sentAt, session, number, answers] = parts.slice(6) as [string, string, string, string];
    if (kind !== 'event') {
      const age = Date.now() - Number(sentAt);
      if (!(age <= maxAgeMs && age >= -clockToleranceMs))
        throw new MessageRejected('stale', sender);
      // A reply is accepted only for a request that still waits.
      if (kind !== 'reply' && !this.#isFirst(sender, session, number) && !fields.redelivered) {
        throw new MessageRejected('replayed', sender);
      }
    }
    return { sender, session, answers: answers === '-' ? null : answers, senderKey, ownKey };
  }

  #isFirst(sender: string, session: string, number: string): boolean {
    return this.#guard.admit(`${sender} ${session}`, Number(number));
  }

  #headers(
    kind: MessageKind,
    from: Party,
    to: Party,
    content: Buffer,
    answers: string,
  ): AuthenticationHeaders {
    this.#lastNumber += 1;
    const parties = `${from.app} ${to.app} ${from.key.id} ${to.key.id}`;
    const id = `${Date.now()} ${this.session} ${this.#lastNumber}`;
    const auth = `${version} ${kind} ${parties} ${id} ${answers}`;
    const mac = macOf(this.#secret(kind, from, to), auth, content);
    return { [authHeader]: auth, [macHeader]: mac.toString('base64url') };
  }

  /** The secret of sender and receiver for one kind of message, computed once. */
  #secret(kind: MessageKind, from: Party, to: Party): KeyObject {
    const purpose = `registrar bus ${version} ${kind} ${from.app} ${to.app} ${from.key.id} ${to.key.id}`;
    let secret = this.#secrets.get(purpose);
    if (!secret) {
      const [own, theirs] = from.key.key.type === 'private' ? [from, to] : [to, from];
      const shared = diffieHellman({ privateKey: own.key.key, publicKey: theirs.key.key });
      secret = createSecretKey(Buffer.from(hkdfSync('sha256', shared, '', purpose, 32)));
      this.#secrets.set(purpose, secret);
    }
    return secret;
  }
}

/** An app with the key that it has in one exchange of messages; one of the two keys is private. */
interface Party {
  readonly app: string;
  readonly key: BusKey;
}

const named = (keys: readonly BusKey[], id: string) => keys.find((key) => key.id === id);

type Header = [string, string, string, string, string, string];

/** The MAC of a message. The header contains no line break, so that it ends unambiguously. */
const macOf = (secret: KeyObject, auth: string, content: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${auth}\n`).update(content).digest();

/** The authentication headers of a message, to send it again unchanged. */
export function authenticationHeaders({ properties }: ArrivedMessage): Record<string, unknown> {
  const { headers } = properties;
  return { [authHeader]: headers?.[authHeader], [macHeader]: headers?.[macHeader] };
}
