import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { type DoctorFinding, type DoctorHost, tunnelProviders } from '@talpa/contracts';
import { isLoopback } from '@talpa/contracts/reach';
import { edgeAddressOf } from '@talpa/service-kit/settings/edge-address';
import { found, type Patient, patienceMs, reasonOf, within } from './finding.ts';

const day = 86_400_000;
const soonDays = 14;

/** Names, ports and certificate of what browsers and connectors look for. */
export async function checkNetwork({
  settings,
  isContainer,
}: Pick<Patient, 'settings' | 'isContainer'>): Promise<DoctorFinding[]> {
  const { PUBLIC_URL, TUNNEL_DOMAIN: domain, EDGE_CONNECTOR_PORT } = settings;
  const { runsHere } = tunnelProviders[settings.TUNNEL_PROVIDER];
  const panel = PUBLIC_URL ? new URL(PUBLIC_URL) : null;
  const edge = edgeAddressOf(EDGE_CONNECTOR_PORT, domain, settings);
  const all = await Promise.all<DoctorFinding | DoctorFinding[]>([
    panel ? checkName(hostOf(panel.host), 'panel') : [],
    // Cloudflare gets a record for each proxy, and connectors dial its network.
    runsHere ? checkName(`*.${domain}`, 'subdomains') : [],
    runsHere ? checkName(hostOf(edge), 'connectors') : [],
    panel ? checkPanel(panel, isContainer) : found('reach', 'url_missing'),
    // Any free port is known to the launcher alone.
    runsHere && portOf(edge) !== 0 ? checkConnectors(edge, isContainer) : [],
    panel?.protocol === 'https:' ? checkCertificate(panel, isContainer) : [],
  ]);
  const findings = all.flat();
  // What refuses the certificate has no answer either: that is one fault.
  const isRefused = findings.some(({ says }) => says === 'certificate_refused');
  return isRefused ? findings.filter(({ says }) => says !== 'panel_silent') : findings;
}

const hostOf = (address: string) => address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
const portOf = (address: string) => Number(address.match(/:(\d+)$/)?.[1]);

function ownAddresses(): Set<string> {
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  return new Set(all.map(({ address }) => address));
}

async function checkName(host: string, what: DoctorHost): Promise<DoctorFinding> {
  if (isLoopback(host.replace('*.', ''))) return found('dns', 'dns_local', { host, what });
  try {
    const all = (await within(lookup(host.replace('*', 'doctor'), { all: true }))).map(
      ({ address }) => address,
    );
    const own = ownAddresses();
    const isHere = all.some((address) => own.has(address));
    return found('dns', isHere ? 'dns_here' : 'dns_elsewhere', { host, what, addresses: all.join(', ') });
  } catch (error) {
    return found('dns', 'dns_missing', { host, what, reason: reasonOf(error) });
  }
}

/** The panel answers at its public address, which is asked for from this machine. */
async function checkPanel(url: URL, isContainer: boolean): Promise<DoctorFinding> {
  try {
    const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(patienceMs) });
    const reason = (await response.text()).slice(0, 200);
    if (response.ok) return found('reach', 'panel_responds', { url: url.origin });
    return found('reach', 'panel_faulty', { url: url.origin, status: response.status, reason });
  } catch (error) {
    const reason = reasonOf(error);
    if (isContainer) return found('reach', 'address_unseen', { address: url.origin, reason });
    return found('reach', 'panel_silent', { url: url.origin, reason });
  }
}

async function checkConnectors(address: string, isContainer: boolean): Promise<DoctorFinding> {
  const socket = connect({ host: hostOf(address), port: portOf(address) });
  try {
    await opened(socket, 'connect');
    return found('reach', 'connectors_reach', { address });
  } catch (error) {
    const says = isContainer ? 'address_unseen' : 'connectors_fail';
    return found('reach', says, { address, reason: reasonOf(error) });
  } finally {
    socket.destroy();
  }
}

/** What the panel shows on its port, whoever has issued it. */
async function checkCertificate({ host: address, port }: URL, isContainer: boolean): Promise<DoctorFinding> {
  const host = hostOf(address);
  const socket = connectTls({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: false,
  });
  try {
    await opened(socket, 'secureConnect');
    const { valid_to: end } = socket.getPeerCertificate();
    const left = Math.floor((Date.parse(end) - Date.now()) / day);
    if (!socket.authorized)
      return found('certificate', 'certificate_refused', { host, reason: `${socket.authorizationError}` });
    return found('certificate', left < soonDays ? 'certificate_ends' : 'certificate_valid', { host, left });
  } catch (error) {
    const reason = reasonOf(error);
    if (isContainer) return found('certificate', 'address_unseen', { address, reason });
    return found('certificate', 'certificate_none', { host, reason });
  } finally {
    socket.destroy();
  }
}

const opened = (socket: Socket, event: 'connect' | 'secureConnect') =>
  within(
    new Promise<void>((done, failed) => {
      socket.once(event, done);
      socket.once('error', failed);
    }),
  );
