import { measureFilesOfARequest } from './files-of-a-request/measure-files.ts';
import type { Comparison, PromiseCheck } from './scenario.ts';
import { measureBodies } from './promises/bodies.ts';
import { measureBus } from './promises/bus.ts';
import { measureConsoleLists } from './promises/console-lists.ts';
import { measureFairness } from './promises/fairness.ts';
import { measureFaults } from './promises/faults.ts';
import { measureOverload } from './promises/overload.ts';
import { report } from './promises/report.ts';
import { measureRequestQueues } from './promises/request-queues.ts';
import { measureRest } from './promises/rest.ts';
import { measureStatements } from './promises/statements.ts';
import { addLearners } from './scenarios/add-learners.ts';
import { crawl } from './scenarios/crawl.ts';
import { crawlFairness } from './scenarios/crawl-fairness.ts';
import { crawlKills } from './scenarios/crawl-kills.ts';
import { crawlPostbacks } from './scenarios/crawl-postbacks.ts';
import { crawlReplicas } from './scenarios/crawl-replicas.ts';
import { courseLaunch } from './scenarios/course-launch.ts';
import { courseIndex } from './scenarios/course-index.ts';
import { events } from './scenarios/events.ts';
import { exportRegistrations } from './scenarios/export.ts';
import { expressions } from './scenarios/expressions.ts';
import { includeRegistrations } from './scenarios/include-registrations.ts';
import { launchUrl } from './scenarios/launch-url.ts';
import { learnerExit } from './scenarios/learner-exit.ts';
import { million } from './scenarios/million.ts';
import { mixedLoad } from './scenarios/mixed-load.ts';
import { realmAlone } from './scenarios/realm-alone.ts';
import { registrationCreate } from './scenarios/registration-create.ts';
import { registrationIndex } from './scenarios/registration-index.ts';
import { standaloneIndex } from './scenarios/standalone-index.ts';
import { standaloneStart } from './scenarios/standalone-start.ts';

/** What a run compares with its baselines, in the order of a run. */
export const comparisons: readonly Comparison[] = [
  courseIndex,
  registrationIndex,
  includeRegistrations,
  standaloneIndex,
  registrationCreate,
  realmAlone,
  launchUrl,
  mixedLoad,
  addLearners,
  events,
  expressions,
  exportRegistrations,
  million,
  crawl,
  crawlReplicas,
  crawlFairness,
  crawlPostbacks,
  crawlKills,
  learnerExit,
  courseLaunch,
  standaloneStart,
];

/** What runs on stores of its own: only with `--long`, or by its name. */
export const promiseChecks: readonly PromiseCheck[] = [
  {
    name: 'bus',
    measures: 'function call, in-process bus and RabbitMQ compared',
    run: async (stores, say) => {
      (await measureBus(stores)).map(report).forEach(say);
      return [];
    },
  },
  {
    name: 'queues',
    measures: 'classic and quorum queues for requests, on one broker node and on three',
    run: async (_stores, say) => {
      await measureRequestQueues(say);
      return [];
    },
  },
  {
    name: 'overload',
    measures: 'peak throughput, load shedding at five times the peak, memory',
    run: (_stores, say) => measureOverload(say),
  },
  {
    name: 'fairness',
    measures: 'what ten times the share of one realm costs another one',
    run: ({ databaseUrl }, say) => measureFairness(databaseUrl, say),
  },
  {
    name: 'bodies',
    measures: 'processor time of parsing the largest bodies whose request has shown no access',
    run: async () => measureBodies(),
  },
  {
    name: 'files-of-a-request',
    measures: 'the files whose functions a registration index and a registration create call',
    run: ({ databaseUrl }, say) => measureFilesOfARequest(databaseUrl, say),
  },
  {
    name: 'statements',
    measures: 'the statements, transactions and messages of one request of each main operation',
    run: (_stores, say) => measureStatements(say),
  },
  {
    name: 'rest',
    measures:
      'statements and processor time of the apps while no request arrives, without and with the console',
    run: ({ brokerUrl }, say) => measureRest(brokerUrl, say),
  },
  {
    name: 'console',
    measures: 'lists and searches of the console with 1,000,000 registrations, or --registrations',
    run: ({ brokerUrl }, say, options) => measureConsoleLists(brokerUrl, say, options),
  },
  {
    name: 'faults',
    measures: 'deadlines, loss of the broker, poison messages',
    run: measureFaults,
  },
];
