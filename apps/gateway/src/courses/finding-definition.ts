import { packageFinding } from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';

/** What course check finds in a package (contract/courses#finding). */
export const findingDefinition = defineRecord('finding', 'findings', packageFinding);
