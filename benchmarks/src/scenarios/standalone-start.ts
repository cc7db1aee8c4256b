import { startStandaloneSystem } from '@registrar/standalone/testing';
import { compareSystems, type Round } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { Comparison } from '../scenario.ts';
import { ApiAccess } from '../system/api-access.ts';
import { descendantsOf } from '../system/processes.ts';
import { memoryOf } from '../system/process-usage.ts';
import { standaloneSettings } from '../system/installation.ts';

export const standaloneStart: Comparison = {
  name: 'standalone-start',
  measures: 'from the start of the standalone form with existing data to its first response',
  run: async () => {
    // The first start creates the data; every further one continues with them.
    let system = await startStandaloneSystem(standaloneSettings);
    const { dataDirectory } = system;
    try {
      const restart = async (): Promise<Round> => {
        await system.interrupt();
        const begun = performance.now();
        system = await startStandaloneSystem(standaloneSettings, dataDirectory);
        const access = await ApiAccess.create(system.quickstart);
        const response = await fetch(access.url('course.json'));
        if (response.status !== 200) throw new Error(`course index returned ${response.status}`);
        await response.arrayBuffer();
        const seconds = (performance.now() - begun) / 1_000;
        const pids = system.processes().flatMap((pid) => [pid, ...descendantsOf(pid)]);
        return { seconds, memoryMb: pids.reduce((sum, pid) => sum + memoryOf(pid), 0) };
      };
      const rounds = await measureRounds([{ system: 'standalone', measure: restart }]);
      const targets = [
        { figure: 'seconds', max: 3 },
        { figure: 'memoryMb', max: 250 },
      ] as const;
      return [compareSystems('start with existing data', 'starts', rounds, targets)];
    } finally {
      await system.dispose();
    }
  },
};
