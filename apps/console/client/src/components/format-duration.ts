import { formatterByLanguage } from './formatter-by-language.ts';

const formatOf = (unit: string) =>
  formatterByLanguage(
    (language) =>
      new Intl.NumberFormat(language, {
        style: 'unit',
        unit,
        unitDisplay: 'short',
        maximumFractionDigits: 0,
      }),
  );

const units = [
  [formatOf('day'), 86_400],
  [formatOf('hour'), 3_600],
  [formatOf('minute'), 60],
  [formatOf('second'), 1],
] as const;

/** Writes a time span in the largest unit that it fills, such as `3 min`. */
export function formatDuration(seconds: number, language: string): string {
  const whole = Math.max(0, Math.round(seconds));
  const [format, size] = units.find(([, each]) => whole >= each) ?? units[3];
  return format(language).format(Math.floor(whole / size));
}
