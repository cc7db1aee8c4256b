import { describe, expect, it } from 'vitest';
import * as scormAgain from 'scorm-again';
import {
  type DataElement,
  type DataModel,
  scorm12,
  scorm2004,
  undefinedNames,
  values,
} from './data-models.fixture.ts';

interface ContentApi {
  readonly content: Readonly<Record<string, (...values: unknown[]) => string>>;
  readonly load: (data: object) => void;
  readonly data: () => object;
}
const { makeContentApi } = (await import(
  new URL('content-api.js', import.meta.url).href
)) as unknown as {
  makeContentApi: (api: object, standard: string, surroundings: object) => ContentApi;
};
const { Scorm12API, Scorm2004API } = scormAgain as unknown as Record<
  'Scorm12API' | 'Scorm2004API',
  new (settings: object) => object
>;

/** The values that each attempt begins with: an entry in every list of content. */
const beginnings: Record<DataModel['standard'], Readonly<Record<string, string>>> = {
  SCORM12: {
    'cmi.core.lesson_location': 'page 3',
    'cmi.suspend_data': 'before',
    'cmi.core.score.raw': '70',
    'cmi.objectives.0.id': 'first',
    'cmi.interactions.0.id': 'question',
    'cmi.interactions.0.type': 'choice',
    'cmi.interactions.0.objectives.0.id': 'first',
    'cmi.interactions.0.correct_responses.0.pattern': 'a',
  },
  SCORM2004: {
    'cmi.location': 'page 3',
    'cmi.suspend_data': 'before',
    'cmi.score.scaled': '0.7',
    'cmi.objectives.0.id': 'first',
    'cmi.interactions.0.id': 'question',
    'cmi.interactions.0.type': 'other',
    'cmi.interactions.0.objectives.0.id': 'first',
    'cmi.interactions.0.correct_responses.0.pattern': 'a',
    'cmi.comments_from_learner.0.comment': 'mine',
  },
};

/** Of the provider. */
const comment = { comment: 'theirs', location: 'page 1', timestamp: '2026-11-22T10:00:00.0Z' };

/** The course around the content: it has one other part, and no shared data. */
const surroundings = {
  available: () => ({ continue: null, previous: null, choices: { 'a.b': null } }),
  sharedData: [],
  changed: () => undefined,
};

/** An attempt of content, without a browser. */
class Attempt {
  readonly #api: ContentApi;

  constructor(readonly model: DataModel) {
    const Api = model.standard === 'SCORM12' ? Scorm12API : Scorm2004API;
    const api = new Api({ logLevel: 'NONE', scoItemIds: ['a.b'] });
    this.#api = makeContentApi(api, model.standard, surroundings);
    this.#api.load(model.standard === 'SCORM12' ? {} : { comments_from_lms: [comment] });
    expect(this.call('Initialize', '')).toEqual(['true', '0']);
    for (const [element, value] of Object.entries(beginnings[model.standard])) {
      expect([element, ...this.set(element, value)]).toEqual([element, 'true', '0']);
    }
  }

  call(name: string, ...given: unknown[]): [result: unknown, error: string | undefined] {
    const { content } = this.#api;
    const { prefix } = this.model;
    return [content[prefix + name]?.(...given), content[`${prefix}GetLastError`]?.()];
  }
  get = (element: unknown) => this.call('GetValue', element);
  set = (element: unknown, value: unknown) => this.call('SetValue', element, value);

  /** The data that the player would save, without the time. */
  data(): string {
    return JSON.stringify(this.#api.data(), (name, value: unknown) =>
      name === 'total_time' ? undefined : value,
    );
  }

  /** Sets a value; if it is rejected, nothing may have changed. Returns the error code. */
  trySet(element: unknown, value: unknown): string {
    const before = this.data();
    const [result, error] = this.set(element, value);
    if (result === 'true' && error === '0') return '0';
    const changed = this.data() === before ? '' : ', but changed the data';
    return result === 'false' ? `${error}${changed}` : `${String(result)} ${error}`;
  }

  /** Reads a value. Returns the error code. */
  tryGet(element: unknown): string {
    const [result, error] = this.get(element);
    const isRight = typeof result === 'string' && (error === '0' || result === '');
    return isRight ? `${error}` : `${JSON.stringify(result)} ${error}`;
  }

  /** Expects that the attempt still works: it keeps, stores, commits and ends. */
  expectToWork(except?: string): void {
    const { standard, end } = this.model;
    const writeOnly = standard === 'SCORM12' ? /^cmi\.interactions\./ : /^$/;
    for (const [element, value] of Object.entries(beginnings[standard])) {
      if (element === except || writeOnly.test(element)) continue;
      expect([element, ...this.get(element)]).toEqual([element, value, '0']);
    }
    expect(this.set('cmi.suspend_data', 'after')).toEqual(['true', '0']);
    expect(this.call('Commit', '')).toEqual(['true', '0']);
    expect(JSON.parse(this.data())).toMatchObject({ suspend_data: 'after' });
    expect(this.call(end, '')).toEqual(['true', '0']);
    this.#expectToHaveEnded();
  }

