import { prometheusRules } from '@registrar/k8s';

/** The rules without durations and intervals of their own, so that alerts fire at once. Unit tests cover both. */
export const rulesAtOnce = prometheusRules.groups.map(({ name, rules }) => ({
  name,
  rules: rules.map((rule) => ({ ...rule, for: undefined })),
}));
