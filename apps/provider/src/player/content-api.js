/**
 * The API object that content uses, around the one of scorm-again. It corrects the library's faults
 * that docs/scorm-runtime.md lists: values that it rejects are stored under a stand-in that it
 * accepts, and are returned and reported as the content set them.
 */

/** Entries of lists, in the names of elements. */
const n = String.raw`(?:0|[1-9]\d*)`;
const elements = (...names) =>
  new RegExp(
    `^cmi\\.(?:${names
      .join('|')
      .replaceAll('.', String.raw`\.`)
      .replaceAll('N', n)})$`,
  );

/** The least number of characters that a text must be able to hold (SCORM 2004 RTE 4.2.9). */
const acceptedLength = 250;
const lineBreaks = /[\n\r\u2028\u2029]+/g;

/** One line, and no longer than the shortest limit: the library rejects others. */
const shortLine = (text) => text.replace(lineBreaks, ' ').slice(0, acceptedLength);

/** Delimited answers keep their parts. A brace opens a text only if it opens a delimiter. */
function answer(text) {
  if (text.includes('[,]')) return text.replace(lineBreaks, ' ');
  return shortLine(text.replace(/^\{(?!lang=|case_matters=|order_matters=)/, '('));
}

/** The library takes commas in a correct response for delimiters. */
const correctResponse = (text) =>
  text.includes('[,]') ? answer(text) : answer(text).replaceAll(',', ';').trim();

/** A time zone is rejected without a fraction of the second, and fractions of more than six digits. */
const timestamp = (text) =>
  text.replace(
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)$/,
    (_, seconds) => `${seconds}.0Z`,
  );

/** More than two decimal places of the seconds are rejected. */
const interval = (text) => text.replace(/(\.\d\d)\d+(S?)$/, '$1$2');

/** The stand-ins of a standard's elements. */
const standIns = {
  SCORM12: [
    [
      elements('interactions.N.student_response', 'interactions.N.correct_responses.N.pattern'),
      shortLine,
    ],
    [elements('core.session_time', 'interactions.N.latency'), interval],
  ],
  SCORM2004: [
    [
      elements(
        'interactions.N.learner_response',
        'interactions.N.description',
        'objectives.N.description',
        'comments_from_learner.N.comment',
        'comments_from_lms.N.comment',
      ),
      answer,
    ],
    [elements('interactions.N.correct_responses.N.pattern'), correctResponse],
    [elements('interactions.N.timestamp', 'comments_from_(?:learner|lms).N.timestamp'), timestamp],
    [elements('session_time', 'interactions.N.latency'), interval],
  ],
};

const functionsOf = (prefix, end) =>
  Object.fromEntries(
    [
      'Initialize',
      'GetValue',
      'SetValue',
      'Commit',
      'GetLastError',
      'GetErrorString',
      'GetDiagnostic',
    ]
      .map((name) => [name, prefix + name])
      .concat([['Terminate', prefix + end]]),
  );
const functions = {
  SCORM12: functionsOf('LMS', 'Finish'),
  SCORM2004: functionsOf('', 'Terminate'),
};

const navigationTarget = /^adl\.nav\.request_valid\.(?:choice|jump)\.\{target=(.*)\}$/;

/**
 * @param {object} api scorm-again's API object
 * @param {'SCORM12' | 'SCORM2004'} standard
 * @param {string[]} activities all parts that content may navigate to
 */
export function makeContentApi(api, standard, activities) {
  const names = functions[standard];
  /** The values that have a stand-in, by element. @type {Map<string, string>} */
  const originals = new Map();
  const succeeded = () => api[names.GetLastError]() === '0';
  const standInOf = (element, value) => {
    const [, standIn] = standIns[standard].find(([pattern]) => pattern.test(element)) ?? [];
    return standIn?.(value) ?? value;
  };
  const remember = (element, value, stored) => {
    if (stored === value) originals.delete(element);
    else originals.set(element, value);
  };
  // The library leaves the error of an earlier call in place after some successful ones.
  const call =
    (name) =>
    (...values) => {
      api.lastErrorCode = '0';
      return api[names[name]](...values);
    };
  const getValue = call('GetValue');
  const setValue = call('SetValue');

  const content = {
    ...(api.version !== undefined && { version: api.version }),
    [names.Initialize]: call('Initialize'),
    [names.Terminate]: call('Terminate'),
    [names.Commit]: call('Commit'),
    [names.GetValue](element) {
      const value = getValue(element);
      if (!succeeded()) return value;
      const target = navigationTarget.exec(element)?.[1];
      if (target !== undefined) return String(activities.includes(target));
      return originals.get(element) ?? value;
    },
    [names.SetValue](element, value) {
      const text = String(value);
      const stored = standInOf(element, text);
      const result = setValue(element, stored);
      if (result === 'true') remember(element, text, stored);
      return result;
    },
    [names.GetLastError]: () => api[names.GetLastError](),
    [names.GetErrorString]: (code) => api[names.GetErrorString](code),
    [names.GetDiagnostic]: (code) => api[names.GetDiagnostic](code),
  };

  return {
    content,
    /** Loads the data of earlier sessions, before the content initializes. */
    load: (data) => {
      const accepted = mapTexts(data, 'cmi', (element, text) => {
        const stored = standInOf(element, text);
        remember(element, text, stored);
        return stored;
      });
      api.loadFromJSON(accepted);
    },
    /** Returns the data model, with the total time so far. */
    data: () =>
      mapTexts(
        api.renderCommitCMI(true).cmi,
        'cmi',
        (element, text) => originals.get(element) ?? text,
      ),
  };
}

/** Copies a data model with its texts changed. */
function mapTexts(value, element, change) {
  if (typeof value === 'string') return change(element, value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      mapTexts(inner, `${element}.${name}`, change),
    ]),
  );
}
