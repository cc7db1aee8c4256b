import type { IJob } from 'kubernetes-models/batch/v1/Job';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import type { IPod } from 'kubernetes-models/v1/Pod';
import type { Manifest } from '../checks/manifests.ts';

const name = 'registrar-test';
const allApps = ['gateway', 'identity', 'catalog', 'enrolment', 'crawler', 'provider', 'console'];

/** Asks each address that is an argument, and fails when one does not answer with 200. */
const script = `
const answers = await Promise.all(
  process.argv.slice(1).map(async (url) => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
      ({ status }) => status,
      ({ message, cause }) => cause?.message ?? message,
    );
    console.log(url + ': ' + answer);
    return answer;
  }),
);
if (answers.some((answer) => answer !== 200)) process.exitCode = 1;
`;

/**
 * Returns the objects of `helm test`: a pod that asks each app whether it, its database and the broker are ready, and the
 * gateway for the API reference, and the policy that lets it in. The pod is as unprivileged as those of the migrations.
 */
export function testObjects(manifests: ReadonlyMap<string, Manifest>): Manifest[] {
  const apps = allApps.filter((app) => manifests.has(`Deployment ${app}`));
  const job = manifests.get('Job migrate') as Manifest & IJob;
  const { containers, volumes: _volumes, ...pod } = job.spec!.template.spec!;
  const { image, resources, securityContext } = containers[0]!;
  const labels = { 'app.kubernetes.io/name': name };
  const metadata = (weight: number) => ({
    name,
    namespace: job.metadata['namespace'] as string,
    labels,
    annotations: {
      'helm.sh/hook': 'test',
      'helm.sh/hook-weight': String(weight),
      'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
    },
  });
  const policy: Manifest & INetworkPolicy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadata(0),
    spec: {
      podSelector: {
        matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: apps }],
      },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ podSelector: { matchLabels: labels } }],
          ports: [{ port: 'management' }, { port: 'http' }],
        },
      ],
    },
  };
  const tester: Manifest & IPod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata(1),
    spec: {
      ...pod,
      serviceAccountName: 'default',
      restartPolicy: 'Never',
      activeDeadlineSeconds: 60,
      containers: [
        {
          name: 'test',
          image: image!,
          command: ['node', '--input-type=module', '--eval', script],
          args: [...apps.map((app) => `http://${app}:9090/health/ready`), 'http://gateway/docs'],
          resources: resources!,
          securityContext: securityContext!,
        },
      ],
    },
  };
  // Without policies of others, nothing has to be let in, and a policy would close what it selects.
  return manifests.has('NetworkPolicy closed') ? [policy, tester] : [tester];
}
