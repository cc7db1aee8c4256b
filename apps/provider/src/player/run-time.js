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

const standards = {
  SCORM12: {
    load: async () => (await import('./scorm-12.js')).Scorm12API,
    global: 'API',
    initialize: 'LMSInitialize',
    set: 'LMSSetValue.cmi.*',
    commit: 'LMSCommit',
    end: 'LMSFinish',
    requestOf: (api) => api.nav.event,
    allow: () => undefined,
  },
  SCORM2004: {
    load: async () => (await import('./scorm-2004.js')).Scorm2004API,
    global: 'API_1484_11',
    initialize: 'Initialize',
    set: 'SetValue.cmi.*',
    commit: 'Commit',
    end: 'Terminate',
    requestOf: (api) => api.adl.nav.request,
    allow: (api, { next, previous }) => {
      api.adl.nav.request_valid.continue = String(next !== undefined);
      api.adl.nav.request_valid.previous = String(previous !== undefined);
    },
  },
};

/**
 * Makes the run-time environment of a part. Assets get one too: their content may use it by mistake.
 *
 * @param {string} standard the course's `courseLearningStandard`
 * @param {object} initial the initial data model
 * @param {{ next?: string, previous?: string }} neighbors the parts before and after this one
 * @param {string[]} activities all parts that content may navigate to
 * @param {{ initialized: () => void, changed: () => void, committed: () => void, ended: (request: Request | null) => void }} callbacks
 * @returns {Promise<RunTime>}
 */
export async function makeRunTime(standard, initial, neighbors, activities, callbacks) {
  const generation = standard === 'SCORM12' ? 'SCORM12' : 'SCORM2004';
  const definition = standards[generation];
  const Api = await definition.load();
  const api = new Api({ logLevel: 'NONE', scoItemIds: activities });
  definition.allow(api, neighbors);
  const { content, load, data } = makeContentApi(api, generation, activities);
  load(initial);
  let request = null;
  let ended = false;
  api.on(definition.initialize, callbacks.initialized);
  api.on(definition.set, callbacks.changed);
  api.on(definition.commit, callbacks.committed);
  // The library clears the request when the session ends.
  api.on('BeforeTerminate', () => (request = readRequest(definition.requestOf(api))));
  api.on(definition.end, () => {
    // suspendAll suspends this part too, whatever its own exit value is.
    ended = request?.command !== 'suspendAll';
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
