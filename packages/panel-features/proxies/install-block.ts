import type { PanelConfig } from '@talpa/contracts';
import { isLoopback, isOnlyHere } from '@talpa/contracts/reach';
import {
  type EdgeAddress,
  type Installation,
  type InstallStep,
  installSteps,
  isContainer,
  removeCommand,
  serviceName,
} from './install-steps.ts';

/**
 * All steps as one block to paste, each under its title as a comment.
 * @param titleOf a step's title in the reader's language
 */
export function installBlock(
  installation: Installation,
  titleOf: (title: InstallStep['title']) => string,
): string {
  const steps = installSteps(installation).map(
    ({ title, command }, index) => `# ${index + 1}. ${titleOf(title)}\n${command}`,
  );
  return installation.system === 'windows' ? steps.join('\n\n') : asAdministrator(steps.join('\n\n'));
}

/**
 * One command for the shell one pastes into: nothing runs before all of it is there, it ends at the first
 * failure, and no program in it reads on in the script. Where there is no sudo one is
 * root already; another shell is asked for it, which knows no aliases.
 */
function asAdministrator(script: string): string {
  return ["$(sh -c 'command -v sudo') bash -e <<'TALPA'", '{', script, '} </dev/null', 'TALPA'].join('\n');
}

/**
 * Whether an installation would lead to no tunnel: the panel is open on another machine than its own, whose tunnels are for
 * itself alone. @param panelHost where the panel is open
 */
export const leadsNowhere = (
  panelHost: string,
  { edge, tunnelDomain }: Pick<PanelConfig, 'edge' | 'tunnelDomain'>,
): boolean => edge !== null && !isLoopback(panelHost) && isOnlyHere(edge.address, tunnelDomain);

/** Commands that show why a connector does not come, or that make room for it. */
export interface InstallHelp {
  /** Whether the edge can be reached from there. */
  readonly port: string;
  /** What the connector says. */
  readonly log: string;
  /** Removes the one that is installed already. */
  readonly remove: string;
}

/** Where Cloudflare's own edge is reached. */
const cloudflareEdge = 'region1.v2.argotunnel.com:7844';

interface Dialling {
  readonly edge: Pick<EdgeAddress, 'address'> | null;
}

/** Where the connector dials. */
export function edgeOf({ edge }: Dialling): {
  readonly host: string;
  readonly port: string;
} {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(edge?.address ?? cloudflareEdge) ?? [];
  return { host, port };
}

/** The ports a firewall must let out: the edge's own, and those of the downloads. */
export function outboundPorts(installation: Dialling): string[] {
  return [...new Set([edgeOf(installation).port, '443', '80'])];
}

/** How the connector reaches an edge of ours is set to HTTP/2; with Cloudflare it may use QUIC. */
export const outboundProtocols = ({ edge }: Dialling) =>
  edge ? (['TCP'] as const) : (['TCP', 'UDP'] as const);

/**
 * What helps when nothing comes, for the same installation.
 * @param number of the proxy, where the one command has installed its connector; null: it was installed step by step
 */
export function installHelp(
  { system, second, edge }: Omit<Installation, 'token' | 'replaces'>,
  number: number | null = null,
): InstallHelp {
  const { host, port } = edgeOf({ edge });
  const name = number === null ? serviceName(second) : `talpa-connector@${number}`;
  const remove = removeCommand(system, second);
  if (system === 'windows')
    return {
      port: `Test-NetConnection ${host} -Port ${port}`,
      log: 'Get-EventLog -LogName Application -Source Cloudflared -Newest 10 | Format-List TimeGenerated, Message',
      remove,
    };
  const probe = `timeout 5 bash -c '</dev/tcp/${host.replace(/^\[|\]$/g, '')}/${port}' && echo ok || echo blocked`;
  const log =
    isContainer(system) && number === null
      ? `docker logs --tail 20 ${name}`
      : `journalctl -u ${name} -n 20 --no-pager`;
  return { port: probe, log: `sudo ${log}`, remove: `sudo ${remove}` };
}
