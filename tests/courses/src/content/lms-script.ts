import { isScorm12, type Standard } from '../standards.ts';

/** Names of elements that both standards have, in each of them. */
const elements = {
  '1.2': {
    status: 'cmi.core.lesson_status',
    entry: 'cmi.core.entry',
    exit: 'cmi.core.exit',
    location: 'cmi.core.lesson_location',
    sessionTime: 'cmi.core.session_time',
    score: 'cmi.core.score',
  },
  '2004': {
    status: 'cmi.completion_status',
    entry: 'cmi.entry',
    exit: 'cmi.exit',
    location: 'cmi.location',
    sessionTime: 'cmi.session_time',
    score: 'cmi.score',
  },
};

/**
 * The script that all content has: `findApi` looks for the API object in parents and openers, and
 * `connect` returns calls by names that do not depend on the standard. An error code that content does not
 * expect is written to the console, where the program counts it.
 */
export const lmsScript = (standard: Standard): string => `
  const isOld = ${isScorm12(standard)};
  const el = ${JSON.stringify(elements[isScorm12(standard) ? '1.2' : '2004'])};

  function findApi(from) {
    const name = isOld ? 'API' : 'API_1484_11';
    let at = from;
    for (let level = 0; level < 500; level += 1) {
      if (at[name]) return at[name];
      if (at.parent === at) break;
      at = at.parent;
    }
    return at.opener && !at.opener.closed ? findApi(at.opener) : null;
  }

  function connect(from) {
    const api = findApi(from);
    const names = isOld
      ? { start: 'LMSInitialize', get: 'LMSGetValue', set: 'LMSSetValue', commit: 'LMSCommit', end: 'LMSFinish' }
      : { start: 'Initialize', get: 'GetValue', set: 'SetValue', commit: 'Commit', end: 'Terminate' };
    const lastError = isOld ? 'LMSGetLastError' : 'GetLastError';
    // The value of an element that was never set is an error in SCORM 2004.
    const expected = { get: ['0', '403'] };
    const calls = {};
    for (const [call, name] of Object.entries(names)) {
      calls[call] = (...values) => {
        const result = api[name](...(values.length > 0 ? values : ['']));
        const code = String(api[lastError]());
        if (!(expected[call] ?? ['0']).includes(code)) console.error(name + ' ' + (values[0] ?? '') + ': ' + code);
        return result;
      };
    }
    // Calls that content makes without looking at the outcome.
    calls.careless = (call, ...values) => api[names[call]](...values);
    return calls;
  }

  // What both standards express differently.
  const setStatus = (lms, completion, success) => {
    if (isOld) lms.set(el.status, success === 'unknown' ? completion : success);
    else {
      lms.set(el.status, completion);
      if (success !== 'unknown') lms.set('cmi.success_status', success);
    }
  };
  const setScore = (lms, raw, max) => {
    lms.set(el.score + '.raw', String(raw));
    lms.set(el.score + '.min', '0');
    lms.set(el.score + '.max', String(max));
    if (!isOld) lms.set(el.score + '.scaled', String(raw / max));
  };
  const isNew = (lms) => ['not attempted', 'unknown', ''].includes(lms.get(el.status));
`;

/**
 * The script that shows slides. `resumed` is what the content found when it started, and `kept` what it will have
 * stored once it is left at this slide: the program reads both.
 */
export const slidesScript = `
  const slideCount = 5;
  let slide = null;
  let resumed = null;
  let kept = null;

  const resume = (lms) => {
    resumed = { entry: lms.get(el.entry), location: lms.get(el.location), suspendData: lms.get('cmi.suspend_data') };
    slide = Number(/\\d+$/.exec(resumed.location)?.[0] ?? 1);
    kept ??= { location: resumed.location, suspendData: resumed.suspendData };
  };
  const showSlides = (turned, answered) => {
    const isLast = slide === slideCount;
    document.body.innerHTML = '<h1>Slide ' + slide + '</h1><button>' + (isLast ? 'Submit' : 'Next') + '</button>';
    document.querySelector('button').onclick = () => {
      if (isLast) return answered();
      slide += 1;
      turned();
      showSlides(turned, answered);
    };
  };
`;
