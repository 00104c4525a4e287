import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { tunnelProviders } from '@talpa/contracts';
import { isLoopback } from '@talpa/contracts/reach';
import { readSettings } from '@talpa/service-kit/settings';
import { defaultTunnelDomain, edgeAddressOf } from '../../launcher/processes/edge.ts';
import { type Finding, findingsOf, patienceMs, reasonOf, within } from './finding.ts';

const dns = findingsOf('DNS');
const ports = findingsOf('ports');
const certificate = findingsOf('certificate');
const day = 86_400_000;

/** Names, ports and certificate of what browsers and connectors look for. */
export async function checkNetwork(outside: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { PUBLIC_URL, TUNNEL_DOMAIN: domain = defaultTunnelDomain } = outside;
  const { TUNNEL_PROVIDER, EDGE_CONNECTOR_PORT } = readSettings(
    ['TUNNEL_PROVIDER', 'EDGE_CONNECTOR_PORT'],
    outside,
  );
  const { runsHere } = tunnelProviders[TUNNEL_PROVIDER];
  const panel = PUBLIC_URL ? new URL(PUBLIC_URL) : null;
  const edge = edgeAddressOf(EDGE_CONNECTOR_PORT, domain, outside);
  const hosts = [
    ...(panel ? [{ host: hostOf(panel.host), what: 'the panel' }] : []),
    { host: `doctor.${domain}`, what: `subdomains (*.${domain})` },
    ...(runsHere ? [{ host: hostOf(edge), what: 'connectors' }] : []),
  ];
  const found = await Promise.all([
    ...hosts.map(checkName),
    panel ? checkPanel(panel) : [],
    panel?.protocol === 'https:' ? checkCertificate(panel) : [],
    runsHere ? checkConnectors(edge) : [],
  ]);
  return found.flat();
}

const hostOf = (address: string) => address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');

function ownAddresses(): Set<string> {
  const all = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  return new Set(all.map(({ address }) => address));
}

async function checkName({ host, what }: { host: string; what: string }): Promise<Finding> {
  if (isLoopback(host))
    return dns.warning(`${host}, for ${what}, is only this machine: nobody else reaches it.`);
  try {
    const addresses = (await within(lookup(host, { all: true }))).map(({ address }) => address);
    const own = ownAddresses();
    const isHere = addresses.some((address) => own.has(address));
    const leads = `${host}, for ${what}, leads to ${addresses.join(', ')}`;
    return isHere
      ? dns.ok(`${leads}, which is this machine.`)
      : dns.unknown(`${leads}, no address of this machine. That is right behind NAT or a load balancer.`);
  } catch (error) {
    return dns.problem(
      `${host}, for ${what}, is not found (${reasonOf(error)}). Create a DNS record that leads to this machine.`,
    );
  }
}

/** The panel answers at its public address, which is asked for from this machine. */
async function checkPanel(url: URL): Promise<Finding> {
  try {
    const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(patienceMs) });
    const text = await response.text();
    if (response.ok) return ports.ok(`${url.origin} answers. (Asked from this machine.)`);
    return ports.problem(`${url.origin} answers with status ${response.status}: ${text.slice(0, 200)}`);
  } catch (error) {
    return ports.problem(
      `${url.origin} does not answer (${reasonOf(error)}). Open its port, and start Talpa. A router may also refuse its own address from within.`,
    );
  }
}

async function checkConnectors(address: string): Promise<Finding> {
  const [host, port] = [hostOf(address), Number(address.match(/:(\d+)$/)?.[1])];
  const socket = connect({ host, port });
  try {
    await within(
      new Promise<void>((done, failed) => {
        socket.once('connect', done);
        socket.once('error', failed);
      }),
    );
    return ports.ok(`Connectors reach ${address} by TCP. (Tried from this machine.)`);
  } catch (error) {
    return ports.problem(`Connectors do not reach ${address} by TCP (${reasonOf(error)}). Open that port.`);
  } finally {
    socket.destroy();
  }
}

/** What the panel shows on its port, whoever has issued it. */
async function checkCertificate({ host, port }: URL): Promise<Finding> {
  const hostname = hostOf(host);
  const socket = connectTls({
    host: hostname,
    port: Number(port || 443),
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    rejectUnauthorized: false,
  });
  try {
    await within(
      new Promise<void>((done, failed) => {
        socket.once('secureConnect', done);
        socket.once('error', failed);
      }),
    );
    const { valid_to: end } = socket.getPeerCertificate();
    const days = Math.floor((new Date(end).getTime() - Date.now()) / day);
    if (!socket.authorized)
      return certificate.problem(
        `Browsers refuse the certificate of ${hostname}: ${socket.authorizationError}.`,
      );
    if (days < 14)
      return certificate.warning(`The certificate of ${hostname} ends in ${days} days. Renew it.`);
    return certificate.ok(`The certificate of ${hostname} is valid for ${days} days.`);
  } catch (error) {
    return certificate.problem(`${hostname} shows no certificate (${reasonOf(error)}).`);
  } finally {
    socket.destroy();
  }
}
