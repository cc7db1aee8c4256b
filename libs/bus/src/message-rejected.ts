/** Why a message was rejected. */
export const messageFaults = [
  'anonymous',
  'unknown-sender',
  'wrong-destination',
  'malformed',
  'forbidden',
] as const;
export type MessageFault = (typeof messageFaults)[number];

/** A message has no sender that is known, or one that may not send it. */
export class MessageRejected extends Error {
  override readonly name = 'MessageRejected';

  constructor(
    readonly reason: MessageFault,
    /** The app, or else the account at the broker, that sent the message; null if it names none. */
    readonly sender: string | null = null,
  ) {
    super(reason);
  }
}
