/** Writes a number of bytes in megabytes, and in kilobytes below one. */
export function formatBytes(bytes: number, language: string): string {
  const isSmall = bytes < 1_000_000;
  const format = {
    style: 'unit',
    unit: isSmall ? 'kilobyte' : 'megabyte',
    maximumSignificantDigits: 3,
  } as const;
  return new Intl.NumberFormat(language, format).format(bytes / (isSmall ? 1_000 : 1_000_000));
}
