import { describe, expect, it } from 'vitest';
import { activity, cluster, flowing, Learner, rule } from './sequencing.fixture.ts';

const [a, b, c] = ['a', 'b', 'c'].map((id) => activity(id)) as [never, never, never];
const ofThree = (definition = flowing) => new Learner(cluster('course', definition, a, b, c));

describe('navigate, for flow', () => {
  it('a start enters the first activity, and continue leads through all to the end (SB.2.5, SB.2.7)', () => {
    const learner = ofThree();
    expect(learner.navigate('start')).toBe('a');
    expect(learner.navigate('continue')).toBe('b');
    expect(learner.navigate('continue')).toBe('c');
    expect(learner.navigate('continue')).toBe('ended');
    expect(learner.state.current).toBeNull();
  });

  it('a start without flow delivers nothing, so that the learner chooses (SB.2.2-1)', () => {
    const learner = new Learner(cluster('course', {}, a, b));
    expect(learner.navigate('start')).toBe('noFlow');
    expect(learner.navigate('choice', 'b')).toBe('b');
    expect(learner.navigate('continue')).toBe('noFlow');
    expect(learner.state.current).toBe('b');
  });

  it('previous leads back, but not before the first activity (SB.2.8)', () => {
    const learner = ofThree();
    learner.navigate('start');
    learner.navigate('continue');
    expect(learner.navigate('previous')).toBe('a');
    expect(learner.available().previous).toBe('nothingThere');
  });

  it('a cluster that goes forward only is entered at its begin, and left backward at once (SB.2.1)', () => {
    const forward = { controlMode: { flow: true, forwardOnly: true } };
    const learner = new Learner(
      cluster('course', flowing, a, cluster('way', forward, b, c), activity('d')),
    );
    learner.navigate('start');
    learner.navigate('continue');
    expect(learner.navigate('previous')).toBe('forwardOnly');
    learner.navigate('continue');
    learner.navigate('continue');
    expect(learner.navigate('previous')).toBe('b');
  });

  it('skipped activities are passed in both directions (SB.2.2, UP.2)', () => {
    const skipped = activity('b', { preConditionRules: [rule('skip', 'always')] });
    const learner = new Learner(cluster('course', flowing, a, skipped, c));
    learner.navigate('start');
    expect(learner.navigate('continue')).toBe('c');
    expect(learner.navigate('previous')).toBe('a');
  });

  it('a disabled activity stops the flow (SB.2.2-2)', () => {
    const disabled = activity('b', { preConditionRules: [rule('disabled', 'always')] });
    const learner = new Learner(cluster('course', flowing, a, disabled, c));
    learner.navigate('start');
    expect(learner.available().continue).toBe('disabled');
    expect(learner.navigate('continue')).toBe('disabled');
  });

  it('items that contain no content are no activities', () => {
    const empty = activity('empty', {}, { resource: null });
    const learner = new Learner(cluster('course', flowing, a, empty, b));
    learner.navigate('start');
    expect(learner.navigate('continue')).toBe('b');
  });

  it('a course of thousands of skipped activities is passed without recursion', () => {
    const rules = { preConditionRules: [rule('skip', 'always')] };
    const many = Array.from({ length: 5000 }, (_, n) => activity(`s${n}`, rules));
    const learner = new Learner(cluster('course', flowing, a, ...many, b));
    learner.navigate('start');
    expect(learner.navigate('continue')).toBe('b');
  });
});

