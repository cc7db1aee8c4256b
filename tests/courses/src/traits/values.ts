import { isScorm12 } from '../standards.ts';
import { both, type Trait } from './trait.ts';

/** Content with that exit, which is left when it is half done. */
const exits = (exit: string, suspend: string, standards = both): Trait => ({
  name: `exits with ${exit === '' ? 'an empty value' : exit}`,
  standards,
  script: `const lms = begin();
    ready(() => {
      keep(lms);
      setStatus(lms, 'incomplete', 'unknown');
      time(lms);
      lms.set(el.exit, '${exit}');
      lms.end();
    });`,
  departure: 'ends by itself',
  expected: { completion: 'incomplete', success: 'unknown', score: 'null', suspend },
});

/** Content that reports its session time in that format. */
const reportsTime = (standard: '1.2' | '2004', text: string, time: string): Trait => ({
  name: `reports the time ${text}`,
  standards: standard === '1.2' ? ['1.2'] : ['2004 4th Edition'],
  script: `const lms = begin();
    ready(() => { result(lms); lms.set(el.sessionTime, '${text}'); lms.end(); });`,
  departure: 'ends by itself',
  expected: { time },
});

/** Content whose suspend data are the value of a JavaScript expression. */
const suspends = (name: string, expression: string): Trait => ({
  name: `suspends ${name}`,
  standards: both,
  suspendData: expression,
  script: `const lms = begin(); ready(() => { result(lms); lms.end(); });`,
  departure: 'ends by itself',
});

/** What content sets, and in which form and order. */
export const valueTraits: readonly Trait[] = [
  exits('suspend', 'back'),
  exits('', 'entry "", data back', ['1.2']),
  exits('', 'entry "ab-initio", no data', ['2004 4th Edition']),
  exits('logout', 'entry "", data back', ['1.2']),
  exits('normal', 'entry "ab-initio", no data', ['2004 4th Edition']),
  exits('time-out', 'entry "", data back', ['1.2']),
  reportsTime('1.2', '00:01:30', '0000:01:30.00'),
  reportsTime('1.2', '0000:01:30.5', '0000:01:30.50'),
  reportsTime('1.2', '1234:01:30.50', '1234:01:30.50'),
  reportsTime('2004', 'PT90S', '0000:01:30.00'),
  reportsTime('2004', 'PT1M30.125S', '0000:01:30.12'),
  reportsTime('2004', 'P0Y0M0DT0H1M30.5S', '0000:01:30.50'),
  reportsTime('2004', 'P1DT1H', '0025:00:00.00'),
  suspends('4096 characters', `'0123456789abcdef'.repeat(256)`),
  suspends('64,000 characters', `'0123456789abcdef'.repeat(4000)`),
  suspends(
    'base64',
    `btoa(Array.from({ length: 30000 }, (_, at) => String.fromCharCode(at * 31 % 256)).join(''))`,
  ),
  suspends('percent signs and half escapes', `'%7B%22a%22%3A%20%u00e9%%2'.repeat(500)`),
  suspends(
    'JSON in JSON',
    `JSON.stringify({ a: JSON.stringify({ b: JSON.stringify(['"', '\\\\\\\\', "'"]) }) }).repeat(100)`,
  ),
  suspends(
    'every Latin-1 and control character but NUL',
    `Array.from({ length: 255 }, (_, at) => String.fromCharCode(at + 1)).join('').repeat(20)`,
  ),
  suspends(
    '16-bit characters, as LZ-string writes them',
    `Array.from({ length: 32000 }, (_, at) => String.fromCharCode(32 + at)).join('')`,
  ),
  suspends(
    'emoji and combined characters',
    `'\\u{1F469}\\u200D\\u{1F3EB} e\\u0301 \\u05D0\\u202E \\uFEFF'.repeat(500)`,
  ),
  suspends('markup', `'</script><!--]]>&amp;&#10;<b>'.repeat(500)`),
  {
    name: 'sets the score after the status',
    standards: both,
    script: `const lms = begin();
      ready(() => {
        keep(lms);
        setStatus(lms, 'completed', 'passed');
        lms.commit();
        setScore(lms, 80, 100);
        time(lms);
        lms.set(el.exit, 'suspend');
        lms.end();
      });`,
    departure: 'ends by itself',
  },
  {
    name: 'sets a raw score alone',
    standards: both,
    script: `const lms = begin();
      ready(() => {
        keep(lms);
        lms.set(el.score + '.raw', '80');
        setStatus(lms, 'completed', 'passed');
        time(lms);
        lms.set(el.exit, 'suspend');
        lms.end();
      });`,
    departure: 'ends by itself',
    // SCORM 1.2 normalizes raw scores to 0 to 100 (RTE 3.4.4); SCORM 2004 has no range without min and max.
    expected: (standard) => (isScorm12(standard) ? {} : { score: 'null' }),
  },
  {
    name: 'sets incomplete again as it leaves',
    standards: both,
    script: `const lms = begin();
      ready(() => {
        result(lms);
        lms.commit();
        if (isOld) lms.set(el.status, 'incomplete');
        else lms.set('cmi.completion_status', 'incomplete');
        lms.end();
      });`,
    departure: 'ends by itself',
    expected: (standard) => ({
      completion: 'incomplete',
      ...(isScorm12(standard) && { success: 'unknown' }),
    }),
  },
  {
    name: 'reports nothing',
    standards: both,
    script: `const lms = begin(); ready(() => { time(lms); lms.end(); });`,
    departure: 'ends by itself',
    expected: (standard) => ({
      success: 'unknown',
      score: 'null',
      suspend: isScorm12(standard) ? 'entry "", no data' : 'entry "ab-initio", no data',
    }),
  },
  {
    name: 'has interactions and objectives with odd ids',
    standards: both,
    script: `const lms = begin();
      ready(() => {
        result(lms);
        const ids = ['1', '{8D6E5A1B-0}_2', 'urn:x-tool:3', 'Scene 4 Slide_4', '5.5'];
        ids.forEach((id, n) => {
          lms.set('cmi.interactions.' + n + '.id', id);
          lms.set('cmi.interactions.' + n + '.type', 'fill-in');
          lms.set('cmi.interactions.' + n + (isOld ? '.student_response' : '.learner_response'), 'First line\\nsecond {line}');
          lms.set('cmi.interactions.' + n + '.result', n % 2 ? (isOld ? 'wrong' : 'incorrect') : '0.5');
          lms.set('cmi.objectives.' + n + '.id', id);
          lms.set('cmi.objectives.' + n + '.score.raw', '7');
          lms.set('cmi.objectives.' + n + (isOld ? '.status' : '.success_status'), 'passed');
        });
        lms.end();
      });`,
    ids: ['1', '{8D6E5A1B-0}_2', 'urn:x-tool:3', 'Scene 4 Slide_4', '5.5'],
    departure: 'ends by itself',
  },
];
