import { choiceSetting, type Setting } from './setting.ts';

/** What the player does when content has ended its session. UNDEFINED: leaves a course of one part, else shows a message. */
export const exitActions = [
  'UNDEFINED',
  'EXIT_COURSE',
  'EXIT_COURSE_AFTER_CONFIRM',
  'GO_TO_NEXT_SCO',
  'DISPLAY_MESSAGE',
  'DO_NOTHING',
] as const;
export type ExitAction = (typeof exitActions)[number];

/** Where content is in its course, and the result there: its own, or for the last part that of the course. */
const standings = {
  IntermediateScoSatisfied: 'a part before the last one, which is satisfied,',
  IntermediateScoNotSatisfied: 'a part before the last one, which is not satisfied,',
  FinalScoCourseSatisfied: 'the last part of a course that is satisfied',
  FinalScoCourseNotSatisfied: 'the last part of a course that is not satisfied',
};
const exits = {
  Normal: 'without an exit value',
  Suspend: 'to be resumed',
  Logout: 'with the exit value logout',
  Timeout: 'because its time is over',
};

type Standing = keyof typeof standings;
type Exit = keyof typeof exits;
type ExitActionId = `Player${Standing}${Exit}ExitAction`;

/** How content ended its session. */
export interface ContentExit {
  /** It is the last part of the course. */
  readonly isFinal: boolean;
  /** The part is passed, or completed and not failed; if it is the last one, the course. */
  readonly isSatisfied: boolean;
  /** `cmi.core.exit` or `cmi.exit`. */
  readonly exit: string;
}

const exitOf = new Map<string, Exit>([
  ['suspend', 'Suspend'],
  ['logout', 'Logout'],
  ['time-out', 'Timeout'],
]);

/** The setting that says what follows. */
export function exitActionId({ isFinal, isSatisfied, exit }: ContentExit): ExitActionId {
  const part = isFinal ? 'FinalScoCourse' : 'IntermediateSco';
  const satisfied = isSatisfied ? 'Satisfied' : 'NotSatisfied';
  return `Player${part}${satisfied}${exitOf.get(exit) ?? 'Normal'}ExitAction`;
}

/** What the player does in a course without sequencing when content ends its session: sixteen settings. */
export const exitActionSettings = Object.fromEntries<Setting>(
  Object.entries(standings).flatMap(([standing, where]) =>
    Object.entries(exits).map(([exit, how]) => [
      `Player${standing}${exit}ExitAction`,
      choiceSetting(`What follows when the content of ${where} ends ${how}.`, exitActions),
    ]),
  ),
) as Record<ExitActionId, Setting>;
