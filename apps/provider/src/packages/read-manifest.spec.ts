import { describe, expect, it } from 'vitest';
import { type SampleCourseName, buildSamplePackage } from '@registrar/sample-courses';
import { makeManifest, makeZip, withDescriptor } from '../testing/make-package.ts';
import { launchablesOf } from './course-structure.ts';
import { Findings } from './findings.ts';
import { openPackage } from './open-package.ts';
import { packageLimits } from './package-limits.ts';
import { readManifest } from './read-manifest.ts';

const readWhole = (zip: Buffer) =>
  withDescriptor(zip, async (file) => {
    const findings = new Findings();
    const coursePackage = await openPackage(file, packageLimits, findings);
    const structure = await readManifest(coursePackage, findings);
    return { structure, warnings: findings.warnings() };
  });
const read = async (zip: Buffer) => (await readWhole(zip)).structure;

const readSample = async (name: SampleCourseName) => read(await buildSamplePackage(name));

const readMade = async (manifest: string | Buffer, files: Record<string, string> = {}) =>
  read(await makeZip({ 'imsmanifest.xml': manifest, 'page.html': '', ...files }));

const page = '<resource identifier="page" adlcp:scormtype="sco" href="page.html"/>';
const item = '<item identifier="item" identifierref="page"><title>Page</title></item>';

const repeat = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join('');
const numbersTo = (end: number) => repeat(end, (n) => `${n} `);
/** A manifest with so many more elements or texts. */
const withMany = (part: string, count: number) =>
  makeManifest(item, page).replace('</manifest>', `<a>${part.repeat(count)}</a></manifest>`);

const pages = { 'page.html': '' };

/** The warnings of a manifest, and of the files beside it. */
const warningsOf = async (manifest: string, files: Record<string, string> = {}) =>
  (
    await readWhole(
      await makeZip({
        'imsmanifest.xml': manifest,
        'api.js': 'API.LMSInitialize("")',
        ...pages,
        ...files,
      }),
    )
  ).warnings;

