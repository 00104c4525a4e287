import { z } from 'zod';
import { fieldsOf, type Manifest } from './manifest.ts';

const hardened = {
  serviceAccountName: z.string(),
  automountServiceAccountToken: z.literal('false'),
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int(),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  containerSecurityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
};

/**
 * What we use of the k6 operator's TestRun, in the meaning it has there; every other field is refused. No package
 * holds its schema. What it takes over from pods is held to theirs: `runnerOf`.
 */
const testRun = z.strictObject({
  apiVersion: z.literal('k6.io/v1alpha1'),
  kind: z.literal('TestRun'),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.strictObject({
    parallelism: z.int().positive(),
    quiet: z.enum(['true', 'false']),
    script: z.strictObject({ localFile: z.string().startsWith('/') }),
    runner: z.strictObject({
      ...hardened,
      image: z.string(),
      env: z.array(z.unknown()),
      resources: z.unknown(),
      volumes: z.array(z.unknown()),
      volumeMounts: z.array(z.unknown()),
    }),
    starter: z.strictObject(hardened),
  }),
});

/** What the operator would refuse or not understand of a TestRun. */
export function testRunFaults(manifest: Manifest): string[] {
  const { error } = testRun.safeParse(manifest);
  return (error?.issues ?? []).map(({ path, message }) => `/${path.join('/')}: ${message}`);
}

/** The Job that the operator makes of it, as far as it is ours to say. */
export function runnerOf({ metadata, spec }: Manifest): Manifest {
  const {
    image = null,
    env = [],
    resources = {},
    volumeMounts = [],
    ...pod
  } = fieldsOf(fieldsOf(spec).runner);
  const { serviceAccountName = '', volumes = [], securityContext = {}, containerSecurityContext = {} } = pod;
  const container = {
    name: 'k6',
    image,
    env,
    resources,
    volumeMounts,
    securityContext: containerSecurityContext,
  };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `${metadata.name}-1` },
    spec: {
      template: {
        spec: {
          restartPolicy: 'Never',
          serviceAccountName,
          securityContext,
          volumes,
          containers: [container],
        },
      },
    },
  };
}
