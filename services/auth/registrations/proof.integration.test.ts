import { hash, randomUUID } from 'node:crypto';
import { beginsWithZeros, type ProofOfWork, proofText } from '@talpa/contracts';
import type { AppError } from '@talpa/service-kit/app-error';
import { useServices } from '@talpa/test-kit/services';
import { useStores } from '@talpa/test-kit/stores';
import { describe, expect, it } from 'vitest';

const [after, bits] = [2, 8];
const talpa = useServices(useStores(), ['auth'], {
  REGISTRATION_PROOF_AFTER: String(after),
  REGISTRATION_PROOF_BITS: String(bits),
});
const password = 'geheim-123';
let networks = 0;

/** Somebody's network, in which nobody has registered yet. */
function newNetwork() {
  networks += 1;
  const third = networks;
  return (host: number) => `198.51.${third}.${host}`;
}
const register = (address: string, proof?: ProofOfWork, username = `n${randomUUID().slice(0, 12)}`) =>
  talpa.call('POST /api/register', null, { username, password, ...(proof ? { proof } : {}) }, undefined, {
    address,
    userAgent: 'test',
  });
const required = { code: 'registration_proof_required' };
/** The challenge of a registration that is refused. */
const challengeFor = (address: string, proof?: ProofOfWork): Promise<string> =>
  register(address, proof).then(
    () => Promise.reject(new Error('nothing was asked for')),
    ({ code, params }: AppError) =>
      code === required.code ? String(params?.challenge) : Promise.reject(code),
  );
const solves = (proof: ProofOfWork) => beginsWithZeros(hash('sha256', proofText(proof), 'buffer'), bits);
function solve(challenge: string, isRight = solves): ProofOfWork {
  for (let number = 0; ; number += 1) {
    const proof = { challenge, solution: String(number) };
    if (isRight(proof)) return proof;
  }
}
/** A network from which as many have registered as may without a proof. */
async function busyNetwork() {
  const at = newNetwork();
  for (let host = 1; host <= after; host += 1) await register(at(host));
  return at;
}

describe('a registration', () => {
  it('takes no proof while few come from its network, and one as soon as they are many', async () => {
    const at = await busyNetwork();
    const challenge = await challengeFor(at(99));
    expect(challenge).toMatch(new RegExp(`^${bits}\\.`));
    await register(at(98), solve(challenge));
    // Another network does not pay for it, whatever it sends.
    await register(newNetwork()(1), { challenge, solution: '0' });
  });

  it('takes none any more an hour later', async () => {
    const at = await busyNetwork();
    await challengeFor(at(1));
    await talpa.sql`update auth.registrations set registered_at = registered_at - interval '61 minutes'`;
    await register(at(1));
  });

  it('is not refused for a name that is taken with its proof used up', async () => {
    const at = await busyNetwork();
    const taken = `n${randomUUID().slice(0, 12)}`;
    await register(newNetwork()(1), undefined, taken);
    const proof = solve(await challengeFor(at(1)));
    await expect(register(at(1), proof, taken)).rejects.toMatchObject({ code: 'username_taken' });
    await register(at(1), proof);
  });
});

describe('a proof of work', () => {
  it('counts once, also of two who use it at once', async () => {
    const at = await busyNetwork();
    const proof = solve(await challengeFor(at(1)));
    const outcomes = await Promise.allSettled([register(at(1), proof), register(at(2), proof)]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(register(at(1), proof)).rejects.toMatchObject(required);
  });

  it('counts for the network that it was asked of alone', async () => {
    const [at, elsewhere] = [await busyNetwork(), await busyNetwork()];
    const proof = solve(await challengeFor(at(1)));
    await expect(register(elsewhere(1), proof)).rejects.toMatchObject(required);
    await register(at(200), proof);
  });

  it('is refused when it is too easy, for another challenge, or for one that the server did not make', async () => {
    const at = await busyNetwork();
    const challenge = await challengeFor(at(1));
    const { solution } = solve(challenge);
    const other = await challengeFor(at(1));
    const madeUp = solve(`1.${'a'.repeat(22)}`);
    for (const wrong of [
      solve(challenge, (proof) => !solves(proof)),
      madeUp,
      { challenge: `0${challenge.slice(1)}`, solution },
      { challenge: `${challenge.slice(0, -1)}!`, solution },
      solve(other, (proof) => solves({ ...proof, challenge }) && !solves(proof)),
    ])
      expect(await challengeFor(at(1), wrong)).not.toBe(challenge);
    await register(at(1), solve(challenge));
  });

  it('is refused ten minutes later, and the next one counts', async () => {
    const at = await busyNetwork();
    const proof = solve(await challengeFor(at(1)));
    await talpa.sql`
      update auth.registration_challenges set expires_at = now() where challenge = ${proof.challenge}`;
    await register(at(1), solve(await challengeFor(at(1), proof)));
  });
});
