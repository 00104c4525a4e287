import { type Authorization, type Client, crypto, type Order } from 'acme-client';
import type { LastResponse } from './authority-calls.ts';
import { CertificateError } from './problems.ts';
import type { Solver } from './solver.ts';

/** An issued certificate as PEM. */
export interface Issued {
  readonly chain: string;
  readonly key: Buffer;
}

/**
 * Orders a certificate for one name, from the order to the chain.
 * @param replaces the renewed certificate's ARI id: the authority then exempts the order from its limits
 */
export async function orderCertificate(
  client: Client,
  name: string,
  solver: Solver,
  replaces: string | null,
  last: LastResponse,
): Promise<Issued> {
  const order = await placeOrder(client, name, replaces, last);
  for (const authorization of await client.getAuthorizations(order))
    if (authorization.status !== 'valid') await authorize(client, authorization, solver);
  const [key, csr] = await crypto.createCsr({ altNames: [name] }, await crypto.createPrivateEcdsaKey());
  const finalized = await client.finalizeOrder(order, csr);
  return { chain: await client.getCertificate(finalized), key };
}

/** One that another authority issued, or that was replaced already, cannot be named: the order then is a new one's. */
const unnameable = ['malformed', 'alreadyReplaced', 'conflict', 'serverInternal'];

async function placeOrder(
  client: Client,
  name: string,
  replaces: string | null,
  last: LastResponse,
): Promise<Order> {
  const order = { identifiers: [{ type: 'dns', value: name }] };
  if (!replaces) return client.createOrder(order);
  try {
    return await client.createOrder({ ...order, replaces } as typeof order);
  } catch (error) {
    const { type = 'none' } = last.problem ?? {};
    if (!unnameable.includes(type)) throw error;
    return client.createOrder(order);
  }
}

async function authorize(client: Client, authorization: Authorization, solver: Solver): Promise<void> {
  const challenge = authorization.challenges.find(({ type }) => type === solver.type);
  if (!challenge)
    throw new CertificateError(
      // Without it only port 80 is left, where the authority did not find us.
      solver.type === 'tls-alpn-01' ? 'port_closed' : 'name_refused',
      `the authority offers no ${solver.type} for this name`,
    );
  const answer = await client.getChallengeKeyAuthorization(challenge);
  const presented = { host: authorization.identifier.value, token: challenge.token, answer };
  await solver.present(presented);
  try {
    await client.completeChallenge(challenge);
    await client.waitForValidStatus(challenge);
  } finally {
    // The certificate does not depend on it, and the row or record is of no use to anybody.
    await solver.remove(presented).catch(() => {});
  }
}
