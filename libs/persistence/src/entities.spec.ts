import { describeEntities } from './testing/index.ts';
import { itemsSchema } from './items.fixture.ts';

describeEntities(itemsSchema);
