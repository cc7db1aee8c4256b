/** The texts of this page, in the language that the provider has chosen. */
export const texts = JSON.parse(document.getElementById('texts').textContent);

const { lang } = document.documentElement;
const plurals = new Intl.PluralRules(lang);
const numbers = new Intl.NumberFormat(lang);
const times = new Intl.DateTimeFormat(lang, { timeStyle: 'short' });

/** @param {Record<string, string>} forms the text for each plural category, with `{count}` */
export const counted = (forms, count) =>
  (forms[plurals.select(count)] ?? forms.other).replace('{count}', numbers.format(count));

/**
 * @param {string} text a text with `{time}`
 * @param {Date} time
 */
export const timed = (text, time) => text.replace('{time}', times.format(time));