describe('warnings of readManifest', () => {
  it('warnings of readManifest are none for a manifest that is obeyed', async () => {
    expect(await warningsOf(makeManifest(item, page))).toEqual([]);
    const sequencing = `<imsss:sequencing><imsss:controlMode choice="false" flow="true"/>
      <imsss:sequencingRules><imsss:preConditionRule/></imsss:sequencingRules>
      <imsss:limitConditions attemptLimit="2" attemptAbsoluteDurationLimit="PT1H"/>
      <imsss:deliveryControls tracked="false"/></imsss:sequencing>`;
    const sequenced = item.replace('</item>', `${sequencing}</item>`);
    expect(await warningsOf(makeManifest(sequenced, page, '2004 4th Edition'))).toEqual([]);
    const old = item.replace('</item>', '<adlcp:masteryscore>80</adlcp:masteryscore></item>');
    expect(await warningsOf(makeManifest(old, page))).toEqual([]);
  });

  it('warnings of readManifest name organizations that are not imported', async () => {
    const manifest = makeManifest(item, page).replace(
      '</organizations>',
      '<organization identifier="other"><title>Other</title></organization></organizations>',
    );
    expect(await warningsOf(manifest)).toEqual(['Only one of the organizations is imported.']);
  });

  it.each([
    ['<imsss:limitConditions endTimeLimit="2027-01-01"/>', 'Limits of time'],
    [
      '<imsss:auxiliaryResources><imsss:auxiliaryResource/></imsss:auxiliaryResources>',
      'Auxiliary',
    ],
  ])(
    'warnings of readManifest name %s of SCORM 2004, also of shared sequencing',
    async (element, warning) => {
      const expected = [expect.stringContaining(warning)];
      const inItem = (sequencing: string) =>
        makeManifest(item.replace('</item>', `${sequencing}</item>`), page, '2004 4th Edition');
      const own = inItem(`<imsss:sequencing>${element}</imsss:sequencing>`);
      expect(await warningsOf(own)).toEqual(expected);
      const shared = inItem('<imsss:sequencing IDRef="shared"/>').replace(
        '</manifest>',
        `<imsss:sequencingCollection><imsss:sequencing ID="shared">${element}</imsss:sequencing>
       </imsss:sequencingCollection></manifest>`,
      );
      expect(await warningsOf(shared)).toEqual(expected);
      const ofCourse = makeManifest(item, page, '2004 4th Edition').replace(
        '</organization>',
        `<imsss:sequencing>${element}</imsss:sequencing></organization>`,
      );
      expect(await warningsOf(ofCourse)).toEqual([expect.stringMatching(/ \(org\)\.$/)]);
    },
  );

  it('warnings of readManifest name few items, and shorten their identifiers', async () => {
    const items = Array.from(
      { length: 300 },
      (_, at) => `<item identifier="${'long'.repeat(40)}${at}" identifierref="page">
        <imsss:sequencing><imsss:limitConditions beginTimeLimit="2027-01-01"/></imsss:sequencing></item>`,
    );
    const [warning = '', ...others] = await warningsOf(makeManifest(items.join(''), page));
    expect(others).toEqual([]);
    expect(warning).toMatch(/^Limits of time .* and 295 more\)\.$/);
    expect(warning.length).toBeLessThan(500);
  });

  it('warnings of readManifest name assets whose page, or a script of it, calls the API', async () => {
    const asset = page.replace('"sco"', '"asset"');
    const manifest = makeManifest(item, asset);
    const expected = [
      'Marked as an asset, but calls the API: completed as soon as it is opened (item).',
    ];
    const call = '<script>API.LMSInitialize("")</script>';
    expect(await warningsOf(manifest, { 'page.html': call })).toEqual(expected);
    const scripts = '<script src="https://example.com/a.js"></script><script src="js/api.js?1">';
    const inScript = { 'page.html': scripts, 'js/api.js': 'window.parent.API_1484_11' };
    expect(await warningsOf(manifest, inScript)).toEqual(expected);
    const unused = { 'page.html': '<p>LMS</p>', 'js/api.js': 'window.parent.API_1484_11' };
    expect(await warningsOf(manifest, unused)).toEqual([]);
    expect(await warningsOf(makeManifest(item, page), { 'page.html': call })).toEqual([]);
  });
});

describe('readManifest for SCORM 1.2', () => {
  it('reads the sample course first-aid-basics', async () => {
    const course = await readSample('first-aid-basics');
    expect(course).toMatchObject({
      standard: 'SCORM12',
      metadata: {
        title: 'First aid basics',
        description: expect.stringContaining('first minutes'),
        typicalTime: '00:10:00',
        keywords: ['first aid', 'safety'],
      },
      root: {
        id: 'course',
        title: 'First aid basics',
        resource: null,
        children: [
          {
            id: 'lesson',
            masteryScore: 80,
            resource: { id: 'lesson-files', href: 'index.html', type: 'SCO' },
          },
        ],
      },
    });
  });

  it('reads parameters, time limits and launch data of items', async () => {
    const course = await readMade(
      makeManifest(
        `<item identifier="chapter"><title>Chapter</title>
          <item identifier="one" identifierref="page" parameters="?a=1" isvisible="false">
            <title>One</title><adlcp:datafromlms>start here</adlcp:datafromlms>
            <adlcp:maxtimeallowed>00:30:00</adlcp:maxtimeallowed>
            <adlcp:timelimitaction>exit,message</adlcp:timelimitaction>
          </item>
        </item>`,
        page,
      ),
    );
    expect(course.root.children[0]).toMatchObject({ id: 'chapter', resource: null });
    expect(launchablesOf(course.root)).toMatchObject([
      {
        id: 'one',
        visible: false,
        launchData: 'start here',
        maxTimeAllowed: '00:30:00',
        timeLimitAction: 'exit,message',
        masteryScore: null,
        resource: { href: 'page.html?a=1' },
      },
    ]);
  });
});

