import type { Departure } from '../departure.ts';
import type { Standard } from '../standards.ts';
import type { Cells } from '../table.ts';

/** One thing that content does: a small package, left once and opened again to see what has come back. */
export interface Trait {
  readonly name: string;
  readonly standards: readonly Standard[];
  /**
   * The script of the content. It calls `ready(answer)` with what the button of the page does. `keep(lms)` stores the
   * location and the suspend data, `result(lms)` also a passed result with 80 points.
   */
  readonly script: string;
  /** The suspend data, as an expression of JavaScript. */
  readonly suspendData?: string;
  /** Scripts of further pages, by path. */
  readonly pages?: Readonly<Record<string, string>>;
  /** The frames and windows within the frame of the part, which the button is in. */
  readonly frames?: readonly string[];
  readonly departure: Departure;
  /** Where the cells differ from those of a passed course whose time is one session and whose data come back. */
  readonly expected?: Partial<Cells> | ((standard: Standard) => Partial<Cells>);
  /** The ids of interactions and objectives that the provider stores. */
  readonly ids?: readonly string[];
}

/** Both standards, the newest edition for 2004. */
export const both: readonly Standard[] = ['1.2', '2004 4th Edition'];

/** The script that all content of traits has. */
export const traitScript = ({ suspendData = `'answers: a,b'` }: Trait): string => `
  kept = { location: 'page 3', suspendData: ${suspendData} };
  const ready = (answer) => {
    document.body.innerHTML = '<button>Answer</button>';
    document.querySelector('button').onclick = answer;
  };
  const begin = () => {
    const lms = connect(window);
    lms.start();
    resume(lms);
    return lms;
  };
  const time = (lms) => lms.set(el.sessionTime, isOld ? '0000:01:30.50' : 'PT1M30.5S');
  const keep = (lms) => {
    lms.set(el.location, kept.location);
    lms.set('cmi.suspend_data', kept.suspendData);
  };
  const result = (lms) => {
    keep(lms);
    setScore(lms, 80, 100);
    setStatus(lms, 'completed', 'passed');
    time(lms);
    lms.set(el.exit, 'suspend');
  };
  const once = (work) => { let isDone = false; return () => { if (!isDone) { isDone = true; work(); } }; };
`;
