export { describeIsolationAndScale } from './describe-isolation-and-scale.ts';
export { describeReadme } from './readme.ts';
export { describeSystem } from './describe-system.ts';
