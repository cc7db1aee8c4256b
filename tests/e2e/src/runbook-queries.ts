import { alertPages } from '@registrar/k8s';
import { codeBlocksOf, inlineCodeOf } from '@registrar/testing';

const runbooks = alertPages.map(([alert]) => `docs/alerts/${alert}.md`);
const codeInRunbooks = (language: string) =>
  runbooks.flatMap(codeBlocksOf).filter((block) => block.language === language);

const queries = new Set([
  ...codeInRunbooks('promql').flatMap(({ text }) => text.split('\n')),
  ...runbooks
    .flatMap(inlineCodeOf)
    .filter((code) => /^(sum |max |rate\(|(registrar|process|nodejs)_|slo:)/.test(code)),
]);

/** Metrics of kubelet, cert-manager and kube-state-metrics, which exist in a cluster alone. */
const ofCluster = /\b(kubelet|certmanager|kube)_/;
/** Metrics of RabbitMQ, and of CloudNativePG. */
export const ofStores = /\b(rabbitmq|cnpg)_/;

/** Whether an expression has metrics of the apps alone. */
export const isOfApps = (expression: string): boolean =>
  !ofStores.test(expression) && !ofCluster.test(expression);

/** The runbooks' queries of the apps' metrics. */
export const appQueries = [...queries].filter(isOfApps);
/** The runbooks' queries of the stores' metrics. */
export const storeQueries = [...queries].filter((each) => ofStores.test(each));

/** The statements of the runbooks. Those in sentences are about a process that the operator has found. */
export const documentedStatements = [
  ...codeInRunbooks('sql').flatMap(({ text }) => text.trim().split(/(?<=;)\n/)),
  ...runbooks
    .flatMap(inlineCodeOf)
    .filter((code) => code.startsWith('SELECT '))
    .map((code) => `${code} FROM pg_stat_activity WHERE false`),
];
