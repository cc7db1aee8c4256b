import { useClock } from './oxlint.clock.js';
import { contractCitations, formerCitations } from './oxlint.contract-citations.js';

/** The lint rules that only Registrar has. */
export default {
  meta: { name: 'registrar' },
  rules: {
    'contract-citations': contractCitations,
    'no-former-citations': formerCitations,
    'use-clock': useClock,
  },
};