describe('navigate, for choice', () => {
  const tree = (definition = {}, more = {}) =>
    new Learner(
      cluster(
        'course',
        { controlMode: { flow: true, ...definition } },
        cluster('one', { controlMode: { flow: true }, ...more }, a, b),
        cluster('two', flowing, c, activity('d')),
      ),
    );

  it('a choice of a cluster delivers its first activity (SB.2.9, 7)', () => {
    const learner = tree();
    learner.navigate('start');
    expect(learner.navigate('choice', 'two')).toBe('c');
    expect(learner.navigate('choice', 'course')).toBe('a');
  });

  it('the control mode choice decides about the children of a cluster (SB.2.9-4)', () => {
    const learner = tree({ choice: false });
    learner.navigate('start');
    const { choices } = learner.available();
    expect([choices['two'], choices['b'], choices['d']]).toEqual(['notChoosable', null, null]);
  });

  it('a choice of an unknown activity is refused, and changes nothing (NB.2.1-11)', () => {
    const learner = tree();
    learner.navigate('start');
    const before = learner.state;
    expect(learner.navigate('choice', 'unknown')).toBe('unavailable');
    expect(learner.state).toEqual(before);
  });

  it('a rule hides an activity and what is in it from choice (SB.2.9-3)', () => {
    const learner = tree({}, { preConditionRules: [rule('hiddenFromChoice', 'always')] });
    learner.navigate('choice', 'c');
    const { choices } = learner.available();
    expect([choices['one'], choices['a'], choices['d']]).toEqual(['hidden', 'hidden', null]);
  });

  it('an active cluster without choiceExit keeps the learner (NB.2.1-8)', () => {
    const learner = tree({}, { controlMode: { flow: true, choiceExit: false } });
    learner.navigate('start');
    const { choices } = learner.available();
    expect([choices['b'], choices['c'], choices['course']]).toEqual([
      null,
      'choiceExit',
      'choiceExit',
    ]);
    expect(learner.navigate('choice', 'c')).toBe('choiceExit');
    expect(learner.state.current).toBe('a');
  });

  it('an active activity without choiceExit allows no choice at all', () => {
    const stays = activity('a', { controlMode: { choiceExit: false } });
    const learner = new Learner(cluster('course', flowing, stays, b));
    learner.navigate('start');
    expect(Object.values(learner.available().choices)).toEqual(Array(3).fill('choiceExit'));
    expect(learner.available().continue).toBeNull();
  });

  it('a choice forward stops at stopForwardTraversal (SB.2.4-1)', () => {
    const stops = activity('b', {
      preConditionRules: [rule('stopForwardTraversal', 'completed', { not: true })],
    });
    const learner = new Learner(cluster('course', flowing, a, stops, c));
    learner.navigate('start');
    learner.navigate('continue');
    learner.report({ completion_status: 'incomplete' });
    expect(learner.available().choices).toMatchObject({ a: null, c: 'stopped' });
    learner.report({ completion_status: 'completed' });
    expect(learner.available().choices['c']).toBeNull();
  });

  it('a choice backward among siblings that go forward only is refused (SB.2.4-2)', () => {
    const learner = new Learner(
      cluster('course', { controlMode: { flow: true, forwardOnly: true } }, a, b, c),
    );
    learner.navigate('start');
    learner.navigate('continue');
    expect(learner.available().choices).toMatchObject({ a: 'forwardOnly', c: null });
  });

  it('preventActivation keeps choices out of a cluster that is not active (SB.2.9-6)', () => {
    const learner = tree({}, { constrainedChoice: { preventActivation: true } });
    learner.navigate('choice', 'c');
    expect(learner.available().choices).toMatchObject({ a: 'preventActivation', one: null });
    learner.navigate('choice', 'one');
    expect(learner.available().choices['b']).toBeNull();
  });

  it('constrainChoice allows choices next to the cluster only (SB.2.9-8)', () => {
    const near = { controlMode: { flow: true }, constrainedChoice: { constrainChoice: true } };
    const learner = new Learner(
      cluster(
        'course',
        flowing,
        activity('far'),
        activity('before'),
        cluster('here', near, a, b),
        activity('after'),
        activity('beyond'),
      ),
    );
    learner.navigate('choice', 'a');
    expect(learner.available().choices).toMatchObject({
      far: 'constrained',
      before: null,
      b: null,
      after: null,
      beyond: 'constrained',
    });
  });

  it('a jump reaches what cannot be chosen (SB.2.13)', () => {
    const learner = tree({ choice: false, flow: false }, {});
    expect(learner.navigate('choice', 'one')).toBe('notChoosable');
    expect(learner.navigate('jump', 'd')).toBe('d');
  });
});

describe('availableRequests', () => {
  it('choices in a course of many activities are evaluated when they are made', () => {
    const many = Array.from({ length: 5000 }, (_, n) =>
      activity(`s${n}`, { preConditionRules: [rule('stopForwardTraversal', 'always')] }),
    );
    const learner = new Learner(cluster('course', flowing, ...many));
    learner.navigate('start');
    expect(learner.available().choices['s2']).toBeNull();
    expect(learner.navigate('choice', 's2')).toBe('stopped');
  });
});

