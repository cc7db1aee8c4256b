import type { Observed } from './bystander.ts';
import { form, HttpClient } from './http-client.ts';
import { contentUrl, launchCourse, openLink } from './launch-course.ts';
import { sendAtRate } from './send-at-rate.ts';
import type { Target } from './target.ts';
import { courseUpload, samplePackage, type Tenant } from './tenant.ts';

/** What a bystander does next: it begins once, observes, or keeps its connections for further requests or not. */
export type BystanderCommand =
  | { readonly begin: { readonly baseUrls: Target['baseUrls']; readonly tenant: Tenant } }
  | { readonly observe: { readonly seconds: number; readonly perSecond: number } }
  | { readonly keepAlive: boolean };

/** One in so many of the bystander's requests is an upload. */
const requestsPerUpload = 40;

/** The address of the bystander's clients; attackers use others. */
const bystanderAddress = '127.0.0.2';

/**
 * The clients of a realm that uses the system as usual. They send a steady mix of requests at a fixed rate, whether
 * earlier ones have been answered or not (an open loop), so that a system that hangs is seen by every request of that
 * time.
 */
class BystanderClients {
  #sent = 0;

  private constructor(
    private readonly target: Pick<Target, 'baseUrls'>,
    private client: HttpClient,
    private readonly tenant: Tenant,
    /** The registration whose course is launched. */
    private readonly registration: string,
    /** A file of the course, in a window that the bystander has opened. */
    private readonly content: string,
  ) {}

  static async start(target: Pick<Target, 'baseUrls'>, tenant: Tenant): Promise<BystanderClients> {
    const client = new HttpClient(target, bystanderAddress);
    const { registration, link } = await launchCourse(client, tenant, tenant.courseGuid);
    const window = await openLink(client, link);
    if (!window) throw new Error('the launch link of the bystander opens nothing');
    const content = await contentUrl(client, window, 'index.html');
    return new BystanderClients(target, client, tenant, registration, content);
  }

  setKeepAlive(keepAlive: boolean): void {
    this.client.close();
    this.client = new HttpClient(this.target, bystanderAddress, keepAlive);
  }

  /** Sends the mix for so long, and returns what it saw when all has been answered. */
  observe(seconds: number, perSecond: number): Promise<readonly Observed[]> {
    return sendAtRate({ perSecond, seconds }, (atMs) => this.#observeNext(atMs));
  }

  async #observeNext(atMs: number): Promise<Observed> {
    const request = await this.#next();
    const begun = performance.now();
    const { status } = await request();
    return { status, ms: performance.now() - begun, atMs };
  }

  /** Prepares the next request of the mix. */
  async #next(): Promise<() => ReturnType<HttpClient['send']>> {
    const { pair, courseGuid } = this.tenant;
    const access = form(pair).toString();
    this.#sent += 1;
    const list = () => this.client.call(`/registration.json?${access}&last_only=t`);
    const courses = () => this.client.call(`/course.json?${access}&course_guid=${courseGuid}`);
    const launch = () =>
      this.client.call(`/registration/${this.registration}/launch_url.json?${access}`);
    const content = () => this.client.send(this.content);
    const learner = { course_guid: courseGuid, learner_id: `learner-${this.#sent}@example.com` };
    const create = () =>
      this.client.call('/registration.json', { body: form({ ...pair, ...learner }) });
    const mix = [list, courses, content, create, launch, list, courses, content, list, courses];
    if (this.#sent % requestsPerUpload === 0) {
      const body = courseUpload(this.tenant, `uploaded-${this.#sent}`, await samplePackage());
      return () => this.client.call('/course.json', { body });
    }
    return mix[this.#sent % mix.length] ?? list;
  }
}

let clients: BystanderClients | undefined;

/** A process of its own, so that the work of attackers does not delay what it measures. */
process.on('message', (command: BystanderCommand) => {
  void carryOut(command).then((observed) => process.send?.(observed));
});
process.once('disconnect', () => process.exit());

async function carryOut(command: BystanderCommand): Promise<readonly Observed[]> {
  if ('keepAlive' in command) clients?.setKeepAlive(command.keepAlive);
  else if ('begin' in command) {
    const { baseUrls, tenant } = command.begin;
    clients = await BystanderClients.start({ baseUrls }, tenant);
  } else if (clients) return clients.observe(command.observe.seconds, command.observe.perSecond);
  return [];
}
