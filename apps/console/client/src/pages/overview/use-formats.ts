import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

/** Writes the figures of the overview in the reader's language. */
export function useFormats() {
  const { language } = useTranslation().i18n;
  return useMemo(() => {
    const numbers = (options: Intl.NumberFormatOptions) => {
      const format = new Intl.NumberFormat(language, options);
      return (value: number) => format.format(value);
    };
    const whole = numbers({ maximumFractionDigits: 0 });
    const hundredths = numbers({ maximumFractionDigits: 2 });
    return {
      rate: (value: number) => `${(value < 10 ? hundredths : whole)(value)} / s`,
      milliseconds: numbers({
        style: 'unit',
        unit: 'millisecond',
        unitDisplay: 'short',
        maximumSignificantDigits: 3,
      }),
      whole,
      megabytes: (bytes: number) =>
        numbers({ style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 })(bytes / 1_000_000),
    };
  }, [language]);
}
