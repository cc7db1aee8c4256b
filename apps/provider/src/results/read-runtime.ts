import type { LearningStandard } from '../packages/course-structure.ts';
import type { Runtime, RuntimeData } from './runtime.ts';
import { readScorm12 } from './scorm-12-runtime.ts';
import { readScorm2004 } from './scorm-2004-runtime.ts';

/** Reads run-time data in the words of their standard. */
export const readRuntime = (standard: LearningStandard, data: RuntimeData): Runtime =>
  standard === 'SCORM12' ? readScorm12(data) : readScorm2004(data);
