/* global window */

/**
 * The run-time environment of one opened SCO: the API object that its content finds, with the data
 * that it begins with.
 *
 * @typedef {object} RunTime
 * @property {() => object} data the data model as it is now, with the whole time so far
 * @property {() => boolean} ended whether the content has ended its session for good
 * @property {() => void} offer puts the API object where content looks for it
 * @property {() => void} remove takes the API object away
 */

/** @typedef {{ command: string, target: string | null }} Request where content wants to go */

const standards = {
  SCORM12: {
    load: async () => (await import('./scorm-12.js')).Scorm12API,
    global: 'API',
    set: 'LMSSetValue.cmi.*',
    commit: 'LMSCommit',
    end: 'LMSFinish',
    requestOf: (api) => api.nav.event,
    allow: () => undefined,
  },
  SCORM2004: {
    load: async () => (await import('./scorm-2004.js')).Scorm2004API,
    global: 'API_1484_11',
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
 * Makes the run-time environment of a SCO.
 *
 * @param {string} standard as the course tells it
 * @param {object} data the data model to begin with
 * @param {{ next?: string, previous?: string }} ways the parts before and after this one
 * @param {string[]} activities all parts that content may ask for
 * @param {{ changed: () => void, committed: () => void, ended: (request: Request | null) => void }} on
 * @returns {Promise<RunTime>}
 */
export async function makeRunTime(standard, data, ways, activities, on) {
  const words = standard === 'SCORM12' ? standards.SCORM12 : standards.SCORM2004;
  const Api = await words.load();
  const api = new Api({ logLevel: 'NONE', scoItemIds: activities });
  words.allow(api, ways);
  api.loadFromJSON(data);
  let request = null;
  let ended = false;
  api.on(words.set, on.changed);
  api.on(words.commit, on.committed);
  // Once the session has ended, the request is gone.
  api.on('BeforeTerminate', () => (request = readRequest(words.requestOf(api))));
  api.on(words.end, () => {
    // Who suspends the whole course comes back to this part, whatever it says of itself.
    ended = request?.command !== 'suspendAll';
    on.ended(request);
  });
  return {
    data: () => api.renderCommitCMI(true).cmi,
    ended: () => ended,
    offer: () => (window[words.global] = api),
    remove: () => delete window[words.global],
  };
}

/** @returns {Request | null} */
function readRequest(text) {
  const [, target, command] = /^(?:\{target=([^}]*)\})?(\w+)$/.exec(text ?? '') ?? [];
  return command && command !== '_none_' ? { command, target: target ?? null } : null;
}
