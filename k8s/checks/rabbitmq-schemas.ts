import * as z from 'zod';

const metadata = z.strictObject({
  name: z.string(),
  namespace: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});
const object = (kind: string, spec: z.ZodObject) =>
  z.strictObject({ apiVersion: z.string(), kind: z.literal(kind), metadata, spec });

const quantity = z.string().regex(/^\d+(\.\d+)?(m|[KMGT]i?)?$/);
const quantities = z.strictObject({ cpu: quantity, memory: quantity });
const securityContext = z.strictObject({
  allowPrivilegeEscalation: z.boolean(),
  capabilities: z.strictObject({ drop: z.array(z.string()) }),
});
const containers = z.array(z.strictObject({ name: z.string(), securityContext }));
const podSecurityContext = z.strictObject({
  runAsNonRoot: z.boolean(),
  runAsUser: z.int(),
  runAsGroup: z.int(),
  fsGroup: z.int(),
  seccompProfile: z.strictObject({ type: z.enum(['RuntimeDefault', 'Localhost', 'Unconfined']) }),
});
/** Makes the operator leave out its own, for platforms that assign ids. */
const noSecurityContext = z.strictObject({});
const podAffinityTerm = z.strictObject({
  topologyKey: z.string(),
  labelSelector: z.strictObject({ matchLabels: z.record(z.string(), z.string()) }),
});
const weightedPodAffinityTerm = z.strictObject({
  weight: z.int().min(1).max(100),
  podAffinityTerm,
});
const nodeSelectorTerm = z.strictObject({
  matchExpressions: z.array(
    z.strictObject({
      key: z.string(),
      operator: z.enum(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']),
      values: z.array(z.string()).optional(),
    }),
  ),
});
const toleration = z.strictObject({
  key: z.string().optional(),
  operator: z.enum(['Exists', 'Equal']).optional(),
  value: z.string().optional(),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
  tolerationSeconds: z.int().optional(),
});

const cluster = z.strictObject({
  replicas: z.int().min(1),
  image: z.string(),
  imagePullSecrets: z.array(z.strictObject({ name: z.string() })).optional(),
  tolerations: z.array(toleration).optional(),
  tls: z.strictObject({ secretName: z.string(), disableNonTLSListeners: z.boolean() }),
  persistence: z.strictObject({ storage: quantity, storageClassName: z.string().optional() }),
  rabbitmq: z.strictObject({ additionalConfig: z.string().optional() }).optional(),
  resources: z.strictObject({ requests: quantities, limits: quantities }),
  affinity: z
    .strictObject({
      nodeAffinity: z
        .strictObject({
          requiredDuringSchedulingIgnoredDuringExecution: z.strictObject({
            nodeSelectorTerms: z.array(nodeSelectorTerm),
          }),
        })
        .optional(),
      podAntiAffinity: z.strictObject({
        requiredDuringSchedulingIgnoredDuringExecution: z.array(podAffinityTerm),
        preferredDuringSchedulingIgnoredDuringExecution: z
          .array(weightedPodAffinityTerm)
          .optional(),
      }),
    })
    .optional(),
  override: z
    .strictObject({
      statefulSet: z.strictObject({
        spec: z.strictObject({
          template: z.strictObject({
            spec: z.strictObject({
              priorityClassName: z.string().optional(),
              securityContext: z.union([podSecurityContext, noSecurityContext]),
              initContainers: containers,
              containers,
            }),
          }),
        }),
      }),
    })
    .optional(),
});

const rabbitmqClusterReference = z.strictObject({
  name: z.string(),
  namespace: z.string().optional(),
});
const reference = z.strictObject({ name: z.string() });
const vhost = z.strictObject({
  name: z.string(),
  defaultQueueType: z.enum(['classic', 'quorum', 'stream']),
  rabbitmqClusterReference,
});
const exchange = z.strictObject({
  name: z.string(),
  vhost: z.string(),
  type: z.enum(['direct', 'fanout', 'headers', 'topic']),
  durable: z.boolean(),
  autoDelete: z.boolean(),
  rabbitmqClusterReference,
});
const user = z.strictObject({
  tags: z.array(z.enum(['management', 'policymaker', 'monitoring', 'administrator'])).optional(),
  importCredentialsSecret: reference,
  rabbitmqClusterReference,
});
const permission = z.strictObject({
  vhost: z.string(),
  userReference: reference,
  permissions: z.strictObject({ configure: z.string(), write: z.string(), read: z.string() }),
  rabbitmqClusterReference,
});
const topicPermission = permission.extend({
  permissions: z.strictObject({ exchange: z.string(), write: z.string(), read: z.string() }),
});

/**
 * The kinds of RabbitMQ's two operators, for which no package has schemas, by version of the API:
 * of their documented fields (rabbitmq.com/kubernetes/operator) those that the manifests use, and
 * no others.
 */
export const rabbitMqSchemas: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  'rabbitmq.com/v1beta1': {
    RabbitmqCluster: object('RabbitmqCluster', cluster),
    Vhost: object('Vhost', vhost),
    Exchange: object('Exchange', exchange),
    User: object('User', user),
    Permission: object('Permission', permission),
    TopicPermission: object('TopicPermission', topicPermission),
  },
};