describe('readManifest for SCORM 2004', () => {
  it('reads the sample course fire-safety', async () => {
    const course = await readSample('fire-safety');
    expect(course).toMatchObject({
      standard: 'SCORM20044THEDITION',
      metadata: { typicalTime: 'PT12M', keywords: ['fire safety', 'evacuation'] },
      root: { title: 'Fire safety at work' },
    });
    expect(launchablesOf(course.root)).toMatchObject([
      { id: 'prevention', scaledPassingScore: 0.5, resource: { href: 'prevention/index.html' } },
      { id: 'evacuation', scaledPassingScore: 0.6, resource: { href: 'evacuation/index.html' } },
    ]);
  });

  it('reads completion thresholds and passing scores, also from shared sequencing', async () => {
    const course = await readMade(
      makeManifest(
        `<item identifier="a" identifierref="page"><adlcp:completionThreshold completedByMeasure="true" minProgressMeasure="0.7"/></item>
         <item identifier="b" identifierref="page"><adlcp:completionThreshold>0.4</adlcp:completionThreshold>
           <adlcp:dataFromLMS>b-data</adlcp:dataFromLMS></item>
         <item identifier="c" identifierref="page"><adlcp:completionThreshold minProgressMeasure="0.7"/><imsss:sequencing IDRef="shared"/></item>`,
        page,
        '2004 4th Edition',
      ).replace(
        '</manifest>',
        `<imsss:sequencingCollection><imsss:sequencing ID="shared">
           <imsss:limitConditions attemptAbsoluteDurationLimit="PT1H"/>
           <imsss:objectives><imsss:primaryObjective objectiveID="o" satisfiedByMeasure="true"/></imsss:objectives>
         </imsss:sequencing></imsss:sequencingCollection></manifest>`,
      ),
    );
    expect(launchablesOf(course.root)).toMatchObject([
      { id: 'a', completionThreshold: 0.7, scaledPassingScore: null },
      { id: 'b', completionThreshold: 0.4, launchData: 'b-data' },
      { id: 'c', completionThreshold: null, scaledPassingScore: 1, maxTimeAllowed: 'PT1H' },
    ]);
  });

  it('reads primary and secondary objectives with their measures and maps', async () => {
    const course = await readMade(
      makeManifest(
        `<item identifier="a" identifierref="page"><imsss:sequencing>
           <imsss:objectives>
             <imsss:primaryObjective objectiveID="main" satisfiedByMeasure="true">
               <imsss:minNormalizedMeasure>0.8</imsss:minNormalizedMeasure>
             </imsss:primaryObjective>
             <imsss:objective objectiveID="rules">
               <imsss:mapInfo targetObjectiveID="course.rules" readSatisfiedStatus="false"
                 writeSatisfiedStatus="true"/>
             </imsss:objective>
           </imsss:objectives>
           <adlseq:objectives><adlseq:objective objectiveID="rules">
             <adlseq:mapInfo targetObjectiveID="course.raw" readMinScore="false" readMaxScore="false"
               readCompletionStatus="false" readProgressMeasure="false" writeRawScore="true"/>
           </adlseq:objective></adlseq:objectives>
         </imsss:sequencing></item>
         <item identifier="b" identifierref="page"><imsss:sequencing><imsss:objectives>
           <imsss:primaryObjective/><imsss:objective objectiveID="etiquette"/>
         </imsss:objectives></imsss:sequencing></item>`,
        page,
        '2004 4th Edition',
      ),
    );
    expect(launchablesOf(course.root).map(({ objectives }) => objectives)).toEqual([
      [
        { id: 'main', isPrimary: true, minimumMeasure: 0.8, maps: [] },
        {
          id: 'rules',
          isPrimary: false,
          minimumMeasure: null,
          maps: [
            { target: 'course.rules', reads: ['score.scaled'], writes: ['success_status'] },
            { target: 'course.raw', reads: ['score.raw'], writes: ['score.raw'] },
          ],
        },
      ],
      [{ id: 'etiquette', isPrimary: false, minimumMeasure: null, maps: [] }],
    ]);
  });

  it.each([
    ['CAM 1.3', 'SCORM20042NDEDITION'],
    ['2004 3rd Edition', 'SCORM20043RDEDITION'],
    ['2004 4th Edition', 'SCORM20044THEDITION'],
  ])('recognizes schema version %p as %p', async (version, standard) => {
    const manifest = makeManifest(item, page, '2004 4th Edition');
    const course = await readMade(manifest.replace('>2004 4th Edition<', `>${version}<`));
    expect(course.standard).toBe(standard);
  });
});

