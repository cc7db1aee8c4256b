export * from './describe-course-provider-port.ts';
