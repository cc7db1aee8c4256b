import type { BrokerUsers } from '@registrar/bus';
import { asks as catalog } from '@registrar/catalog/asks';
import { asks as crawler } from '@registrar/crawler/asks';
import { asks as enrolment } from '@registrar/enrolment/asks';
import { asks as gateway } from '@registrar/gateway/asks';
import { asks as identity } from '@registrar/identity/asks';
import { asks as provider } from '@registrar/provider/asks';
import { asks as operator } from './asks.ts';

/** Every app that has a user at the broker, with the contexts that it declares to send requests to. */
export const brokerUsers: BrokerUsers = {
  gateway,
  identity,
  catalog,
  enrolment,
  crawler,
  provider,
  operator,
};
