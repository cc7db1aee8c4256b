import { findElement } from './data-model.js';

/**
 * The API object that content uses, around the one of scorm-again. It corrects the library's faults
 * that docs/scorm-runtime.md lists: calls of what is no element are rejected before they reach it,
 * and values that it rejects are stored under a stand-in that it accepts, and are returned and
 * reported as the content set them.
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

/** Stands for an answer without parts, by the type of its interaction: the library rejects it. */
const emptyAnswers = {
  choice: 'x',
  sequencing: 'x',
  matching: 'x[.]x',
  performance: 'x[.]x',
  'fill-in': 'x',
  'long-fill-in': 'x',
  other: 'x',
};

/** Delimited answers keep their parts. A brace opens a text only if it opens a delimiter. */
function longText(text) {
  if (text.includes('[,]')) return text.replace(lineBreaks, ' ');
  return shortLine(text.replace(/^\{(?!lang=|case_matters=|order_matters=)/, '('));
}

/** Types of interactions whose answers are texts, of which every one is valid. */
const textTypes = ['long-fill-in', 'other'];
/** Types of interactions whose answers have parts, which may be equal. */
const partTypes = ['fill-in', 'sequencing', 'matching', 'performance'];

/**
 * Returns an answer with short and different parts: the library rejects long ones, and equal ones in a correct response.
 */
function renamedParts(text, isText) {
  const rename = (part, at) => (part === '' && !isText ? '' : `x${at}`);
  const parts = text
    .split('[,]')
    .map((part, at) =>
      (isText ? [part] : part.replace(/^(?:\{[^}]*\})+/, '').split('[.]'))
        .map((side) => rename(side, at))
        .join('[.]'),
    );
  return parts.join('[,]');
}

/** @param {() => string} typeOf returns the type of the interaction */
function answer(text, typeOf) {
  const type = typeOf();
  if (text.trim() === '' && emptyAnswers[type]) return emptyAnswers[type];
  if (textTypes.includes(type)) return 'x';
  if (partTypes.includes(type) && /\[[,.]\]/.test(text)) {
    return renamedParts(text, type === 'fill-in');
  }
  return longText(text);
}

/** The library takes commas in a correct response for delimiters. */
function correctResponse(text, typeOf) {
  const stored = answer(text, typeOf);
  if (text.includes('[,]') && typeOf() !== 'other') return stored;
  return stored.replaceAll(',', ';').trim();
}

/** A time zone is rejected without a fraction of the second, and fractions of more than six digits. */
const timestamp = (text) =>
  text.replace(
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)$/,
    (_, seconds) => `${seconds}.0Z`,
  );

/** More than two decimal places of the seconds are rejected. */
const interval = (text) => text.replace(/(\.\d\d)\d+(S?)$/, '$1$2');

/** A value that the library rejects as one of the wrong type. */
const wrongType = '\0';
/** Rejects values that the library accepts against the standard. */
const only = (pattern) => (text) => (pattern.test(text) ? text : wrongType);
const interval2004 = (text) => (/^P$|T$/.test(text) ? wrongType : interval(text));

/** An empty text is rejected. */
const place = (text) => (text === '' ? 'x' : text.slice(0, acceptedLength));
const language = (text) => text || 'x';

/** Zero is rejected. */
const speed = (text) => (Number(text) === 0 ? text.replace(/^-?0/, '1') : text);

/** Only numbers from -100 to 100, or from 0 to 100, are accepted. */
const decimal = (text) => (/^-?(?:\d+\.?\d*|\.\d+)$/.test(text) ? '0' : text);

