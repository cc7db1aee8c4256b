import { BusClient } from '@registrar/bus';
import { Client } from '@registrar/conformance';
import { OpenApiDocument } from '@registrar/e2e/open-api-document';
import { startOperator } from '@registrar/e2e/operator';
import { buildSamplePackage, sampleCourseNames } from '@registrar/sample-courses';
import type { Attack, AttackOptions, AttackResult } from '../attack.ts';
import type { Target } from '../target.ts';
import { accessKindsOf } from './accesses.ts';
import { faultsOf } from './check-answer.ts';
import { Coverage } from './coverage.ts';
import { ErrorLog, type LoggedError } from './error-log.ts';
import { createFuzzRealm, type FuzzRealm } from './fuzz-realm.ts';
import { type FuzzRequest, toCurl } from './fuzz-request.ts';
import { malformedHttp, sendMalformed } from './malformed-http.ts';
import { MemoryTrend } from './memory-trend.ts';
import { RequestGenerator } from './generator.ts';
import { apiOperations, providerOperations } from './operations.ts';
import { recordCreated, reopenWindow } from './realm-upkeep.ts';
import { type Answer, Sender } from './sender.ts';
import { SlowestRequests } from './slowest-requests.ts';
import { HostileValues } from './values.ts';

/** Enough to keep the processes busy while the answers to wrong credentials are delayed. */
const inFlight = 64;
/** New realms after so many requests, so that lists stay short and items are there. */
const requestsPerRealms = 10_000;
/** How many of the latest requests are kept, to name those that an error of the log is about. */
const keptRequests = 5_000;
/** Different findings; a run ends when it has more. */
const maxFindings = 200;

/** Sends requests that know the operations: valid, hostile and malformed ones in every combination. */
export const fuzz: Attack = {
  name: 'fuzz',
  tried: 'generated requests to every operation of the API and the course provider',
  async run(target, options) {
    const document = await OpenApiDocument.read(new Client(target.baseUrls[0] ?? ''));
    const operations = {
      gateway: apiOperations(document.operations),
      provider: providerOperations,
    };
    const generator = new RequestGenerator(
      options.seed,
      operations,
      new HostileValues(options.seed),
      await buildSamplePackage(sampleCourseNames[0]),
    );
    const coverage = new Coverage([...operations.gateway, ...operations.provider], accessKindsOf);
    const ports = (urls: readonly string[]) => urls.map((url) => Number(new URL(url).port));
    const servers = { gateway: ports(target.baseUrls), provider: ports([target.providerUrl]) };
    const sender = new Sender(servers);
    return new Fuzzer(target, options, generator, sender, coverage).run();
  },
};

class Fuzzer {
  readonly #recent = new Map<string, FuzzRequest>();
  /** The first finding of each kind. */
  readonly #findings = new Map<string, string>();
  readonly #errors: ErrorLog;
  readonly #slowest = new SlowestRequests();
  readonly #memory = new MemoryTrend();
  #sent = 0;
  #longestMs = 0;

  constructor(
    private readonly target: Target,
    private readonly options: AttackOptions,
    private readonly generator: RequestGenerator,
    private readonly sender: Sender,
    private readonly coverage: Coverage,
  ) {
    this.#errors = new ErrorLog(target);
  }

