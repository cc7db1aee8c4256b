/** Keeps a formatter for each language: to make one takes much longer than to use it. */
export function formatterByLanguage<Formatter>(
  create: (language: string) => Formatter,
): (language: string) => Formatter {
  const formatters = new Map<string, Formatter>();
  return (language) => {
    const kept = formatters.get(language) ?? create(language);
    formatters.set(language, kept);
    return kept;
  };
}
