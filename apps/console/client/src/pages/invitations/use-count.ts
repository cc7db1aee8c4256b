import { useTranslation } from 'react-i18next';

/** The largest number that the server counts to: it replies one more than this for larger ones. */
const maxCounted = 100_000;

/** Returns a function that writes a number of the server, with a plus where there are more than it counts. */
export function useCount(): (count: number) => string {
  const { i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language);
  return (count) => (count > maxCounted ? `${format.format(maxCounted)}+` : format.format(count));
}
