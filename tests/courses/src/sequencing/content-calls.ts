import { identifierOf } from './case-package.ts';

/** A call of content, and what it must return. */
export interface ContentCall {
  /** In the notation of the cases. */
  readonly text: string;
  readonly kind: 'set' | 'get' | 'ids' | 'commit' | 'raw';
  /** The element of the data model, or the function of the API. */
  readonly element: string;
  readonly value: string;
  /** Whether the result and the error code are as expected. */
  fits(result: string, error: string): boolean;
}

/**
 * Reads a call in the notation of the cases: `@o1` is the objective with that id, `data.d1` what is shared under that id, and
 * other elements are those of `cmi`.
 */
export function readCall(text: string): ContentCall {
  const call = (
    kind: ContentCall['kind'],
    [element, value]: readonly [string, string],
    fits: ContentCall['fits'],
  ) => ({ text, kind, element: elementOf(element), value: targetOf(value), fits });
  const [, name = '', argument = '', result = '', errorCode = ''] =
    /^(\w+)\((.*)\) = ?(.*) ! (\d+)$/.exec(text) ?? [];
  if (name) {
    return call(
      'raw',
      [name, argument],
      (returned, error) =>
        error === errorCode && (result === 'short' ? returned.length < 255 : returned === result),
    );
  }
  const [, setElement = '', newValue = '', setError] =
    /^(\S+) :=(?: (.*?))?(?: ! (\d+))?$/.exec(text) ?? [];
  if (setElement) {
    return call('set', [setElement, newValue], (result, error) =>
      setError === undefined
        ? result === 'true' && error === '0'
        : result === 'false' && error === setError,
    );
  }
  const [, failing = '', code = ''] = /^(\S+) ! (\d+)$/.exec(text) ?? [];
  if (failing)
    return call('get', [failing, ''], (result, error) => result === '' && error === code);
  const [, listed] = /^objectives are (.*)$/.exec(text) ?? [];
  if (listed !== undefined) {
    const ids = listed.split(', ').toSorted().join(', ');
    return call('ids', ['', ''], (result, error) => result === ids && error === '0');
  }
  const [, existing = ''] = /^(\S+) exists$/.exec(text) ?? [];
  if (existing) return call('get', [`${existing}.id`, ''], (_, error) => error === '0');
  if (text === 'commit')
    return call('commit', ['', ''], (result, error) => result === 'true' && error === '0');
  const [, element = '', value = ''] = /^(\S+) =(?: (.*))?$/.exec(text) ?? [];
  return call('get', [element, ''], (result, error) => error === '0' && isSame(result, value));
}

/** Numbers are compared as numbers. */
const isSame = (result: string, expected: string) =>
  result === expected || (expected !== '' && result !== '' && Number(result) === Number(expected));

const elementOf = (element: string) =>
  element === '' || /^(?:@|adl\.|data\.)|^[A-Z]\w+$/.test(element)
    ? targetOf(element)
    : `cmi.${element}`;

const targetOf = (text: string) =>
  text.replace(/\{target=(\w+)\}/, (_, id: string) => `{target=${identifierOf(id)}}`);

/**
 * A function of the page of content, which makes calls between the start and the end of a session, and returns the
 * result and the error code of each.
 *
 * If `lastCalls` is not null, the content makes those calls and ends its session while it is unloaded. If `startsItself` is
 * true, `calls` start and end the session.
 */
export const makeCalls = `(calls, lastCalls, startsItself) => {
  const api = window.parent.API_1484_11;
  const idsOf = () => Array.from({ length: Number(api.GetValue('cmi.objectives._count')) }, (_, n) =>
    api.GetValue('cmi.objectives.' + n + '.id'));
  const dataIds = () => Array.from({ length: Number(api.GetValue('adl.data._count')) }, (_, n) =>
    api.GetValue('adl.data.' + n + '.id'));
  const find = (element) => element
    .replace(/^data\\.(.+)/, (_, id) => 'adl.data.' + dataIds().indexOf(id) + '.store')
    .replace(/^@([^.]+)/, (_, id) => 'cmi.objectives.' + idsOf().indexOf(id));
  const operations = {
    set: (element, value) => api.SetValue(find(element), value),
    get: (element) => api.GetValue(find(element)),
    ids: () => idsOf().sort().join(', '),
    commit: () => api.Commit(''),
    raw: (name, argument) => api[name](...argument.split(', ')),
  };
  const perform = ({ kind, element, value }) => [operations[kind](element, value), api.GetLastError()];
  const start = startsItself ? 'true' : api.Initialize('');
  window.isPlayed = true;
  const results = calls.map(perform);
  if (lastCalls) {
    window.addEventListener('pagehide', () => {
      lastCalls.forEach(perform);
      api.Terminate('');
    });
  }
  const end = startsItself || lastCalls ? 'true' : api.Terminate('');
  return { start, results, end };
}`;