  async run(): Promise<AttackResult> {
    const { target, options } = this;
    const operator = await startOperator(target);
    const begun = Date.now();
    // Skips the errors that earlier attacks caused.
    await this.#errors.read();
    try {
      const bus = operator.get(BusClient);
      for (let first = 0; first < options.requests; first += requestsPerRealms) {
        if (this.#findings.size >= maxFindings) break;
        const realms = [
          await createFuzzRealm(target, bus, 'a'),
          await createFuzzRealm(target, bus, 'b'),
        ] as const;
        const last = Math.min(first + requestsPerRealms, options.requests);
        await this.#sendAll(realms, first, last);
        for (const { request, fault } of await this.#slowest.repeat(target, this.sender)) {
          this.#find(request, fault);
        }
        await this.#memory.sample(target);
        if (options.requests > requestsPerRealms)
          process.stdout.write(`  ${this.#sent} sent, ${this.#findings.size} findings\n`);
      }
    } finally {
      this.sender.close();
      await operator.stop();
    }
    const seconds = (Date.now() - begun) / 1_000;
    const gaps = this.coverage.gaps();
    return {
      violations: [
        ...this.#findings.values(),
        ...this.#memory.violations(),
        ...(options.long ? gaps : []),
      ],
      eventLoopDelayMs: this.#slowest.longestMs,
      detail: [
        `  ${this.#sent} requests in ${seconds.toFixed(0)} s, ${(this.#sent / seconds).toFixed(0)}/s, the longest ${this.#longestMs.toFixed(0)} ms, ${gaps.length} gaps`,
        this.#memory.report(),
        this.coverage.report(),
      ].join('\n'),
    };
  }

  async #sendAll(
    realms: readonly [FuzzRealm, FuzzRealm],
    first: number,
    last: number,
  ): Promise<void> {
    let next = first;
    const worker = async () => {
      while (next < last) {
        const request = this.generator.make(next, realms);
        next += 1;
        this.#remember(request);
        const answer = await this.sender.send(request);
        this.#check(request, answer, realms);
        if (answer.status === 410) await reopenWindow(request.realm);
        if (this.#sent % 1_000 === 0) await this.#readErrors();
      }
    };
    await Promise.all([...Array.from({ length: inFlight }, worker), this.#sendMalformed()]);
    await this.#readErrors();
  }

  /** Sends what is no proper HTTP to the gateway and to the provider, while other requests run. */
  async #sendMalformed(): Promise<void> {
    const { baseUrls, providerUrl } = this.target;
    for (const url of [baseUrls[0] ?? '', providerUrl]) {
      for (const message of malformedHttp) {
        const fault = await sendMalformed(Number(new URL(url).port), message);
        if (fault !== null) this.#findings.set(`${url} ${fault}`, `${url}: ${fault}`);
      }
    }
  }

  #remember(request: FuzzRequest): void {
    this.#recent.set(`fuzz-${request.index}`, request);
    this.#recent.delete(`fuzz-${request.index - keptRequests}`);
  }

  #check(request: FuzzRequest, answer: Answer, realms: readonly [FuzzRealm, FuzzRealm]): void {
    this.#sent += 1;
    this.#longestMs = Math.max(this.#longestMs, answer.ms);
    this.#slowest.note(request, answer.ms);
    this.coverage.add(request, answer.status);
    const others = realms.filter((realm) => realm !== request.realm);
    const secrets = realms.flatMap((realm) => secretsOf(realm));
    for (const fault of faultsOf(request, answer, others, secrets)) this.#find(request, fault);
    recordCreated(request, answer);
  }

  #find(request: FuzzRequest, fault: string): void {
    const kind = `${request.operation?.name ?? 'no operation'}: ${fault.slice(0, 60)}`;
    if (this.#findings.has(kind)) return;
    const { seed } = this.options;
    const { index, access } = request;
    const curl = toCurl(request, this.sender.originOf(request));
    this.#findings.set(
      kind,
      `${kind} (seed ${seed}, request ${index}, access: ${access})\n    ${fault}\n    ${shortened(curl)}`,
    );
  }

  async #readErrors(): Promise<void> {
    for (const error of await this.#errors.read()) {
      const request = error.requestId === null ? undefined : this.#recent.get(error.requestId);
      if (request) this.#find(request, `logged by ${error.process}: ${causeOf(error)}`);
      else
        this.#findings.set(causeOf(error), `${error.process} logged: ${error.text.slice(0, 500)}`);
    }
  }
}

/** Long values would hide everything else. */
const shortened = (text: string) =>
  text.length > 1_500 ? `${text.slice(0, 1_200)}… (${text.length} characters)` : text;

const secretsOf = ({ access }: FuzzRealm): string[] =>
  Object.values(access)
    .flatMap(({ api_key, realm_secret_key, sc_secret_key }) => [
      api_key,
      realm_secret_key,
      sc_secret_key,
    ])
    .filter((secret) => typeof secret === 'string');

/** The cause of a logged error, by which equal ones are known. */
function causeOf({ text }: LoggedError): string {
  const [, message] = /"err":\{.*?"message":"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  return message ?? /"msg":"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, 200);
}
