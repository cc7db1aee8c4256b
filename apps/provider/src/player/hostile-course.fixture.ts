import { afterAll, beforeAll, describe, it } from 'vitest';
import { hostileCourseAttacks, HostileCourseScene } from '../testing/hostile-courses.ts';
import type { PlayerFixture } from './player.fixture.ts';

/** Tests that a hostile course cannot read or change anything of a course beside it. */
export function describeHostileCourse(player: () => PlayerFixture): void {
  describe('a hostile course in a frame beside the course of another learner', () => {
    let fixture: PlayerFixture;
    let scene: HostileCourseScene;
    beforeAll(async () => {
      fixture = player();
      const { client, browser, provider } = fixture;
      scene = await HostileCourseScene.open({
        browser,
        providerUrl: provider.url,
        credentials: { username: client.appId, password: client.secretKey },
        import: async (courseId, zip) => void (await client.import(courseId, zip)),
        register: (courseId) => client.register(courseId),
        launch: (registration) => fixture.launchLink(registration),
      });
    });
    afterAll(() => scene?.close());

    it.each(hostileCourseAttacks.map((attack) => [attack.name, attack] as const))(
      '%s',
      (_name, attack) => attack.run(scene),
    );
  });
}
