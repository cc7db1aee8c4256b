/**
 * The variables that a suite passes on to the programs it starts, which inherit none of its settings. They share the
 * compile cache of the run.
 */
export const programEnvironment = (): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
});
