import { hash, randomBytes } from 'node:crypto';
import { beginsWithZeros, bitsOf, type ProofOfWork, proofText } from '@talpa/contracts';
import { networkKey } from '@talpa/service-kit/address-key';
import { AppError } from '@talpa/service-kit/app-error';
import type { AnySql } from '@talpa/service-kit/database/sql';
import type { Tx } from '@talpa/service-kit/database/transaction';
import type { AuthContext } from '../context.ts';

const window = '1 hour';
/** Longer than a slow phone needs for the hardest one that is usual. */
const lifetime = '10 minutes';

type Context = Pick<AuthContext, 'sql' | 'client' | 'registrationProof'>;

/**
 * Lets a registration on, or asks for a proof of work while many come from its network. The proof counts when the account is
 * created (`recordRegistration`), so that a name that is taken costs no second one.
 * @returns the proof that it takes; null: none, whatever was sent
 * @throws AppError `registration_proof_required` with a new challenge
 */
export async function requireProof(
  context: Context,
  proof: ProofOfWork | undefined,
): Promise<ProofOfWork | null> {
  const { sql, client, registrationProof } = context;
  const network = networkKey(client.address);
  const [row] = await sql<{ count: number }[]>`
    select count(*) from registrations
    where network = ${network} and registered_at > now() - ${window}::interval`;
  if ((row?.count ?? 0) < registrationProof.after) return null;
  if (!proof || !isSolved(proof) || !(await isOpen(sql, proof, network))) throw await askForProof(context);
  return proof;
}

/** Whether the number solves its challenge: checked before the database is asked. */
function isSolved(proof: ProofOfWork): boolean {
  const bits = bitsOf(proof.challenge);
  return bits !== null && beginsWithZeros(hash('sha256', proofText(proof), 'buffer'), bits);
}

async function isOpen(sql: AnySql, { challenge }: ProofOfWork, network: string): Promise<boolean> {
  const [row] = await sql`
    select 1 from registration_challenges
    where challenge = ${challenge} and network = ${network} and expires_at > now()`;
  return row !== undefined;
}

async function askForProof({ sql, client, registrationProof }: Context): Promise<AppError> {
  const challenge = `${registrationProof.bits}.${randomBytes(16).toString('base64url')}`;
  await sql`
    insert into registration_challenges (challenge, network, expires_at)
    values (${challenge}, ${networkKey(client.address)}, now() + ${lifetime}::interval)`;
  return new AppError('registration_proof_required', { params: { challenge } });
}

/**
 * Counts a registration, and uses its proof up: of those who use one at once, for one alone.
 * @throws AppError `registration_proof_required` with a new challenge
 */
export async function recordRegistration(tx: Tx, context: Context, proof: ProofOfWork | null): Promise<void> {
  if (proof) {
    const { count } = await tx.sql`
      delete from registration_challenges where challenge = ${proof.challenge}`;
    if (count === 0) throw await askForProof(context);
  }
  await tx.sql`insert into registrations (network) values (${networkKey(context.client.address)})`;
}

export async function deleteOldRegistrations(sql: AnySql): Promise<void> {
  await sql`delete from registrations where registered_at < now() - ${window}::interval`;
  await sql`delete from registration_challenges where expires_at < now()`;
}
