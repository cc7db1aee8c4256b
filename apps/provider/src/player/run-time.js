import { makeContentApi } from './content-api.js';

/**
 * The run-time environment of one opened part: the API object that its content uses.
 *
 * @typedef {object} RunTime
 * @property {() => object} data returns the current data model, with the total time so far
 * @property {() => boolean} ended whether the content has ended its session without suspending it
 * @property {() => void} install makes the API object available to the content
 * @property {() => void} uninstall removes the API object
 */

/** @typedef {{ command: string, target: string | null }} Request a navigation request of content */

/**
 * What content sees of its course.
 *
 * @typedef {object} Surroundings
 * @property {() => { continue: string | null, previous: string | null, choices: Record<string, string | null> }} available
 *   which navigation requests are valid: null, or why one is not
 * @property {{ id: string, store: string, read: boolean, write: boolean }[]} sharedData `adl.data`
 * @property {() => void} changed called when content has changed data
 */

const standards = {
  SCORM12: {
    load: async () => (await import('./scorm-12.js')).Scorm12API,
    global: 'API',
    initialize: 'LMSInitialize',
    set: 'LMSSetValue.cmi.*',
    commit: 'LMSCommit',
    end: 'LMSFinish',
    requestOf: (api) => readRequest(api.nav.event),
  },
  SCORM2004: {
    load: async () => (await import('./scorm-2004.js')).Scorm2004API,
    global: 'API_1484_11',
    initialize: 'Initialize',
    set: 'SetValue.cmi.*',
    commit: 'Commit',
    end: 'Terminate',
    // Content whose time is over, or that logs out, leaves the course (SCORM 2004 RTE 4.2.8).
    requestOf: (api) =>
      ['time-out', 'logout'].includes(api.renderCommitCMI(true).cmi.exit)
        ? { command: 'exitAll', target: null }
        : readRequest(api.adl.nav.request),
  },
};

/**
 * Makes the run-time environment of a part. Assets get one too: their content may use it by mistake.
 *
 * @param {string} standard the course's `courseLearningStandard`
 * @param {object} initial the initial data model
 * @param {Surroundings} surroundings
 * @param {{ initialized: () => void, committed: () => void, movesOn: () => boolean, ended: (request: Request | null) => void }} callbacks
 *   `movesOn` returns whether the learner has left the part for another one, so that requests of its
 *   content do not count
 * @returns {Promise<RunTime>}
 */
export async function makeRunTime(standard, initial, surroundings, callbacks) {
  const generation = standard === 'SCORM12' ? 'SCORM12' : 'SCORM2004';
  const definition = standards[generation];
  const Api = await definition.load();
  const scoItemIds = Object.keys(surroundings.available().choices);
  const api = new Api({ logLevel: 'NONE', scoItemIds });
  const { content, load, data } = makeContentApi(api, generation, surroundings);
  load(initial);
  let request = null;
  let ended = false;
  api.on(definition.initialize, callbacks.initialized);
  api.on(definition.set, surroundings.changed);
  api.on(definition.commit, callbacks.committed);
  // The library clears the request when the session ends.
  api.on('BeforeTerminate', () => (request = definition.requestOf(api)));
  api.on(definition.end, () => {
    // suspendAll suspends this part too, whatever its own exit value is.
    ended = request?.command !== 'suspendAll' || callbacks.movesOn();
    callbacks.ended(request);
  });
  return {
    data,
    ended: () => ended,
    install: () => (window[definition.global] = content),
    uninstall: () => delete window[definition.global],
  };
}

/** @returns {Request | null} */
function readRequest(text) {
  const [, target, command] = /^(?:\{target=([^}]*)\})?(\w+)$/.exec(text ?? '') ?? [];
  return command && command !== '_none_' ? { command, target: target ?? null } : null;
}
