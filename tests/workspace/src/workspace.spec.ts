import { describe, expect, it } from 'vitest';
import { affectedTasks, nx, readProjects } from './nx.fixture.ts';

describe('The project graph', () => {
  it('the project graph has no cycle, and every project has a tag that the lint rule knows', async () => {
    const projects = (await readProjects()).filter(({ name }) => name !== 'registrar');
    // Removes projects that use none of the rest, again and again: a cycle would remain.
    let rest = projects;
    for (let before = -1; before !== rest.length;) {
      before = rest.length;
      rest = rest.filter(({ uses }) => uses.some((used) => rest.some(({ name }) => name === used)));
    }

    expect(rest.map(({ name }) => name)).toEqual([]);
    expect(
      projects
        .filter(({ tags }) => !tags.some((tag) => /^(type|layer|reach):/.test(tag)))
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it('runs the suites of the gateway, and none of the crawler, after a change in libs/formats', async () => {
    const tasks = await affectedTasks('libs/formats/src/index.ts');

    expect(tasks).toEqual(
      expect.arrayContaining(['@registrar/formats:test', '@registrar/gateway:test']),
    );
    expect(tasks.filter((task) => /crawler:test/.test(task))).toEqual([]);
  });
});

describe('A task', () => {
  it('a task is served from the cache when it runs a second time', async () => {
    // A task without outputs: a restored build would replace files that other suites are loading.
    const format = ['run', 'registrar:format'];
    await nx(...format);

    expect(await nx(...format)).toMatch(/read the output from the cache/);
  });
});
