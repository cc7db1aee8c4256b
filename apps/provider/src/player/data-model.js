/**
 * The data models of content: SCORM 1.2 RTE 3.4.4, SCORM 2004 RTE 4.2 and SN 5.6. A text is an
 * element and says whether content may read (`r`) and write (`w`) it; an object is a group of
 * elements, and a list has the members of its entries.
 */
const score12 = { raw: 'rw', min: 'rw', max: 'rw' };
const score2004 = { scaled: 'rw', ...score12 };
const comments = (access) => [{ comment: access, location: access, timestamp: access }];
const models = {
  SCORM12: {
    cmi: {
      core: {
        student_id: 'r',
        student_name: 'r',
        lesson_location: 'rw',
        credit: 'r',
        lesson_status: 'rw',
        entry: 'r',
        score: score12,
        total_time: 'r',
        lesson_mode: 'r',
        exit: 'w',
        session_time: 'w',
      },
      suspend_data: 'rw',
      launch_data: 'r',
      comments: 'rw',
      comments_from_lms: 'r',
      objectives: [{ id: 'rw', score: score12, status: 'rw' }],
      student_data: { mastery_score: 'r', max_time_allowed: 'r', time_limit_action: 'r' },
      student_preference: { audio: 'rw', language: 'rw', speed: 'rw', text: 'rw' },
      interactions: [
        {
          id: 'w',
          objectives: [{ id: 'w' }],
          time: 'w',
          type: 'w',
          correct_responses: [{ pattern: 'w' }],
          weighting: 'w',
          student_response: 'w',
          result: 'w',
          latency: 'w',
        },
      ],
    },
    // Not in the standard, but content uses it and the player follows it.
    nav: { event: 'rw' },
  },
  SCORM2004: {
    cmi: {
      comments_from_learner: comments('rw'),
      comments_from_lms: comments('r'),
      completion_status: 'rw',
      completion_threshold: 'r',
      credit: 'r',
      entry: 'r',
      exit: 'w',
      interactions: [
        {
          id: 'rw',
          type: 'rw',
          objectives: [{ id: 'rw' }],
          timestamp: 'rw',
          correct_responses: [{ pattern: 'rw' }],
          weighting: 'rw',
          learner_response: 'rw',
          result: 'rw',
          latency: 'rw',
          description: 'rw',
        },
      ],
      launch_data: 'r',
      learner_id: 'r',
      learner_name: 'r',
      learner_preference: {
        audio_level: 'rw',
        language: 'rw',
        delivery_speed: 'rw',
        audio_captioning: 'rw',
      },
      location: 'rw',
      max_time_allowed: 'r',
      mode: 'r',
      objectives: [
        {
          id: 'rw',
          score: score2004,
          success_status: 'rw',
          completion_status: 'rw',
          progress_measure: 'rw',
          description: 'rw',
        },
      ],
      progress_measure: 'rw',
      scaled_passing_score: 'r',
      score: score2004,
      session_time: 'w',
      success_status: 'rw',
      suspend_data: 'rw',
      time_limit_action: 'r',
      total_time: 'r',
    },
    adl: {
      data: [{ id: 'r', store: 'rw' }],
      nav: { request: 'rw', request_valid: { continue: 'r', previous: 'r' } },
    },
  },
};

/** The error codes of calls that the standards do not allow (SCORM 1.2 RTE 3.3.2, 2004 RTE 3.1.7). */
const errorCodes = {
  SCORM12: {
    get: {
      missing: '201',
      undefined: '401',
      access: '404',
      index: '201',
      _children: '202',
      _count: '203',
      _version: '401',
    },
    set: { missing: '201', undefined: '401', access: '403', index: '201', keyword: '402' },
  },
  SCORM2004: {
    get: {
      missing: '301',
      undefined: '401',
      access: '405',
      index: '301',
      _children: '301',
      _count: '301',
      _version: '301',
    },
    set: {
      missing: '351',
      undefined: '401',
      access: '404',
      index: '351',
      keyword: '404',
      dependency: '408',
    },
  },
};

const navigationTarget = /^adl\.nav\.request_valid\.(?:choice|jump)\.\{target=.*\}$/s;
const wholeNumber = /^(?:0|[1-9]\d*)$/;

/**
 * Finds an element of the data model, and decides whether content may call it. scorm-again takes
 * every property of its own objects for an element, and lets content replace groups and lists.
 *
 * @param {object} api scorm-again's API object
 * @param {'SCORM12' | 'SCORM2004'} standard
 * @param {'get' | 'set'} operation
 * @param {string} element
 * @returns {{ error: string | null, lists: object[][] }} the error code, or null if the call may be
 *   made; and the library's entries of each list on the way to the element
 */
export function findElement(api, standard, operation, element) {
  const codes = errorCodes[standard][operation];
  const lists = [];
  const result = (fault) => ({ error: fault === null ? null : codes[fault], lists });
  if (element === '') return result('missing');
  if (standard === 'SCORM2004' && navigationTarget.test(element)) {
    return result(operation === 'get' ? null : 'access');
  }
  const path = element.split('.');
  const keyword = /^_(?:children|count|version)$/.test(path.at(-1)) ? path.pop() : null;
  if (path.length === 0) return result('undefined');
  let members = models[standard];
  let data = api;
  let fault = null;
  for (const [at, name] of path.entries()) {
    if (Array.isArray(members)) {
      if (!wholeNumber.test(name)) return result('undefined');
      const entries = data?.childArray;
      if (entries) lists.push(entries);
      [members] = members;
      const known = { next: path[at + 1], keyword, count: entries?.length ?? 0 };
      fault ??= faultOfIndex(standard, operation, Number(name), members, known);
      data = entries?.[Number(name)];
    } else {
      if (typeof members === 'string' || !Object.hasOwn(members, name)) return result('undefined');
      members = members[name];
      // To read an element that is write-only is an error.
      data = typeof members === 'string' ? undefined : data?.[name];
    }
  }
  if (keyword !== null) {
    if (operation === 'set') return result('keyword');
    return result(hasKeyword[keyword](members, path) ? fault : keyword);
  }
  if (typeof members !== 'string') return result('undefined');
  return result(members.includes(operation === 'get' ? 'r' : 'w') ? fault : 'access');
}

/** Whether elements have a keyword, by their members and path. */
const hasKeyword = {
  _children: (members, path) => {
    if (Array.isArray(members)) return !path.some((name) => wholeNumber.test(name));
    return typeof members === 'object' && !wholeNumber.test(path.at(-1)) && path[0] !== 'adl';
  },
  _count: (members) => Array.isArray(members),
  _version: (_, path) => path.length === 1 && path[0] === 'cmi',
};

/** Entries are made in order, those of SCORM 2004 by their id. */
function faultOfIndex(standard, operation, index, members, { next, keyword, count }) {
  if (index < count) return null;
  // Content of SCORM 1.2 cannot read the id of an interaction, but it may count what is in it.
  const mayFollow =
    operation === 'set' ? !isFixed(members) : standard === 'SCORM12' && keyword === '_count';
  if (index > count || !mayFollow) return 'index';
  return standard === 'SCORM2004' && members.id && next !== 'id' ? 'dependency' : null;
}

/** Whether the provider makes the entries: `adl.data`. */
const isFixed = ({ store }) => store !== undefined;