/** The stand-ins of a standard's elements. */
const standIns = {
  SCORM12: [
    [
      elements('interactions.N.student_response', 'interactions.N.correct_responses.N.pattern'),
      shortLine,
    ],
    [elements('core.session_time', 'interactions.N.latency'), interval],
    [elements('interactions.N.weighting', 'interactions.N.result'), decimal],
    [
      elements('objectives.N.id', 'interactions.N.id', 'interactions.N.objectives.N.id'),
      only(/^.*$/),
    ],
  ],
  SCORM2004: [
    [
      elements(
        'interactions.N.description',
        'objectives.N.description',
        'comments_from_learner.N.comment',
        'comments_from_lms.N.comment',
      ),
      longText,
    ],
    [elements('interactions.N.learner_response'), answer],
    [elements('interactions.N.correct_responses.N.pattern'), correctResponse],
    [elements('interactions.N.timestamp', 'comments_from_(?:learner|lms).N.timestamp'), timestamp],
    [elements('session_time', 'interactions.N.latency'), interval2004],
    [elements('location', 'comments_from_(?:learner|lms).N.location'), place],
    [elements('learner_preference.language'), language],
    [elements('learner_preference.delivery_speed'), speed],
    [elements('learner_preference.audio_captioning'), only(/^(?:-1|0|1)$/)],
    [
      /^adl\.nav\.request$/,
      only(
        /^(?:_none_|continue|previous|(?:exit|abandon)(?:All)?|suspendAll|\{target=.+\}(?:choice|jump))$/,
      ),
    ],
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

/** The error code of values of the wrong type. */
const typeMismatch = { SCORM12: '405', SCORM2004: '406' };

const requestValid =
  /^adl\.nav\.request_valid\.(?:(continue|previous)|(choice|jump)\.\{target=(.*)\})$/s;
const sharedElement = /^adl\.data\.(\d+)\.(id|store)$/;
/** A status that the library shows as `unknown` before content has set it. */
const statusElement = /^cmi\.(?:objectives\.\d+\.)?(?:completion|success)_status$/;
/** The name of shared data beside the branches of `cmi`. */
const sharedBranch = 'adl.data';

/**
 * @param {object} api scorm-again's API object
 * @param {'SCORM12' | 'SCORM2004'} standard
 * @param {import('./run-time.js').Surroundings} surroundings
 */
export function makeContentApi(api, standard, { available, sharedData, changed }) {
  const names = functions[standard];
  /** The values that have a stand-in, by element. @type {Map<string, string>} */
  const originals = new Map();
  /** The elements of statuses that content has set, even to `unknown`. */
  const reported = new Set();
  const entries = sharedData.map((entry) => ({ ...entry }));
  const succeeded = () => api[names.GetLastError]() === '0';
  const standInOf = (element, value, interactions) => {
    const [, standIn] = standIns[standard].find(([pattern]) => pattern.test(element)) ?? [];
    const [, index] = /^cmi\.interactions\.(\d+)\./.exec(element) ?? [];
    return standIn?.(value, () => interactions?.[index]?.type) ?? value;
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
  const data = {
    get cmi() {
      return api.cmi;
    },
    nav: api.nav,
    adl: { nav: api.adl?.nav, data: { childArray: entries } },
  };
  const readShared = ({ id, store, read }, element) => {
    if (element === 'id') return reject('0', id);
    if (!read) return reject('405', '');
    return reject(store === '' ? '403' : '0', store);
  };
  const writeShared = (entry, value) => {
    if (!entry.write) return reject('404', 'false');
    entry.store = value;
    changed();
    return reject('0', 'true');
  };
  /** Before and after the session the library rejects every call. */
  const find = (operation, element) =>
    api.isInitialized()
      ? findElement(data, standard, operation, element)
      : { error: null, lists: [] };
  const reject = (error, result) => {
    api.lastErrorCode = error;
    return result;
  };

  /** The library still accepts calls after `LMSFinish`. Returns them with the error `not initialized` (RTE 3.3.2). */
  const untilFinish =
    (result, method) =>
    (...values) =>
      standard === 'SCORM12' && api.isTerminated() ? reject('301', result) : method(...values);

  const isValid = (element, direction, target) => {
    const requests = available();
    if (direction) return requests[direction] === null;
    const refusal = requests.choices[target];
    return element.includes('.jump.')
      ? refusal !== undefined && refusal !== 'unavailable'
      : refusal === null;
  };

  const content = {
    ...(api.version !== undefined && { version: api.version }),
    [names.Initialize]: call('Initialize'),
    [names.Terminate]: untilFinish('false', call('Terminate')),
    [names.Commit]: untilFinish('false', call('Commit')),
    [names.GetValue]: untilFinish('', (given) => {
      const element = textOf(given) ?? '';
      const { error } = find('get', element);
      if (error !== null) return reject(error, '');
      const shared = api.isInitialized() && sharedElement.exec(element);
      if (shared) return readShared(entries[shared[1]], shared[2]);
      if (element === 'adl.data._count' && api.isInitialized()) {
        return reject('0', String(entries.length));
      }
      const value = getValue(element);
      // The library rejects to read the request, which is readable (SCORM 2004 SN 5.6.4).
      if (element === 'adl.nav.request' && api.isInitialized()) {
        return reject('0', api.adl.nav.request);
      }
      if (!succeeded()) return value;
      const [matched, direction, , target] = requestValid.exec(element) ?? [];
      if (matched) return String(isValid(element, direction, target));
      return originals.get(element) ?? value;
    }),
    [names.SetValue]: untilFinish('false', (givenElement, givenValue) => {
      const element = textOf(givenElement) ?? '';
      const text = textOf(givenValue);
      const { error, lists } = find('set', element);
      if (error !== null) return reject(error, 'false');
      if (text === null) return reject(typeMismatch[standard], 'false');
      const shared = api.isInitialized() && sharedElement.exec(element);
      if (shared) return writeShared(entries[shared[1]], text);
      const stored = standInOf(element, text, api.cmi.interactions.childArray);
      const counts = lists.map((entries) => entries.length);
      const result = setValue(element, stored);
      if (result === 'true') {
        remember(element, text, stored);
        if (statusElement.test(element)) reported.add(element);
      }
      // The library makes the entry before it judges the value, and leaves it empty.
      else for (const [at, entries] of lists.entries()) entries.length = counts[at];
      return result;
    }),
    [names.GetLastError]: () => api[names.GetLastError](),
    [names.GetErrorString]: (code) => api[names.GetErrorString](code),
    [names.GetDiagnostic]: (code) => api[names.GetDiagnostic](code),
  };

  return {
    content,
    /** Loads the data of earlier sessions, before the content initializes. */
    load: (data) => {
      const accepted = mapTexts(data, 'cmi', (element, text) => {
        if (statusElement.test(element)) reported.add(element);
        const stored = standInOf(element, text, data.interactions);
        remember(element, text, stored);
        return stored;
      });
      api.loadFromJSON(accepted);
    },
    /** Returns the data model, with the total time so far, and the shared data that content may write. */
    data: () => {
      const cmi = mapTexts(api.renderCommitCMI(true).cmi, 'cmi', (element, text) => {
        const isDefault = text === 'unknown' && statusElement.test(element);
        return isDefault && !reported.has(element) ? undefined : (originals.get(element) ?? text);
      });
      const written = entries.filter(({ write }) => write).map(({ id, store }) => [id, store]);
      return written.length > 0 ? { ...cmi, [sharedBranch]: Object.fromEntries(written) } : cmi;
    },
  };
}

/** Content may call with values of every type. @returns null for what is no text */
function textOf(value) {
  try {
    return String(value);
  } catch {
    return null;
  }
}

/** Copies a data model with its texts changed. Those that become undefined are left out. */
function mapTexts(value, element, change) {
  if (typeof value === 'string') return change(element, value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, mapTexts(inner, `${element}.${name}`, change)])
      .filter(([, inner]) => inner !== undefined),
  );
}
