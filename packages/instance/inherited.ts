import { knownSettings } from '@talpa/service-kit/settings';

/** What any program may need of the environment it is started from. */
const common = /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|LD_LIBRARY_PATH)$/;
/** What Node and its libraries read beside our settings: certificates, a proxy on the way out, where traces go. */
const nodes =
  /^(NODE_\w+|UV_\w+|SSL_CERT_(FILE|DIR)|OTEL_\w+|TALPA_\w+|(https?|no)_proxy|(HTTPS?|NO)_PROXY)$/;

const pick = (environment: NodeJS.ProcessEnv, isWanted: (name: string) => boolean): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => isWanted(name)));

/** What a store inherits: nothing that somebody has set for another program, PGPORT say, or a password. */
export const inheritedByStores = (environment: NodeJS.ProcessEnv) =>
  pick(environment, (name) => common.test(name));

/** The environment variables that our processes inherit from the operator, beside their own settings. */
export const inheritedByProcesses = (environment: NodeJS.ProcessEnv) =>
  pick(environment, (name) => common.test(name) || nodes.test(name) || name in knownSettings);
