/** Parts of an output that differ from run to run, and may come back in a later command. */
const names = [
  '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', // GUIDs
  'rg[ku]_[\\w-]{43}', // API keys
  '(?<![\\w-])[\\w-]{43}(?![\\w-])', // secret keys
  '(?:app|demo)-[0-9a-f]{8,12}', // provider applications
];

/** Parts that differ from run to run and have no meaning for later commands. */
const moments = [
  '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{3})?Z', // times
  '\\d+\\.\\d+(?:\\.\\d+)*', // versions of the stores
  '[0-9a-f]{32}(?=\\.localhost)', // origins of launches
  '\\d+ s (?:ahead of|behind) ours', // clocks
  '(?<=\\bkid +)[\\w-]{12}', // launch keys
  '(?<=clock_skew_seconds +)-?\\d+',
];

const parts = new RegExp(`(${names.join('|')})|(${moments.join('|')})|(\\s*…\\s*)|([ \\t]+)`, 'g');

/**
 * Compares the output of a command with the output that a page shows. They may differ in names and times,
 * in the width of columns, and where the page shows `…`.
 *
 * @returns the names on the page with the printed ones
 * @throws {Error} with both outputs when they differ otherwise
 */
export function compareOutput(shown: string, printed: string): Map<string, string> {
  const namesShown: string[] = [];
  let form = '';
  let end = 0;
  for (const { 0: part, 1: name, 2: moment, 3: omission, index } of shown.matchAll(parts)) {
    form += RegExp.escape(shown.slice(end, index));
    end = index + part.length;
    if (name) {
      namesShown.push(name);
      form += `(${names.join('|')})`;
    } else if (moment) form += `(?:${moments.join('|')})`;
    else if (omission) form += '[^]*';
    else form += '[ \\t]+';
  }
  form += RegExp.escape(shown.slice(end));
  const match = new RegExp(`^${form}$`).exec(printed.replaceAll('\r\n', '\n').trimEnd());
  if (!match) throw new Error(`the page shows\n${shown}\nand the command printed\n${printed}`);
  return new Map(namesShown.map((name, place) => [name, match[place + 1] ?? '']));
}
