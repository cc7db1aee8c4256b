import type { LearningStandard } from '../packages/course-structure.ts';
import type { RuntimeData } from '../results/runtime.ts';

/** What is stored of a SCO when it is opened again. */
export interface StoredAttempt {
  readonly attempts: number;
  readonly suspended: boolean;
  readonly runtime: RuntimeData;
}

/** How a SCO begins this time. */
export interface Beginning {
  readonly attempts: number;
  /** The data model's word for it (`entry`). */
  readonly entry: 'ab-initio' | 'resume' | '';
  /** What the content finds of earlier sessions. */
  readonly runtime: RuntimeData;
}

/**
 * How a SCO begins: an attempt that was suspended, or whose window was closed, goes on. After one
 * that ended for good a new attempt begins: in SCORM 2004 with nothing in its data (RTE 2.1.1), in
 * SCORM 1.2, which knows no such reset, with the data as they are.
 */
export function beginAttempt(
  standard: LearningStandard,
  stored: StoredAttempt | undefined,
): Beginning {
  if (!stored) return { attempts: 1, entry: 'ab-initio', runtime: {} };
  const { attempts, suspended, runtime } = stored;
  if (suspended) {
    const isUntouched = Object.keys(runtime).length === 0;
    return { attempts, entry: isUntouched ? 'ab-initio' : 'resume', runtime };
  }
  return standard === 'SCORM12'
    ? { attempts: attempts + 1, entry: '', runtime }
    : { attempts: attempts + 1, entry: 'ab-initio', runtime: {} };
}
