/**
 * Shows the OpenAPI document of a format, ready to be tried out. Fields are prefilled with the examples of the
 * document, and with nothing where it has none. After Authorize, paths of reads are prefilled with items that the
 * reader's own access reaches; paths of changes only with items that were created on the page, so that nobody
 * changes or removes an item by trying an operation out.
 */
const format = document.getElementById('format');

/** The document, with the items by resource, such as `course`, that prefill its fields. */
const shown = { document: {}, items: {}, created: {} };

const operationsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

const resourceOf = (path) => path.split(/[/.]/)[1];

/** Some operations of existing clients change items with GET. */
const isRead = ({ method, operation }) =>
  method === 'get' && !operation.tags.includes('existing-clients');

/** Lists all access modes, where generated clients get one, and forms first, because they have a field for each parameter. */
function forReaders(openApi) {
  for (const { operation } of operationsOf(openApi)) {
    operation.security = operation['x-access-modes'] ?? openApi['x-access-modes'];
    const { content } = operation.requestBody ?? {};
    const form = 'application/x-www-form-urlencoded';
    if (content?.[form]) operation.requestBody.content = { [form]: content[form], ...content };
    // Swagger UI takes a text with a media type for a file.
    for (const { schema } of Object.values(content ?? {})) {
      for (const property of Object.values(schema.properties)) {
        if (property.contentMediaType === 'application/json') delete property.contentMediaType;
      }
    }
  }
  return openApi;
}

/** The lists that items are taken from, with the field that names an item in paths. */
const lists = {
  course: ['course_guid', ''],
  registration: ['registration_guid', '&last_only=t'],
  invitation: ['id', ''],
  realm_user: ['id', ''],
  template: ['id', ''],
};

/** The first item of a list. The rest of the list is not read. */
async function firstItem(resource, { headers, parameters }) {
  const [field, filters] = lists[resource];
  const root = shown.document.servers[0].url;
  const address = `${root}/${resource}.json?fields=${field}${filters}&${parameters}`;
  const response = await fetch(address, { headers });
  if (!response.ok) return undefined;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let record = null;
  while (!record) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    record = /\{[^}]*\}/.exec(text);
  }
  await reader.cancel();
  return record ? JSON.parse(record[0])[field] : undefined;
}

/** Prefills paths with items, and `course_guid` with a course. */
function prefill() {
  for (const each of operationsOf(shown.document)) {
    const { parameters, requestBody } = each.operation;
    const resource = resourceOf(each.path);
    const item = shown.created[resource] ?? (isRead(each) ? shown.items[resource] : undefined);
    for (const parameter of parameters) {
      if (parameter.in === 'path' && item !== undefined) parameter.example = item;
    }
    const { course } = shown.items;
    const form = requestBody?.content['application/x-www-form-urlencoded']?.schema.properties;
    if (course === undefined || !form) continue;
    if (form.course_guid?.examples) form.course_guid.examples = [course];
    if (form.course_guids?.examples) form.course_guids.examples = [JSON.stringify([course])];
  }
}

/** Shows changed examples. As text, the document would be parsed anew, after which open operations lose their responses. */
function showPrefilled() {
  prefill();
  ui.specActions.updateJsonSpec(shown.document);
}

/** The access that the page has, as headers and parameters. */
function readersAccess() {
  const { bearer, basic, ...others } = ui.authSelectors.authorized().toJS();
  const headers = {};
  if (bearer) headers.Authorization = `Bearer ${bearer.value}`;
  if (basic)
    headers.Authorization = `Basic ${btoa(`${basic.value.username}:${basic.value.password}`)}`;
  const parameters = new URLSearchParams(
    Object.entries(others).map(([name, { value }]) => [name, value]),
  );
  return { headers, parameters };
}

/** Finds items of the reader, with the access that the page has. */
async function findItems() {
  const access = readersAccess();
  if (!access.headers.Authorization && access.parameters.size === 0) return;
  const found = await Promise.all(
    Object.keys(lists).map(async (resource) => [resource, await firstItem(resource, access)]),
  );
  shown.items = Object.fromEntries(found.filter(([, item]) => item !== undefined));
  showPrefilled();
  document.getElementById('items').textContent = 'Prefilled with items that your access reaches.';
}

async function show() {
  const response = await fetch(format.value);
  shown.document = forReaders(await response.json());
  ui.specActions.updateUrl(format.value);
  prefill();
  ui.specActions.updateSpec(JSON.stringify(shown.document));
}

/** Prefills paths with an item that the reader has created. */
function keepCreated(path, { status, headers, text }) {
  const list = lists[resourceOf(path)];
  if (status !== 201 || !list || !headers['content-type'].includes('json')) return;
  const [field] = list;
  shown.created[resourceOf(path)] = JSON.parse(text)[field];
  showPrefilled();
}

/** Finds items when the reader has authorized, and keeps each item that the reader creates. */
const readersItems = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (original) => (payload) => {
          const result = original(payload);
          void findItems();
          return result;
        },
      },
    },
    spec: {
      wrapActions: {
        setResponse: (original) => (path, method, response) => {
          keepCreated(path, response);
          return original(path, method, response);
        },
      },
    },
  },
});

/** Swagger UI would make up a value for each field of a form, and send the empty ones. */
const prefillExamplesOnly = () => ({
  afterLoad() {
    const sample = this.fn.getSampleSchema;
    // For a field of a form, in place of a media type, Swagger UI passes false.
    this.fn.getSampleSchema = (schema, mediaType, ...more) =>
      mediaType === false && !schema.has('examples') ? '' : sample(schema, mediaType, ...more);
  },
  wrapComponents: {
    ParameterIncludeEmpty:
      (Original, { React }) =>
      (properties) =>
        React.createElement(Original, { ...properties, isIncludedOptions: {} }),
  },
});

/** Shows `x-codeSamples` before the responses of an operation. */
const codeSamples = () => ({
  wrapComponents: {
    responses: (Original, { React, specSelectors }) => {
      const { createElement, Fragment, useState } = React;
      function Samples({ samples }) {
        const [selected, select] = useState(0);
        const tabs = samples.map(({ label }, index) =>
          createElement(
            'button',
            {
              key: label,
              type: 'button',
              role: 'tab',
              'aria-selected': index === selected,
              onClick: () => select(index),
            },
            label,
          ),
        );
        return createElement(
          'section',
          { className: 'samples', 'aria-label': 'Code samples' },
          createElement('div', { role: 'tablist' }, tabs),
          createElement('pre', null, createElement('code', null, samples[selected].source)),
        );
      }
      return (properties) => {
        const { path, method } = properties;
        const samples = specSelectors.specJson().getIn(['paths', path, method, 'x-codeSamples']);
        return createElement(
          Fragment,
          null,
          samples && createElement(Samples, { samples: samples.toJS() }),
          createElement(Original, properties),
        );
      };
    },
  },
});

/** Asks for the reason of an error, too (contract/errors#problems). */
function acceptProblem(request) {
  if (!request.loadSpec) {
    const { accept = '*/*' } = request.headers;
    request.headers.accept = `${accept}, application/problem+json`;
  }
  return request;
}

const ui = SwaggerUIBundle({
  spec: {},
  dom_id: '#reference',
  validatorUrl: null,
  tryItOutEnabled: true,
  requestInterceptor: acceptProblem,
  plugins: [readersItems, prefillExamplesOnly, codeSamples],
});
format.addEventListener('change', () => void show());
// They repeat other operations.
ui.layoutActions.show(['operations-tag', 'existing-clients'], false);
await show();