describe('sequencing of readManifest', () => {
  const sequencingOf = async (own: string, shared = '', attributes = '') => {
    const manifest = makeManifest(
      item.replace('</item>', `${own}</item>`),
      page,
      '2004 4th Edition',
    )
      .replace('<organization ', `<organization ${attributes} `)
      .replace(
        '</manifest>',
        `<imsss:sequencingCollection>${shared}</imsss:sequencingCollection></manifest>`,
      );
    const { sequencing, root } = await readMade(manifest);
    return { course: sequencing, item: root.children[0] };
  };

  it('sequencing is absent where the manifest has none, or only objectives', async () => {
    const objectives =
      '<imsss:objectives><imsss:primaryObjective objectiveID="a"/></imsss:objectives>';
    const { course, item: read } = await sequencingOf(
      `<imsss:sequencing>${objectives}</imsss:sequencing>`,
    );
    expect(course).toBeUndefined();
    expect(read).not.toHaveProperty('sequencing');
  });

  it('sequencing contains the rules, modes and limits of an item, without their defaults', async () => {
    const { course, item: read } = await sequencingOf(`<imsss:sequencing>
      <imsss:controlMode choice="false" flow="1"/>
      <imsss:sequencingRules><imsss:preConditionRule>
        <imsss:ruleConditions conditionCombination="any">
          <imsss:ruleCondition condition="objectiveMeasureLessThan" measureThreshold="0.5" operator="not"
            referencedObjective=" my%20%20goal "/>
          <imsss:ruleCondition condition="unheardOf"/>
        </imsss:ruleConditions><imsss:ruleAction action="hiddenFromChoice"/>
      </imsss:preConditionRule><imsss:postConditionRule>
        <imsss:ruleConditions/><imsss:ruleAction action="skip"/></imsss:postConditionRule>
      </imsss:sequencingRules>
      <imsss:limitConditions attemptLimit="3"/>
      <imsss:rollupRules rollupObjectiveSatisfied="false" objectiveMeasureWeight="0.25">
        <imsss:rollupRule childActivitySet="atLeastPercent" minimumPercent="0.5"><imsss:rollupConditions>
          <imsss:rollupCondition condition="attempted"/></imsss:rollupConditions>
          <imsss:rollupAction action="completed"/></imsss:rollupRule></imsss:rollupRules>
      <imsss:randomizationControls selectionTiming="once" selectCount="2"/>
      <imsss:deliveryControls tracked="false"/>
      <adlseq:constrainedChoiceConsiderations constrainChoice="true"/>
      <adlseq:rollupConsiderations requiredForCompleted="ifNotSkipped" measureSatisfactionIfActive="false"/>
    </imsss:sequencing>`);
    expect(course).toEqual({ objectivesGlobalToSystem: true, sharedDataGlobalToSystem: true });
    expect(read?.sequencing).toEqual({
      controlMode: { choice: false, flow: true },
      preConditionRules: [
        {
          action: 'hiddenFromChoice',
          combination: 'any',
          conditions: [
            { name: 'objectiveMeasureLessThan', not: true, objective: 'my goal', threshold: 0.5 },
          ],
        },
      ],
      attemptLimit: 3,
      rollup: {
        objectiveSatisfied: false,
        objectiveMeasureWeight: 0.25,
        requiredFor: { completed: 'ifNotSkipped' },
        measureSatisfactionIfActive: false,
      },
      rollupRules: [
        {
          action: 'completed',
          children: 'atLeastPercent',
          minimum: 0.5,
          combination: 'any',
          conditions: [{ name: 'attempted' }],
        },
      ],
      selection: {
        selectionTiming: 'once',
        selectCount: 2,
        randomizationTiming: 'never',
        reorderChildren: false,
      },
      delivery: { tracked: false },
      constrainedChoice: { constrainChoice: true },
    });
  });

  it('takes each kind of element from the item, or from the collection that it refers to', async () => {
    const objective = (
      target: string,
    ) => `<imsss:objectives><imsss:primaryObjective objectiveID="own">
      <imsss:mapInfo targetObjectiveID="${target}"/></imsss:primaryObjective></imsss:objectives>`;
    const { item: read } = await sequencingOf(
      `<imsss:sequencing IDRef="shared"><imsss:controlMode flow="true"/>${objective('mine')}</imsss:sequencing>`,
      `<imsss:sequencing ID="shared"><imsss:controlMode choice="false"/>${objective('theirs')}
         <imsss:limitConditions attemptLimit="1"/><adlseq:objectives><adlseq:objective objectiveID="own">
         <adlseq:mapInfo targetObjectiveID="raw" writeRawScore="true"/></adlseq:objective></adlseq:objectives>
       </imsss:sequencing>`,
    );
    expect(read?.sequencing).toEqual({ controlMode: { flow: true }, attemptLimit: 1 });
    expect(read?.objectives?.[0]?.maps.map(({ target }) => target)).toEqual(['mine', 'raw']);
  });

  it('the scopes of the organization, hidden controls and shared data are read', async () => {
    const { course, item: read } = await sequencingOf(
      `<imsss:sequencing><imsss:controlMode flow="true"/></imsss:sequencing>
       <adlnav:presentation xmlns:adlnav="http://www.adlnet.org/xsd/adlnav_v1p3"><adlnav:navigationInterface>
         <adlnav:hideLMSUI>suspendAll</adlnav:hideLMSUI><adlnav:hideLMSUI>continue</adlnav:hideLMSUI>
       </adlnav:navigationInterface></adlnav:presentation>
       <adlcp:data><adlcp:map targetID="a"/><adlcp:map targetID="b" readSharedData="false"/></adlcp:data>`,
      '',
      'adlseq:objectivesGlobalToSystem="false" adlcp:sharedDataGlobalToSystem="false"',
    );
    expect(course).toEqual({ objectivesGlobalToSystem: false, sharedDataGlobalToSystem: false });
    expect(read).toMatchObject({
      hiddenControls: ['continue', 'suspendAll'],
      sharedData: [
        { target: 'a', read: true, write: true },
        { target: 'b', read: false, write: true },
      ],
    });
  });

  it('a manifest is rejected if its rollup rules would be evaluated too often', async () => {
    const rules =
      '<imsss:rollupRule><imsss:rollupConditions><imsss:rollupCondition condition="never"/></imsss:rollupConditions><imsss:rollupAction action="satisfied"/></imsss:rollupRule>';
    const items = repeat(1001, (n) => `<item identifier="i${n}" identifierref="page"/>`);
    const manifest = (count: number) =>
      makeManifest(
        `${items}<imsss:sequencing><imsss:rollupRules>${rules.repeat(count)}</imsss:rollupRules></imsss:sequencing>`,
        page,
        '2004 4th Edition',
      );
    await expect(readMade(manifest(100))).rejects.toThrow(
      'rollup rules of the manifest are too many',
    );
    expect((await readMade(manifest(99))).root.sequencing?.rollupRules).toHaveLength(99);
  });
});

