import type { BusAccounts } from '@registrar/bus';
import { type Check, ok, warn } from './check.ts';

/** Whether receivers of messages know who sent them. */
export const sendersCheck = (accounts: BusAccounts): Check => ({
  name: 'senders of messages',
  look: async () =>
    accounts === 'per-app'
      ? ok('each app has an account at RabbitMQ')
      : warn(
          'all apps share an account at RabbitMQ: who sent a message is not verified',
          'outside of development, give each app an account (registrar grants rabbitmq), and unset ' +
            'BUS_ACCOUNTS',
        ),
});
