import { describe, expect, it } from 'vitest';
import { beginSession } from './begin-session.ts';
import { activity, cluster, flowing, Learner, nameOf } from './sequencing.fixture.ts';

const parts = () => ['a', 'b'].map((id) => activity(id));
const begin = (learner: Learner, hasEnded = false) =>
  learner.in((session) => nameOf(beginSession(session, hasEnded, null)));

describe('beginSession', () => {
  it('starts a course, and resumes one that was suspended', () => {
    const learner = new Learner(cluster('course', flowing, ...parts()));
    expect(begin(learner)).toBe('a');
    learner.navigate('continue');
    learner.navigate('suspendAll');
    expect(begin(learner)).toBe('b');
  });

  it('resumes the activity whose window was closed', () => {
    const learner = new Learner(cluster('course', flowing, ...parts()));
    begin(learner);
    learner.navigate('continue');
    expect(begin(learner)).toBe('b');
    expect(learner.state.activities['b']?.attempts).toBe(1);
  });

  it('goes on after an activity whose content had ended when the window was closed', () => {
    const learner = new Learner(cluster('course', flowing, ...parts()));
    begin(learner);
    learner.report({ completion_status: 'completed' });
    expect(begin(learner, true)).toBe('b');
  });

  it('begins another attempt on the course after its last activity', () => {
    const learner = new Learner(cluster('course', flowing, ...parts()));
    begin(learner);
    learner.navigate('continue');
    learner.report({ completion_status: 'completed' });
    expect(begin(learner, true)).toBe('a');
    expect(learner.state.activities['course']?.attempts).toBe(2);
  });

  it('leaves the choice to the learner where the course has no flow', () => {
    const learner = new Learner(cluster('course', {}, ...parts()));
    expect(begin(learner)).toBe('noFlow');
    learner.navigate('choice', 'a');
    expect(begin(learner, true)).toBe('nothing');
    expect(learner.available().choices['b']).toBeNull();
  });

  it('begins again where nothing can be chosen', () => {
    const only = { controlMode: { choice: false, flow: false } };
    const learner = new Learner(cluster('course', only, ...parts()));
    learner.navigate('jump', 'a');
    expect(begin(learner, true)).toBe('noFlow');
    expect(learner.state.current).toBeNull();
  });
});