describe('readManifest', () => {
  it('reads ISO 8859-1, UTF-16, and metadata in a separate file', async () => {
    const manifest = makeManifest(item, page).replace('Made course', 'Größe');
    const latin1 = Buffer.from(manifest.replace('UTF-8', 'ISO-8859-1'), 'latin1');
    expect((await readMade(latin1)).root.title).toBe('Größe');
    const utf16 = Buffer.from(`\ufeff${manifest.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    expect((await readMade(utf16)).root.title).toBe('Größe');

    const elsewhere = manifest.replace(
      '</metadata>',
      '<adlcp:location>meta/course.xml</adlcp:location></metadata>',
    );
    const lom = `<lom><general><description><langstring>Found</langstring></description></general></lom>`;
    const course = await readMade(elsewhere, { 'meta/course.xml': lom });
    expect(course.metadata.description).toBe('Found');
  });

  it('removes NUL characters, which PostgreSQL cannot store', async () => {
    const manifest = makeManifest(item.replace('Page', 'P\0age'), page);
    expect((await readMade(manifest)).root.children[0]?.title).toBe('Page');
  });

  it('resolves launch URLs against xml:base and encodes their paths', async () => {
    const manifest = makeManifest(
      item,
      '<resource identifier="page" adlcp:scormtype="asset" xml:base="part%20one/" href="a%20page.html?x=1#y"/>',
    );
    const course = await readMade(manifest, { 'part one/a page.html': '' });
    expect(launchablesOf(course.root)[0]?.resource).toEqual({
      id: 'page',
      href: 'part%20one/a%20page.html?x=1#y',
      type: 'ASSET',
    });
  });

  it.each(['1.2', 'SCORM 1.2', 'ADL SCORM 1.2', 'Version 1', ''])(
    'reads the schema version %p as SCORM 1.2',
    async (version) => {
      const manifest = makeManifest(item, page).replace('>1.2<', `>${version}<`);
      expect((await readMade(manifest)).standard).toBe('SCORM12');
    },
  );

  it('finds the manifest and the launched files in any case, and prefers the exact one', async () => {
    const manifest = makeManifest(item, page.replace('page.html', 'Content/PAGE.html'));
    const files = { 'IMSManifest.xml': manifest, 'content/Page.html': '' };
    const hrefOf = async (zip: Buffer) => launchablesOf((await read(zip)).root)[0]?.resource.href;
    expect(await hrefOf(await makeZip(files))).toBe('content/Page.html');
    const withExact = { ...files, 'Content/PAGE.html': '', 'content/page.html': '' };
    expect(await hrefOf(await makeZip(withExact))).toBe('Content/PAGE.html');
  });

  it('takes an xml:base without a slash for a folder', async () => {
    const based = page.replace('href', 'xml:base="pages" href');
    const manifest = makeManifest(item, based).replace('<resources', '<resources xml:base="all"');
    const course = await readMade(manifest, { 'all/pages/page.html': '' });
    expect(launchablesOf(course.root)[0]?.resource.href).toBe('all/pages/page.html');
  });

  it('ignores spaces around identifiers and hrefs', async () => {
    const spaced = page.replace('"page"', '" page "').replace('"page.html"', '" page.html"');
    const course = await readMade(makeManifest(item, spaced));
    expect(launchablesOf(course.root)[0]?.resource.href).toBe('page.html');
  });

  it('finds a file whose name contains a percent sign', async () => {
    const named = page.replace('page.html', 'a%20b.html');
    const course = await readMade(makeManifest(item, named), { 'a%20b.html': '' });
    expect(launchablesOf(course.root)[0]?.resource.href).toBe('a%2520b.html');
  });

  it('reads the first organization if the default one is missing', async () => {
    const manifest = makeManifest(item, page).replace('default="org"', 'default="gone"');
    expect((await readMade(manifest)).root).toMatchObject({ id: 'org', title: 'Made course' });
  });

  it('makes the items of the SCOs if there is no organization', async () => {
    const asset = page.replace('"page"', '"style"').replace('"sco"', '"asset"');
    const organizations = /<organizations[^]*<\/organizations>/;
    const manifest = makeManifest('', page + asset).replace(organizations, '<organizations/>');
    const { root } = await readMade(manifest);
    expect(root).toMatchObject({ title: 'made', resource: null });
    expect(launchablesOf(root)).toMatchObject([{ id: 'page', resource: { type: 'SCO' } }]);
    const assets = makeManifest('', asset).replace(organizations, '');
    expect(launchablesOf((await readMade(assets)).root)).toMatchObject([{ id: 'style' }]);
  });

  it.each([
    ['has an unclosed element', '<manifest><oops></manifest>', 'not well-formed XML (line 1)'],
    ['is empty', '', 'not well-formed XML'],
    ['ends in a comment', '<manifest/><!--', 'not well-formed XML'],
    [
      'has a structure that is too large',
      makeManifest(
        repeat(30, (n) => item.replace('"item"', `"${n}"`).replace('Page', numbersTo(10_000))),
        page,
      ),
      'structure cannot be stored',
    ],
    ['has too many elements', withMany('<a/>', 100_000), 'more than 100000 elements'],
    [
      'has too many attributes',
      withMany(`<a ${repeat(100, (n) => `a${n}="" `)}/>`, 2_001),
      'more than 200000 attributes',
    ],
    ['has a text that is too long', withMany('text &amp; ', 20_000), 'more than 65536 characters'],
    [
      'has a value that is too long',
      makeManifest(item, page.replace('"sco"', `"${numbersTo(20_000)}"`)),
      'more than 65536 characters',
    ],
    [
      'has a comment that is too long',
      makeManifest(item, `${page}<!--${numbersTo(20_000)}-->`),
      'more than 65536 characters',
    ],
    ['has another root element', '<html/>', 'not the manifest of a course package'],
    [
      'defines entities',
      `<!DOCTYPE m [<!ENTITY a "aaaa">]><manifest><metadata>&a;</metadata></manifest>`,
      'not well-formed XML',
    ],
    ['is nested too deeply', '<a>'.repeat(5000) + '</a>'.repeat(5000), 'nested too deeply'],
    [
      'has an unknown SCORM version',
      makeManifest(item, page).replace('>1.2<', '>9.9<').replace('adlcp_rootv1p2', 'other'),
      'not supported: 9.9',
    ],
    ['has no SCORM version', '<manifest><metadata/></manifest>', 'not supported: none'],
    ['has no items', makeManifest('', page), 'nothing that can be launched'],
    ['refers to a missing resource', makeManifest(item, ''), 'no resource page'],
    [
      'launches a missing file',
      makeManifest(item, page.replace('page.html', 'gone.html')),
      'launches gone.html, which the package does not contain',
    ],
    [
      'launches a URL of another host',
      makeManifest(item, page.replace('page.html', 'https://example.com/')),
      'outside of the package',
    ],
    [
      'launches a path outside the package',
      makeManifest(item, page.replace('page.html', '../page.html')),
      'leads out of it',
    ],
    ['has two items of one identifier', makeManifest(item + item, page), 'not unique: item'],
    ['breaks off', makeManifest(item, page).slice(0, -20), 'not well-formed XML'],
  ])('rejects a manifest that %s', async (_problem, manifest, message) => {
    await expect(readMade(manifest)).rejects.toThrow(message);
  });

  it('rejects a package without a manifest at its root', async () => {
    await expect(read(await makeZip({ 'index.html': '' }))).rejects.toThrow('no imsmanifest.xml');
    await expect(read(await makeZip({ 'course/imsmanifest.xml': '' }))).rejects.toThrow(
      'contains course/imsmanifest.xml, but imsmanifest.xml must be at its root',
    );
  });
});
