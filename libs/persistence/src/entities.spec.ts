import * as jest from '@jest/globals';
import { describeEntities } from './testing/index.ts';
import { itemsSchema } from './items.fixture.ts';

describeEntities(jest, itemsSchema);
