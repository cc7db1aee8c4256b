import type { BusMember } from '../bus-member.ts';
import type { RabbitMqConnection } from './connection.ts';
import type { Senders } from './senders.ts';
import type { Topology } from './topology.ts';

/** An app that joins a bus over RabbitMQ, and what the parts of its connection share. */
export interface RabbitMqMember extends BusMember {
  readonly connection: RabbitMqConnection;
  readonly topology: Topology;
  readonly senders: Senders;
}