  /** Expects that calls after the end are rejected, and change nothing. */
  #expectToHaveEnded(): void {
    const { standard, end } = this.model;
    const [get, set, commit, again] =
      standard === 'SCORM12' ? ['301', '301', '301', '301'] : ['123', '133', '143', '113'];
    const before = this.data();
    expect(this.get('cmi.suspend_data')).toEqual(['', get]);
    expect(this.set('cmi.suspend_data', 'too late')).toEqual(['false', set]);
    expect(this.call('Commit', '')).toEqual(['false', commit]);
    expect(this.call(end, '')).toEqual(['false', again]);
    expect(this.data()).toBe(before);
  }
}

/** Calls that returned something else than expected, one line each. */
class Deviations {
  readonly #list: string[] = [];
  check(call: string, actual: string, ...expected: string[]): void {
    if (expected.includes(actual)) return;
    this.#list.push(`${call}: ${actual} instead of ${expected.join(' or ')}`);
  }
  expectNone(): void {
    expect(this.#list).toEqual([]);
  }
}

const at = (name: string, index: number) => name.replaceAll('N', String(index));
const show = (value: unknown) => {
  try {
    return JSON.stringify(String(value)).slice(0, 40);
  } catch {
    return 'an object that is no text';
  }
};
const judge = ({ judge: ofElement }: DataElement, { codes }: DataModel, value: unknown) => {
  try {
    return ofElement(String(value));
  } catch {
    return codes.mismatch;
  }
};
/** SCORM 2004 does not let content change these ids. */
const fixedIds = /^cmi\.(?:objectives|interactions)\.\d+\.id$/;
const readable = ({ access }: DataElement) => access !== 'w';
const writable = ({ access }: DataElement) => access !== 'r';
/** The elements that have an index, with an index out of range in place of each `N`. */
const outOfRange = (names: readonly string[], index: number) =>
  names.flatMap((name) =>
    [...name.matchAll(/N/g)].map(({ index: place }) =>
      at(`${name.slice(0, place)}${index}${name.slice(place + 1)}`, 0),
    ),
  );

describe.each([scorm12, scorm2004])('calls of content of $standard', (model) => {
  const { codes } = model;
  const is2004 = model.standard === 'SCORM2004';

  it.each(model.elements)('sets $name to values of every type', (element) => {
    const deviations = new Deviations();
    const name = at(element.name, 0);
    const attempt = new Attempt(model);
    for (const value of values) {
      const expected = element.access === 'r' ? codes.readOnly : judge(element, model, value);
      const call = `${name} = ${show(value)}`;
      if (is2004 && fixedIds.test(name)) {
        deviations.check(call, attempt.trySet(name, value), codes.index.set, codes.mismatch);
        continue;
      }
      deviations.check(call, attempt.trySet(name, value), expected);
      if (element.access === 'w' || expected !== '0') continue;
      deviations.check(`${name} after ${call}`, String(attempt.get(name)[0]), String(value));
    }
    deviations.expectNone();
    attempt.expectToWork(name);
  });

  it.each(model.elements)('reads $name', (element) => {
    const attempt = new Attempt(model);
    const code = attempt.tryGet(at(element.name, 0));
    if (element.access === 'w') expect(code).toBe(codes.writeOnly);
    // SCORM 2004 tells values that were never set from empty ones.
    else expect(is2004 ? ['0', '403'] : ['0']).toContain(code);
    attempt.expectToWork();
  });

  it.each([...model.parents, ...model.lists])('rejects values for %p, which has none', (parent) => {
    const attempt = new Attempt(model);
    const name = at(parent, 0);
    for (const value of values) {
      expect([name, show(value), attempt.trySet(name, value)]).toEqual([
        ...[name, show(value), codes.undefined],
      ]);
    }
    expect([name, attempt.tryGet(name)]).toEqual([name, codes.undefined]);
    attempt.expectToWork();
  });

  it.each(undefinedNames)('rejects %p, which is no element', (name) => {
    const attempt = new Attempt(model);
    for (const value of ['x', '0', '', undefined, {}]) {
      expect([show(value), attempt.trySet(name, value)]).toEqual([show(value), codes.undefined]);
    }
    expect(attempt.tryGet(name)).toBe(codes.undefined);
    attempt.expectToWork();
  });

  it('rejects calls without an element, and with names of other types', () => {
    const attempt = new Attempt(model);
    expect([attempt.tryGet(''), attempt.trySet('', 'x')]).toEqual([
      ...[codes.missing.get, codes.missing.set],
    ]);
    for (const name of values) {
      const isText = !['""', 'an object that is no text'].includes(show(name));
      expect([show(name), attempt.tryGet(name)]).toEqual([
        ...[show(name), isText ? codes.undefined : codes.missing.get],
      ]);
      expect([show(name), attempt.trySet(name, 'x')]).toEqual([
        ...[show(name), isText ? codes.undefined : codes.missing.set],
      ]);
    }
    attempt.expectToWork();
  });

  it('answers keywords only where the standard has them, and lets content set none', () => {
    const attempt = new Attempt(model);
    const deviations = new Deviations();
    const { elements, parents, lists, withChildren } = model;
    const names = [...elements.map(({ name }) => name), ...parents, ...lists].filter(
      (name) => !name.includes('{target='),
    );
    for (const name of names) {
      // Beyond the standard, the root lists its members too.
      const hasChildren = withChildren.includes(name) || name === 'cmi';
      const children = `${at(name, 0)}._children`;
      const count = `${at(name, 0)}._count`;
      deviations.check(children, attempt.tryGet(children), hasChildren ? '0' : codes.noChildren);
      deviations.check(count, attempt.tryGet(count), lists.includes(name) ? '0' : codes.noCount);
      for (const keyword of [children, count, `${at(name, 0)}._version`]) {
        deviations.check(`set ${keyword}`, attempt.trySet(keyword, '1'), codes.keyword);
      }
    }
    deviations.check('cmi._version', attempt.tryGet('cmi._version'), '0');
    deviations.expectNone();
    attempt.expectToWork();
  });

  it.each([1, 2, 3, 2 ** 31, 2 ** 53])('rejects indexes out of range: %p', (index) => {
    const attempt = new Attempt(model);
    const deviations = new Deviations();
    const { elements } = model;
    for (const name of outOfRange(
      elements.filter(readable).map((each) => each.name),
      index,
    )) {
      deviations.check(name, attempt.tryGet(name), codes.index.get);
    }
    for (const name of outOfRange(
      elements.filter(writable).map((each) => each.name),
      index,
    )) {
      // The next entry can be made; in SCORM 2004 by its id.
      if (index === 1) continue;
      for (const value of ['x', '0', '']) {
        deviations.check(`set ${name}`, attempt.trySet(name, value), codes.index.set);
      }
    }
    deviations.expectNone();
    attempt.expectToWork();
  });

  it.each(model.elements.filter(({ name, access }) => name.includes('N') && access !== 'r'))(
    'makes the next entry by $name only with a value of its type',
    (element) => {
      const deviations = new Deviations();
      const [name = ''] = outOfRange([element.name], 1);
      // An id comes first.
      const needsId = is2004 && !/^cmi\.comments_|\.1\.id$/.test(name);
      const needsType = is2004 && /learner_response|correct_responses/.test(name);
      for (const value of values) {
        const attempt = new Attempt(model);
        const expected = judge(element, model, value);
        deviations.check(
          `${name} = ${show(value)}`,
          attempt.trySet(name, value),
          needsId || needsType ? '408' : expected,
        );
        if (expected !== '0') attempt.expectToWork();
      }
      deviations.expectNone();
    },
  );
});

describe('answers of SCORM 2004', () => {
  const pair = 'a[.]b';
  const longPair = `${'a'.repeat(250)}[.]b`;
  it.each([
    ['true-false', { valid: ['true', 'false'], invalid: ['', 'yes', '1', 'TRUE', 'true[,]false'] }],
    ['choice', { valid: ['a', 'a[,]b', ''], invalid: ['a[,]a'] }],
    [
      'fill-in',
      { valid: ['', 'a, b', 'a[,]b', 'a[,]a', '[,]', '{lang=en}a', '{1}', 'a\nb'], invalid: [] },
    ],
    [
      'long-fill-in',
      {
        valid: ['', 'a, b', 'a[,]b', '{lang=en}a', '{case_matters=true}a', '{1}', 'a\nb'],
        invalid: [],
      },
    ],
    [
      'matching',
      {
        valid: [pair, `${pair}[,]c[.]d`, `${pair}[,]${pair}`, longPair, ''],
        invalid: ['ab', 'a[.]'],
      },
    ],
    [
      'performance',
      { valid: [pair, `${pair}[,]c[.]2`, `${pair}[,]${pair}`, longPair], invalid: ['ab', '[.]'] },
    ],
    ['sequencing', { valid: ['a', 'a[,]b', 'a[,]a', ''], invalid: [] }],
    ['likert', { valid: ['a'], invalid: ['', 'a[,]b'] }],
    ['numeric', { valid: ['3', '-0.5'], invalid: ['three', '1,5'] }],
    ['other', { valid: ['', 'a[,]b', 'anything, really'], invalid: [] }],
  ])('answers of SCORM 2004 are judged by the type %p', (type, { valid, invalid }) => {
    const deviations = new Deviations();
    for (const [values, code] of [
      [valid, '0'],
      [invalid, '406'],
    ] as const) {
      for (const value of values) {
        const attempt = new Attempt(scorm2004);
        attempt.set('cmi.interactions.1.id', 'q');
        attempt.set('cmi.interactions.1.type', type);
        const patterns = type === 'numeric' ? `${value}[:]${value}` : value;
        const response = 'cmi.interactions.1.learner_response';
        const pattern = 'cmi.interactions.1.correct_responses.0.pattern';
        deviations.check(`response ${type} ${value}`, attempt.trySet(response, value), code);
        deviations.check(`pattern ${type} ${patterns}`, attempt.trySet(pattern, patterns), code);
        attempt.expectToWork();
      }
    }
    deviations.expectNone();
  });
});