describe('navigate, for attempts', () => {
  it('an activity whose attempts are used up is not delivered (UP.1, DB.1.1)', () => {
    const limited = activity('a', { attemptLimit: 1 });
    const learner = new Learner(cluster('course', flowing, limited, b));
    learner.navigate('start');
    learner.navigate('continue');
    expect(learner.available()).toMatchObject({
      previous: 'noAttemptsLeft',
      choices: { a: 'noAttemptsLeft' },
    });
  });

  it('a suspended attempt resumes, although all attempts have begun (UP.1)', () => {
    const limited = activity('a', { attemptLimit: 1 });
    const learner = new Learner(cluster('course', flowing, limited, b));
    learner.navigate('start');
    learner.report({ exit: 'suspend' }, true);
    learner.navigate('continue');
    expect(learner.navigate('previous')).toBe('a');
    expect(learner.state.activities['a']).toMatchObject({ attempts: 1, suspended: false });
  });

  it('suspendAll ends the session, and resumeAll delivers the same activity (TB.2.3, SB.2.6)', () => {
    const learner = ofThree();
    learner.navigate('start');
    learner.navigate('continue');
    expect(learner.navigate('suspendAll')).toBe('ended');
    expect(learner.state).toMatchObject({ current: null, suspended: 'b' });
    expect(learner.navigate('resumeAll')).toBe('b');
    expect(learner.state.activities['b']?.attempts).toBe(1);
    expect(learner.state.suspended).toBeNull();
  });

  it('a choice instead of resumeAll forgets the suspension (DB.2.1)', () => {
    const learner = ofThree();
    learner.navigate('start');
    learner.navigate('suspendAll');
    expect(learner.navigate('choice', 'c')).toBe('c');
    expect(learner.state.activities['a']?.suspended).toBe(false);
    expect(learner.state.suspended).toBeNull();
  });

  it('exitAll ends the attempt on the course, so that a start begins another (TB.2.3)', () => {
    const learner = ofThree();
    learner.navigate('start');
    expect(learner.navigate('exitAll')).toBe('ended');
    expect(learner.navigate('start')).toBe('a');
    expect(learner.state.activities['course']?.attempts).toBe(2);
  });

  it('abandon leaves no result and stays in the session; abandonAll leaves it (TB.2.3)', () => {
    const learner = ofThree();
    learner.navigate('start');
    learner.report({ completion_status: 'completed', success_status: 'passed' });
    expect(learner.navigate('abandon')).toBe('nothing');
    expect(learner.state.activities['a']).toMatchObject({ active: false, objectives: {} });
    learner.navigate('choice', 'b');
    expect(learner.navigate('abandonAll')).toBe('ended');
  });

  it.each([
    'exit',
    'abandon',
    'exitAll',
    'abandonAll',
    'suspendAll',
    'continue',
    'previous',
  ] as const)('the request %s is refused outside of a session (NB.2.1)', (command) => {
    expect(ofThree().navigate(command)).toBe('notNow');
  });

  it('the requests start and resumeAll are refused inside of a session (NB.2.1)', () => {
    const learner = ofThree();
    learner.navigate('start');
    expect(learner.navigate('start')).toBe('notNow');
    expect(learner.navigate('resumeAll')).toBe('notNow');
  });
});

describe('navigate, for rules after an activity', () => {
  const after = (...postConditionRules: ReturnType<typeof rule>[]) =>
    new Learner(
      cluster(
        'course',
        flowing,
        cluster('one', flowing, activity('a', { postConditionRules }), b),
        c,
      ),
    );

  it.each([
    ['continue', 'b'],
    ['retry', 'a'],
    ['exitParent', 'c'],
    ['exitAll', 'ended'],
    ['retryAll', 'a'],
  ] as const)(
    'the post condition %s replaces the request of the learner (TB.2.2)',
    (action, next) => {
      const learner = after(rule(action, 'always'));
      learner.navigate('start');
      expect(learner.navigate(action === 'exitParent' ? 'continue' : 'exit')).toBe(next);
    },
  );

  it('the post condition previous leads back (TB.2.2)', () => {
    const back = activity('b', { postConditionRules: [rule('previous', 'always')] });
    const learner = new Learner(cluster('course', flowing, a, back));
    learner.navigate('start');
    learner.navigate('continue');
    expect(learner.navigate('continue')).toBe('a');
  });

  it('a suspended activity has no post conditions (TB.2.2)', () => {
    const learner = after(rule('exitAll', 'always'));
    learner.navigate('start');
    learner.report({}, true);
    expect(learner.navigate('continue')).toBe('b');
  });

  it('retryAll forgets global objectives that belong to one attempt on the course', () => {
    const again = activity('a', { postConditionRules: [rule('retryAll', 'satisfied')] });
    const learner = new Learner(cluster('course', flowing, again, b), {
      objectivesGlobalToSystem: false,
    });
    learner.in(({ state }) => (state.globals['shared'] = { success_status: 'passed' }));
    learner.navigate('start');
    expect(learner.state.globals).toEqual({});
  });

  it('an exit rule ends the cluster above before the next activity (TB.2.1)', () => {
    const exits = { ...flowing, exitConditionRules: [rule('exit', 'attempted')] };
    const learner = new Learner(cluster('course', flowing, cluster('one', exits, a, b), c));
    learner.navigate('start');
    expect(learner.navigate('continue')).toBe('c');
  });
});
